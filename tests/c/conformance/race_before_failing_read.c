// A race of which one access alone makes the program fail in another way: a native run takes both first.
// expect: all unsafe race
// options: --races
#include <assert.h>
#include <pthread.h>

struct pair {
  int first;
  long second;
};

static int x, y, result, other;

static long total(struct pair by_value) {
  by_value.first++;
  return by_value.first + by_value.second;
}

static void* first_worker(void* argument) {
  other = x;
  return argument;
}

static void* second_worker(void* argument) {
  struct pair local = {y, 2};
  result = (int)total(local) - local.first;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, first_worker, 0);
  pthread_create(&second, 0, second_worker, 0);
  pthread_join(first, 0);
  assert(result || x);
  return 0;
}
