#include "space.h"
#include <string.h>

/* Elements per piece and block. */
#define MOST_PIECES (BLOCK + 1)

void *tf_take_memory(tf_memory *memory, i64 bytes) {
  char *taken = memory->at;
  memory->at += (bytes + 63) & ~(i64)63;
  /* The table's writer gives what scratch.h says. */
  if (memory->at > memory->end) __builtin_trap();
  return taken;
}

void tf_open_space(tf_space *space, tf_memory *memory, int rank, int operands) {
  i64 axes = rank > 0 ? rank : 1;
  space->rank = rank;
  space->operands = operands;
  space->extents = tf_take_memory(memory, 8 * axes * (2 + 2 * operands));
  space->index = space->extents + axes;
  space->operand = tf_take_memory(memory, operands * (i64)sizeof(tf_operand));
  for (int o = 0; o < operands; o++) {
    space->operand[o].strides = space->index + axes + 2 * o * axes;
    space->operand[o].moves = space->operand[o].strides + axes;
  }
  space->lengths = tf_take_memory(memory, 2 * MOST_PIECES * (i64)sizeof(i32));
  space->ends = space->lengths + MOST_PIECES;
}

static int walk_as_one(const tf_space *space, int outer, int inner) {
  for (int o = 0; o < space->operands; o++) {
    const i64 *strides = space->operand[o].strides;
    if (strides[outer] != strides[inner] * space->extents[inner]) return 0;
  }
  return 1;
}

static void move_axis(tf_space *space, int from, int to) {
  space->extents[to] = space->extents[from];
  for (int o = 0; o < space->operands; o++) space->operand[o].strides[to] = space->operand[o].strides[from];
}

static void place_operand(const tf_space *space, tf_operand *operand) {
  int last = space->rank - 1;
  i64 flat = operand->bytes;
  int is_flat = 1, is_fixed = 1, repeats = last > 0 && operand->strides[last] != 0;
  i64 walked = 0; /* by the axes inside, between the innermost and this one */
  for (int axis = last; axis >= 0; axis--) {
    i64 stride = operand->strides[axis];
    is_flat &= stride == flat;
    is_fixed &= stride == 0;
    repeats &= axis == last || stride == 0;
    flat *= space->extents[axis];
    operand->moves[axis] = stride - walked;
    if (axis != last) walked += stride * (space->extents[axis] - 1);
  }
  operand->inner = operand->strides[last];
  operand->repeats = repeats;
  operand->lies = is_flat ? LIES_FLAT : is_fixed ? LIES_FIXED : LIES_IN_ROWS;
}

void tf_merge_axes(tf_space *space) {
  int kept = 0;
  for (int axis = 0; axis < space->rank; axis++) {
    if (space->extents[axis] == 1) continue;
    if (kept > 0 && walk_as_one(space, kept - 1, axis)) {
      i64 extent = space->extents[kept - 1];
      move_axis(space, axis, kept - 1);
      space->extents[kept - 1] *= extent;
    } else {
      move_axis(space, axis, kept++);
    }
  }
  if (kept == 0) {
    kept = 1;
    space->extents[0] = 1;
    for (int o = 0; o < space->operands; o++) space->operand[o].strides[0] = space->operand[o].bytes;
  }
  space->rank = kept;
  space->columns = space->extents[kept - 1];
  for (int o = 0; o < space->operands; o++) place_operand(space, &space->operand[o]);
  tf_restart(space);
}

void tf_restart(tf_space *space) {
  memset(space->index, 0, sizeof(i64) * space->rank);
  space->column = space->position = 0;
  for (int o = 0; o < space->operands; o++) {
    space->operand[o].row = 0;
    space->operand[o].splat = NULL;
    space->operand[o].repeated = 0;
  }
}

/* The axis that steps where a row ends, −1 after the last. */
static int next_row(tf_space *space) {
  int axis = space->rank - 2;
  while (axis >= 0 && ++space->index[axis] == space->extents[axis]) space->index[axis--] = 0;
  return axis;
}

void tf_take_block(tf_space *space, i64 n) {
  i64 column = space->column;
  int pieces = 0;
  while (n > 0) {
    i64 left = space->columns - column;
    i64 length = n < left ? n : left;
    space->lengths[pieces] = (i32)length;
    column += length;
    n -= length;
    if (column == space->columns) {
      column = 0;
      space->ends[pieces] = next_row(space);
    } else {
      space->ends[pieces] = -1;
    }
    pieces++;
  }
  space->pieces = pieces;
  space->next_column = column;
}

