/* STEP_LOOP: elementwise loops here, reductions in reduce.c. */
#include "loop.h"
#include <string.h>

/* Rows from this length on are blocks of their own: their operands are used where they lie. */
enum { LONG_ROW = 256 };

/* What is known of a write before the loop. */
typedef struct {
  int at_end; /* its value is computed after the last use of every read */
  int alone;  /* an operation gives it, and to no other write */
} write_plan;

static void plan_writes(const tf_pass *pass, write_plan *plans) {
  for (int w = 0; w < pass->writes; w++) {
    const word *words = pass->write_words + 3 * w;
    int from = (int)words[1], is_complex = words[2] >= 0, made = -1, last_read = -1;
    for (int i = 0; i < pass->operations; i++) {
      const tf_instruction *code = &pass->code[i];
      if (code->out == from + 1) made = i;
      for (int r = 0; r < pass->reads; r++) {
        int name = (int)pass->read_words[3 * r + 1] + 1;
        if (name > 0 && (code->a == name || code->b == name || code->c == name)) last_read = i;
      }
    }
    int others = 0;
    for (int other = 0; other < pass->writes; other++) {
      const word *with = pass->write_words + 3 * other;
      others += other != w && ((int)with[1] == from || (int)with[2] == from);
      // A read that is written as it is counts as used to the end.
      for (int r = 0; r < pass->reads; r++) if (with[1] == pass->read_words[3 * r + 1] || with[2] == pass->read_words[3 * r + 1]) last_read = pass->operations;
    }
    plans[w] = (write_plan){.at_end = made >= last_read, .alone = made >= 0 && !is_complex && others == 0};
  }
}

static int meets_reads(const tf_space *space, const tf_pass *pass, const char *to, i64 bytes) {
  for (int r = 0; r < pass->reads; r++) {
    const tf_operand *operand = &space->operand[r];
    int name = operand->registers[0];
    if (operand->lanes != 1 || name < 0 || pass->at[name] == pass->home[name]) continue;
    if (pass->at[name] < to + bytes && to < pass->at[name] + bytes * 8) return 1;
  }
  return 0;
}

/* Results that lie one after the other are computed where they belong. */
static void direct_writes(const tf_space *space, const tf_pass *pass, const write_plan *plans, i64 n) {
  for (int w = 0; w < pass->writes; w++) {
    const tf_operand *operand = &space->operand[pass->reads + w];
    if (!plans[w].alone) continue;
    char *to = tf_block_place(space, operand);
    int name = operand->registers[0];
    int is_safe = to != NULL && (plans[w].at_end || !meets_reads(space, pass, to, n * operand->bytes));
    pass->at[name] = is_safe ? to : pass->home[name];
  }
}

/* What is read in place and written as it is lies apart before another write takes its memory. */
static void keep_reads(const tf_space *space, const tf_pass *pass, i64 n) {
  for (int r = 0; r < pass->reads; r++) {
    const tf_operand *operand = &space->operand[r];
    int name = operand->registers[0], is_written = 0;
    if (operand->lanes != 1 || name < 0 || pass->at[name] == pass->home[name]) continue;
    for (int w = 0; w < pass->writes; w++) is_written |= pass->write_words[3 * w + 1] == name || pass->write_words[3 * w + 2] == name;
    if (!is_written) continue;
    memcpy(pass->home[name], pass->at[name], (size_t)(n * operand->bytes));
    pass->at[name] = pass->home[name];
  }
}

/* From this many bytes on, operands do not stay in the caches near the core. */
enum { FAR_BYTES = 1 << 21, LINE = 64 };

/* The lines of the next block's operands that are not on their way yet. */
typedef struct { const tf_pass *pass; const tf_space *space; i64 begin, elements, at, per_turn; int operand; } tf_errand;

static i64 bytes_of(const tf_errand *errand, int operand) {
  const tf_operand *one = &errand->space->operand[operand];
  return one->lies == LIES_FLAT ? errand->elements * one->bytes : 0;
}

/* As many lines as the core can wait for at a time, else it waits for these. */
static void fetch(tf_errand *errand) {
  i64 left = errand->per_turn;
  while (left > 0 && errand->operand < errand->space->operands) {
    const tf_operand *operand = &errand->space->operand[errand->operand];
    const i64 bytes = bytes_of(errand, errand->operand), end = errand->at + left * LINE < bytes ? errand->at + left * LINE : bytes;
    const char *next = operand->base + errand->begin * operand->bytes;
    if (errand->operand < errand->pass->reads) for (i64 at = errand->at; at < end; at += LINE) __builtin_prefetch(next + at, 0, 3);
    else for (i64 at = errand->at; at < end; at += LINE) __builtin_prefetch(next + at, 1, 3);
    left -= (end - errand->at + LINE - 1) / LINE;
    errand->at = end;
    if (end == bytes) {
      errand->operand++;
      errand->at = 0;
    }
  }
}

