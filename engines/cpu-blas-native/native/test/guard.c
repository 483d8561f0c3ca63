/* For tests with sanitizers: says which bytes of an ArrayBuffer may be touched, so that a piece that is smaller than its ArrayBuffer has an end (src/memory/place.sanitized.testing.ts). */
#define NAPI_VERSION 8
#include <node_api.h>
#include <sanitizer/asan_interface.h>
#include <stdint.h>

static int read(napi_env env, napi_callback_info info, char **at, size_t *bytes) {
  napi_value args[2];
  size_t given = 2;
  double numbers[2];
  napi_get_cb_info(env, info, &given, args, NULL, NULL);
  for (int i = 0; i < 2; i++)
    if (given < 2 || napi_get_value_double(env, args[i], &numbers[i]) != napi_ok) return napi_throw_type_error(env, NULL, "an address and a count of bytes are wanted"), 0;
  *at = (char *)(intptr_t)numbers[0], *bytes = (size_t)numbers[1];
  return 1;
}

static napi_value forbid(napi_env env, napi_callback_info info) {
  char *at;
  size_t bytes;
  if (read(env, info, &at, &bytes)) __asan_poison_memory_region(at, bytes);
  return NULL;
}

static napi_value allow(napi_env env, napi_callback_info info) {
  char *at;
  size_t bytes;
  if (read(env, info, &at, &bytes)) __asan_unpoison_memory_region(at, bytes);
  return NULL;
}

static napi_value init(napi_env env, napi_value exports) {
  napi_value function;
  napi_create_function(env, "forbid", NAPI_AUTO_LENGTH, forbid, NULL, &function);
  napi_set_named_property(env, exports, "forbid", function);
  napi_create_function(env, "allow", NAPI_AUTO_LENGTH, allow, NULL, &function);
  napi_set_named_property(env, exports, "allow", function);
  return exports;
}

NAPI_MODULE(guard, init)
