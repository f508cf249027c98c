// expect: all safe
// native: 0
// The program has functions with a variable number of arguments of its own.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct pair {
  long left, right;
};

static int sum(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  int result = 0;
  for (int i = 0; i < count; i++) result += va_arg(list, int);
  assert(va_arg(again, int) == 1);
  va_end(list);
  va_end(again);
  return result;
}

static double mixed(const char *kinds, ...) {
  va_list list;
  va_start(list, kinds);
  double result = 0;
  for (; *kinds; kinds++) {
    if (*kinds == 'd') result += va_arg(list, double);
    if (*kinds == 'l') result += (double)va_arg(list, long long);
    if (*kinds == 'p') result += *va_arg(list, int *);
    if (*kinds == 's') {
      struct pair given = va_arg(list, struct pair);
      result += (double)(given.left - given.right);
    }
  }
  va_end(list);
  return result;
}

static void *work(void *argument) {
  *(int *)argument = sum(3, 1, 2, 3);
  return 0;
}

int main(void) {
  int result = 0, four = 4;
  pthread_t thread;
  pthread_create(&thread, 0, work, &result);
  pthread_join(thread, 0);
  assert(result == 6);
  assert(sum(9, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 9);
  struct pair pair = {7, 5};
  assert(mixed("dlps", 0.5, 10LL, &four, pair) == 16.5);
  return 0;
}
