// What std::future, std::promise and std::async leave to libstdc++: the base of results, and the error that their misuse
// throws. What becomes ready only when a thread has ended (set_value_at_thread_exit) is not here.
#include <future>

namespace std {

__future_base::_Result_base::_Result_base() = default;
__future_base::_Result_base::~_Result_base() = default;

future_error::~future_error() noexcept = default;
const char* future_error::what() const noexcept { return logic_error::what(); }

void __throw_future_error(int code) { throw future_error(make_error_code(static_cast<future_errc>(code))); }

namespace {

struct FutureCategory final : error_category {
  const char* name() const noexcept override { return "future"; }
  string message(int code) const override {
    switch (static_cast<future_errc>(code)) {
      case future_errc::future_already_retrieved: return "Future already retrieved";
      case future_errc::promise_already_satisfied: return "Promise already satisfied";
      case future_errc::no_state: return "No associated state";
      case future_errc::broken_promise: return "Broken promise";
    }
    return "Unknown error";
  }
};

[[clang::no_destroy]] constinit const FutureCategory the_future_category;

}  // namespace

const error_category& future_category() noexcept { return the_future_category; }

}  // namespace std
