/* Loops over few elements that lie one after the other, as those of most eager operations: what a space and a shared pass would cost is more than the work. */
#include "fold.h"
#include "loop.h"
#include <string.h>

/* All registers of the kernel fit in the nearest cache. */
enum { SHORT_BYTES = 16384 };

/* An operand of one lane whose elements lie one after the other, or that is one element for all. */
static int is_simple(const word *operand, const word *view, i64 rank, i64 n, int may_stand) {
  const int dtype = (int)operand[0];
  if (dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128) return 0;
  const i64 stride = rank == 0 || n == 1 ? tf_dtype_bytes[dtype] : (i64)view[VIEW_STRIDES];
  return stride == tf_dtype_bytes[dtype] || (may_stand && stride == 0);
}

int tf_short_loop(const tf_run *run, const word *record, i64 outer) {
  const word *kernel = run->table + (i64)record[LOOP_KERNEL];
  const i64 rank = (i64)record[LOOP_RANK], n = rank == 0 ? 1 : outer, registers = (i64)kernel[KERNEL_REGISTERS];
  const int folds = kernel[KERNEL_MONOID] != MONOID_NONE, reads = (int)kernel[KERNEL_READS], operations = (int)kernel[KERNEL_OPERATIONS];
  if (rank > 1 || n < 1 || n > BLOCK || kernel[KERNEL_WRITES] != 1) return 0;
  if (folds && record[LOOP_FOLDED] != 1) return 0;
  const i64 stride = (n * 8 + 63) & ~(i64)63, view_words = VIEW_STRIDES + rank;
  if (registers * stride > SHORT_BYTES) return 0;
  const word *views = record + LOOP_EXTENTS + rank, *operands = kernel + KERNEL_BODY, *write = operands + 3 * reads;
  for (int r = 0; r < reads; r++) if (!is_simple(operands + 3 * r, views + view_words * r, rank, n, 1)) return 0;
  if (!is_simple(write, views + view_words * reads, rank, folds ? 1 : n, 0)) return 0;
  const word *constant = write + 3;
  for (i64 i = (i64)kernel[KERNEL_CONSTANTS]; i > 0; i--, constant += 4) if (constant[2] != 1) return 0;
  const word *code = constant;

  /* Places by register + 1; 0 is none. */
  char **at = (char **)run->scratch, *homes = run->scratch + (((registers + 1) * (i64)sizeof(char *) + 63) & ~(i64)63);
  at[0] = NULL;
  for (i64 i = 0; i < registers; i++) at[i + 1] = homes + i * stride;
  for (constant = write + 3; constant < code; constant += 4) tf_fill(at[(int)constant[0] + 1], (const char *)(constant + 3), (int)constant[1], n);
  for (int r = 0; r < reads; r++) {
    const int name = (int)operands[3 * r + 1], bytes = tf_dtype_bytes[(int)operands[3 * r]];
    if (name < 0) continue;
    const word *view = views + view_words * r;
    char *place = tf_place(run, view);
    if (n > 1 && view[VIEW_STRIDES] == 0) tf_fill(at[name + 1], place, bytes, n);
    else at[name + 1] = place;
  }
  char *out = tf_place(run, views + view_words * reads);
  const int result = (int)write[1];
  const int is_last = operations > 0 && (int)code[5 * (operations - 1) + 1] == result;
  if (is_last && !folds) at[result + 1] = out;
  for (int i = 0; i < operations; i++, code += 5) tf_operations[(int)code[0]](at[(int)code[1] + 1], at[(int)code[2] + 1], at[(int)code[3] + 1], at[(int)code[4] + 1], n);
  if (folds) tf_fold_of((int)kernel[KERNEL_MONOID], (int)write[0])->segments(at[result + 1], NULL, 1, n, out, NULL);
  else if (!is_last) memmove(out, at[result + 1], (size_t)(n * tf_dtype_bytes[(int)write[0]]));
  return 1;
}
