/* STEP_CALL: kernels of families and of the host. A batch whose elements are computed one by one is parted among threads, each with a workspace of its own. */
#include "tf_native.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifndef _WIN32
#include <pthread.h>
#endif

/* Threads that share a batch, and the work that one is made for: it takes tens of microseconds to begin. Work is counted as products of square matrices of an element's size. */
enum { MOST_PARTS = 64 };
#define PART_WORK 5e5

typedef struct {
  tf_kernel kernel;
  const intptr_t *args;
  intptr_t first, failed;
} part;

static void *run_part(void *given) {
  part *p = given;
  p->failed = p->kernel(p->args);
  return NULL;
}

/* What a call hands over: addresses of operands and workspace, tables, integers, of which the first counts the batch. */
typedef struct {
  i64 operands, integers, batch; /* operands without the workspace */
  const word *sizes;             /* of each operand and the workspace: bytes of an element of its dtype, and of all */
} batch_call;

#ifndef _WIN32
/* In how many parts a batch goes to so many threads. */
static int parts_of(const batch_call *call, int threads) {
  if (call->batch < 2 || threads < 2) return 1;
  double most = 0;
  for (i64 i = 0; i < call->operands; i++) {
    const i64 bytes = (i64)call->sizes[2 * i + 1];
    if (bytes % call->batch != 0) return 1;
    const double elements = (double)bytes / (double)call->batch / call->sizes[2 * i];
    if (elements > most) most = elements;
  }
  const double wanted = floor((double)call->batch * most * sqrt(most) / PART_WORK);
  i64 count = threads < MOST_PARTS ? threads : MOST_PARTS;
  if (count > call->batch) count = call->batch;
  return wanted < 2 ? 1 : wanted < (double)count ? (int)wanted : (int)count;
}

/* The first failed element's index + 1, or 0. What another thread cannot be had for, or a workspace, this one does. */
static intptr_t run_parts(const batch_call *call, i64 workspace_bytes, tf_kernel kernel, const intptr_t *args, int count) {
  const i64 words = call->operands + 2 + call->integers;
  intptr_t own[count][words];
  part parts[count];
  pthread_t on[count];
  void *rooms[count];
  int runs[count];
  for (int i = 0; i < count; i++) {
    const i64 begin = call->batch * i / count, end = call->batch * (i + 1) / count;
    memcpy(own[i], args, (size_t)words * sizeof(intptr_t));
    for (i64 o = 0; o < call->operands; o++) own[i][o] += begin * ((i64)call->sizes[2 * o + 1] / call->batch);
    own[i][call->operands + 2] = end - begin;
    parts[i] = (part){kernel, own[i], begin, 0};
    rooms[i] = NULL, runs[i] = 0;
    if (i == 0) continue;
    if (workspace_bytes > 0) {
      if (posix_memalign(&rooms[i], 64, (size_t)workspace_bytes) != 0) rooms[i] = NULL;
      if (rooms[i] == NULL) continue;
      own[i][call->operands] = (intptr_t)rooms[i];
    }
    runs[i] = pthread_create(&on[i], NULL, run_part, &parts[i]) == 0;
  }
  for (int i = 0; i < count; i++) if (!runs[i]) run_part(&parts[i]);
  intptr_t failed = 0;
  for (int i = 0; i < count; i++) {
    if (runs[i]) pthread_join(on[i], NULL);
    free(rooms[i]);
    if (failed == 0 && parts[i].failed != 0) failed = parts[i].first + parts[i].failed;
  }
  return failed;
}
#endif

static intptr_t run_batch(const batch_call *call, int has_workspace, tf_kernel kernel, const intptr_t *args, int threads) {
#ifndef _WIN32
  const int count = parts_of(call, threads);
  if (count > 1) return run_parts(call, has_workspace ? (i64)call->sizes[2 * call->operands + 1] : 0, kernel, args, count);
#endif
  return kernel(args);
}

int tf_call(tf_run *run, word *record) {
  const i64 operands = (i64)record[CALL_OPERANDS], integers = (i64)record[CALL_INTEGERS];
  const int has_workspace = record[CALL_WORKSPACE] != 0;
  const i64 function = (i64)record[CALL_FUNCTION];
  if (function == 0) return run->host == NULL ? STATUS_CORRUPT : run->host(run->call_host, record);
  intptr_t args[operands + integers + 2];
  i64 at = 0;
  const word *view = record + CALL_VIEWS;
  for (i64 i = 0; i < operands; i++, view += VIEW_STRIDES) args[at++] = (intptr_t)tf_place(run, view);
  if (!has_workspace) args[at++] = 0;
  args[at++] = (intptr_t)(i64)record[CALL_TABLES];
  for (i64 i = 0; i < integers; i++) args[at++] = (intptr_t)(i64)view[i];
  const tf_kernel kernel = (tf_kernel)(intptr_t)function;
  const int is_batch = record[CALL_BATCHED] != 0 && integers > 0 && (i64)view[0] > 1;
  /* A batch's elements are each of one thread, however many there are: so are their bits. */
  tf_set_threads(is_batch ? 1 : run->threads);
  const intptr_t failed = is_batch ? run_batch(&(batch_call){operands - has_workspace, integers, (i64)view[0], view + integers}, has_workspace, kernel, args, run->threads) : kernel(args);
  if (failed != 0 && record[CALL_STATUS] == 0) record[CALL_STATUS] = (word)failed;
  return STATUS_DONE;
}
