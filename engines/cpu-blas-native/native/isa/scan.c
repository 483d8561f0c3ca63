/*
 * STEP_SCAN. The reads of its kernel are those of its operands, then the result before. In two ways: many scans side by side, a block of elements
 * of each step at a time; or one scan after the other, where what does not depend on the result before is computed for a block of steps.
 */
#include "pass.h"
#include <string.h>

enum { WRITE_WORDS = 5 };
/* So many scans are worth being gathered. */
enum { SIDE_BY_SIDE = 8 };

typedef struct {
  const tf_run *run;
  tf_pass *pass;
  tf_memory *memory;
  int rank, operands; /* reads and the write, which is the last */
  const word *extents, *views;
  int axis; /* that is scanned */
  i64 steps;
  int previous[2]; /* registers */
  int first[2], next[2];
  int lanes, lane_bytes;
  char *spare; /* a register's memory */
} scan;

static const word *view_of(const scan *s, int operand) { return s->views + (i64)operand * (VIEW_STRIDES + s->rank); }

static i64 stride_of(const scan *s, int operand, int axis) { return (i64)view_of(s, operand)[VIEW_STRIDES + axis]; }

static const word *words_of(const scan *s, int operand) { return operand < s->operands - 1 ? s->pass->read_words + 3 * operand : s->pass->write_words; }

/* Keeps the results as those before. The second lane may be what the first one was before. */
static void keep_previous(const scan *s, const char *const *results, i64 n) {
  char *const *home = s->pass->home;
  const char *second = results[1];
  if (s->lanes == 2 && s->previous[0] >= 0 && second == home[s->previous[0]]) second = memcpy(s->spare, second, n * s->lane_bytes);
  if (s->previous[0] >= 0) memmove(home[s->previous[0]], results[0], n * s->lane_bytes);
  if (s->lanes == 2 && s->previous[1] >= 0) memmove(home[s->previous[1]], second, n * s->lane_bytes);
}

// ---------------------------------------------------------------- side by side

static void scan_block(const scan *s, tf_space *space, i64 n) {
  tf_pass *pass = s->pass;
  for (i64 step = 0; step < s->steps; step++) {
    tf_restart(space);
    tf_take_block(space, n);
    for (int o = 0; o < s->operands - 1; o++) tf_load(space, &space->operand[o], pass->at, pass->home, n, n);
    int is_first = step == 0;
    tf_run_pass(pass, is_first ? 0 : pass->first, is_first ? pass->first : pass->operations, n);
    const int *registers = is_first ? s->first : s->next;
    const char *results[2] = {pass->at[registers[0]], s->lanes == 2 ? pass->at[registers[1]] : NULL};
    tf_store(space, &space->operand[s->operands - 1], results[0], results[1], n);
    keep_previous(s, results, n);
    for (int o = 0; o < s->operands; o++) space->operand[o].base += stride_of(s, o, s->axis);
  }
}

/* The scans along `vector`, at the places of the other axes. */
static void scan_side_by_side(const scan *s, char *const *places, int vector) {
  i64 extent = (i64)s->extents[vector];
  tf_memory before = *s->memory;
  for (i64 at = 0, n; at < extent; at += n) {
    n = extent - at < BLOCK ? extent - at : BLOCK;
    *s->memory = before;
    tf_space space;
    tf_open_space(&space, s->memory, 1, s->operands);
    space.extents[0] = n;
    for (int o = 0; o < s->operands; o++) {
      tf_open_operand(&space.operand[o], words_of(s, o), places[o] + at * stride_of(s, o, vector));
      space.operand[o].strides[0] = stride_of(s, o, vector);
    }
    tf_merge_axes(&space);
    scan_block(s, &space, n);
  }
  *s->memory = before;
}

// ---------------------------------------------------------------- one after the other

typedef struct { tf_operation run; char *out, *a, *b, *c; tf_sizes moves; } step_instruction;

typedef struct {
  int count;
  int *operations; /* that depend on the result before */
  int others;
  int *independent;
  b8 *depends; /* by register + 1 */
  step_instruction *code;
  char *results[2];
} chain;

static int is_previous(const scan *s, int name) { return name >= 0 && (name == s->previous[0] || name == s->previous[1]); }

