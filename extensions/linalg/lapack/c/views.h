/* Matrices by strides: transposition, reversal and sides are other strides, so that each algorithm is written once. */
#include "level1.h"

typedef struct {
  R *at;
  /* From a row to the next, from a column to the next: in R, also where elements are complex. */
  int row, column;
} View;

INLINE View part_of(View m, int i, int j) { return (View){m.at + i * m.row + j * m.column, m.row, m.column}; }
INLINE View transposed(View m) { return (View){m.at, m.column, m.row}; }
/* Its last row first. */
INLINE View rows_reversed(View m, int rows) { return (View){m.at + (rows - 1) * m.row, -m.row, m.column}; }
INLINE View columns_reversed(View m, int columns) { return transposed(rows_reversed(transposed(m), columns)); }

/* Operands of a product that are conjugated where elements are complex. */
#define CONJUGATED_A 1
#define CONJUGATED_B 2

/* Half of n, on the boundary of a tile. */
INLINE int half_of(int n) { return (n / 2 + 7) & ~7; }

/* Words of packed panels, for one product at a time: they are the one static buffer. Hidden, so that they are reached without a table of addresses. */
#define PANEL_A (256 * 1024 / PRECISION)
#define PANEL_B (512 * 1024 / PRECISION)
extern __attribute__((visibility("hidden"))) R R_(panel_a)[PANEL_A], R_(panel_b)[PANEL_B];
