/*
 * The iterations of a loop in row-major order, taken in blocks, and how operands lie along them. A block is a run of iterations; where it goes
 * over the ends of rows, it has a piece for each row.
 */
#ifndef TF_SPACE_H
#define TF_SPACE_H
#include "operations.h"

/* Working memory of one step, from the table's scratch. */
typedef struct { char *at, *end; } tf_memory;

/* How an operand lies: one element after the other, one element for all iterations, or otherwise. */
enum { LIES_FLAT, LIES_FIXED, LIES_IN_ROWS };

typedef struct {
  char *base;
  i64 *strides; /* of each axis, in bytes */
  i64 *moves;   /* of each axis but the innermost: how the row's place changes when the axis steps and those inside it begin anew */
  i64 row;      /* the present row's place, from `base` */
  i64 inner;    /* stride of the innermost axis */
  int lies;
  int bytes, lanes, lane_bytes;
  int registers[2];
  const char *splat; /* the element of which the registers are full */
  int repeats;       /* every row is the same */
  i64 repeated;      /* elements of such rows that the registers hold, from the begin of a row on */
} tf_operand;

typedef struct {
  int rank;
  i64 *extents;
  i64 *index;
  i64 columns;  /* extent of the innermost axis */
  i64 column;   /* iterations of the row that are done */
  i64 next_column; /* after the block */
  i64 position; /* iterations that are done */
  int operands;
  tf_operand *operand;
  int pieces;
  i32 *lengths;
  i32 *ends; /* for each piece: the axis that steps after it, or −1 */
} tf_space;

#define tf_take_memory ISA(tf_take_memory)
#define tf_open_space ISA(tf_open_space)
#define tf_merge_axes ISA(tf_merge_axes)
#define tf_take_block ISA(tf_take_block)
#define tf_pass_block ISA(tf_pass_block)
#define tf_load ISA(tf_load)
#define tf_store ISA(tf_store)
#define tf_fill ISA(tf_fill)
#define tf_block_place ISA(tf_block_place)
#define tf_restart ISA(tf_restart)

void *tf_take_memory(tf_memory *memory, i64 bytes);
/* A space of `rank` axes and `operands` operands, whose extents and strides the caller writes; then tf_merge_axes. */
void tf_open_space(tf_space *space, tf_memory *memory, int rank, int operands);
/* Axes that every operand walks as one become one, those of extent 1 go; then the space is at its begin. */
void tf_merge_axes(tf_space *space);
/* To the begin again, after bases were changed. */
void tf_restart(tf_space *space);
/* The next n iterations. */
void tf_take_block(tf_space *space, i64 n);
void tf_pass_block(tf_space *space, i64 n);
/* Where the block's first element lies if its elements lie one after the other, else NULL. */
char *tf_block_place(const tf_space *space, const tf_operand *operand);
/* Elements of the block into the operand's registers; those of one lane that lie one after the other stay where they are: then at[register] is there. */
void tf_load(const tf_space *space, tf_operand *operand, char **at, char *const *home, i64 n, i64 splat);
/* From the lanes' places to the elements of the block. */
void tf_store(const tf_space *space, const tf_operand *operand, const char *first, const char *second, i64 n);
void tf_fill(char *to, const char *value, int bytes, i64 n);
#endif
