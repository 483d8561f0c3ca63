/* The library that brings BLAS and LAPACK (blas.c). */
#ifndef TF_BLAS_H
#define TF_BLAS_H
#include <stddef.h>

typedef struct {
  const char *path;   /* what was opened, as the system's loader got it */
  const char *core;   /* the processor whose kernels OpenBLAS took, or "" */
  const char *config; /* what OpenBLAS says of its build, or "" */
  int threads;        /* as the library has them, or 0 where it does not tell */
  int cores;          /* processors that it sees, or 0 */
  int is_recored;     /* 1: opened a second time, since it did not know the processor */
} tf_blas_facts;

/*
 * Opens the first library that loads and has everything: `path` alone where it is not NULL or empty, else TF_BLAS_LIBRARY alone where that is set, else the names that
 * systems give it. Returns 1, or 0 with every candidate and its reason in `why`, one per line. Once one is open it stays, and what it is stays true.
 */
int tf_open_blas(const char *path, char *why, size_t size);
/* What is open; NULL: nothing. */
const tf_blas_facts *tf_blas(void);
#endif