/* Elements of a function between two turns. */
enum { TURN = 128 };

static int is_function(const tf_pass *pass, int i) { return (int)pass->operation_words[5 * i] >= tf_first_function; }

/* The pass's operations, and while its functions compute, what the next block needs comes: caches foresee no block that waits behind functions. */
static void run_ahead(const tf_pass *pass, const tf_space *space, i64 n) {
  char **at = pass->at - 1;
  const i64 begin = space->position + n, total = space->extents[0], left = total - begin;
  tf_errand errand = {pass, space, begin, left < n ? left : n, 0, 0, 0};
  i64 lines = 0, turns = 0;
  for (int o = 0; o < space->operands; o++) lines += (bytes_of(&errand, o) + LINE - 1) / LINE;
  for (int i = 0; i < pass->operations; i++) turns += is_function(pass, i) ? (n + TURN - 1) / TURN : 0;
  errand.per_turn = turns == 0 ? 0 : (lines + turns - 1) / turns;
  for (int i = 0; i < pass->operations; i++) {
    const tf_instruction *code = &pass->code[i];
    const i64 bytes = tf_operation_sizes[(int)pass->operation_words[5 * i]].result, most = is_function(pass, i) ? TURN : n;
    for (i64 from = 0; from < n; from += most) {
      const i64 skip = from * bytes;
      if (most == TURN) fetch(&errand);
      code->run(at[code->out] + skip, at[code->a] + skip, at[code->b] + skip, at[code->c], n - from < most ? n - from : most);
    }
  }
}

static void run_block(const tf_pass *pass, tf_space *space, const write_plan *plans, i64 n, i64 splat, int is_far) {
  tf_take_block(space, n);
  for (int r = 0; r < pass->reads; r++) tf_load(space, &space->operand[r], pass->at, pass->home, n, splat);
  direct_writes(space, pass, plans, n);
  if (is_far) run_ahead(pass, space, n);
  else tf_run_pass(pass, 0, pass->operations, n);
  if (pass->writes > 1) keep_reads(space, pass, n);
  for (int w = 0; w < pass->writes; w++) {
    const tf_operand *operand = &space->operand[pass->reads + w];
    const char *second = operand->lanes == 2 ? pass->at[operand->registers[1]] : NULL;
    tf_store(space, operand, pass->at[operand->registers[0]], second, n);
  }
  tf_pass_block(space, n);
}

/* Whether blocks have something to fetch for the next one, and time for it. */
static int is_far_space(const tf_pass *pass, const tf_space *space, i64 total) {
  i64 bytes = 0;
  int functions = 0;
  for (int o = 0; o < space->operands; o++) bytes += space->operand[o].lies == LIES_FLAT ? total * space->operand[o].bytes : 0;
  for (int i = 0; i < pass->operations; i++) functions += is_function(pass, i);
  return functions > 0 && space->rank == 1 && bytes >= FAR_BYTES;
}

static void run_rows(const tf_pass *pass, tf_space *space, const write_plan *plans, i64 total) {
  int is_by_rows = space->columns >= LONG_ROW;
  // Short rows are taken whole: what is the same in each of them is loaded once.
  i64 most = is_by_rows ? BLOCK : BLOCK - BLOCK % space->columns;
  i64 splat = total < BLOCK ? total : BLOCK;
  const int is_far = is_far_space(pass, space, total);
  while (space->position < total) {
    i64 left = is_by_rows ? space->columns - space->column : total - space->position;
    run_block(pass, space, plans, left < most ? left : most, splat, is_far);
  }
}

/* Tiles of a transposed operand: whole lines of the cache are used of it, and rows of the others. */
enum { TILE_ROWS = 16, TILE_COLUMNS = BLOCK / TILE_ROWS };

/* The axis along which an operand that strides along the innermost one lies one element after the other, or −1. */
static int transposed_axis(const tf_space *space) {
  int inner = space->rank - 1;
  if (space->columns < TILE_ROWS) return -1;
  for (int o = 0; o < space->operands; o++) {
    const tf_operand *operand = &space->operand[o];
    if (operand->inner == 0 || operand->inner == operand->bytes) continue;
    for (int axis = inner - 1; axis >= 0; axis--) {
      if (operand->strides[axis] == operand->bytes && space->extents[axis] >= TILE_ROWS) return axis;
    }
  }
  return -1;
}

