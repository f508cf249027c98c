// expect: all safe
// native: 0
// Start functions of other types than pthread_create wants, cast as programs do.
#include <assert.h>
#include <pthread.h>

static int a, b, c;

static void returns_nothing(void* argument) { a = *(int*)argument; }
static void* takes_nothing() {
  b = 2;
  return 0;
}
static void* takes_integer(int* argument) {
  c = *argument;
  return 0;
}

int main(void) {
  pthread_t t[3];
  int one = 1, three = 3;
  pthread_create(&t[0], 0, (void* (*)(void*))returns_nothing, &one);
  pthread_create(&t[1], 0, (void* (*)(void*))takes_nothing, 0);
  pthread_create(&t[2], 0, (void* (*)(void*))takes_integer, &three);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  assert(a == 1 && b == 2 && c == 3);
  return 0;
}
