/*
 * Whether a table may be walked: every record lies within the one around it, every view within its buffer, at every count of the loops around it, every kernel's words
 * within the table, every offset and stride a whole number of elements. A table that is wrong would write where it must not, or where its elements may not lie, so it is
 * refused before its first run. What a table cannot say is not looked at: addresses of buffers, which are aligned where they are taken (place.ts), and what kernels of
 * families do with theirs.
 */
#define TF_LEVEL 0 /* sizes of elements are those of every instruction set */
#include "contract.h"
#include "isa/operations.h"
#include "scratch.h"
#include <math.h>

enum { MAXIMUM_RANK = 64, MAXIMUM_DEPTH = 64 };
#define LARGEST 9007199254740992.0 /* 2^53 */

/* Where the words of something are read, one after the other. `wrong`: a word was not what it has to be. */
typedef struct {
  const word *table;
  i64 at, end;
  int wrong;
} reader;

typedef struct {
  const word *table;
  i64 words;
  const word *bytes; /* of each buffer */
  i64 buffers;
  i64 counters;      /* words of counters */
  i64 operations;
  i64 counts[MAXIMUM_DEPTH]; /* of the loops around */
  int is_last;       /* the loop of a tile, with its last count alone */
  i64 bad;           /* the record that is wrong, or 0 */
} checker;

static i64 take(reader *of, double least, double most) {
  if (of->wrong || of->at >= of->end) return of->wrong = 1, 0;
  const word value = of->table[of->at++];
  if (!(value >= least && value <= most) || value != trunc(value)) return of->wrong = 1, 0;
  return (i64)value;
}

/* Bytes between elements of so many bytes. */
static i64 take_bytes(reader *of, i64 unit) {
  const i64 value = take(of, -LARGEST, LARGEST);
  if (value % unit != 0) of->wrong = 1;
  return value;
}

static const word *skip(reader *of, i64 count) {
  if (of->wrong || count < 0 || count > of->end - of->at) return of->wrong = 1, NULL;
  of->at += count;
  return of->table + of->at - count;
}

/* ---------------------------------------------------------------- views */

/* Bytes from the first to behind the last that a view reaches, from its buffer's begin. Doubles: they grow beyond any integer without harm. */
typedef struct { i64 buffer; double first, last; } reach;

static void widen(reach *of, double count, double step) {
  if (count < 2) return;
  if (step < 0) of->first += (count - 1) * step;
  else of->last += (count - 1) * step;
}

/* A view of `rank` strides, each axis as long as `extents` says, of `bytes` bytes at each place. Elements have `unit` bytes: all its steps are multiples of them. */
static reach view_of(checker *all, reader *of, i64 rank, const double *extents, double bytes, i64 unit) {
  reach result = {take(of, 0, (double)(all->buffers - 1)), 0, bytes};
  const i64 offset = take_bytes(of, unit), moves = take(of, 0, (double)all->words);
  result.first += (double)offset, result.last += (double)offset;
  for (i64 axis = 0; axis < rank; axis++) widen(&result, extents[axis], (double)take_bytes(of, unit));
  if (moves == 0 || of->wrong) return result;
  reader list = {all->table, moves, all->words, 0};
  for (i64 n = take(&list, 1, MAXIMUM_DEPTH); n > 0; n--) {
    const i64 counter = take(&list, 0, (double)(all->counters - 1));
    const double step = (double)take_bytes(&list, unit);
    if (list.wrong) break;
    if (all->is_last && all->counts[counter] > 1) {
      result.first += (double)(all->counts[counter] - 1) * step, result.last += (double)(all->counts[counter] - 1) * step;
    } else {
      widen(&result, (double)all->counts[counter], step);
    }
  }
  of->wrong |= list.wrong;
  return result;
}

static void within(checker *all, reader *of, reach view) {
  if (of->wrong || (view.first >= 0 && view.last <= all->bytes[view.buffer])) return;
  of->wrong = 1;
}

static reach elements_of(checker *all, reader *of, i64 rank, const double *extents, i64 bytes) { return view_of(all, of, rank, extents, (double)bytes, bytes); }

static void plain_view(checker *all, reader *of, double bytes, i64 unit) { within(all, of, view_of(all, of, 0, NULL, bytes, unit)); }

static int extents_of(reader *of, i64 rank, double *extents) {
  int is_empty = 0;
  for (i64 axis = 0; axis < rank; axis++) {
    extents[axis] = (double)take(of, 0, LARGEST);
    is_empty |= extents[axis] == 0;
  }
  return is_empty;
}

