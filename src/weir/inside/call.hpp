// One call from outside: the context that the work is done in, stopped when the caller says so.
#pragma once

#include <exception>
#include <mutex>
#include <optional>
#include <stop_token>

#include "base/context.hpp"
#include "weir/answer.hpp"
#include "weir/inside/border.hpp"
#include "weir/run.hpp"

namespace weir::v1 {

class Call {
 public:
  explicit Call(const RunOptions& options);
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Context& context() { return context_; }
  unsigned jobs() const { return jobs_; }
  StopReason stopped() const;
  // Ends the call if it was stopped: for whoever has nothing to say then.
  void go_on();
  // Ends the call if the caller's own function for progress has failed.
  void look_at_callback();

 private:
  void tell(const ProgressSample& sample, double seconds);

  std::function<void(const Progress&)> progress_;
  std::mutex telling_;
  std::exception_ptr thrown_;
  unsigned jobs_;
  Context context_;
  std::optional<std::stop_callback<std::function<void()>>> stop_;  // goes before the context
};

// The answer of `ask`, which takes a Call, or why there is none.
template <class Ask>
auto answered(const RunOptions& options, Ask&& ask) {
  return at_border([&] {
    Call call(options);
    auto answer = ask(call);
    call.look_at_callback();
    return answer;
  });
}

}  // namespace weir::v1
