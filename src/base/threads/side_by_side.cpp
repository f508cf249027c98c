#include "base/threads/side_by_side.hpp"

#include <thread>
#include <vector>

namespace weir {

void side_by_side(std::size_t threads, const std::function<void(std::size_t)>& work,
                  const std::function<void()>& failed) {
  FirstError error;
  const auto part = [&](std::size_t i) {
    if (!error.keep([&] { work(i); }) && failed) failed();
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i) others.emplace_back(part, i);
    part(0);
  }
  error.rethrow();
}

}  // namespace weir
