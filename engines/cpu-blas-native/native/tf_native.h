/*
 * The boundary between JavaScript and C: the step table of a plan for one binding of its sizes, and what kernels of families get.
 *
 * A table is a row of doubles, written by src/table/, read by walk.c. All memory belongs to JavaScript (ArrayBuffers, which V8
 * does not move): C keeps nothing between runs. Addresses, byte strides and counts are whole doubles (below 2^53); bits of
 * constants of int64 lie as they are.
 *
 * Table:   header, addresses of the plan's buffers, counters of repeats, kernels, then the records of the steps.
 * View:    buffer, offset in bytes, word of its moves or 0, then the strides of its step's axes in bytes.
 * Moves:   count, then pairs (counter, bytes by which the view moves with each count).
 * Record:  kind, words of the record with all that lies inside, then what the kind says.
 */
#ifndef TF_NATIVE_H
#define TF_NATIVE_H
#include <stddef.h>
#include <stdint.h>

#define TF_VERSION 4

typedef float f32;
typedef double f64;
typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t b8;
typedef double word;

/* dtypes, as tables name them */
enum { TF_FLOAT32, TF_FLOAT64, TF_COMPLEX64, TF_COMPLEX128, TF_INT32, TF_INT64, TF_BOOL };
static const int tf_dtype_bytes[7] = {4, 8, 8, 16, 4, 8, 1};

/* header words */
enum {
  TABLE_VERSION, TABLE_WORDS,
  TABLE_ADDRESSES,   /* word where the addresses of the buffers begin */
  TABLE_COUNTERS,    /* word where the counters begin */
  TABLE_SCRATCH,     /* address of working memory, a multiple of 64 */
  TABLE_SCRATCH_BYTES,
  TABLE_ABORT,       /* address of an int32 that is not 0 when the run shall end, or 0 */
  TABLE_AT,          /* set on every return: word of the record that was at work */
  TABLE_BAD_INDEX,   /* after STATUS_INDEX: the index that names no row */
  TABLE_THREADS,     /* for the library's products and factorisations */
  TABLE_ISA,         /* level of the instruction set */
  TABLE_HEADER
};

/* what a run returns */
enum { STATUS_DONE, STATUS_INDEX, STATUS_ABORTED, STATUS_THROWN, STATUS_CORRUPT, STATUS_MEMORY };

enum { STEP_END, STEP_LOOP, STEP_CONTRACT, STEP_COPY, STEP_IOTA, STEP_SCAN, STEP_SORT, STEP_GATHER, STEP_SCATTER, STEP_TILE, STEP_REPEAT, STEP_WHILE, STEP_BRANCH, STEP_SIZE, STEP_CALL, STEP_NOTHING, STEP_KINDS };

enum { RECORD_KIND, RECORD_WORDS, RECORD_BODY };

enum { VIEW_BUFFER, VIEW_OFFSET, VIEW_MOVES, VIEW_STRIDES };

enum { MONOID_NONE, MONOID_SUM, MONOID_PROD, MONOID_MAX, MONOID_MIN };
enum { COMBINE_SET, COMBINE_ADD, COMBINE_MAX, COMBINE_MIN };

/*
 * Kernel: what one element of a loop is, as operations on registers of BLOCK elements.
 *   KERNEL_MONOID, KERNEL_REGISTERS (count), KERNEL_CONSTANTS (count), KERNEL_OPERATIONS (count), KERNEL_READS, KERNEL_WRITES (counts), KERNEL_FIRST (operations of a
 *   scan's `first`; 0 in loops), then
 *   for each read:      dtype, register of each lane (2 words; −1: not used)
 *   for each write:     dtype, register of each lane (2 words; −1: the dtype has one); in scans another 2 words: the registers of `first`'s results
 *   for each constant:  register, bytes of an element, values (1: the same in every element; more: a table, in the first elements), their bits (each in the low bytes of a word)
 *   for each operation: index into the operations (tf_operations), register of the result, registers of three operands (−1: none). A lookup takes the i32 index, the table and
 *                       its length as an i32.
 * A register is written once per pass, by a read, a constant or an operation; the result's register is never one of the operands'.
 */
