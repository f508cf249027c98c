// expect: all unsafe assertion
// message: flag == 0
// main leaves by pthread_exit, and its objects are destroyed while the other thread runs.
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

static std::atomic<int> flag;

struct Note {
  ~Note() { flag = 1; }
};

int main() {
  Note note;
  std::thread([] { assert(flag == 0); }).detach();
  pthread_exit(nullptr);
}