/* ---------------------------------------------------------------- kernels */

/* Where the reads' and writes' dtypes are; NULL where the kernel is wrong, or working memory too small for it. */
static const word *kernel_of(checker *all, i64 at, i64 rank, int is_scan, i64 *reads, i64 *writes) {
  reader of = {all->table, at, all->words, at < TABLE_HEADER};
  const i64 monoid = take(&of, MONOID_NONE, MONOID_MIN), registers = take(&of, 0, 1e6), constants = take(&of, 0, 1e6), operations = take(&of, 0, 1e6);
  *reads = take(&of, 0, 1e5), *writes = take(&of, 1, 1e5);
  take(&of, 0, (double)operations);
  const word *dtypes = of.table + of.at;
  i64 lanes = 0;
  for (i64 i = 0; i < *reads; i++) {
    take(&of, TF_FLOAT32, TF_BOOL);
    for (int lane = 0; lane < 2; lane++) take(&of, -1, (double)(registers - 1));
  }
  for (i64 i = 0; i < *writes; i++) {
    const i64 dtype = take(&of, TF_FLOAT32, TF_BOOL);
    const int is_complex = dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128;
    for (int lane = 0; lane < (is_scan ? 4 : 2); lane++) {
      const i64 place = take(&of, -1, (double)(registers - 1));
      if (place < 0 && (lane % 2 == 0 || is_complex)) of.wrong = 1;
    }
    if (monoid > MONOID_PROD && is_complex) of.wrong = 1;
    if (dtype == TF_BOOL && (monoid == MONOID_SUM || monoid == MONOID_PROD)) of.wrong = 1;
    lanes += is_complex ? 2 : 1;
  }
  for (i64 i = 0; i < constants; i++) {
    take(&of, 0, (double)(registers - 1));
    take(&of, 1, 8);
    skip(&of, take(&of, 1, BLOCK));
  }
  for (i64 i = 0; i < operations; i++) {
    const tf_sizes sizes = tf_operation_sizes[take(&of, 0, (double)(all->operations - 1))];
    const b8 needs[4] = {1, sizes.a, sizes.b, sizes.c};
    for (int place = 0; place < 4; place++) take(&of, needs[place] != 0 ? 0 : -1, (double)(registers - 1));
  }
  const i64 needed = TF_SCRATCH(registers, operations, *reads + *writes, lanes, rank, is_scan || monoid != MONOID_NONE);
  return of.wrong || (double)needed > all->table[TABLE_SCRATCH_BYTES] ? NULL : dtypes;
}

/* ---------------------------------------------------------------- steps */

static void check_loop(checker *all, reader *of, int is_scan) {
  double extents[MAXIMUM_RANK];
  const i64 kernel = take(of, 0, (double)all->words), rank = take(of, is_scan, MAXIMUM_RANK);
  const i64 folded = is_scan ? 0 : take(of, 0, (double)rank);
  const i64 last = is_scan ? take(of, 0, 1) : take(of, 0, LARGEST);
  if (of->wrong) return;
  const int is_empty = extents_of(of, rank, extents);
  if (!is_scan && rank > 0 && all->is_last) extents[0] = (double)last;
  i64 reads, writes;
  const word *dtypes = kernel_of(all, kernel, rank, is_scan, &reads, &writes);
  if (dtypes == NULL || of->wrong) {
    of->wrong = 1;
    return;
  }
  /* A fold of nothing reads nothing, and writes the identity. */
  const i64 written = rank - folded;
  int is_nothing = 0;
  for (i64 axis = 0; axis < written; axis++) is_nothing |= extents[axis] == 0;
  for (i64 operand = 0; operand < (is_scan ? reads : reads + writes); operand++) {
    const int is_write = operand >= reads;
    const int dtype = (int)dtypes[3 * operand];
    const reach view = elements_of(all, of, rank, extents, tf_dtype_bytes[dtype]);
    if (!is_nothing && (is_write || !is_empty)) within(all, of, view);
  }
}

