// expect: all safe
// native: 0
// Thread-local variables that others use while the thread lives, also in what runs when it ends.
#include <assert.h>
#include <pthread.h>

static _Thread_local struct {
  int number;
  char letters[3];
} own = {7, "ab"};
static pthread_key_t key;
static int ended;

static void end(void* number) {
  assert(*(int*)number == 8 && own.number == 8);
  ended = 1;
}

static void* increment(void* number) {
  ++*(int*)number;
  assert(own.number == 7 && own.letters[1] == 'b');
  return NULL;
}

static void* work(void* unused) {
  pthread_t t;
  pthread_create(&t, NULL, increment, &own.number);
  pthread_join(t, NULL);
  pthread_setspecific(key, &own.number);
  pthread_exit(unused);
}

int main(void) {
  pthread_t t;
  pthread_key_create(&key, end);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  assert(ended && own.number == 7);
  return 0;
}
