// How far a suite is, on standard error: a bar on a terminal, a plain line now and then elsewhere.
#pragma once

#include <cstddef>
#include <string>

namespace weir::cli {

class SuiteProgress {
 public:
  SuiteProgress(std::size_t all, bool wanted);
  ~SuiteProgress();
  SuiteProgress(const SuiteProgress&) = delete;
  SuiteProgress& operator=(const SuiteProgress&) = delete;

  // One more; `seconds` since the beginning.
  void ended(const std::string& file, double seconds);

 private:
  std::size_t all_, done_ = 0;
  bool wanted_, terminal_, line_open_ = false;
  double last_ = 0;  // when something was shown
};

// "[######----]  12 of 20, 3 s, locks/spin.c"
std::string suite_bar(std::size_t done, std::size_t all, double seconds, const std::string& file);

}  // namespace weir::cli
