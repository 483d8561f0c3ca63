/* What LAPACK asks about the machine and its own tuning, and what it does about wrong arguments; for both precisions. */
#include "f2c.h"

logical lsame_(char *a, char *b, ftnlen a_length, ftnlen b_length) {
  (void)a_length, (void)b_length;
  return (*a | 32) == (*b | 32);
}

/* Shims never pass wrong arguments: a trap is a fault of theirs, and the engine says whose. */
int xerbla_(char *name, integer *info, ftnlen length) {
  (void)name, (void)info, (void)length;
  __builtin_trap();
}

doublereal dlamch_(char *what, ftnlen length) {
  (void)length;
  switch (*what | 32) {
    case 'e': return 0x1p-53;
    case 's': return 0x1p-1022;
    case 'b': return 2;
    case 'p': return 0x1p-52;
    case 'o': return 0x1.fffffffffffffp1023;
    default: __builtin_trap();
  }
}

real slamch_(char *what, ftnlen length) {
  (void)length;
  switch (*what | 32) {
    case 'e': return 0x1p-24f;
    case 's': return 0x1p-126f;
    case 'b': return 2;
    case 'p': return 0x1p-23f;
    case 'o': return 0x1.fffffep127f;
    default: __builtin_trap();
  }
}

int dlabad_(doublereal *small, doublereal *large) { return (void)small, (void)large, 0; }
int slabad_(real *small, real *large) { return (void)small, (void)large, 0; }
/* A sum that is rounded. */
doublereal dlamc3_(doublereal *a, doublereal *b) { return *a + *b; }
real slamc3_(real *a, real *b) { return *a + *b; }
logical disnan_(doublereal *x) { return *x != *x; }
logical sisnan_(real *x) { return *x != *x; }
doublereal droundup_lwork__(integer *words) { return *words; }
/* The next number of single precision where the nearest is too small. */
real sroundup_lwork__(integer *words) {
  const real nearest = (real)*words;
  return (integer)nearest < *words ? nearest * (1 + 0x1p-23f) : nearest;
}

integer iparmq_(integer *, char *, char *, integer *, integer *, integer *, integer *, ftnlen, ftnlen);

static int ends(const char *name, const char *what) {
  for (int i = 0; what[i] != 0; i++) if (name[i] != what[i]) return 0;
  return 1;
}

/* Columns of a block: what is fastest with this library's products of matrices. */
static integer block_of(const char *routine) {
  if (ends(routine, "POTRF") || ends(routine, "GETRF")) return 64;
  if (ends(routine, "TREVC")) return 64;
  return 32;
}

/* ilaenv: 1 the block, 2 the smallest block, 3 where blocks begin to pay, 6 where a QR comes before an SVD, 9 leaves of divide and
 * conquer, 12 … the QR algorithm. Names are upper case, the dtype's letter first. */
integer ilaenv_(integer *what, char *name, char *options, integer *n1, integer *n2, integer *n3, integer *n4, ftnlen name_length, ftnlen options_length) {
  const char *routine = name + 1;
  switch (*what) {
    case 1: return block_of(routine);
    case 2: return 2;
    case 3: return ends(routine, "SYTRD") || ends(routine, "HETRD") ? 32 : 64;
    case 6: return (integer)((real)(*n1 < *n2 ? *n1 : *n2) * 1.6f);
    case 9: return 25;
    case 10: case 11: return 1;
    default: return iparmq_(what, name, options, n1, n2, n3, n4, name_length, options_length);
  }
}
