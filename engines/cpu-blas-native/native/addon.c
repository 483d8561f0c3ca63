/*
 * What JavaScript calls (Node-API 8). Addresses are numbers; the memory behind them belongs to ArrayBuffers that JavaScript keeps. Nothing here is kept between calls
 * but the BLAS library and the libraries of families, which stay open as long as the process.
 */
#define NAPI_VERSION 8
#include "blas.h"
#include "contract.h"
#include "scratch.h"
#include "tf_native.h"
#include <node_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#define ARGUMENTS(count)                                                                    \
  napi_value args[count];                                                                   \
  size_t given = count;                                                                     \
  napi_get_cb_info(env, info, &given, args, NULL, NULL);                                    \
  if (given < count) return napi_throw_type_error(env, NULL, "missing arguments"), NULL

static double number(napi_env env, napi_value value) {
  double result = 0;
  napi_get_value_double(env, value, &result);
  return result;
}

static napi_value result(napi_env env, double value) {
  napi_value out;
  napi_create_double(env, value, &out);
  return out;
}

static napi_value text(napi_env env, const char *value) {
  napi_value out;
  napi_create_string_utf8(env, value, NAPI_AUTO_LENGTH, &out);
  return out;
}

static int is_type(napi_env env, napi_value value, napi_valuetype wanted) {
  napi_valuetype type;
  return napi_typeof(env, value, &type) == napi_ok && type == wanted;
}

/* Room for the text of a value and its end; the caller frees it. NULL where it is no string. */
static char *string_of(napi_env env, napi_value value) {
  size_t length;
  if (napi_get_value_string_utf8(env, value, NULL, 0, &length) != napi_ok) return NULL;
  char *string = malloc(length + 1);
  if (string != NULL) napi_get_value_string_utf8(env, value, string, length + 1, &length);
  return string;
}

static void put(napi_env env, napi_value object, const char *name, napi_value value) { napi_set_named_property(env, object, name, value); }

/* ---------------------------------------------------------------- the libraries */

static napi_value open_library(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  char *path = string_of(env, args[0]);
  char why[4096] = "";
  const int opened = tf_open_blas(path, why, sizeof why);
  free(path);
  if (!opened) return text(env, why);
  const tf_blas_facts *facts = tf_blas();
  napi_value out;
  napi_create_object(env, &out);
  put(env, out, "path", text(env, facts->path));
  put(env, out, "core", text(env, facts->core));
  put(env, out, "config", text(env, facts->config));
  put(env, out, "threads", result(env, facts->threads));
  put(env, out, "cores", result(env, facts->cores));
  return out;
}

static _Thread_local int running_threads = 1;
static int threads_of_run(void) { return running_threads; }

/* The library of a family: addresses of its kernels, or what is wrong, as text. */
static napi_value open_kernels(napi_env env, napi_callback_info info) {
  ARGUMENTS(3);
  char why[1024] = "";
  char *path = string_of(env, args[0]);
  if (path == NULL) return napi_throw_type_error(env, NULL, "the path is no string"), NULL;
#ifdef _WIN32
  void *library = (void *)LoadLibraryA(path);
  if (library == NULL) snprintf(why, sizeof why, "error %lu", GetLastError());
#define SYMBOL(name) ((void *)(intptr_t)GetProcAddress((HMODULE)library, name))
#else
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *said = dlerror();
    snprintf(why, sizeof why, "%s", said == NULL ? "unknown" : said);
  }
#define SYMBOL(name) dlsym(library, name)
#endif
  free(path);
  if (library == NULL) return text(env, why);
  const char *(*open)(const tf_host *) = (const char *(*)(const tf_host *))(intptr_t)SYMBOL("tf_open");
  if (open == NULL) return text(env, "it has no function tf_open");
  const tf_host host = {.version = TF_VERSION, .routine = tf_routine, .isa = (int)number(env, args[2]), .threads = threads_of_run};
  const char *missing = open(&host);
  if (missing != NULL) {
    snprintf(why, sizeof why, "BLAS and LAPACK have no %s", missing);
    return text(env, why);
  }
  uint32_t count = 0;
  napi_get_array_length(env, args[1], &count);
  napi_value out;
  napi_create_array_with_length(env, count, &out);
  for (uint32_t i = 0; i < count; i++) {
    napi_value name;
    napi_get_element(env, args[1], i, &name);
    char *symbol = string_of(env, name);
    void *address = symbol == NULL ? NULL : SYMBOL(symbol);
    if (address == NULL) snprintf(why, sizeof why, "it has no function %s", symbol == NULL ? "without a name" : symbol);
    free(symbol);
    if (address == NULL) return text(env, why);
    napi_set_element(env, out, i, result(env, (double)(intptr_t)address));
  }
  return out;
}

/* ---------------------------------------------------------------- what tables are made from */

static napi_value operations(napi_env env, napi_callback_info info) {
  (void)info;
  napi_value out;
  napi_create_array(env, &out);
  const char *const *names = tf_isa_of(0)->names;
  for (uint32_t i = 0; names[i] != NULL; i++) napi_set_element(env, out, i, text(env, names[i]));
  return out;
}

/* The level at or below the one asked for that the machine has. */
static napi_value level(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  const tf_isa *isa = tf_isa_of((int)number(env, args[0]));
  int found = 0;
  while (tf_isa_of(found) != isa) found++;
  return result(env, found);
}

