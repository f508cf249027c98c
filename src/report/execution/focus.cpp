#include "report/execution/focus.hpp"

#include <algorithm>

namespace weir {

namespace {

// "x" names "x", "x[1]" and "x.next".
bool names(std::string_view word, std::string_view address) {
  if (!address.starts_with(word)) return false;
  return address.size() == word.size() || address[word.size()] == '[' || address[word.size()] == '.';
}

bool is_variable(const Program& program, std::string_view word) {
  for (const SharedObject& object : program.objects)
    for (std::size_t k = 0; k < object.initial.size(); ++k)
      if (names(word, program.address_name(object.base + static_cast<Value>(k) * object.stride))) return true;
  return false;
}

// "t1,x" are two words; a comma between brackets belongs to a name.
std::vector<std::string> separated(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    int depth = 0;
    out.emplace_back();
    for (const char c : word) {
      depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
      if (c == ',' && depth == 0)
        out.emplace_back();
      else
        out.back() += c;
    }
  }
  return out;
}

}  // namespace

Focus::Focus(const Program& program, const std::vector<std::string>& words) : program_(program) {
  for (const std::string& word : separated(words)) {
    if (const auto thread = program.find_thread(word)) {
      threads_.push_back(*thread);
    } else if (program.open_memory || is_variable(program, word)) {
      variables_.push_back(word);
    } else if (!unknown_) {
      unknown_ = word;
    }
  }
}

bool Focus::shows(ThreadId thread) const {
  return threads_.empty() || std::ranges::find(threads_, thread) != threads_.end();
}

bool Focus::shows(const StoryEvent& event) const {
  if (!shows(event.thread)) return false;
  if (variables_.empty()) return true;
  if (!event.address) return false;
  const std::string address = program_.address_name(*event.address);
  return std::ranges::any_of(variables_, [&](const std::string& word) {
    return names(word, address) || names(word, event.name);
  });
}

std::vector<std::string> focus_names(const Program& program) {
  std::vector<std::string> found;
  for (const Thread& thread : program.threads) found.push_back(thread.name);
  for (const SharedObject& object : program.objects)
    if (object.position.known()) found.push_back(object.name);
  return found;
}

}  // namespace weir