void tf_pass_block(tf_space *space, i64 n) {
  for (int o = 0; o < space->operands; o++) {
    tf_operand *operand = &space->operand[o];
    if (operand->lies != LIES_IN_ROWS) continue;
    for (int piece = 0; piece < space->pieces; piece++) {
      if (space->ends[piece] >= 0) operand->row += operand->moves[space->ends[piece]];
    }
  }
  space->position += n;
  space->column = space->next_column;
}

// ---------------------------------------------------------------- copies

void tf_fill(char *to, const char *value, int bytes, i64 n) {
  if (bytes == 1) {
    memset(to, *value, n);
  } else if (bytes == 4) {
    uint32_t bits, *out = (uint32_t *)to;
    memcpy(&bits, value, 4);
    for (i64 i = 0; i < n; i++) out[i] = bits;
  } else {
    uint64_t bits, *out = (uint64_t *)to;
    memcpy(&bits, value, 8);
    for (i64 i = 0; i < n; i++) out[i] = bits;
  }
}

/* Written rows lie apart from what is read from registers. */
#define COPIES(T)                                                                                                                                    \
  static void gather_##T(T *restrict to, const char *restrict from, i64 stride, i64 n) {                                                             \
    if (stride == 2 * (i64)sizeof(T)) {                                                                                                              \
      const T *pairs = (const T *)from;                                                                                                              \
      for (i64 i = 0; i < n; i++) to[i] = pairs[2 * i];                                                                                              \
    } else {                                                                                                                                         \
      for (i64 i = 0; i < n; i++) to[i] = *(const T *)(from + i * stride);                                                                           \
    }                                                                                                                                                \
  }                                                                                                                                                  \
  static void scatter_##T(char *restrict to, i64 stride, const T *restrict from, i64 n) {                                                            \
    if (stride == 2 * (i64)sizeof(T)) {                                                                                                              \
      T *pairs = (T *)to;                                                                                                                            \
      for (i64 i = 0; i < n; i++) pairs[2 * i] = from[i];                                                                                            \
    } else {                                                                                                                                         \
      for (i64 i = 0; i < n; i++) *(T *)(to + i * stride) = from[i];                                                                                 \
    }                                                                                                                                                \
  }
COPIES(uint8_t)
COPIES(uint32_t)
COPIES(uint64_t)

#define INTERLEAVE(T)                                                                                                                                   \
  static void interleave_##T(T *restrict to, const T *restrict first, const T *restrict second, i64 n) {                                             \
    for (i64 i = 0; i < n; i++) {                                                                                                                    \
      to[2 * i] = first[i];                                                                                                                          \
      to[2 * i + 1] = second[i];                                                                                                                     \
    }                                                                                                                                                \
  }
INTERLEAVE(uint32_t)
INTERLEAVE(uint64_t)

static void gather(char *to, const char *from, i64 stride, i64 n, int bytes) {
  if (stride == bytes) memcpy(to, from, n * bytes);
  else if (stride == 0) tf_fill(to, from, bytes, n);
  else if (bytes == 1) gather_uint8_t((uint8_t *)to, from, stride, n);
  else if (bytes == 4) gather_uint32_t((uint32_t *)to, from, stride, n);
  else gather_uint64_t((uint64_t *)to, from, stride, n);
}

static void scatter(char *to, i64 stride, const char *from, i64 n, int bytes) {
  if (stride == bytes) memcpy(to, from, n * bytes);
  else if (bytes == 1) scatter_uint8_t(to, stride, (const uint8_t *)from, n);
  else if (bytes == 4) scatter_uint32_t(to, stride, (const uint32_t *)from, n);
  else scatter_uint64_t(to, stride, (const uint64_t *)from, n);
}

static void interleave(char *to, const char *first, const char *second, i64 n, int bytes) {
  if (bytes == 4) interleave_uint32_t((uint32_t *)to, (const uint32_t *)first, (const uint32_t *)second, n);
  else interleave_uint64_t((uint64_t *)to, (const uint64_t *)first, (const uint64_t *)second, n);
}

// ---------------------------------------------------------------- operands

char *tf_block_place(const tf_space *space, const tf_operand *operand) {
  if (operand->lies == LIES_FLAT) return operand->base + space->position * operand->bytes;
  if (operand->lies == LIES_FIXED || space->pieces > 1 || operand->inner != operand->bytes) return NULL;
  return operand->base + operand->row + space->column * operand->inner;
}

