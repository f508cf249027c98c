// expect: sc safe, tso safe, pso unsafe memory
// Double-checked locking: the pointer is published before the object is ready. Under PSO, a relaxed store of the
// pointer overtakes the stores of the constructor; memory_order_release on it is enough.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int volume;
  Settings() : volume(7) {}
};

static std::atomic<Settings*> instance;
static std::mutex creation;

static Settings* get() {
  Settings* settings = instance.load(std::memory_order_acquire);
  if (settings == nullptr) {
    std::lock_guard<std::mutex> guard(creation);
    settings = instance.load(std::memory_order_relaxed);
    if (settings == nullptr) {
      settings = new Settings;
      instance.store(settings, std::memory_order_relaxed);
    }
  }
  return settings;
}

static void player() { assert(get()->volume == 7); }

int main() {
  std::thread one(player), two(player);
  one.join();
  two.join();
}