static void check_contract(checker *all, reader *of, i64 record) {
  double extents[3][MAXIMUM_RANK];
  const i64 dtype = take(of, TF_FLOAT32, TF_INT64), batch = take(of, 0, MAXIMUM_RANK - 2);
  const double m = (double)take(of, 0, LARGEST), n = (double)take(of, 0, LARGEST), k = (double)take(of, 0, LARGEST);
  if (of->wrong) return;
  int is_empty = extents_of(of, batch, extents[0]) || m == 0 || n == 0;
  for (i64 axis = 0; axis < batch; axis++) extents[1][axis] = extents[2][axis] = extents[0][axis];
  const double inner[3][2] = {{m, k}, {k, n}, {m, n}};
  for (int operand = 0; operand < 3; operand++) {
    extents[operand][batch] = inner[operand][0], extents[operand][batch + 1] = inner[operand][1];
    const reach view = elements_of(all, of, batch + 2, extents[operand], tf_dtype_bytes[dtype]);
    if (!is_empty && (operand == 2 || k > 0)) within(all, of, view);
  }
  if (!of->wrong && !is_empty && tf_contract_scratch(all->table + record) > all->table[TABLE_SCRATCH_BYTES]) of->wrong = 1;
}

static void check_sort(checker *all, reader *of) {
  double extents[MAXIMUM_RANK];
  const i64 dtype = take(of, TF_FLOAT32, TF_BOOL);
  take(of, 0, 1);
  const i64 rank = take(of, 1, MAXIMUM_RANK);
  if (of->wrong || dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128) {
    of->wrong = 1;
    return;
  }
  const int is_empty = extents_of(of, rank, extents);
  const double line = of->wrong ? 0 : extents[rank - 1];
  if (line > INT32_MAX) of->wrong = 1;
  for (int operand = 0; operand < 3; operand++) {
    const reach view = elements_of(all, of, rank, extents, operand == 2 ? 4 : tf_dtype_bytes[dtype]);
    if (!is_empty) within(all, of, view);
  }
  /* Records, and room to turn them where a line is not short (sort.c). */
  const double record = tf_dtype_bytes[dtype] == 8 ? 16 : 8;
  const reach workspace = view_of(all, of, 0, NULL, line > 40 ? 2 * line * record : line * record, 8);
  if (!is_empty) within(all, of, workspace);
}

static void check_indexed(checker *all, reader *of, int is_gather) {
  double extents[MAXIMUM_RANK];
  const i64 dtype = take(of, TF_FLOAT32, TF_BOOL), combine = take(of, COMBINE_SET, COMBINE_MIN), rank = take(of, 0, MAXIMUM_RANK);
  const double rows = (double)take(of, 0, LARGEST), step = (double)take_bytes(of, of->wrong ? 1 : tf_dtype_bytes[dtype]);
  if (of->wrong || (!is_gather && combine > COMBINE_ADD && (dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128))) {
    of->wrong = 1;
    return;
  }
  const int is_empty = extents_of(of, rank, extents);
  for (int operand = 0; operand < 3; operand++) {
    reach view = elements_of(all, of, rank, extents, operand == 0 ? 4 : tf_dtype_bytes[dtype]);
    if (operand == 1) widen(&view, rows, step);
    if (!is_empty && (operand != 1 || rows > 0)) within(all, of, view);
  }
}

static void check_call(checker *all, reader *of) {
  take(of, 0, LARGEST), skip(of, 2);
  const i64 operands = take(of, 0, 4096);
  take(of, 0, operands > 0), skip(of, 1);
  const i64 integers = take(of, 0, 4096);
  take(of, 0, integers > 0);
  if (of->wrong) return;
  reader sizes = *of;
  skip(&sizes, operands * VIEW_STRIDES + integers);
  for (i64 operand = 0; operand < operands; operand++) {
    const i64 unit = take(&sizes, 1, 16);
    const double bytes = (double)take(&sizes, 0, LARGEST);
    if (sizes.wrong) break;
    const reach view = view_of(all, of, 0, NULL, bytes, unit);
    if (bytes > 0) within(all, of, view);
  }
  of->wrong |= sizes.wrong;
}

/* ---------------------------------------------------------------- steps that run others */

static void check_steps(checker *all, i64 begin, i64 end, int is_open);

/* Records from the reader's place to its end, `count` times. */
static void check_counted(checker *all, reader *of, int is_tile) {
  const i64 counter = take(of, 0, (double)(all->counters < MAXIMUM_DEPTH ? all->counters - 1 : MAXIMUM_DEPTH - 1)), count = take(of, 0, LARGEST);
  if (of->wrong || count == 0) return;
  const i64 before = all->counts[counter];
  const int was_last = all->is_last;
  /* Of tiles, all but the last are whole. */
  all->counts[counter] = is_tile ? count - 1 : count;
  all->is_last = 0;
  if (!is_tile || count > 1) check_steps(all, of->at, of->end, 0);
  if (is_tile) {
    all->counts[counter] = count, all->is_last = 1;
    check_steps(all, of->at, of->end, 0);
  }
  all->counts[counter] = before, all->is_last = was_last;
  of->at = of->end;
}

