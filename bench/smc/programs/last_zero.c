// N threads each make an entry one larger than the one before it, and one looks for the last zero.
#include "threads.h"

static atomic_int entries[N + 1];

static void* access(void* number) {
  int own = number_of(number);
  if (own == 0)
    for (int last = N; load(&entries[last]) != 0;) last--;
  else
    store(&entries[own], load(&entries[own - 1]) + 1);
  return NULL;
}

int main(void) {
  pthread_t threads[N + 1];
  init_all(entries, N + 1, 0);
  create_all(threads, N + 1, access);
  join_all(threads, N + 1);
  return 0;
}
