// expect: all unsafe assertion
// message: does not throw again what pthread_exit throws
// catch (...) keeps what pthread_exit throws: the C library aborts the program.
#include <pthread.h>

static void* work(void*) {
  try {
    pthread_exit(nullptr);
  } catch (...) {
  }
  return nullptr;
}

int main() {
  pthread_t other;
  pthread_create(&other, nullptr, work, nullptr);
  pthread_join(other, nullptr);
  return 0;
}
