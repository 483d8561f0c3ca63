/*
 * BLAS and LAPACK at run time: found by name, called through prototypes of our own, so that neither headers nor the library are needed to build, and a machine without
 * it gets a sentence instead of a loader's error. Integers of 32 bits.
 */
#define _GNU_SOURCE
#include "blas.h"
#include "tf_native.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#include <pthread.h>
#endif

/* What has to be there: one routine of every group that steps and kernels call. */
static const char *const required[] = {"sgemm_", "dgemm_", "cgemm_", "zgemm_", "dgetrf_", "dgetrs_", "dpotrf_", "dgeqrf_", "dgesdd_", "dgesvd_", "dsyevd_", "zheevd_", "dgeev_", "dtrtrs_"};
#define REQUIRED (sizeof required / sizeof *required)

/* A candidate: the library, and a second one that has LAPACK where the first does not. */
typedef struct {
  const char *blas;
  const char *lapack;
} candidate;

#if defined(__APPLE__)
static const candidate candidates[] = {
  {"/System/Library/Frameworks/Accelerate.framework/Accelerate", NULL},
  {"libopenblas.0.dylib", NULL},
  {"/opt/homebrew/opt/openblas/lib/libopenblas.dylib", NULL},
};
#elif defined(_WIN32)
static const candidate candidates[] = {{"openblas.dll", NULL}, {"libopenblas.dll", NULL}};
#else
static const candidate candidates[] = {{"libopenblas.so.0", NULL}, {"libblas.so.3", "liblapack.so.3"}};
#endif
#define CANDIDATES (sizeof candidates / sizeof *candidates)

struct tf_library {
  void *blas;
  void *lapack;
  void (*set_threads)(int);
  int (*get_threads)(void);
  tf_blas_facts facts;
  char path[1024];
  char core[64];
  char config[512];
};
static struct tf_library library;

/* ---------------------------------------------------------------- the system's loader */

