/*
 * Working memory of a loop or a scan, in bytes: `registers`, `operations`, `operands` (reads and writes) and `lanes` (of all writes) of its
 * kernel, `rank` of the step; `folds`: 1 if it has a monoid or scans.
 */
#ifndef TF_SCRATCH_H
#define TF_SCRATCH_H
#define TF_REGISTER_STRIDE REGISTER_BYTES
#define TF_FOLD_LANE_BYTES (8 * REGISTER_BYTES + 65536 + 2 * REGISTER_BYTES)
#define TF_SCRATCH(registers, operations, operands, lanes, rank, folds)                                                                              \
  (16384 + (i64)(registers) * (TF_REGISTER_STRIDE + 128) + (i64)(operations) * 64 + (i64)(operands) * (512 + 64 * ((i64)(rank) + 1)) +                 \
   (folds) * (i64)(lanes) * TF_FOLD_LANE_BYTES)
#endif
