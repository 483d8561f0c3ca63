/*
 * LAPACK's routines, as Fortran's compilers and f2c declare them: arguments are pointers; behind them the lengths of the strings.
 * Included once to declare them; in a machine's own code once more, to find them.
 */
#define MATRIX T *, integer *
#define REAL_MATRIX R *, integer *

ROUTINE(T_(gemv), char *trans, integer *m, integer *n, T *alpha, MATRIX, T *x, integer *incx, T *beta, T *y, integer *incy, Length)
ROUTINE(T_(gebrd), integer *m, integer *n, MATRIX, R *d, R *e, T *tauq, T *taup, T *work, integer *lwork, integer *info)
ROUTINE(R_(bdsdc), char *uplo, char *compq, integer *n, R *d, R *e, REAL_MATRIX, REAL_MATRIX, R *q, integer *iq, R *work, integer *iwork, integer *info, Length, Length)
ROUTINE(UNITARY(mbr), char *vect, char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, Length, Length, Length)
ROUTINE(T_(geqrf), integer *m, integer *n, MATRIX, T *tau, T *work, integer *lwork, integer *info)
ROUTINE(T_(gelqf), integer *m, integer *n, MATRIX, T *tau, T *work, integer *lwork, integer *info)
ROUTINE(UNITARY(gqr), integer *m, integer *n, integer *k, MATRIX, T *tau, T *work, integer *lwork, integer *info)
ROUTINE(UNITARY(mqr), char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, Length, Length)
ROUTINE(UNITARY(mlq), char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, Length, Length)
ROUTINE(T_(bdsqr), char *uplo, integer *n, integer *ncvt, integer *nru, integer *ncc, R *d, R *e, MATRIX, MATRIX, MATRIX, R *work, integer *info, Length)
ROUTINE(T_(trsyl), char *transa, char *transb, integer *sign, integer *m, integer *n, MATRIX, MATRIX, MATRIX, R *scale, integer *info, Length, Length)
ROUTINE(T_(gebal), char *job, integer *n, MATRIX, integer *ilo, integer *ihi, R *scale, integer *info, Length)
ROUTINE(T_(gebak), char *job, char *side, integer *n, integer *ilo, integer *ihi, R *scale, integer *m, MATRIX, integer *info, Length, Length)
ROUTINE(T_(gehrd), integer *n, integer *ilo, integer *ihi, MATRIX, T *tau, T *work, integer *lwork, integer *info)
ROUTINE(UNITARY(ghr), integer *n, integer *ilo, integer *ihi, MATRIX, T *tau, T *work, integer *lwork, integer *info)
#if COMPLEX
ROUTINE(T_(hseqr), char *job, char *compz, integer *n, integer *ilo, integer *ihi, MATRIX, T *w, MATRIX, T *work, integer *lwork, integer *info, Length, Length)
ROUTINE(T_(trevc3), char *side, char *howmny, logical *select, integer *n, MATRIX, MATRIX, MATRIX, integer *mm, integer *m, T *work, integer *lwork, R *rwork, integer *lrwork, integer *info, Length, Length)
ROUTINE(T_(geqp3), integer *m, integer *n, MATRIX, integer *jpvt, T *tau, T *work, integer *lwork, R *rwork, integer *info)
ROUTINE(T_(heevd), char *jobz, char *uplo, integer *n, MATRIX, R *w, T *work, integer *lwork, R *rwork, integer *lrwork, integer *iwork, integer *liwork, integer *info, Length, Length)
ROUTINE(T_(gees), char *jobvs, char *sort, L_fp select, integer *n, MATRIX, integer *sdim, T *w, MATRIX, T *work, integer *lwork, R *rwork, logical *bwork, integer *info, Length, Length)
#else
ROUTINE(T_(hseqr), char *job, char *compz, integer *n, integer *ilo, integer *ihi, MATRIX, R *wr, R *wi, MATRIX, T *work, integer *lwork, integer *info, Length, Length)
ROUTINE(T_(trevc3), char *side, char *howmny, logical *select, integer *n, MATRIX, MATRIX, MATRIX, integer *mm, integer *m, T *work, integer *lwork, integer *info, Length, Length)
ROUTINE(T_(geqp3), integer *m, integer *n, MATRIX, integer *jpvt, T *tau, T *work, integer *lwork, integer *info)
ROUTINE(T_(syevd), char *jobz, char *uplo, integer *n, MATRIX, R *w, T *work, integer *lwork, integer *iwork, integer *liwork, integer *info, Length, Length)
ROUTINE(T_(gees), char *jobvs, char *sort, L_fp select, integer *n, MATRIX, integer *sdim, R *wr, R *wi, MATRIX, T *work, integer *lwork, logical *bwork, integer *info, Length, Length)
#endif
#ifndef __wasm__
ROUTINE(T_(gemm), char *transa, char *transb, integer *m, integer *n, integer *k, T *alpha, MATRIX, MATRIX, T *beta, MATRIX, Length, Length)
ROUTINE(T_(trsm), char *side, char *uplo, char *trans, char *diag, integer *m, integer *n, T *alpha, MATRIX, MATRIX, Length, Length, Length, Length)
ROUTINE(T_(trsv), char *uplo, char *trans, char *diag, integer *n, MATRIX, T *x, integer *incx, Length, Length, Length)
ROUTINE(T_(getrf), integer *m, integer *n, MATRIX, integer *pivots, integer *info)
ROUTINE(T_(potrf), char *uplo, integer *n, MATRIX, integer *info, Length)
#endif
