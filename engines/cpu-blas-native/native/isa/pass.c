#include "pass.h"
#include <string.h>

tf_memory tf_memory_of(const tf_run *run) { return (tf_memory){run->scratch, run->scratch + run->scratch_bytes}; }

enum { READ_WORDS = 3 };

static int lane_bytes_of(int dtype) { return dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128 ? tf_dtype_bytes[dtype] / 2 : tf_dtype_bytes[dtype]; }

static void fill_constants(const tf_pass *pass, int count, i64 splat) {
  const word *constant = pass->constant_words;
  for (int i = 0; i < count; i++) {
    char *to = pass->home[(int)constant[0]];
    int bytes = (int)constant[1];
    i64 values = (i64)constant[2];
    if (values == 1) tf_fill(to, (const char *)(constant + 3), bytes, splat);
    else for (i64 value = 0; value < values; value++) memcpy(to + value * bytes, constant + 3 + value, bytes);
    constant += 3 + values;
  }
}

/* Where the operations begin. */
static const word *skip_constants(const tf_pass *pass, int count) {
  const word *constant = pass->constant_words;
  for (int i = 0; i < count; i++) constant += 3 + (i64)constant[2];
  return constant;
}

/* The largest element of a register, in bytes. */
static int element_bytes(const tf_pass *pass) {
  int most = 1;
  const word *operation = pass->operation_words;
  for (int i = 0; i < pass->operations; i++, operation += 5) {
    int bytes = tf_operation_sizes[(int)operation[0]].result;
    most = bytes > most ? bytes : most;
  }
  for (int r = 0; r < pass->reads; r++) {
    int bytes = lane_bytes_of((int)pass->read_words[3 * r]);
    most = bytes > most ? bytes : most;
  }
  const word *constant = pass->constant_words;
  while (constant < pass->operation_words) {
    int bytes = (int)constant[1];
    most = bytes > most ? bytes : most;
    constant += 3 + (i64)constant[2];
  }
  return most;
}

/*
 * Memory of the registers: results take what operands no longer need, their own operation's too. Reads and constants keep theirs, and so do
 * writes.
 */
static void share_memory(const tf_pass *pass, tf_memory *memory, char *next, i64 stride, int write_stride) {
  enum { FOREVER = INT32_MAX };
  i32 *last = tf_take_memory(memory, (pass->registers + 1) * (i64)sizeof(i32));
  char **unused = tf_take_memory(memory, (pass->registers + 1) * (i64)sizeof(char *));
  int count = 0;
  // Until an operation says otherwise, a register is a read or a constant.
  for (int i = 0; i <= pass->registers; i++) last[i] = FOREVER;
  for (int i = 0; i < pass->operations; i++) last[pass->code[i].out] = -1;
  for (int i = 0; i < pass->registers; i++) {
    if (last[i + 1] == FOREVER) {
      pass->at[i] = pass->home[i] = next;
      next += stride;
    }
  }
  for (int i = 0; i < pass->operations; i++) {
    const i32 operands[3] = {pass->code[i].a, pass->code[i].b, pass->code[i].c};
    for (int o = 0; o < 3; o++) if (last[operands[o]] != FOREVER) last[operands[o]] = i;
  }
  for (int w = 0; w < pass->writes; w++) {
    const word *words = pass->write_words + write_stride * w;
    for (int lane = 1; lane <= 2; lane++) if (words[lane] >= 0) last[(int)words[lane] + 1] = FOREVER;
  }
  for (int i = 0; i < pass->operations; i++) {
    const tf_instruction *code = &pass->code[i];
    const tf_sizes sizes = tf_operation_sizes[(int)pass->operation_words[5 * i]];
    const i32 operands[3] = {code->a, code->b, code->c};
    const b8 bytes[3] = {sizes.a, sizes.b, sizes.c};
    char *freed[3];
    int later = 0;
    for (int o = 0; o < 3; o++) {
      if (last[operands[o]] != i) continue;
      char *home = pass->home[operands[o] - 1];
      // Elements of another size would be overwritten before they are read.
      if (bytes[o] == sizes.result) unused[count++] = home;
      else freed[later++] = home;
      last[operands[o]] = -1;
    }
    char *home = count > 0 ? unused[--count] : next;
    if (home == next) next += stride;
    pass->at[code->out - 1] = pass->home[code->out - 1] = home;
    while (later > 0) unused[count++] = freed[--later];
  }
}

void tf_open_pass(tf_pass *pass, tf_memory *memory, const word *kernel, int write_stride, i64 splat, int shares) {
  pass->words = kernel;
  pass->monoid = (int)kernel[KERNEL_MONOID];
  pass->registers = (int)kernel[KERNEL_REGISTERS];
  pass->operations = (int)kernel[KERNEL_OPERATIONS];
  pass->reads = (int)kernel[KERNEL_READS];
  pass->writes = (int)kernel[KERNEL_WRITES];
  pass->first = (int)kernel[KERNEL_FIRST];
  pass->read_words = kernel + KERNEL_BODY;
  pass->write_words = pass->read_words + READ_WORDS * pass->reads;
  pass->constant_words = pass->write_words + write_stride * pass->writes;
  pass->operation_words = skip_constants(pass, (int)kernel[KERNEL_CONSTANTS]);
  char **places = tf_take_memory(memory, (2 * pass->registers + 1) * (i64)sizeof(char *));
  places[0] = NULL;
  pass->at = places + 1;
  pass->home = pass->at + pass->registers;
  i64 stride = BLOCK * element_bytes(pass);
  char *homes = tf_take_memory(memory, pass->registers * stride);
  pass->code = tf_take_memory(memory, pass->operations * (i64)sizeof(tf_instruction));
  const word *operation = pass->operation_words;
  for (int i = 0; i < pass->operations; i++, operation += 5) {
    pass->code[i] = (tf_instruction){tf_operations[(int)operation[0]], (i32)operation[1] + 1, (i32)operation[2] + 1, (i32)operation[3] + 1, (i32)operation[4] + 1};
  }
  if (shares) share_memory(pass, memory, homes, stride, write_stride);
  else for (int i = 0; i < pass->registers; i++) pass->at[i] = pass->home[i] = homes + i * stride;
  fill_constants(pass, (int)kernel[KERNEL_CONSTANTS], splat);
}

void tf_open_operand(tf_operand *operand, const word *words, char *base) {
  int dtype = (int)words[0];
  operand->base = base;
  operand->bytes = tf_dtype_bytes[dtype];
  operand->lanes = dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128 ? 2 : 1;
  operand->lane_bytes = operand->bytes / operand->lanes;
  operand->registers[0] = (int)words[1];
  operand->registers[1] = (int)words[2];
}
