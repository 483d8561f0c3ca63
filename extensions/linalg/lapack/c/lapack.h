/* LAPACK's routines as f2c declares them. Arguments are pointers; behind them the lengths of the strings. */
#define MATRIX T *, integer *
#define REAL_MATRIX R *, integer *

int T_(gemv)(char *trans, integer *m, integer *n, T *alpha, MATRIX, T *x, integer *incx, T *beta, T *y, integer *incy, ftnlen);
int T_(gebrd)(integer *m, integer *n, MATRIX, R *d, R *e, T *tauq, T *taup, T *work, integer *lwork, integer *info);
int R_(bdsdc)(char *uplo, char *compq, integer *n, R *d, R *e, REAL_MATRIX, REAL_MATRIX, R *q, integer *iq, R *work, integer *iwork, integer *info, ftnlen, ftnlen);
int UNITARY(mbr)(char *vect, char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, ftnlen, ftnlen, ftnlen);
int T_(geqrf)(integer *m, integer *n, MATRIX, T *tau, T *work, integer *lwork, integer *info);
int T_(gelqf)(integer *m, integer *n, MATRIX, T *tau, T *work, integer *lwork, integer *info);
int UNITARY(gqr)(integer *m, integer *n, integer *k, MATRIX, T *tau, T *work, integer *lwork, integer *info);
int UNITARY(mqr)(char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, ftnlen, ftnlen);
int UNITARY(mlq)(char *side, char *trans, integer *m, integer *n, integer *k, MATRIX, T *tau, MATRIX, T *work, integer *lwork, integer *info, ftnlen, ftnlen);
int T_(bdsqr)(char *uplo, integer *n, integer *ncvt, integer *nru, integer *ncc, R *d, R *e, MATRIX, MATRIX, MATRIX, R *work, integer *info, ftnlen);
int T_(trsyl)(char *transa, char *transb, integer *sign, integer *m, integer *n, MATRIX, MATRIX, MATRIX, R *scale, integer *info, ftnlen, ftnlen);
int T_(gebal)(char *job, integer *n, MATRIX, integer *ilo, integer *ihi, R *scale, integer *info, ftnlen);
int T_(gebak)(char *job, char *side, integer *n, integer *ilo, integer *ihi, R *scale, integer *m, MATRIX, integer *info, ftnlen, ftnlen);
int T_(gehrd)(integer *n, integer *ilo, integer *ihi, MATRIX, T *tau, T *work, integer *lwork, integer *info);
int UNITARY(ghr)(integer *n, integer *ilo, integer *ihi, MATRIX, T *tau, T *work, integer *lwork, integer *info);
#if COMPLEX
int T_(hseqr)(char *job, char *compz, integer *n, integer *ilo, integer *ihi, MATRIX, T *w, MATRIX, T *work, integer *lwork, integer *info, ftnlen, ftnlen);
int T_(trevc3)(char *side, char *howmny, logical *select, integer *n, MATRIX, MATRIX, MATRIX, integer *mm, integer *m, T *work, integer *lwork, R *rwork, integer *lrwork, integer *info, ftnlen, ftnlen);
int T_(geqp3)(integer *m, integer *n, MATRIX, integer *jpvt, T *tau, T *work, integer *lwork, R *rwork, integer *info);
int T_(heevd)(char *jobz, char *uplo, integer *n, MATRIX, R *w, T *work, integer *lwork, R *rwork, integer *lrwork, integer *iwork, integer *liwork, integer *info, ftnlen, ftnlen);
int T_(gees)(char *jobvs, char *sort, L_fp select, integer *n, MATRIX, integer *sdim, T *w, MATRIX, T *work, integer *lwork, R *rwork, logical *bwork, integer *info, ftnlen, ftnlen);
#else
int T_(hseqr)(char *job, char *compz, integer *n, integer *ilo, integer *ihi, MATRIX, R *wr, R *wi, MATRIX, T *work, integer *lwork, integer *info, ftnlen, ftnlen);
int T_(trevc3)(char *side, char *howmny, logical *select, integer *n, MATRIX, MATRIX, MATRIX, integer *mm, integer *m, T *work, integer *lwork, integer *info, ftnlen, ftnlen);
int T_(geqp3)(integer *m, integer *n, MATRIX, integer *jpvt, T *tau, T *work, integer *lwork, integer *info);
int T_(syevd)(char *jobz, char *uplo, integer *n, MATRIX, R *w, T *work, integer *lwork, integer *iwork, integer *liwork, integer *info, ftnlen, ftnlen);
int T_(gees)(char *jobvs, char *sort, L_fp select, integer *n, MATRIX, integer *sdim, R *wr, R *wi, MATRIX, T *work, integer *lwork, logical *bwork, integer *info, ftnlen, ftnlen);
#endif
