// One thread pushes N times onto a stack, another pops up to N times, under a lock: C(2N, N) orders of
// critical sections, and no equivalence here has fewer (SV-COMP's stack).
#include "threads.h"

#ifndef N
#define N 5
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int entries[N], height;

static void push(int value) {
  int top = load(&height);
  store(&entries[top], value);
  store(&height, top + 1);
}

static void pop(void) {
  int top = load(&height);
  if (top == 0) return;
  assert(load(&entries[top - 1]) != 0);
  store(&height, top - 1);
}

static void* pusher(void* unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    push(i + 1);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

static void* popper(void* unused) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    pop();
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  start(pusher, 0);
  start(popper, 1);
  return 0;
}
