// Thread-specific values: pthread_key_* and tss_*. A thread keeps its values by itself; keys are shared, few,
// and never given twice. When a thread ends, the destructors of its values run, in any order, again and again (but
// not for ever) as long as they set new ones; a thread that never set a value does not even look. Those of main run
// only if it leaves by pthread_exit: returning ends the process.
#include <pthread.h>
#include <threads.h>

#include "internal.h"

enum { kMostKeys = 8, kMostRounds = 4 };  // PTHREAD_DESTRUCTOR_ITERATIONS

static int key_count;
static int is_deleted[kMostKeys];
static void (*destructors[kMostKeys])(void*);
static _Thread_local void* values[kMostKeys];

static int create_key(unsigned* key, void (*destructor)(void*)) {
  __weir_atomic_begin("creates a key");
  int next = key_count++;
  if (next >= kMostKeys) __weir_give_up("more than 8 keys for thread-specific values are created");
  destructors[next] = destructor;
  __weir_atomic_end();
  *key = (unsigned)next;
  return 0;
}

static void delete_key(unsigned key) {
  __weir_atomic_begin("deletes a key");
  if (key >= (unsigned)key_count || is_deleted[key]) __weir_fail("deletes a key that does not exist");
  is_deleted[key] = 1;
  __weir_atomic_end();
}

static void* take_value(unsigned key) {
  void* value = values[key];
  values[key] = NULL;
  return value;
}

typedef void (*destructor_function)(void*);

static destructor_function destructor_of(unsigned key) {
  return __atomic_load_n(&destructors[key], __ATOMIC_ACQUIRE);
}

static thread_set keys_to_destroy(void) {
  thread_set keys = 0;
  for (unsigned key = 0; key < kMostKeys; key++) {
    if (values[key] && !read_int(&is_deleted[key]) && destructor_of(key)) keys |= only((int)key);
  }
  return keys;
}

static int destroy_values_once(void) {
  thread_set keys = keys_to_destroy();
  if (keys == 0) return 0;
  while (keys != 0) {
    int key = __weir_any_member(keys);
    keys &= ~only(key);
    if (values[key]) destructor_of((unsigned)key)(take_value((unsigned)key));
  }
  return 1;
}

static void destroy_values(void) {
  for (int round = 0; round < kMostRounds; round++) {
    if (!destroy_values_once()) return;
  }
}

static int set_value(unsigned key, const void* value) {
  if (key >= kMostKeys) __weir_fail("uses a key that does not exist");
  values[key] = (void*)value;
  __weir_at_thread_end = destroy_values;
  return 0;
}

static void* value_of(unsigned key) {
  if (key >= kMostKeys) __weir_fail("uses a key that does not exist");
  return values[key];
}

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) { return create_key(key, destructor); }

int pthread_key_delete(pthread_key_t key) {
  delete_key(key);
  return 0;
}

int pthread_setspecific(pthread_key_t key, const void* value) { return set_value(key, value); }

void* pthread_getspecific(pthread_key_t key) { return value_of(key); }

int tss_create(tss_t* key, tss_dtor_t destructor) { return create_key(key, destructor); }

void tss_delete(tss_t key) { delete_key(key); }

int tss_set(tss_t key, void* value) { return set_value(key, value); }

void* tss_get(tss_t key) { return value_of(key); }
