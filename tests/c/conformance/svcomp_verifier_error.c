// expect: all unsafe assertion
// preprocess: yes
// compiler: -std=gnu89
// The old form: __VERIFIER_error, K&R definitions, no prototypes of the threads.
extern void __VERIFIER_error() __attribute__((__noreturn__));
extern void __VERIFIER_assume(int);
void __VERIFIER_assert(int cond) {
  if (!(cond)) {
  ERROR:
    __VERIFIER_error();
  }
  return;
}
#include <pthread.h>

int flag, data;

void* thr1() {
  data = 1;
  flag = 1;
  return 0;
}

void check(value) int value;
{ __VERIFIER_assert(value == 0); }

void* thr2() {
  __VERIFIER_assume(flag == 1);
  check(data);
  return 0;
}

int main() {
  pthread_t t1, t2;
  pthread_create(&t1, 0, thr1, 0);
  pthread_create(&t2, 0, thr2, 0);
  return 0;
}
