// expect: all safe
// with: parts/leave_thread.c
// native: 0
// A function of C ends the thread; the objects of the functions of C++ that have called it are destroyed.
#include <cassert>
#include <mutex>
#include <thread>

extern "C" void leave_thread(int* note);

static std::mutex mutex;
static int note;

int main() {
  std::thread other([] {
    std::lock_guard<std::mutex> guard(mutex);
    leave_thread(&note);
  });
  other.join();
  std::lock_guard<std::mutex> guard(mutex);
  assert(note == 1);
  return 0;
}
