// expect: sc safe, tso safe
// compiler: -std=c++20
// native: 0
// What the task throws is thrown by the future.
#include <cassert>
#include <future>
#include <thread>
#include <stdexcept>
int main() {
  std::packaged_task<int(int)> task([](int x) { if (x > 3) throw std::runtime_error("large"); return x; });
  auto f = task.get_future();
  std::thread t(std::move(task), 4);
  bool thrown = false;
  try { f.get(); } catch (const std::runtime_error&) { thrown = true; }
  assert(thrown);
  t.join();
}
