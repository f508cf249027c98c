// expect: all safe
// Independent reads of independent writes: stores reach everybody at once.
#include <assert.h>
#include <pthread.h>

volatile int x, y;
int r1, r2, r3, r4;

void* write_x(void* unused) {
  x = 1;
  return unused;
}
void* write_y(void* unused) {
  y = 1;
  return unused;
}
void* read_xy(void* unused) {
  r1 = x;
  r2 = y;
  return unused;
}
void* read_yx(void* unused) {
  r3 = y;
  r4 = x;
  return unused;
}

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], NULL, write_x, NULL);
  pthread_create(&t[1], NULL, write_y, NULL);
  pthread_create(&t[2], NULL, read_xy, NULL);
  pthread_create(&t[3], NULL, read_yx, NULL);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  assert(!(r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0));
  return 0;
}
