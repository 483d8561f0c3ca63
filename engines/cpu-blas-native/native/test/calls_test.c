/* Calls of kernels: how batches are parted among threads, and what each part is given. The kernel of this test meets those of the other parts before it goes on. */
#include "check.h"
#include <pthread.h>
#include <time.h>

static int library_threads;
void tf_set_threads(int threads) { library_threads = threads; }

/* Calls that have begun and have written to their workspace, those that wait for each other, and what they saw. */
static int begun, written, meeting, shared_rooms, other_tables;
static i64 elements;
static pthread_t first_thread;
static int elsewhere;
static char tables[8];

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* args: in, out, workspace, tables, batch, numbers of an element. Out is twice in; an element that begins with NaN has no result. */
static intptr_t twice(const intptr_t *args) {
  const f64 *in = (const f64 *)args[0];
  f64 *out = (f64 *)args[1];
  i64 *room = (i64 *)args[2];
  const i64 batch = args[4], n = args[5];
  const int mine = __atomic_add_fetch(&begun, 1, __ATOMIC_SEQ_CST);
  if (!pthread_equal(pthread_self(), first_thread)) __atomic_add_fetch(&elsewhere, 1, __ATOMIC_SEQ_CST);
  if ((char *)args[3] != tables) __atomic_add_fetch(&other_tables, 1, __ATOMIC_SEQ_CST);
  room[0] = mine, room[n] = -mine;
  __atomic_add_fetch(&written, 1, __ATOMIC_SEQ_CST);
  /* Not for ever, and not again after a failure. */
  const double end = seconds() + (failures == 0 ? 20 : 0);
  while (__atomic_load_n(&written, __ATOMIC_SEQ_CST) < meeting && seconds() < end) {
    const struct timespec pause = {0, 100000};
    nanosleep(&pause, NULL);
  }
  if (room[0] != mine || room[n] != -mine) __atomic_add_fetch(&shared_rooms, 1, __ATOMIC_SEQ_CST);
  __atomic_add_fetch(&elements, batch, __ATOMIC_SEQ_CST);
  intptr_t failed = 0;
  for (i64 i = 0; i < batch; i++) {
    if (in[i * n] != in[i * n] && failed == 0) failed = i + 1;
    for (i64 j = 0; j < n; j++) out[i * n + j] = 2 * in[i * n + j];
  }
  return failed;
}

typedef struct { i64 batch, n; int threads, is_batched, fails, parts; i64 spare; } sample;

static void test_call(sample one) {
  const i64 numbers = one.batch * one.n, bytes = numbers * 8, room = (one.n + 1) * 8;
  void *buffers[3] = {bytes_of(bytes + one.spare), bytes_of(bytes), bytes_of(room)};
  draw_values(TF_FLOAT64, buffers[0], bytes);
  if (one.fails >= 0) for (i64 i = one.fails; i < one.batch; i += 2) ((f64 *)buffers[0])[i * one.n] = NAN;
  memset(buffers[1], 0, (size_t)bytes);
  test_table table;
  open_table(&table, buffers, 3, NULL, 0, one.threads);
  word record[64] = {[RECORD_KIND] = STEP_CALL, [CALL_FUNCTION] = (word)(intptr_t)twice, [CALL_OPERANDS] = 3, [CALL_WORKSPACE] = 1, [CALL_TABLES] = (word)(intptr_t)tables, [CALL_INTEGERS] = 2, [CALL_BATCHED] = one.is_batched};
  word *at = record + CALL_VIEWS;
  for (int i = 0; i < 3; i++) at = put_view(at, i, 0, 0, NULL);
  const word rest[] = {(word)one.batch, (word)one.n, 8, (word)(bytes + one.spare), 8, (word)bytes, 16, (word)room};
  memcpy(at, rest, sizeof rest);
  begun = written = shared_rooms = other_tables = elsewhere = 0, elements = 0, meeting = one.parts, first_thread = pthread_self();
  CHECK(tf_call(&table.run, record) == STATUS_DONE, "status");
  CHECK(begun == one.parts && elsewhere == one.parts - 1, "%ld elements of %ld on %d threads: %d calls, %d elsewhere, not %d", (long)one.batch, (long)one.n, one.threads, begun, elsewhere, one.parts);
  CHECK(shared_rooms == 0, "%d calls share a workspace", shared_rooms);
  CHECK(elements == one.batch, "%ld elements were computed", (long)elements);
  CHECK(other_tables == 0, "other tables");
  CHECK(library_threads == (one.is_batched && one.batch > 1 ? 1 : one.threads), "the library has %d threads", library_threads);
  CHECK((int)record[CALL_STATUS] == one.fails + 1, "the first failure is %d, not %d", (int)record[CALL_STATUS], one.fails + 1);
  i64 wrong = 0;
  for (i64 i = 0; i < numbers; i++) {
    const f64 in = ((f64 *)buffers[0])[i], out = ((f64 *)buffers[1])[i];
    wrong += out != 2 * in && in == in;
  }
  CHECK(wrong == 0, "%ld wrong numbers", (long)wrong);
  for (int i = 0; i < 3; i++) free(buffers[i]);
}

int main(void) {
  enum { LARGE = 10000 };
  for (int threads = 1; threads <= 4; threads++)
    for (int batch = 1; batch <= 9; batch++)
      for (int fails = -1; fails < batch; fails += 2) test_call((sample){batch, LARGE, threads, 1, fails, batch < threads ? batch : threads, 0});
  /* Nobody says that it may be parted; one thread does as well; an operand is no row of equal pieces. */
  test_call((sample){8, LARGE, 4, 0, -1, 1, 0});
  test_call((sample){8, 4, 4, 1, -1, 1, 0});
  test_call((sample){8, LARGE, 4, 1, -1, 1, 8 * 3 + 4});
  /* As many parts as there is work for. */
  test_call((sample){1000, 100, 4, 1, 999, 2, 0});
  return report();
}
