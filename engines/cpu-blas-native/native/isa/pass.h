/* One pass over a block: a kernel's operations on registers. */
#ifndef TF_PASS_H
#define TF_PASS_H
#include "../scratch.h"
#include "space.h"

/* Operands by register + 1; 0 is none. */
typedef struct { tf_operation run; i32 out, a, b, c; } tf_instruction;

typedef struct {
  int registers, operations, reads, writes, first, monoid;
  char **at;   /* where a register's elements are; at[−1] nowhere */
  char **home; /* its own memory */
  tf_instruction *code;
  const word *words, *read_words, *write_words, *constant_words, *operation_words;
} tf_pass;

#define tf_open_pass ISA(tf_open_pass)
#define tf_open_operand ISA(tf_open_operand)
#define tf_memory_of ISA(tf_memory_of)

tf_memory tf_memory_of(const tf_run *run);
/*
 * Reads the kernel; constants fill `splat` elements of their registers. `write_stride`: words of a write. `shares`: results lie in the memory of
 * results that are needed no more, so that all of it stays in the cache.
 */
void tf_open_pass(tf_pass *pass, tf_memory *memory, const word *kernel, int write_stride, i64 splat, int shares);
/* What an operand's words (dtype, registers) say. */
void tf_open_operand(tf_operand *operand, const word *words, char *base);

/* The operations from `begin` to before `end`. */
static inline void tf_run_pass(const tf_pass *pass, int begin, int end, i64 n) {
  char **at = pass->at - 1;
  for (const tf_instruction *i = pass->code + begin, *last = pass->code + end; i < last; i++) i->run(at[i->out], at[i->a], at[i->b], at[i->c], n);
}
#endif
