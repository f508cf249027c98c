// expect: all safe
// native: 0
// Arguments go to threads, results come back through pthread_join.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

struct task {
  int low, high;
  long sum;
};

static void* add_up(void* argument) {
  struct task* task = argument;
  for (int i = task->low; i < task->high; i++) task->sum += i;
  return task;
}
static void* double_it(void* argument) { return (void*)(2 * (intptr_t)argument); }

int main(void) {
  struct task tasks[2] = {{0, 3, 0}, {3, 6, 0}};
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) assert(pthread_create(&threads[i], NULL, add_up, &tasks[i]) == 0);
  for (int i = 0; i < 2; i++) {
    void* result;
    assert(pthread_join(threads[i], &result) == 0);
    assert(result == &tasks[i]);
  }
  assert(tasks[0].sum == 3 && tasks[1].sum == 12);
  pthread_t t;
  void* result;
  pthread_create(&t, NULL, double_it, (void*)21);
  pthread_join(t, &result);
  assert((intptr_t)result == 42);
  return 0;
}