/* Whole rows, which lie side by side: memory is read in its own order. */
#define TRANSPOSE(T)                                                                                                                                 \
  static void transpose_##T(T *restrict to, const char *restrict from, i64 stride, i64 step, i64 rows, i64 columns) {                                \
    for (i64 column = 0; column < columns; column++, from += stride) {                                                                               \
      for (i64 row = 0; row < rows; row++) to[row * columns + column] = *(const T *)(from + row * step);                                             \
    }                                                                                                                                                \
  }
TRANSPOSE(uint8_t)
TRANSPOSE(uint32_t)
TRANSPOSE(uint64_t)

static int is_transposed(const tf_space *space, const tf_operand *operand) {
  int is_whole = space->rank == 2 && space->column == 0 && space->lengths[space->pieces - 1] == space->columns;
  return is_whole && space->pieces > 1 && operand->moves[0] == operand->bytes && operand->inner != 0;
}

static void load_transposed(const tf_space *space, const tf_operand *operand, const char *from, char *to) {
  i64 stride = operand->inner, step = operand->bytes, rows = space->pieces, columns = space->columns;
  if (operand->lane_bytes == 1) transpose_uint8_t((uint8_t *)to, from, stride, step, rows, columns);
  else if (operand->lane_bytes == 4) transpose_uint32_t((uint32_t *)to, from, stride, step, rows, columns);
  else transpose_uint64_t((uint64_t *)to, from, stride, step, rows, columns);
}

static void load_lane(const tf_space *space, const tf_operand *operand, const char *base, char *to) {
  if (is_transposed(space, operand)) {
    load_transposed(space, operand, base + operand->row, to);
    return;
  }
  const char *row = base + operand->row;
  const char *from = row + space->column * operand->inner;
  for (int piece = 0; piece < space->pieces; piece++) {
    gather(to, from, operand->inner, space->lengths[piece], operand->lane_bytes);
    to += space->lengths[piece] * operand->lane_bytes;
    if (space->ends[piece] >= 0) row += operand->moves[space->ends[piece]];
    from = row;
  }
}

void tf_load(const tf_space *space, tf_operand *operand, char **at, char *const *home, i64 n, i64 splat) {
  char *place = tf_block_place(space, operand);
  if (place != NULL && operand->lanes == 1) {
    if (operand->registers[0] >= 0) at[operand->registers[0]] = place;
    operand->repeated = 0;
    return;
  }
  const int repeats = operand->repeats && space->column == 0;
  if (repeats && operand->repeated >= n) return;
  const char *fixed = NULL;
  if (operand->lies == LIES_FIXED) fixed = operand->base;
  else if (space->pieces == 1 && operand->inner == 0) fixed = operand->base + operand->row;
  if (fixed != NULL && fixed == operand->splat) return;
  for (int lane = 0; lane < operand->lanes; lane++) {
    int name = operand->registers[lane];
    if (name < 0) continue;
    i64 offset = lane * operand->lane_bytes;
    at[name] = home[name];
    if (fixed != NULL) tf_fill(home[name], fixed + offset, operand->lane_bytes, splat);
    else if (place != NULL) gather(home[name], place + offset, operand->bytes, n, operand->lane_bytes);
    else load_lane(space, operand, operand->base + offset, home[name]);
  }
  operand->splat = fixed;
  operand->repeated = repeats ? n : 0;
}

static void store_row(const tf_operand *operand, char *to, const char *first, const char *second, i64 n) {
  if (operand->lanes == 1) {
    if (to != first) scatter(to, operand->inner, first, n, operand->lane_bytes);
  } else if (operand->inner == operand->bytes) {
    interleave(to, first, second, n, operand->lane_bytes);
  } else {
    scatter(to, operand->inner, first, n, operand->lane_bytes);
    scatter(to + operand->lane_bytes, operand->inner, second, n, operand->lane_bytes);
  }
}

void tf_store(const tf_space *space, const tf_operand *operand, const char *first, const char *second, i64 n) {
  if (operand->lies == LIES_FLAT) {
    store_row(operand, operand->base + space->position * operand->bytes, first, second, n);
    return;
  }
  char *row = operand->base + operand->row;
  char *to = row + space->column * operand->inner;
  for (int piece = 0; piece < space->pieces; piece++) {
    i64 length = space->lengths[piece];
    store_row(operand, to, first, second, length);
    first += length * operand->lane_bytes;
    if (second != NULL) second += length * operand->lane_bytes;
    if (space->ends[piece] >= 0) row += operand->moves[space->ends[piece]];
    to = row;
  }
}
