/*
 * Orders of numbers in vectors of VECTOR_BYTES. Two vectors of cells, which are complex numbers, hold LANES of them in an order of which
 * REALS and IMAGINARIES make real and imaginary parts of the lanes in turn without a step from one 16 bytes to the next; LOW and HIGH
 * make the cells again. Cell j of the first is lane FIRST_LANE(j), of the second the lane NEXT_LANE further. EVEN and ODD are for numbers
 * that lie side by side, NEAR and FAR put them back.
 */
#if REAL_BYTES == 8
#define FIRST_LANE(j) (2 * (j))
#define NEXT_LANE 1
#define REALS LOW
#define IMAGINARIES HIGH
#else
#define FIRST_LANE(j) (4 * ((j) / 2) + (j) % 2)
#define NEXT_LANE 2
#endif

#if LANES == 2
#define SPLAT(x) ((vec){(x), (x)})
#define LOW(a, b) SHUFFLE(a, b, 0, 2)
#define HIGH(a, b) SHUFFLE(a, b, 1, 3)
#define EVEN LOW
#define ODD HIGH
#define NEAR LOW
#define FAR HIGH
#elif LANES == 4
#define SPLAT(x) ((vec){(x), (x), (x), (x)})
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7)
#define NEAR(a, b) SHUFFLE(a, b, 0, 4, 1, 5)
#define FAR(a, b) SHUFFLE(a, b, 2, 6, 3, 7)
#if REAL_BYTES == 8
#define LOW(a, b) SHUFFLE(a, b, 0, 4, 2, 6)
#define HIGH(a, b) SHUFFLE(a, b, 1, 5, 3, 7)
#else
#define REALS EVEN
#define IMAGINARIES ODD
#define LOW NEAR
#define HIGH FAR
#endif
#elif LANES == 8
#define SPLAT(x) ((vec){(x), (x), (x), (x), (x), (x), (x), (x)})
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define NEAR(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define FAR(a, b) SHUFFLE(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#if REAL_BYTES == 8
#define LOW(a, b) SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14)
#define HIGH(a, b) SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15)
#else
#define REALS(a, b) SHUFFLE(a, b, 0, 2, 8, 10, 4, 6, 12, 14)
#define IMAGINARIES(a, b) SHUFFLE(a, b, 1, 3, 9, 11, 5, 7, 13, 15)
#define LOW(a, b) SHUFFLE(a, b, 0, 8, 1, 9, 4, 12, 5, 13)
#define HIGH(a, b) SHUFFLE(a, b, 2, 10, 3, 11, 6, 14, 7, 15)
#endif
#else
#define SPLAT(x) ((vec){(x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x), (x)})
#define EVEN(a, b) SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define ODD(a, b) SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define NEAR(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define FAR(a, b) SHUFFLE(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define REALS(a, b) SHUFFLE(a, b, 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30)
#define IMAGINARIES(a, b) SHUFFLE(a, b, 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31)
#define LOW(a, b) SHUFFLE(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define HIGH(a, b) SHUFFLE(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#endif
