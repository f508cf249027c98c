// expect: all safe
// native: 0
// Without -fexceptions, pthread_exit leaves functions without calling what __attribute__((cleanup)) names.
#include <assert.h>
#include <pthread.h>

static int released;

static void release(int *resource) { released += *resource; }

static void *work(void *unused) {
  int resource __attribute__((cleanup(release))) = 3;
  pthread_exit(unused);
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  assert(released == 0);
  return 0;
}
