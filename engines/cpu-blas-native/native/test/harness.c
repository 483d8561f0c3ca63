/*
 * Runs loops and scans for the tests, without Node: `harness names` prints the operations in order, `harness levels` how many instruction sets the
 * machine has, `harness run IN OUT` runs cases. All numbers are doubles, data are padded to 8 bytes.
 *
 *   IN:  cases; for each: level, 0 a loop or 1 a scan, word of the record, repetitions, bytes of scratch, words of the table, buffers; the table;
 *        then for each buffer: bytes, and its data.
 *   OUT: for each case: the quickest run in nanoseconds, then for each buffer its data.
 */
#include "../tf_native.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static word take(FILE *in) {
  word value;
  if (fread(&value, sizeof value, 1, in) != 1) exit(3);
  return value;
}

static void *room(i64 bytes) {
  void *at = NULL;
  if (posix_memalign(&at, 64, bytes > 0 ? (size_t)bytes : 1) != 0) exit(4);
  return at;
}

static void read_padded(FILE *in, char *to, i64 bytes) {
  char rest[8];
  i64 padding = (8 - bytes % 8) % 8;
  if (bytes > 0 && fread(to, bytes, 1, in) != 1) exit(3);
  if (padding > 0 && fread(rest, padding, 1, in) != 1) exit(3);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void run_case(FILE *in, FILE *out) {
  int level = (int)take(in), is_scan = (int)take(in);
  i64 record = (i64)take(in), repetitions = (i64)take(in), scratch = (i64)take(in), words = (i64)take(in), buffers = (i64)take(in);
  word *table = room(words * 8);
  if (fread(table, 8, words, in) != (size_t)words) exit(3);
  tf_run run = {
    .table = table, .addresses = table + (i64)table[TABLE_ADDRESSES], .counters = table + (i64)table[TABLE_COUNTERS], .scratch = room(scratch),
    .scratch_bytes = scratch, .is_last_tile = 0, .threads = 1,
  };
  char **data = room(buffers * 8);
  i64 *bytes = room(buffers * 8);
  for (i64 i = 0; i < buffers; i++) {
    bytes[i] = (i64)take(in);
    data[i] = room(bytes[i]);
    read_padded(in, data[i], bytes[i]);
    run.addresses[i] = (word)(intptr_t)data[i];
  }
  const tf_isa *isa = tf_isa_of(level);
  double quickest = 1e300;
  for (i64 i = 0; i < repetitions; i++) {
    double begin = now();
    (is_scan ? isa->scan : isa->loop)(&run, table + record);
    double taken = now() - begin;
    if (taken < quickest) quickest = taken;
  }
  fwrite(&quickest, sizeof quickest, 1, out);
  for (i64 i = 0; i < buffers; i++) {
    char padding[8] = {0};
    fwrite(data[i], 1, bytes[i], out);
    fwrite(padding, 1, (8 - bytes[i] % 8) % 8, out);
    free(data[i]);
  }
  free(data);
  free(bytes);
  free(run.scratch);
  free(table);
}

int main(int count, char **args) {
  if (count == 2 && strcmp(args[1], "names") == 0) {
    for (const char *const *name = tf_isa_of(0)->names; *name != NULL; name++) puts(*name);
    return 0;
  }
  if (count == 2 && strcmp(args[1], "levels") == 0) {
    int level = 0;
    while (level < 2 && tf_isa_of(level + 1) != tf_isa_of(level)) level++;
    printf("%d\n", level + 1);
    return 0;
  }
  if (count != 4 || strcmp(args[1], "run") != 0) return 2;
  FILE *in = fopen(args[2], "rb"), *out = fopen(args[3], "wb");
  if (in == NULL || out == NULL) return 3;
  for (i64 cases = (i64)take(in); cases > 0; cases--) run_case(in, out);
  fclose(in);
  return fclose(out) == 0 ? 0 : 3;
}
