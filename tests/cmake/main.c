#include <assert.h>
#include <pthread.h>

extern int x, y, saw_x;
void *other(void *argument);

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  x = 1;
  const int saw_y = y;
  pthread_join(thread, 0);
  assert(saw_x || saw_y);
  return 0;
}
