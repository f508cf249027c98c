// expect: all unsafe
// What is removed is freed at once.
#include <pthread.h>
#include <stdlib.h>

#include "../../../headers/weir/kernel.h"

static int *current_value;

static void *read_it(void *none) {
  rcu_read_lock();
  int *seen = rcu_dereference(current_value);
  if (seen) BUG_ON(*seen != 7);
  rcu_read_unlock();
  return none;
}

int main(void) {
  pthread_t reader;
  int *value = malloc(sizeof *value);
  *value = 7;
  rcu_assign_pointer(current_value, value);
  pthread_create(&reader, 0, read_it, 0);
  rcu_assign_pointer(current_value, NULL);
  free(value);
  pthread_join(reader, 0);
  return 0;
}