#ifdef _WIN32
static void *open_file(const char *path) { return (void *)LoadLibraryA(path); }
static void close_file(void *file) { FreeLibrary((HMODULE)file); }
static void *symbol_of(void *file, const char *name) { return (void *)(intptr_t)GetProcAddress((HMODULE)file, name); }
static void reason(char *text, size_t size) { snprintf(text, size, "error %lu", GetLastError()); }
static SRWLOCK lock = SRWLOCK_INIT;
static void enter(void) { AcquireSRWLockExclusive(&lock); }
static void leave(void) { ReleaseSRWLockExclusive(&lock); }
#else
static void *open_file(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void close_file(void *file) { dlclose(file); }
static void *symbol_of(void *file, const char *name) { return dlsym(file, name); }
static void reason(char *text, size_t size) {
  const char *said = dlerror();
  snprintf(text, size, "%s", said == NULL ? "unknown" : said);
}
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void enter(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }
#endif

/* Adds a line, as much of it as there is room for. */
static void tell(char *why, size_t size, const char *path, const char *said) {
  size_t used = strlen(why);
  if (used + 1 < size) snprintf(why + used, size - used, "%s%s: %s", used == 0 ? "" : "\n", path, said);
}

static void *find(const struct tf_library *of, const char *name) {
  void *found = of->blas == NULL ? NULL : symbol_of(of->blas, name);
  if (found == NULL && of->lapack != NULL) found = symbol_of(of->lapack, name);
  return found;
}

void *tf_routine(const char *name) { return find(&library, name); }

/* ---------------------------------------------------------------- the processor */

/*
 * OpenBLAS chooses its kernels by the processor's model, and takes the oldest ones for a model that is younger than itself: SSE3 where the machine has AVX-512, at a fifth
 * of the speed. The names that a machine with such vectors should never end with, and the one to ask for instead.
 */
static const char *better_core(const char *core) {
#if defined(__x86_64__) && defined(__GNUC__)
  static const char *const old[] = {"Prescott", "Core2", "Penryn", "Dunnington", "Atom", "Nehalem", "Opteron", "Opteron_SSE3", "Barcelona", "Katmai", "Northwood"};
  int is_old = 0;
  for (size_t i = 0; i < sizeof old / sizeof *old; i++) is_old |= strcmp(core, old[i]) == 0;
  if (!is_old) return NULL;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl")) return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#else
  (void)core;
#endif
  return NULL;
}

static const char *said_by(const struct tf_library *of, const char *name) {
  char *(*routine)(void) = (char *(*)(void))(intptr_t)find(of, name);
  const char *text = routine == NULL ? NULL : routine();
  return text == NULL ? "" : text;
}

static int number_by(const struct tf_library *of, const char *name) {
  int (*routine)(void) = (int (*)(void))(intptr_t)find(of, name);
  return routine == NULL ? 0 : routine();
}

/* Opens the library again with another core, where nothing else holds it and nobody has chosen one. The variable is for OpenBLAS's start alone. */
static void recore(struct tf_library *opened, const char *path) {
#ifndef _WIN32
  const char *core = better_core(said_by(opened, "openblas_get_corename"));
  if (core == NULL || opened->lapack != NULL || getenv("OPENBLAS_CORETYPE") != NULL) return;
  close_file(opened->blas);
  void *held = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  if (held == NULL) setenv("OPENBLAS_CORETYPE", core, 1);
  opened->blas = open_file(path);
  if (held == NULL) {
    unsetenv("OPENBLAS_CORETYPE");
    opened->facts.is_recored = 1;
  } else {
    close_file(held);
  }
#else
  (void)opened;
  (void)path;
#endif
}

/* ---------------------------------------------------------------- opening */

static int has_all(const struct tf_library *of, char *missing, size_t size) {
  missing[0] = 0;
  for (size_t i = 0; i < REQUIRED; i++) {
    size_t used = strlen(missing);
    if (find(of, required[i]) == NULL) snprintf(missing + used, size - used, "%s%s", used == 0 ? "has no " : ", ", required[i]);
  }
  return missing[0] == 0;
}

static int open_candidate(const candidate *from, char *why, size_t size) {
  char said[1024];
  struct tf_library opened = {0};
  opened.blas = open_file(from->blas);
  if (opened.blas == NULL) {
    reason(said, sizeof said);
    tell(why, size, from->blas, said);
    return 0;
  }
  if (from->lapack != NULL && (opened.lapack = open_file(from->lapack)) == NULL) {
    reason(said, sizeof said);
    tell(why, size, from->lapack, said);
    close_file(opened.blas);
    return 0;
  }
  if (!has_all(&opened, said, sizeof said)) {
    tell(why, size, from->blas, said);
    if (opened.lapack != NULL) close_file(opened.lapack);
    close_file(opened.blas);
    return 0;
  }
  if (strstr(said_by(&opened, "openblas_get_config"), "USE64BITINT") != NULL) {
    tell(why, size, from->blas, "has integers of 64 bits: the build with 32 is needed");
    close_file(opened.blas);
    return 0;
  }
  recore(&opened, from->blas);
  if (opened.blas == NULL) {
    reason(said, sizeof said);
    tell(why, size, from->blas, said);
    return 0;
  }
  opened.set_threads = (void (*)(int))(intptr_t)find(&opened, "openblas_set_num_threads");
  opened.get_threads = (int (*)(void))(intptr_t)find(&opened, "openblas_get_num_threads");
  library = opened;
  snprintf(library.path, sizeof library.path, "%s%s%s", from->blas, from->lapack == NULL ? "" : " and ", from->lapack == NULL ? "" : from->lapack);
  snprintf(library.core, sizeof library.core, "%s", said_by(&library, "openblas_get_corename"));
  snprintf(library.config, sizeof library.config, "%s", said_by(&library, "openblas_get_config"));
  library.facts = (tf_blas_facts){library.path, library.core, library.config, number_by(&library, "openblas_get_num_threads"), number_by(&library, "openblas_get_num_procs"), opened.facts.is_recored};
  return 1;
}

static int open_first(const char *path, char *why, size_t size) {
  if (library.blas != NULL) return 1;
  const char *named = path != NULL && path[0] != 0 ? path : getenv("TF_BLAS_LIBRARY");
  if (named != NULL && named[0] != 0) {
    const candidate one = {named, NULL};
    return open_candidate(&one, why, size);
  }
  for (size_t i = 0; i < CANDIDATES; i++)
    if (open_candidate(&candidates[i], why, size)) return 1;
  return 0;
}

int tf_open_blas(const char *path, char *why, size_t size) {
  if (size > 0) why[0] = 0;
  enter();
  int done = open_first(path, why, size);
  leave();
  return done;
}

const tf_blas_facts *tf_blas(void) { return library.blas == NULL ? NULL : &library.facts; }

/* The count belongs to the process, where another copy of this library may have set it; setting it costs, asking does not. */
void tf_set_threads(int threads) {
  if (library.set_threads == NULL || threads < 1) return;
  enter();
  if (library.get_threads == NULL || library.get_threads() != threads) library.set_threads(threads);
  leave();
}
