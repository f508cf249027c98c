// expect: all unsafe assertion
// message: pthread_exit leaves a function that is noexcept
// pthread_exit unwinds through a function that is noexcept.
#include <pthread.h>

static void leave() noexcept { pthread_exit(nullptr); }

static void* work(void*) {
  leave();
  return nullptr;
}

int main() {
  pthread_t other;
  pthread_create(&other, nullptr, work, nullptr);
  pthread_join(other, nullptr);
  return 0;
}
