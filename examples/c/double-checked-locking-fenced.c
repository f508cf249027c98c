// expect: all safe
// options: --races
// Double-checked locking, right: the pointer is atomic, stored with release and loaded with acquire. There is
// no data race either.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct configuration {
  int width, height;
};

static struct configuration storage;
static struct configuration* _Atomic instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct configuration* get(void) {
  struct configuration* found = atomic_load_explicit(&instance, memory_order_acquire);
  if (found != NULL) return found;
  pthread_mutex_lock(&mutex);
  found = atomic_load_explicit(&instance, memory_order_relaxed);
  if (found == NULL) {
    found = &storage;
    found->width = 80;
    found->height = 25;
    atomic_store_explicit(&instance, found, memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

static void* user(void* unused) {
  struct configuration* c = get();
  assert(c->width == 80 && c->height == 25);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, user, NULL);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  return 0;
}