static chain open_chain(const scan *s) {
  const tf_pass *pass = s->pass;
  chain c = {0};
  i64 most = pass->operations;
  c.operations = tf_take_memory(s->memory, 2 * most * (i64)sizeof(int));
  c.independent = c.operations + most;
  c.depends = tf_take_memory(s->memory, pass->registers + 1);
  memset(c.depends, 0, pass->registers + 1);
  for (int lane = 0; lane < 2; lane++) {
    if (s->previous[lane] >= 0) c.depends[s->previous[lane] + 1] = 1;
    c.results[lane] = lane < s->lanes ? tf_take_memory(s->memory, REGISTER_BYTES) : NULL;
  }
  for (int i = pass->first; i < pass->operations; i++) {
    const tf_instruction *code = &pass->code[i];
    int depends = c.depends[code->a] | c.depends[code->b] | c.depends[code->c];
    c.depends[code->out] = (b8)depends;
    if (depends) c.operations[c.count++] = i;
    else c.independent[c.others++] = i;
  }
  c.code = tf_take_memory(s->memory, c.count * (i64)sizeof(step_instruction));
  return c;
}

/* Dependent values have one place, the others a place for each step. */
static char *step_place(const scan *s, const chain *c, int name, b8 bytes, b8 *move) {
  *move = c->depends[name] ? 0 : bytes;
  return c->depends[name] ? s->pass->home[name - 1] : s->pass->at[name - 1];
}

static void place_code(const scan *s, chain *c) {
  for (int i = 0; i < c->count; i++) {
    const tf_instruction *code = &s->pass->code[c->operations[i]];
    tf_sizes sizes = tf_operation_sizes[(int)s->pass->operation_words[5 * c->operations[i]]];
    step_instruction *step = &c->code[i];
    step->run = code->run;
    step->moves.result = 0;
    step->out = s->pass->home[code->out - 1];
    step->a = code->a == 0 ? NULL : step_place(s, c, code->a, sizes.a, &step->moves.a);
    step->b = code->b == 0 ? NULL : step_place(s, c, code->b, sizes.b, &step->moves.b);
    step->c = code->c == 0 ? NULL : step_place(s, c, code->c, sizes.c, &step->moves.c);
  }
}

#define CHAINS(X) X(add, f32) X(add, f64) X(add, i32) X(add, i64) X(mul, f32) X(mul, f64) X(mul, i32) X(mul, i64) X(max, f32) X(max, f64) X(max, i32) X(max, i64) X(min, f32) X(min, f64) X(min, i32) X(min, i64)
#include "scalar.h"
#define CHAIN(op, T)                                                                                                                                 \
  void TF_BLOCK(op##_##T)(void *out, const void *a, const void *b, const void *c, i64 n);                                                            \
  static void chain_##op##_##T(void *out_, const void *e_, void *previous, i64 n) {                                                                  \
    T *out = out_, running = *(T *)previous;                                                                                                         \
    const T *e = e_;                                                                                                                                 \
    for (i64 i = 0; i < n; i++) out[i] = running = op##_##T(running, e[i]);                                                                          \
    *(T *)previous = running;                                                                                                                        \
  }
CHAINS(CHAIN)
typedef void (*chain_loop)(void *out, const void *e, void *previous, i64 n);

/* The loop of a chain whose only dependent operation is a monoid's. */
static chain_loop chain_loop_of(const scan *s, const chain *c) {
  if (c->count != 1 || s->lanes != 1) return NULL;
  const tf_instruction *code = &s->pass->code[c->operations[0]];
  if (code->out != s->next[0] + 1 || code->a == code->b) return NULL;
#define MATCH(op, T) if (code->run == TF_BLOCK(op##_##T)) return chain_##op##_##T;
  CHAINS(MATCH)
  return NULL;
}

/* n steps whose reads are in the registers. */
static void run_steps(const scan *s, chain *c, i64 from, i64 n) {
  tf_pass *pass = s->pass;
  for (int i = 0; i < c->others; i++) tf_run_pass(pass, c->independent[i], c->independent[i] + 1, n);
  chain_loop loop = chain_loop_of(s, c);
  if (loop != NULL) {
    const tf_instruction *code = &pass->code[c->operations[0]];
    const tf_sizes sizes = tf_operation_sizes[(int)pass->operation_words[5 * c->operations[0]]];
    int element = is_previous(s, code->a - 1) ? code->b : code->a;
    loop(c->results[0] + from * sizes.result, pass->at[element - 1] + from * sizes.a, pass->home[s->previous[0]], n - from);
    return;
  }
  place_code(s, c);
  for (i64 step = from; step < n; step++) {
    for (int i = 0; i < c->count; i++) {
      const step_instruction *code = &c->code[i];
      code->run(code->out, code->a + step * code->moves.a, code->b + step * code->moves.b, code->c + step * code->moves.c, 1);
    }
    const char *results[2] = {NULL, NULL};
    for (int lane = 0; lane < s->lanes; lane++) {
      int name = s->next[lane];
      results[lane] = c->depends[name + 1] ? pass->home[name] : pass->at[name] + step * s->lane_bytes;
      memcpy(c->results[lane] + step * s->lane_bytes, results[lane], s->lane_bytes);
    }
    for (int lane = 0; lane < s->lanes; lane++) results[lane] = c->results[lane] + step * s->lane_bytes;
    keep_previous(s, results, 1);
  }
}

