// expect: all safe
// One thread writes a shared integer as a whole, another reads one byte of it.
#include <assert.h>
#include <pthread.h>

static volatile int number;

static void* writer(void* unused) {
  number = 0x01020304;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  const int low = ((volatile unsigned char*)&number)[0];
  pthread_join(t, NULL);
  assert(low == 0 || low == 4);
  return 0;
}
