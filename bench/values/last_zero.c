// N threads each make one entry of an array one larger than the entry before it, while another thread looks
// for the last entry that is 0. An entry has one write, whose value is not 0, so values say as much as
// sources.
#include "threads.h"

#ifndef N
#define N 8
#endif

static atomic_int entries[N + 1];

static void* writer(void* number) {
  int own = number_of(number);
  store(&entries[own], load(&entries[own - 1]) + 1);
  return NULL;
}

static void* reader(void* unused) {
  int last = N;
  while (load(&entries[last]) != 0) last--;
  assert(last >= 0);
  return NULL;
}

int main(void) {
  start(reader, 0);
  for (int i = 1; i <= N; i++) start(writer, i);
  return 0;
}
