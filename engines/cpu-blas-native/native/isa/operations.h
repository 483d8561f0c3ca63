/* What the files of one instruction set know of each other. Each is compiled for every level: TF_LEVEL is part of the names. */
#ifndef TF_OPERATIONS_H
#define TF_OPERATIONS_H
#include "../tf_native.h"

#ifndef TF_LEVEL
#error "TF_LEVEL: 0 the machine's least, 1 AVX2, 2 AVX-512"
#endif
#define TF_JOIN2(a, b) a##_##b
#define TF_JOIN(a, b) TF_JOIN2(a, b)
#define ISA(name) TF_JOIN(name, TF_LEVEL)

/* Bytes of an element of an operation's result and of its operands, 0 where there is none. */
typedef struct { b8 result, a, b, c; } tf_sizes;

#define tf_operations ISA(tf_operations)
#define tf_operation_sizes ISA(tf_operation_sizes)
#define tf_first_function ISA(tf_first_function)
#define tf_loop ISA(tf_loop)
#define tf_scan ISA(tf_scan)
extern const tf_operation tf_operations[];
extern const tf_sizes tf_operation_sizes[];
/* From this index on, operations are functions, which take longer than a few instructions an element. */
extern const int tf_first_function;
void tf_loop(const tf_run *run, const word *record);
void tf_scan(const tf_run *run, const word *record);

/* Operations on blocks, by name: `block_add_f32`. */
#define TF_BLOCK(name) ISA(block_##name)

/* Elements of a loop depend on their own operands only, also where the result lies upon one of them. */
#if defined(__clang__)
#define TF_VECTORS _Pragma("clang loop vectorize(assume_safety)")
#else
#define TF_VECTORS _Pragma("GCC ivdep")
#endif
/* Half of a block, in whole vectors of every type and instruction set. */
#define TF_HALF(n) ((n) / 2 & ~(i64)15)
#endif