enum { KERNEL_MONOID, KERNEL_REGISTERS, KERNEL_CONSTANTS, KERNEL_OPERATIONS, KERNEL_READS, KERNEL_WRITES, KERNEL_FIRST, KERNEL_BODY };
#define BLOCK 512 /* elements of a register, 8 bytes each */
#define REGISTER_BYTES (BLOCK * 8)

/* STEP_LOOP: kernel's word, rank, folded axes, outermost extent in the last tile, extents, then each operand's view (reads, writes) with `rank` strides. */
enum { LOOP_KERNEL = RECORD_BODY, LOOP_RANK, LOOP_FOLDED, LOOP_LAST, LOOP_EXTENTS };
/* STEP_CONTRACT: dtype, axes of the batch, m, n, k, extents of the batch, then lhs (…batch, m, k), rhs (…batch, k, n), out (…batch, m, n). */
enum { CONTRACT_DTYPE = RECORD_BODY, CONTRACT_BATCH, CONTRACT_M, CONTRACT_N, CONTRACT_K, CONTRACT_EXTENTS };
/* STEP_COPY: bytes, views without strides: from, to; then the bytes of an element, which are for check.c alone. */
enum { COPY_BYTES = RECORD_BODY, COPY_FROM };
/* STEP_IOTA: dtype, elements, view without strides. */
enum { IOTA_DTYPE = RECORD_BODY, IOTA_ELEMENTS, IOTA_OUT };
/* STEP_SCAN: kernel's word, rank, columns, extents, then the reads' views and the write's. */
enum { SCAN_KERNEL = RECORD_BODY, SCAN_RANK, SCAN_COLUMNS, SCAN_EXTENTS };
/* STEP_SORT: dtype, descending, rank, extents, views: from, values, indices, then workspace without strides. */
enum { SORT_DTYPE = RECORD_BODY, SORT_DESCENDING, SORT_RANK, SORT_EXTENTS };
/* STEP_GATHER, STEP_SCATTER: dtype, combine, rank, rows, bytes from row to row, extents, views: indices, then source and out, or target and updates. */
enum { INDEXED_DTYPE = RECORD_BODY, INDEXED_COMBINE, INDEXED_RANK, INDEXED_ROWS, INDEXED_ROW_BYTES, INDEXED_EXTENTS };
/* STEP_TILE: counter, tiles, then the records of its loops: their views move with the counter. */
enum { TILE_COUNTER = RECORD_BODY, TILE_TILES, TILE_STEPS };
/* STEP_REPEAT: counter, count, then the records. */
enum { REPEAT_COUNTER = RECORD_BODY, REPEAT_COUNT, REPEAT_STEPS };
/* STEP_WHILE: words of the condition's records, view of `holds` without strides, records of the condition, then those of the body. */
enum { WHILE_CONDITION = RECORD_BODY, WHILE_HOLDS, WHILE_STEPS = WHILE_HOLDS + VIEW_STRIDES };
/* STEP_BRANCH: branches, view of the index, where each begins and where the last ends (from the record's begin), then their records. */
enum { BRANCH_COUNT = RECORD_BODY, BRANCH_INDEX, BRANCH_BEGINS = BRANCH_INDEX + VIEW_STRIDES };
/* STEP_SIZE: value, view. */
enum { SIZE_VALUE = RECORD_BODY, SIZE_TO };
/* STEP_CALL: number of the call in the plan, address of the function (0: the host's), what it returned (0, or first failed element + 1: kept from the first call of a
 * run that failed), operands, 1 if the last of them is a workspace, address of tables (0: none), integers, 1 if the first integer counts a batch that may be parted; then views of the operands
 * without strides, the integers, and for each operand the bytes of an element and of all of them. */