static void run_first(const scan *s, chain *c) {
  tf_run_pass(s->pass, 0, s->pass->first, 1);
  const char *results[2] = {NULL, NULL};
  for (int lane = 0; lane < s->lanes; lane++) {
    results[lane] = s->pass->at[s->first[lane]];
    memcpy(c->results[lane], results[lane], s->lane_bytes);
  }
  keep_previous(s, results, 1);
}

static void scan_one(const scan *s, chain *c, char *const *places) {
  tf_memory before = *s->memory;
  tf_space space;
  tf_open_space(&space, s->memory, 1, s->operands);
  space.extents[0] = s->steps;
  for (int o = 0; o < s->operands; o++) {
    tf_open_operand(&space.operand[o], words_of(s, o), places[o]);
    space.operand[o].strides[0] = stride_of(s, o, s->axis);
  }
  tf_merge_axes(&space);
  while (space.position < s->steps) {
    i64 n = s->steps - space.position < BLOCK ? s->steps - space.position : BLOCK;
    tf_take_block(&space, n);
    for (int o = 0; o < s->operands - 1; o++) tf_load(&space, &space.operand[o], s->pass->at, s->pass->home, n, BLOCK);
    int is_begin = space.position == 0;
    if (is_begin) run_first(s, c);
    run_steps(s, c, is_begin, n);
    tf_store(&space, &space.operand[s->operands - 1], c->results[0], c->results[1], n);
    tf_pass_block(&space, n);
  }
  *s->memory = before;
}

// ---------------------------------------------------------------- all scans

/* The axis along which scans lie side by side, or −1. */
static int vector_axis(const scan *s, int columns, const chain *c) {
  if (columns) return s->rank - 1;
  int best = -1;
  for (int axis = 0; axis < s->rank; axis++) {
    if (axis != s->axis && s->extents[axis] >= SIDE_BY_SIDE && (best < 0 || s->extents[axis] >= s->extents[best])) best = axis;
  }
  return best >= 0 && chain_loop_of(s, c) == NULL ? best : -1;
}

static void scan_all(const scan *s, int columns) {
  chain c = open_chain(s);
  int vector = vector_axis(s, columns, &c);
  char **places = tf_take_memory(s->memory, s->operands * (i64)sizeof(char *));
  i64 *index = tf_take_memory(s->memory, s->rank * 8);
  memset(index, 0, s->rank * 8);
  for (int o = 0; o < s->operands; o++) places[o] = tf_place(s->run, view_of(s, o));
  for (;;) {
    if (vector >= 0) scan_side_by_side(s, places, vector);
    else scan_one(s, &c, places);
    int axis = s->rank - 1;
    for (; axis >= 0; axis--) {
      if (axis == vector || axis == s->axis) continue;
      index[axis]++;
      for (int o = 0; o < s->operands; o++) places[o] += stride_of(s, o, axis);
      if (index[axis] < (i64)s->extents[axis]) break;
      for (int o = 0; o < s->operands; o++) places[o] -= index[axis] * stride_of(s, o, axis);
      index[axis] = 0;
    }
    if (axis < 0) return;
  }
}

void tf_scan(const tf_run *run, const word *record) {
  int rank = (int)record[SCAN_RANK], columns = (int)record[SCAN_COLUMNS];
  const word *extents = record + SCAN_EXTENTS;
  for (int axis = 0; axis < rank; axis++) if (extents[axis] == 0) return;
  tf_memory memory = tf_memory_of(run);
  tf_pass pass;
  tf_open_pass(&pass, &memory, run->table + (i64)record[SCAN_KERNEL], WRITE_WORDS, BLOCK, 0);
  const word *before = pass.read_words + 3 * (pass.reads - 1), *write = pass.write_words;
  int dtype = (int)write[0], is_complex = dtype == TF_COMPLEX64 || dtype == TF_COMPLEX128;
  scan s = {
    .run = run, .pass = &pass, .memory = &memory, .rank = rank, .operands = pass.reads, .extents = extents, .views = extents + rank,
    .axis = columns ? rank - 2 : rank - 1, .previous = {(int)before[1], (int)before[2]}, .next = {(int)write[1], (int)write[2]},
    .first = {(int)write[3], (int)write[4]}, .lanes = is_complex ? 2 : 1, .lane_bytes = tf_dtype_bytes[dtype] / (is_complex ? 2 : 1),
  };
  s.steps = (i64)extents[s.axis];
  s.spare = tf_take_memory(&memory, REGISTER_BYTES);
  scan_all(&s, columns);
}
