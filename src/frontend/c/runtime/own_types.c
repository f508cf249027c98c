// For programs that declare POSIX threads themselves (own_types.cpp).
#include <pthread.h>

#include "internal.h"

// A pthread_t of 32 bits where thread_id has more. The id is there before the new thread runs.
int __weir_create_thread_with_small_id(unsigned* thread, const void* attributes, void* (*start)(void*),
                                       void* argument) {
  int detached = attributes && *(const long*)attributes == PTHREAD_CREATE_DETACHED;
  thread_id id;
  if (__weir_checks_races()) *thread = 0;  // as in __weir_spawn
  __weir_atomic_begin("creates a thread");
  __weir_spawn(start, argument, NULL, detached, &id);
  *thread = (unsigned)id;
  __weir_atomic_end();
  if (__weir_checks_races()) *thread = (unsigned)id;
  return 0;
}
