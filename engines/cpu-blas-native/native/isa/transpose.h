/*
 * to[column][row] = from[row][column], for elements of 4, 8 or 16 bytes that follow each other in the rows of both; rows lie to_row and from_row bytes apart. By squares that
 * registers hold, in squares that the cache holds.
 */
#define BLOCKED 32

#if TF_LEVEL > 0
#define SQUARE4 8
INLINE void square4(char *to, i64 to_row, const char *from, i64 from_row) {
  __m256 rows[8], pairs[8], quads[8];
  UNROLL for (int i = 0; i < 8; i++) rows[i] = _mm256_loadu_ps((const float *)(from + i * from_row));
  UNROLL for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_ps(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_ps(rows[i], rows[i + 1]);
  }
  UNROLL for (int i = 0; i < 8; i += 4) {
    quads[i] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0x44);
    quads[i + 1] = _mm256_shuffle_ps(pairs[i], pairs[i + 2], 0xee);
    quads[i + 2] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0x44);
    quads[i + 3] = _mm256_shuffle_ps(pairs[i + 1], pairs[i + 3], 0xee);
  }
  UNROLL for (int i = 0; i < 4; i++) {
    _mm256_storeu_ps((float *)(to + i * to_row), _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x20));
    _mm256_storeu_ps((float *)(to + (i + 4) * to_row), _mm256_permute2f128_ps(quads[i], quads[i + 4], 0x31));
  }
}
#define SQUARE8 4
INLINE void square8(char *to, i64 to_row, const char *from, i64 from_row) {
  __m256d rows[4], pairs[4];
  UNROLL for (int i = 0; i < 4; i++) rows[i] = _mm256_loadu_pd((const double *)(from + i * from_row));
  UNROLL for (int i = 0; i < 4; i += 2) {
    pairs[i] = _mm256_unpacklo_pd(rows[i], rows[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_pd(rows[i], rows[i + 1]);
  }
  UNROLL for (int i = 0; i < 2; i++) {
    _mm256_storeu_pd((double *)(to + i * to_row), _mm256_permute2f128_pd(pairs[i], pairs[i + 2], 0x20));
    _mm256_storeu_pd((double *)(to + (i + 2) * to_row), _mm256_permute2f128_pd(pairs[i], pairs[i + 2], 0x31));
  }
}
#else
#define SQUARE4 1
INLINE void square4(char *to, i64 to_row, const char *from, i64 from_row) { (void)to_row, (void)from_row, memcpy(to, from, 4); }
#define SQUARE8 1
INLINE void square8(char *to, i64 to_row, const char *from, i64 from_row) { (void)to_row, (void)from_row, memcpy(to, from, 8); }
#endif
#define SQUARE16 1
INLINE void square16(char *to, i64 to_row, const char *from, i64 from_row) { (void)to_row, (void)from_row, memcpy(to, from, 16); }

#define TRANSPOSE(E)                                                                                                                                 \
  INLINE void transpose##E(char *to, i64 to_row, const char *from, i64 from_row, i64 rows, i64 columns) {                                            \
    const i64 height = rows - rows % SQUARE##E, width = columns - columns % SQUARE##E;                                                               \
    for (i64 r = 0; r < height; r += SQUARE##E)                                                                                                      \
      for (i64 c = 0; c < width; c += SQUARE##E) square##E(to + c * to_row + r * E, to_row, from + r * from_row + c * E, from_row);                   \
    for (i64 r = 0; r < rows; r++)                                                                                                                   \
      for (i64 c = r < height ? width : 0; c < columns; c++) memcpy(to + c * to_row + r * E, from + r * from_row + c * E, E);                         \
  }
TRANSPOSE(4)
TRANSPOSE(8)
TRANSPOSE(16)

static void transpose(int bytes, char *to, i64 to_row, const char *from, i64 from_row, i64 rows, i64 columns) {
  for (i64 r = 0; r < rows; r += BLOCKED)
    for (i64 c = 0; c < columns; c += BLOCKED) {
      const i64 height = rows - r < BLOCKED ? rows - r : BLOCKED, width = columns - c < BLOCKED ? columns - c : BLOCKED;
      char *into = to + c * to_row + r * bytes;
      const char *at = from + r * from_row + c * bytes;
      if (bytes == 4) transpose4(into, to_row, at, from_row, height, width);
      else if (bytes == 8) transpose8(into, to_row, at, from_row, height, width);
      else transpose16(into, to_row, at, from_row, height, width);
    }
}
