// Usage: user EXAMPLES OUTPUTS [without-c] [without-fairness]
#include <fstream>

#include "user.hpp"

const char* const kStoreBuffering = R"(weir 1
shared x
shared y
function p()
  register r
  a:
    store x := 1 -> b
  b:
    r := load y -> c
  c:
    assume r == 0 -> both
  both:
end
function q()
  register r
  a:
    store y := 1 -> b
  b:
    r := load x -> c
  c:
    assume r == 0 -> both
  both:
end
thread P = p()
thread Q = q()
)";

void write_reports(const weir::Answer& answer, const std::string& name) {
  const auto write = [&](const std::string& suffix, const std::string& text) {
    std::ofstream(outputs / (name + suffix)) << text;
  };
  write(".json", answer.json());
  write(".txt", answer.text());
  if (const auto page = answer.page()) write(".html", *page);
  if (const auto file = answer.replay_file()) write(".replay", *file);
}

int main(int, char** arguments) {
  examples = *++arguments;
  outputs = *++arguments;
  while (*++arguments != nullptr) {
    if (std::string(*arguments) == "without-c") has_c = false;
    if (std::string(*arguments) == "without-fairness") has_fairness = false;
  }
  for (const auto part :
       {ask_all_questions, read_programs, read_bad_programs, stop_and_watch, ask_at_the_same_time})
    part();
  std::cout << "version " << weir::version() << ", " << mistakes << " mistakes\n";
  return mistakes == 0 ? 0 : 1;
}