static void check_while(checker *all, reader *of) {
  const i64 condition = take(of, 0, (double)(of->end - of->at));
  plain_view(all, of, 1, 1);
  if (of->wrong || condition > of->end - of->at) {
    of->wrong = 1;
    return;
  }
  check_steps(all, of->at, of->at + condition, 0);
  check_steps(all, of->at + condition, of->end, 0);
  of->at = of->end;
}

static void check_branch(checker *all, reader *of, i64 record) {
  const i64 branches = take(of, 1, (double)(of->end - of->at));
  plain_view(all, of, 4, 4);
  const i64 length = of->end - record;
  i64 begin = take(of, 0, (double)length);
  if (begin < of->at - record + branches) of->wrong = 1;
  for (i64 i = 0; i < branches && !of->wrong; i++) {
    const i64 end = take(of, (double)begin, (double)length);
    if (!of->wrong) check_steps(all, record + begin, record + end, 0);
    begin = end;
  }
  of->at = of->end;
}

static void check_step(checker *all, i64 kind, reader *of, i64 record) {
  switch (kind) {
    case STEP_NOTHING: return;
    case STEP_LOOP: check_loop(all, of, 0); return;
    case STEP_SCAN: check_loop(all, of, 1); return;
    case STEP_CONTRACT: check_contract(all, of, record); return;
    case STEP_SORT: check_sort(all, of); return;
    case STEP_GATHER: check_indexed(all, of, 1); return;
    case STEP_SCATTER: check_indexed(all, of, 0); return;
    case STEP_CALL: check_call(all, of); return;
    case STEP_TILE: check_counted(all, of, 1); return;
    case STEP_REPEAT: check_counted(all, of, 0); return;
    case STEP_WHILE: check_while(all, of); return;
    case STEP_BRANCH: check_branch(all, of, record); return;
    case STEP_SIZE: take(of, INT32_MIN, INT32_MAX), plain_view(all, of, 4, 4); return;
    case STEP_COPY: {
      const double bytes = (double)take(of, 0, LARGEST);
      reader last = *of;
      skip(&last, 2 * VIEW_STRIDES);
      const i64 unit = take(&last, 1, 16);
      if (last.wrong) of->wrong = 1;
      else plain_view(all, of, bytes, unit), plain_view(all, of, bytes, unit);
      return;
    }
    case STEP_IOTA: {
      const i64 dtype = take(of, TF_FLOAT32, TF_INT64);
      const double count = (double)take(of, 0, LARGEST);
      if (of->wrong || dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128) of->wrong = 1;
      else plain_view(all, of, count * tf_dtype_bytes[dtype], tf_dtype_bytes[dtype]);
      return;
    }
    default: of->wrong = 1;
  }
}

/* `is_open`: records STEP_END lie between, and one behind the last. */
static void check_steps(checker *all, i64 begin, i64 end, int is_open) {
  i64 kind = STEP_NOTHING;
  for (i64 at = begin; at < end && all->bad == 0;) {
    reader of = {all->table, at, end, 0};
    kind = take(&of, STEP_END, STEP_KINDS - 1);
    const i64 length = take(&of, RECORD_BODY, (double)(end - at));
    of.end = at + length;
    if (!of.wrong && (kind != STEP_END || !is_open)) check_step(all, kind, &of, at);
    if (of.wrong && all->bad == 0) all->bad = at;
    at += length;
  }
  if (is_open && kind != STEP_END && all->bad == 0) all->bad = end;
}

/* 0, or the word of the first record that is wrong. `bytes`: of each of the buffers; records begin at word `begin`. */
i64 tf_check_table(const word *table, i64 words, i64 begin, const word *bytes, i64 buffers) {
  if (words < TABLE_HEADER || table[TABLE_VERSION] != TF_VERSION || table[TABLE_WORDS] != (word)words) return TABLE_WORDS;
  reader head = {table, TABLE_ADDRESSES, TABLE_SCRATCH, 0};
  const i64 addresses = take(&head, TABLE_HEADER, (double)words), counters = take(&head, TABLE_HEADER, (double)words);
  if (head.wrong || addresses + buffers > counters || begin < counters || begin >= words) return TABLE_ADDRESSES;
  checker all = {.table = table, .words = words, .bytes = bytes, .buffers = buffers, .counters = begin - counters < MAXIMUM_DEPTH ? begin - counters : MAXIMUM_DEPTH};
  const tf_isa *isa = tf_isa_of(0);
  while (isa->names[all.operations] != NULL) all.operations++;
  check_steps(&all, begin, words, 1);
  return all.bad;
}
