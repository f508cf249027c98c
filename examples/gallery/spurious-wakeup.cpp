// expect: sc unsafe assertion, tso unsafe assertion, pso unsafe assertion
// Spurious wake-up: the condition is tested once, with `if`. A wait may return without a notification, and then the
// queue is empty.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex door;
static std::condition_variable arrival;
static int letters;

static void reader() {
  std::unique_lock<std::mutex> lock(door);
  if (letters == 0) arrival.wait(lock);
  assert(letters > 0);
  --letters;
}

static void postman() {
  std::lock_guard<std::mutex> lock(door);
  ++letters;
  arrival.notify_one();
}

int main() {
  std::thread one(reader), two(postman);
  one.join();
  two.join();
}