enum { CALL_SITE = RECORD_BODY, CALL_FUNCTION, CALL_STATUS, CALL_OPERANDS, CALL_WORKSPACE, CALL_TABLES, CALL_INTEGERS, CALL_BATCHED, CALL_VIEWS };

/*
 * A kernel of a family, of the library that its package brings. args: inputs, outputs, then the workspace (0 if there is none), the tables (0 if none), then the
 * integers. Returns 0, or the index of the first element of the batch without a result, + 1. The library exports
 *   const char *tf_open(const tf_host *host)
 * which resolves what it needs, keeps it in its own data, and returns NULL, or the name of what is missing.
 */
typedef intptr_t (*tf_kernel)(const intptr_t *args);
typedef struct {
  int version;
  /* A routine of BLAS or LAPACK by its Fortran name (`dgesdd_`; integers of 32 bits, lengths of strings behind the arguments as size_t), or NULL. */
  void *(*routine)(const char *name);
  /* 0: the machine's least; 1: AVX2; 2: AVX-512. */
  int isa;
  /* Threads of the plan that is running. */
  int (*threads)(void);
} tf_host;

typedef struct tf_isa tf_isa;
/* How things in this library see a run. */
typedef struct {
  word *table;
  word *addresses;
  word *counters;
  char *scratch;
  i64 scratch_bytes;
  int is_last_tile;
  int threads;
  const tf_isa *isa;
  /* Runs a kernel in JavaScript: a status. NULL: there is none in the plan. */
  int (*host)(void *call_host, word *record);
  void *call_host;
} tf_run;

static inline char *tf_place(const tf_run *run, const word *view) {
  char *at = (char *)(intptr_t)run->addresses[(i64)view[VIEW_BUFFER]] + (i64)view[VIEW_OFFSET];
  if (view[VIEW_MOVES] != 0) {
    const word *moves = run->table + (i64)view[VIEW_MOVES];
    for (i64 i = 0, n = (i64)moves[0]; i < n; i++) at += (i64)run->counters[(i64)moves[1 + 2 * i]] * (i64)moves[2 + 2 * i];
  }
  return at;
}

/* One block of an operation: n ≤ BLOCK elements, contiguous; a scan calls with n = 1. */
typedef void (*tf_operation)(void *out, const void *a, const void *b, const void *c, i64 n);
/* One object per instruction set: names like `add.f32`, `convert.f64.i32`, `lookup.0`, `exp.f64` in the order of their indices; ends with NULL. */
struct tf_isa {
  const char *const *names;
  const tf_operation *operations;
  /* STEP_LOOP and STEP_SCAN for this instruction set. */
  void (*loop)(const tf_run *run, const word *record);
  void (*scan)(const tf_run *run, const word *record);
};
const tf_isa *tf_isa_of(int level);

/* BLAS and LAPACK (blas.c). */
typedef struct tf_library tf_library;
void *tf_routine(const char *name);
void tf_set_threads(int threads);

/* The steps, each in a file of its own. */
int tf_call(tf_run *run, word *record);
/* STATUS_DONE or STATUS_MEMORY. */
int tf_contract(const tf_run *run, const word *record);
void tf_sort(const tf_run *run, const word *record);
void tf_iota(const tf_run *run, const word *record);
/* STATUS_DONE or STATUS_INDEX. */
int tf_gather(const tf_run *run, const word *record);
int tf_scatter(const tf_run *run, const word *record);
int tf_walk(tf_run *run, word *record, const word *end);
/* The table from the record at word `start` to its end: a status. */
int tf_run_table(word *table, i64 start, const tf_isa *isa, void *call_host, int (*host)(void *call_host, word *record));
/* Whether the table may be walked: 0, or the word of what is wrong (check.c). `bytes`: of each of its buffers; its records begin at word `begin`. */
i64 tf_check_table(const word *table, i64 words, i64 begin, const word *bytes, i64 buffers);
#endif
