/* to[column][row] = from[row][column], in squares that stay in the cache. Rows lie so many bytes apart. */
#define SQUARE 32
#define TRANSPOSE(E)                                                                                                                                 \
  INLINE void JOIN(transpose, E)(char *to, i64 to_row, const char *from, i64 from_row, i64 rows, i64 columns) {                                      \
    for (i64 r = 0; r < rows; r++)                                                                                                                   \
      for (i64 c = 0; c < columns; c++) *(E *)(to + c * to_row + r * (i64)sizeof(E)) = *(const E *)(from + r * from_row + c * (i64)sizeof(E));       \
  }
typedef struct { uint64_t a, b; } wide;
TRANSPOSE(uint32_t)
TRANSPOSE(uint64_t)
TRANSPOSE(wide)

static void transpose(int bytes, char *to, i64 to_row, const char *from, i64 from_row, i64 rows, i64 columns) {
  for (i64 r = 0; r < rows; r += SQUARE)
    for (i64 c = 0; c < columns; c += SQUARE) {
      const i64 height = rows - r < SQUARE ? rows - r : SQUARE, width = columns - c < SQUARE ? columns - c : SQUARE;
      char *into = to + c * to_row + r * bytes;
      const char *at = from + r * from_row + c * bytes;
      if (bytes == 4) transpose_uint32_t(into, to_row, at, from_row, height, width);
      else if (bytes == 8) transpose_uint64_t(into, to_row, at, from_row, height, width);
      else transpose_wide(into, to_row, at, from_row, height, width);
    }
}
#undef TRANSPOSE
#undef SQUARE
