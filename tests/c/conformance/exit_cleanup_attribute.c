// expect: all safe
// compiler: -fexceptions
// native: 0
// With -fexceptions, __attribute__((cleanup)) is for pthread_exit too.
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
  assert(released == 3);
  return 0;
}
