// expect: all unsafe assertion
// message: uncaught exception of type int
// The same with a POSIX thread.
#include <pthread.h>

static void* work(void*) { throw 7; }

int main() {
  pthread_t other;
  try {
    pthread_create(&other, nullptr, work, nullptr);
    pthread_join(other, nullptr);
  } catch (...) {
  }
  return 0;
}
