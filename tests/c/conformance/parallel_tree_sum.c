// expect: sc safe, tso safe
// native: 0
// Divide and conquer with a thread per half, two levels deep.
#include <assert.h>
#include <pthread.h>

struct range {
  const int* begin;
  int count, sum;
};

static void* add(void* argument) {
  struct range* r = argument;
  if (r->count <= 1) {
    r->sum = r->begin[0];
    return NULL;
  }
  struct range left = {r->begin, r->count / 2, 0},
               right = {r->begin + r->count / 2, r->count - r->count / 2, 0};
  pthread_t t;
  pthread_create(&t, NULL, add, &left);
  add(&right);
  pthread_join(t, NULL);
  r->sum = left.sum + right.sum;
  return NULL;
}

int main(void) {
  static const int numbers[3] = {5, 6, 7};
  struct range all = {numbers, 3, 0};
  add(&all);
  assert(all.sum == 18);
  return 0;
}
