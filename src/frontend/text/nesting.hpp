// How deep a recursive parser is inside of what it reads. It is bounded, so that no input can exhaust the stack.
#pragma once

#include <string_view>

#include "base/source.hpp"

namespace weir::text {

// "statements nested too deeply; the limit is 500". Never inlined: a function that recurses keeps the making of its
// messages out of its stack frame, which sanitizers make large.
[[noreturn, gnu::noinline]] void nested_too_deeply(SourcePosition position, std::string_view what,
                                                   std::uint32_t limit);

class Nesting {
 public:
  // `what` is nested, for the message; it may be empty.
  explicit Nesting(std::uint32_t limit, std::string_view what = {}) : limit_(limit), what_(what) {}

  // One level more as long as this lives, also when an exception ends it.
  class Level {
   public:
    explicit Level(std::uint32_t& depth) : depth_(depth) { ++depth_; }
    ~Level() { --depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    std::uint32_t& depth_;
  };

  [[nodiscard]] Level enter(SourcePosition position) {
    if (depth_ == limit_) nested_too_deeply(position, what_, limit_);
    return Level(depth_);
  }

 private:
  std::uint32_t depth_ = 0, limit_;
  std::string_view what_;
};

}  // namespace weir::text