static void run_tile(const tf_pass *pass, const tf_space *space, tf_space *tile, const write_plan *plans, int axis, i64 row, i64 column, const i64 *places) {
  int inner = space->rank - 1;
  i64 rows = space->extents[axis] - row, columns = space->columns - column;
  tile->rank = 2;
  tile->extents[0] = rows < TILE_ROWS ? rows : TILE_ROWS;
  tile->extents[1] = columns < TILE_COLUMNS ? columns : TILE_COLUMNS;
  i64 n = tile->extents[0] * tile->extents[1];
  for (int o = 0; o < space->operands; o++) {
    const tf_operand *from = &space->operand[o];
    tile->operand[o].strides[0] = from->strides[axis];
    tile->operand[o].strides[1] = from->strides[inner];
    tile->operand[o].base = from->base + places[o] + row * from->strides[axis] + column * from->strides[inner];
  }
  tf_merge_axes(tile);
  run_block(pass, tile, plans, n, n, 0);
}

static void run_tiles(const tf_pass *pass, const tf_space *space, tf_memory *memory, const write_plan *plans, int axis) {
  tf_space tile;
  tf_open_space(&tile, memory, 2, space->operands);
  i64 *places = tf_take_memory(memory, space->operands * 8);
  for (int o = 0; o < space->operands; o++) {
    tf_operand own = tile.operand[o];
    tile.operand[o] = space->operand[o];
    tile.operand[o].strides = own.strides;
    tile.operand[o].moves = own.moves;
    places[o] = 0;
  }
  for (;;) {
    for (i64 row = 0; row < space->extents[axis]; row += TILE_ROWS) {
      for (i64 column = 0; column < space->columns; column += TILE_COLUMNS) run_tile(pass, space, &tile, plans, axis, row, column, places);
    }
    int outer = space->rank - 2;
    for (; outer >= 0; outer--) {
      if (outer == axis) continue;
      int is_inside = ++space->index[outer] < space->extents[outer];
      i64 steps = is_inside ? 1 : 1 - space->extents[outer];
      for (int o = 0; o < space->operands; o++) places[o] += steps * space->operand[o].strides[outer];
      if (is_inside) break;
      space->index[outer] = 0;
    }
    if (outer < 0) return;
  }
}

static void run_elementwise(const tf_pass *pass, tf_space *space, tf_memory *memory, i64 total) {
  write_plan *plans = tf_take_memory(memory, pass->writes * (i64)sizeof(write_plan));
  plan_writes(pass, plans);
  int axis = transposed_axis(space);
  if (axis >= 0) run_tiles(pass, space, memory, plans, axis);
  else run_rows(pass, space, plans, total);
}

void tf_loop(const tf_run *run, const word *record) {
  int rank = (int)record[LOOP_RANK];
  const word *extents = record + LOOP_EXTENTS;
  i64 total = 1, outer = rank == 0 ? 1 : run->is_last_tile ? (i64)record[LOOP_LAST] : (i64)extents[0];
  for (int axis = 0; axis < rank; axis++) total *= axis == 0 ? outer : (i64)extents[axis];
  if (tf_short_loop(run, record, outer)) return;
  tf_memory memory = tf_memory_of(run);
  tf_pass pass;
  const word *kernel = run->table + (i64)record[LOOP_KERNEL];
  // Below, all registers are small enough.
  int shares = total > BLOCK / 4;
  if (kernel[KERNEL_MONOID] != MONOID_NONE) {
    tf_open_pass(&pass, &memory, kernel, 3, total < BLOCK ? total : BLOCK, shares);
    tf_reduce(run, record, &pass, &memory, outer);
    return;
  }
  if (total == 0) return;
  tf_open_pass(&pass, &memory, kernel, 3, total < BLOCK ? total : BLOCK, shares);
  tf_space space;
  tf_open_space(&space, &memory, rank, pass.reads + pass.writes);
  for (int axis = 0; axis < rank; axis++) space.extents[axis] = axis == 0 ? outer : (i64)extents[axis];
  const word *view = extents + rank;
  for (int o = 0; o < space.operands; o++, view += VIEW_STRIDES + rank) {
    tf_operand *operand = &space.operand[o];
    tf_open_operand(operand, pass.read_words + 3 * o, tf_place(run, view));
    for (int axis = 0; axis < rank; axis++) operand->strides[axis] = (i64)view[VIEW_STRIDES + axis];
  }
  tf_merge_axes(&space);
  run_elementwise(&pass, &space, &memory, total);
}
