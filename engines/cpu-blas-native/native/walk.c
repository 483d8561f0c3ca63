/* The walk over the step table: one record after the other; steps that run others walk theirs. */
#include "tf_native.h"
#include <string.h>

static int is_aborted(const tf_run *run) {
  const i64 flag = (i64)run->table[TABLE_ABORT];
  return flag != 0 && __atomic_load_n((const int32_t *)(intptr_t)flag, __ATOMIC_RELAXED) != 0;
}

static word *after(word *record) { return record + (i64)record[RECORD_WORDS]; }

static void copy(const tf_run *run, const word *record) {
  memmove(tf_place(run, record + COPY_FROM + VIEW_STRIDES), tf_place(run, record + COPY_FROM), (size_t)record[COPY_BYTES]);
}

static void size(const tf_run *run, const word *record) {
  const int32_t value = (int32_t)record[SIZE_VALUE];
  memcpy(tf_place(run, record + SIZE_TO), &value, sizeof value);
}

static int repeat(tf_run *run, word *record) {
  word *counter = run->counters + (i64)record[REPEAT_COUNTER];
  const i64 count = (i64)record[REPEAT_COUNT];
  const word *end = after(record);
  int status = STATUS_DONE;
  for (i64 i = 0; i < count && status == STATUS_DONE; i++) {
    *counter = (word)i;
    status = tf_walk(run, record + REPEAT_STEPS, end);
  }
  *counter = 0;
  return status;
}

/* Tiles are the counts of a repeat; the last one may have fewer rows. */
static int tile(tf_run *run, word *record) {
  word *counter = run->counters + (i64)record[TILE_COUNTER];
  const i64 tiles = (i64)record[TILE_TILES];
  const word *end = after(record);
  int status = STATUS_DONE;
  for (i64 i = 0; i < tiles && status == STATUS_DONE; i++) {
    *counter = (word)i;
    run->is_last_tile = i == tiles - 1;
    status = tf_walk(run, record + TILE_STEPS, end);
  }
  run->is_last_tile = 0;
  *counter = 0;
  return status;
}

static int repeat_while(tf_run *run, word *record) {
  word *body = record + WHILE_STEPS + (i64)record[WHILE_CONDITION];
  for (;;) {
    int status = tf_walk(run, record + WHILE_STEPS, body);
    if (status != STATUS_DONE || *(const uint8_t *)tf_place(run, record + WHILE_HOLDS) == 0) return status;
    status = tf_walk(run, body, after(record));
    if (status != STATUS_DONE) return status;
    if (is_aborted(run)) return STATUS_ABORTED;
  }
}

static int branch(tf_run *run, word *record) {
  const i64 last = (i64)record[BRANCH_COUNT] - 1;
  int32_t index;
  memcpy(&index, tf_place(run, record + BRANCH_INDEX), sizeof index);
  const i64 taken = index < 0 ? 0 : index > last ? last : index;
  const word *begins = record + BRANCH_BEGINS;
  return tf_walk(run, record + (i64)begins[taken], record + (i64)begins[taken + 1]);
}

static int step(tf_run *run, word *record) {
  switch ((int)record[RECORD_KIND]) {
    case STEP_NOTHING: return STATUS_DONE;
    case STEP_LOOP: return run->isa->loop(run, record), STATUS_DONE;
    case STEP_SCAN: return run->isa->scan(run, record), STATUS_DONE;
    case STEP_CONTRACT: return tf_contract(run, record);
    case STEP_SORT: return tf_sort(run, record), STATUS_DONE;
    case STEP_IOTA: return tf_iota(run, record), STATUS_DONE;
    case STEP_COPY: return copy(run, record), STATUS_DONE;
    case STEP_SIZE: return size(run, record), STATUS_DONE;
    case STEP_GATHER: return tf_gather(run, record);
    case STEP_SCATTER: return tf_scatter(run, record);
    case STEP_TILE: return tile(run, record);
    case STEP_REPEAT: return repeat(run, record);
    case STEP_WHILE: return repeat_while(run, record);
    case STEP_BRANCH: return branch(run, record);
    case STEP_CALL: return tf_call(run, record);
    default: return STATUS_CORRUPT;
  }
}

/* Up to `end`, or to a record STEP_END where that is NULL. */
int tf_walk(tf_run *run, word *record, const word *end) {
  while (record != end && record[RECORD_KIND] != STEP_END) {
    const int status = step(run, record);
    if (status != STATUS_DONE) {
      /* The innermost step says where it was. */
      if (run->table[TABLE_AT] == 0) run->table[TABLE_AT] = (word)(record - run->table);
      return status;
    }
    record = after(record);
    if (is_aborted(run)) return STATUS_ABORTED;
  }
  return STATUS_DONE;
}

int tf_run_table(word *table, i64 start, const tf_isa *isa, void *call_host, int (*host)(void *, word *)) {
  if (table[TABLE_VERSION] != TF_VERSION) return STATUS_CORRUPT;
  tf_run run = {
    .table = table, .addresses = table + (i64)table[TABLE_ADDRESSES], .counters = table + (i64)table[TABLE_COUNTERS],
    .scratch = (char *)(intptr_t)table[TABLE_SCRATCH], .scratch_bytes = (i64)table[TABLE_SCRATCH_BYTES],
    .threads = (int)table[TABLE_THREADS], .isa = isa, .call_host = call_host, .host = host,
  };
  table[TABLE_AT] = 0;
  return tf_walk(&run, table + start, NULL);
}
