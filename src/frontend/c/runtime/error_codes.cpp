// Error codes of C++ and their two usual categories. What an error is called is not known; that it is equal to another one is.
#include <system_error>

extern "C" [[noreturn]] void __weir_give_up(const char* reason);

namespace std {

inline namespace _V2 {

error_category::~error_category() = default;
__cow_string error_category::_M_message(int) const { __weir_give_up("the text of an error code"); }
error_condition error_category::default_error_condition(int code) const noexcept { return {code, *this}; }
bool error_category::equivalent(int code, const error_condition& condition) const noexcept {
  return default_error_condition(code) == condition;
}
bool error_category::equivalent(const error_code& code, int condition) const noexcept {
  return *this == code.category() && code.value() == condition;
}

namespace {

struct GenericCategory final : error_category {
  const char* name() const noexcept override { return "generic"; }
  string message(int) const override { __weir_give_up("the text of an error code"); }
};

// On Linux, the errors of the system are those of POSIX.
struct SystemCategory final : error_category {
  const char* name() const noexcept override { return "system"; }
  string message(int) const override { __weir_give_up("the text of an error code"); }
  error_condition default_error_condition(int code) const noexcept override {
    return {code, generic_category()};
  }
};

[[clang::no_destroy]] constinit const GenericCategory the_generic_category;
[[clang::no_destroy]] constinit const SystemCategory the_system_category;

}  // namespace

const error_category& generic_category() noexcept { return the_generic_category; }
const error_category& system_category() noexcept { return the_system_category; }

}  // namespace _V2

error_condition error_code::default_error_condition() const noexcept {
  return category().default_error_condition(value());
}

}  // namespace std
