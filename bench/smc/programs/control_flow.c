// N threads write a variable; N others read it only if they find a flag set, which another thread sets: what a
// thread does depends on what it reads.
#include "threads.h"

static atomic_int flag, x;

static void* access(void* number) {
  int own = number_of(number);
  if (own == 0)
    store(&flag, 1);
  else if (own <= N)
    store(&x, own);
  else if (load(&flag))
    load(&x);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 3];
  atomic_init(&flag, 0);
  atomic_init(&x, 0);
  create_all(threads, N + 3, access);
  join_all(threads, N + 3);
  return 0;
}
