#ifndef TF_LOOP_H
#define TF_LOOP_H
#include "pass.h"

#define tf_reduce ISA(tf_reduce)
/* A loop with a monoid; `outer`: its outermost extent. */
void tf_reduce(const tf_run *run, const word *record, tf_pass *pass, tf_memory *memory, i64 outer);
#endif
