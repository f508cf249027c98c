// expect: all unsafe assertion
// message: inside == 1
// Two readers can be inside at the same time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock;
static atomic_int inside;

static void* reader(void* unused) {
  pthread_rwlock_rdlock(&lock);
  inside++;
  assert(inside == 1);
  inside--;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_rwlock_init(&lock, NULL);
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
