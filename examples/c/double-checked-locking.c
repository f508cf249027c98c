// expect: sc safe, tso safe, pso unsafe assertion
// Double-checked locking: who sees that the object exists uses it without taking the lock.
//
// The pointer must not be seen before what it points to. x86 keeps the two stores in order (if the compiler
// does, which for a plain pointer C does not promise); PSO shows an object that is not complete.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct configuration {
  int width, height;
};

static struct configuration storage;
static struct configuration* volatile instance;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct configuration* get(void) {
  struct configuration* found = instance;
  if (found != NULL) return found;
  pthread_mutex_lock(&mutex);
  if (instance == NULL) {
    storage.width = 80;
    storage.height = 25;
    instance = &storage;
  }
  found = instance;
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
