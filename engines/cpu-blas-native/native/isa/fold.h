/*
 * Reductions by the tree of core's loop/reduction.ts: blocks of 128 elements, 8 lanes, the lanes' fold, then pairs of blocks. Of operands of one
 * lane the second pointers are NULL.
 */
#ifndef TF_FOLD_H
#define TF_FOLD_H
#include "operations.h"

enum { TREE_BLOCK = 128, TREE_LANES = 8, TREE_DEPTH = 48 };

/* One lane of a result: blocks that are done, and the pairing's stack. A result has two, the second for imaginary parts. */
typedef struct {
  i64 block;
  int depth;
  _Alignas(8) char stack[TREE_DEPTH * 8];
} tf_tree;

typedef struct {
  /* The next n elements, which begin at a block's begin. */
  void (*blocks)(tf_tree *tree, const void *first, const void *second, i64 n);
  void (*finish)(tf_tree *tree, void *first, void *second);
  /* `count` results of n elements each, which follow one another. */
  void (*segments)(const void *first, const void *second, i64 count, i64 n, void *out_first, void *out_second);
  /* a = a ∘ e for n elements side by side. */
  void (*combine)(void *first, void *second, const void *e_first, const void *e_second, i64 n);
  /* n identities. */
  void (*identities)(void *first, void *second, i64 n);
} tf_fold;

#define tf_fold_of ISA(tf_fold_of)
const tf_fold *tf_fold_of(int monoid, int dtype);
#endif
