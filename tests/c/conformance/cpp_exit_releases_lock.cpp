// expect: all safe
// native: 0
// pthread_exit unwinds the stack: the destructors of local objects run, and the lock is given back.
#include <cassert>
#include <mutex>
#include <pthread.h>

static std::mutex mutex;
static int done;

struct Done {
  ~Done() { done = 1; }
};

static void leave() {
  Done note;
  pthread_exit(reinterpret_cast<void*>(3));
}

static void* work(void*) {
  std::lock_guard<std::mutex> guard(mutex);
  leave();
  return nullptr;
}

int main() {
  pthread_t other;
  void* result = nullptr;
  pthread_create(&other, nullptr, work, nullptr);
  pthread_join(other, &result);
  std::lock_guard<std::mutex> guard(mutex);
  assert(done == 1 && result == reinterpret_cast<void*>(3));
  return 0;
}
