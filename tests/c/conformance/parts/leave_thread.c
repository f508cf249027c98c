// Ends the thread, for cpp_exit_in_c.cpp.
#include <pthread.h>

#ifdef __cplusplus
extern "C"
#endif
void leave_thread(int *note) {
  *note = 1;
  pthread_exit(NULL);
}
