// expect: sc safe, tso safe, pso unsafe assertion
// Message passing with volatile variables: only PSO lets the flag overtake the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

volatile int data, flag;
int r1, r2;

void* left(void* unused) {
  data = 1;
  flag = 1;
  return unused;
}
void* right(void* unused) {
  r1 = flag;
  r2 = data;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, left, NULL);
  pthread_create(&b, NULL, right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(!(r1 == 1 && r2 == 0));
  return 0;
}
