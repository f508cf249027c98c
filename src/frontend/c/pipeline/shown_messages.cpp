#include "frontend/c/pipeline/shown_messages.hpp"

#include <optional>
#include <sstream>
#include <utility>

namespace weir::c {

namespace {

class ShownMessages {
 public:
  explicit ShownMessages(const std::string& path) : path_(path) {}

  std::string of(const std::string& said) {
    std::istringstream lines(said);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("In file included from ")) {
        led_here_ += line + '\n';
        continue;
      }
      if (const auto place = place_of(line)) begin_message(place->first, place->second);
      if (line.ends_with(" generated.")) shown_ = true;
      if (shown_) text_ += std::exchange(led_here_, "") + line + '\n';
      led_here_.clear();
    }
    return text_;
  }

 private:
  // The file, and what kind of message there is about it: "a.c:3:1: error: ..."
  static std::optional<std::pair<std::string, std::string>> place_of(const std::string& line) {
    for (const char* const kind : {": error: ", ": fatal error: ", ": warning: ", ": note: "}) {
      const std::size_t end = line.find(kind);
      if (end == std::string::npos) continue;
      const std::size_t column = line.find_last_not_of("0123456789", end - 1);
      if (column == std::string::npos || column == 0 || line[column] != ':') continue;
      const std::size_t number = line.find_last_not_of("0123456789", column - 1);
      if (number == std::string::npos || line[number] != ':') continue;
      return std::pair{line.substr(0, number), std::string(kind)};
    }
    return std::nullopt;
  }

  void begin_message(const std::string& file, const std::string& kind) {
    if (kind == ": note: ") return;  // it goes with the message before
    shown_ = file == path_ || !std::exchange(seen_foreign_, true);
  }

  const std::string& path_;
  std::string text_, led_here_;
  bool shown_ = true, seen_foreign_ = false;
};

}  // namespace

std::string shown_messages(const std::string& said, const std::string& path) {
  return ShownMessages(path).of(said);
}

}  // namespace weir::c
