// expect: all unsafe memory
// The same, where pthread_exit leaves the functions.
#include <atomic>
#include <pthread.h>

static std::atomic<int*> shared;

struct Note {
  ~Note() {}
};

static void publish() {
  int local = 1;
  shared = &local;
  pthread_exit(nullptr);
}

static void* work(void*) {
  Note note;
  publish();
  return nullptr;
}

int main() {
  pthread_t other;
  pthread_create(&other, nullptr, work, nullptr);
  while (shared.load() == nullptr) {
  }
  *shared = 2;
  pthread_join(other, nullptr);
  return 0;
}
