// expect: all safe
// native: 0
// std::vector of numbers, and of threads.
#include <cassert>
#include <thread>
#include <vector>

static int slots[2];

int main() {
  std::vector<int> numbers;
  for (int i = 1; i <= 3; i++) numbers.push_back(i);
  int sum = 0;
  for (int n : numbers) sum += n;
  assert(sum == 6 && numbers.size() == 3);
  std::vector<std::thread> threads;
  threads.reserve(2);
  for (int i = 0; i < 2; i++) threads.emplace_back([i] { slots[i] = i + 1; });
  for (auto& t : threads) t.join();
  assert(slots[0] == 1 && slots[1] == 2);
  return 0;
}
