// expect: all safe
// native: 0
// A shared union of a whole and its parts, always used in one of the two ways.
#include <assert.h>
#include <pthread.h>

union register_file {
  int numbers[4];
  struct {
    int a, b, c, d;
  } named;
};
static union register_file shared;

static void* worker(void* unused) {
  shared.named.b = 5;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  shared.numbers[2] = 6;
  pthread_join(t, NULL);
  assert(shared.numbers[1] == 5 && shared.named.c == 6);
  return 0;
}