static napi_value address_of(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  void *data;
  size_t length;
  if (napi_get_arraybuffer_info(env, args[0], &data, &length) != napi_ok) return napi_throw_type_error(env, NULL, "not an ArrayBuffer"), NULL;
  return result(env, (double)(intptr_t)data);
}

static napi_value loop_scratch(napi_env env, napi_callback_info info) {
  ARGUMENTS(6);
  i64 n[6];
  for (int i = 0; i < 6; i++) n[i] = (i64)number(env, args[i]);
  return result(env, (double)TF_SCRATCH(n[0], n[1], n[2], n[3], n[4], n[5]));
}

static napi_value contract_scratch(napi_env env, napi_callback_info info) {
  ARGUMENTS(1);
  return result(env, tf_contract_scratch((const word *)(intptr_t)number(env, args[0])));
}

/* check(table, words, begin, bytes of the buffers, buffers): 0, or the word of what is wrong. */
static napi_value check(napi_env env, napi_callback_info info) {
  ARGUMENTS(5);
  double n[5];
  for (int i = 0; i < 5; i++) n[i] = number(env, args[i]);
  return result(env, (double)tf_check_table((const word *)(intptr_t)n[0], (i64)n[1], (i64)n[2], (const word *)(intptr_t)n[3], (i64)n[4]));
}

/* ---------------------------------------------------------------- runs */

typedef struct {
  napi_env env;
  napi_value function;
  word *table;
} host_call;

/* The kernel in JavaScript: the function gets the number of the call. */
static int call_host(void *context, word *record) {
  const host_call *host = context;
  napi_handle_scope scope;
  napi_open_handle_scope(host->env, &scope);
  napi_value undefined, site, given;
  napi_get_undefined(host->env, &undefined);
  napi_create_double(host->env, record[CALL_SITE], &site);
  const napi_status status = napi_call_function(host->env, undefined, host->function, 1, &site, &given);
  napi_close_handle_scope(host->env, scope);
  return status == napi_ok ? STATUS_DONE : STATUS_THROWN;
}

static int run_table(word *table, i64 start, host_call *host) {
  running_threads = (int)table[TABLE_THREADS];
  return tf_run_table(table, start, tf_isa_of((int)table[TABLE_ISA]), host, host == NULL ? NULL : call_host);
}

/* run(table, start, host?): a status. */
static napi_value run(napi_env env, napi_callback_info info) {
  napi_value args[3];
  size_t given = 3;
  napi_get_cb_info(env, info, &given, args, NULL, NULL);
  if (given < 2) return napi_throw_type_error(env, NULL, "missing arguments"), NULL;
  word *table = (word *)(intptr_t)number(env, args[0]);
  host_call host = {.env = env, .function = args[2], .table = table};
  const int calls = given > 2 && is_type(env, args[2], napi_function);
  const int status = run_table(table, (i64)number(env, args[1]), calls ? &host : NULL);
  if (status == STATUS_THROWN) return NULL;
  napi_value out;
  napi_create_int32(env, status, &out);
  return out;
}

typedef struct {
  napi_async_work work;
  napi_ref kept;
  napi_deferred deferred;
  word *table;
  i64 start;
  int status;
} background;

static void execute(napi_env env, void *data) {
  (void)env;
  background *job = data;
  job->status = run_table(job->table, job->start, NULL);
}

static void complete(napi_env env, napi_status status, void *data) {
  background *job = data;
  napi_value value;
  napi_create_int32(env, status == napi_ok ? job->status : STATUS_ABORTED, &value);
  napi_resolve_deferred(env, job->deferred, value);
  napi_delete_reference(env, job->kept);
  napi_delete_async_work(env, job->work);
  free(job);
}

/* runAsync(table, start, kept): a promise of the status. `kept` holds all memory that the run touches. */
static napi_value run_async(napi_env env, napi_callback_info info) {
  ARGUMENTS(3);
  background *job = malloc(sizeof *job);
  if (job == NULL) return napi_throw_error(env, NULL, "no memory"), NULL;
  *job = (background){.table = (word *)(intptr_t)number(env, args[0]), .start = (i64)number(env, args[1])};
  napi_value promise;
  napi_create_promise(env, &job->deferred, &promise);
  napi_create_reference(env, args[2], 1, &job->kept);
  napi_create_async_work(env, NULL, text(env, "tf run"), execute, complete, job, &job->work);
  napi_queue_async_work(env, job->work);
  return promise;
}

static napi_value init(napi_env env, napi_value exports) {
  static const struct { const char *name; napi_callback call; } functions[] = {
    {"open", open_library}, {"openKernels", open_kernels}, {"operations", operations}, {"level", level}, {"addressOf", address_of},
    {"loopScratch", loop_scratch}, {"contractScratch", contract_scratch}, {"check", check}, {"run", run}, {"runAsync", run_async},
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    napi_value function;
    napi_create_function(env, functions[i].name, NAPI_AUTO_LENGTH, functions[i].call, NULL, &function);
    put(env, exports, functions[i].name, function);
  }
  put(env, exports, "version", result(env, TF_VERSION));
  return exports;
}

NAPI_MODULE(tf, init)
