#ifndef TF_LOOP_H
#define TF_LOOP_H
#include "pass.h"

#define tf_reduce ISA(tf_reduce)
#define tf_short_loop ISA(tf_short_loop)
/* A loop with a monoid; `outer`: its outermost extent. */
void tf_reduce(const tf_run *run, const word *record, tf_pass *pass, tf_memory *memory, i64 outer);
/* Runs a loop over few elements that lie one after the other; 0 if it is no such loop. */
int tf_short_loop(const tf_run *run, const word *record, i64 outer);
#endif
