// expect: all unsafe assertion
// Two threads try once each; both may fail.
#include <atomic>
#include <cassert>
#include <pthread.h>

static std::atomic<int> owner{0};

static void* try_once(void* number) {
  int nobody = 0;
  owner.compare_exchange_weak(nobody, *static_cast<int*>(number), std::memory_order_acq_rel,
                              std::memory_order_acquire);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  int numbers[2] = {1, 2};
  pthread_create(&threads[0], nullptr, try_once, &numbers[0]);
  pthread_create(&threads[1], nullptr, try_once, &numbers[1]);
  pthread_join(threads[0], nullptr);
  pthread_join(threads[1], nullptr);
  assert(owner.load() != 0);
}
