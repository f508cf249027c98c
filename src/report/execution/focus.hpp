// What the user wants to see of an execution: --focus names threads and variables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/execution/storyline.hpp"

namespace weir {

// Steps of one of the threads named, if any is; and of these, those that access one of the variables named,
// if any is. An array or structure stands for all its parts.
class Focus {
 public:
  Focus(const Program& program, const std::vector<std::string>& words);

  // The first word that names neither a thread nor a variable.
  const std::optional<std::string>& unknown() const { return unknown_; }
  bool shows(ThreadId thread) const;
  bool shows(const StoryEvent& event) const;

 private:
  const Program& program_;
  std::vector<ThreadId> threads_;
  std::vector<std::string> variables_;
  std::optional<std::string> unknown_;
};

// Everything that can be named.
std::vector<std::string> focus_names(const Program& program);

}  // namespace weir
