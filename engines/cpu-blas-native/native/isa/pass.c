#include "pass.h"
#include <string.h>

tf_memory tf_memory_of(const tf_run *run) { return (tf_memory){run->scratch, run->scratch + run->scratch_bytes}; }

enum { READ_WORDS = 3 };

static const word *fill_constants(const tf_pass *pass, int count, i64 splat) {
  const word *constant = pass->constant_words;
  for (int i = 0; i < count; i++) {
    char *to = pass->home[(int)constant[0]];
    int bytes = (int)constant[1];
    i64 values = (i64)constant[2];
    if (values == 1) tf_fill(to, (const char *)(constant + 3), bytes, splat);
    else for (i64 value = 0; value < values; value++) memcpy(to + value * bytes, constant + 3 + value, bytes);
    constant += 3 + values;
  }
  return constant;
}

void tf_open_pass(tf_pass *pass, tf_memory *memory, const word *kernel, int write_stride, i64 splat) {
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
  char **places = tf_take_memory(memory, (2 * pass->registers + 1) * (i64)sizeof(char *));
  places[0] = NULL;
  pass->at = places + 1;
  pass->home = pass->at + pass->registers;
  char *homes = tf_take_memory(memory, pass->registers * (i64)TF_REGISTER_STRIDE);
  for (int i = 0; i < pass->registers; i++) pass->at[i] = pass->home[i] = homes + i * (i64)TF_REGISTER_STRIDE;
  pass->operation_words = fill_constants(pass, (int)kernel[KERNEL_CONSTANTS], splat);
  pass->code = tf_take_memory(memory, pass->operations * (i64)sizeof(tf_instruction));
  const word *operation = pass->operation_words;
  for (int i = 0; i < pass->operations; i++, operation += 5) {
    pass->code[i] = (tf_instruction){tf_operations[(int)operation[0]], (i32)operation[1] + 1, (i32)operation[2] + 1, (i32)operation[3] + 1, (i32)operation[4] + 1};
  }
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
