// expect: all safe
// Write-to-read causality: who saw a store and then writes makes it known to the next reader.
#include <assert.h>
#include <pthread.h>

volatile int x, y;
int r1, r2, r3;

void* writer(void* unused) {
  x = 1;
  return unused;
}
void* relay(void* unused) {
  r1 = x;
  y = 1;
  return unused;
}
void* reader(void* unused) {
  r2 = y;
  r3 = x;
  return unused;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, writer, NULL);
  pthread_create(&b, NULL, relay, NULL);
  pthread_create(&c, NULL, reader, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  assert(!(r1 == 1 && r2 == 1 && r3 == 0));
  return 0;
}
