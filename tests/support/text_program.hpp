// Programs for tests, written in the `.weir` text form. Threads are straight-line code, one instruction a
// line:
//
//   TextProgram text("shared x : u32 = 0\nleaks\n");
//   text.thread("P", {"p := allocate heap 4", "store u32 [p] := 1u32", "free heap p"});
//   EXPECT_EQ(violations(text.program(), Model::kTso), …);
//
// Every thread has the registers p and q (u64), r and s (i64), f and g (u32) and c (u8).
#pragma once

#include <set>
#include <string>
#include <vector>

#include "check/explore.hpp"
#include "program/program.hpp"

namespace weir::test {

class TextProgram {
 public:
  explicit TextProgram(std::string declarations = "") : text_(std::move(declarations)) {}

  // `locals`: lines that declare more, such as private objects.
  TextProgram& thread(const std::string& name, const std::vector<std::string>& code,
                      const std::string& locals = "");
  TextProgram& dormant_thread(const std::string& name, const std::vector<std::string>& code);
  TextProgram& function(const std::string& name, const std::vector<std::string>& code,
                        const std::string& locals = "");
  TextProgram& declare(const std::string& line);

  Program program() const;  // well formed, or an internal error says what is wrong

 private:
  std::string text_;
};

std::set<ViolationKey> violations(const Program& program, Model model);

// The message of a shortest witness; empty if there is no violation. Replays the witness.
std::string first_violation(const Program& program, Model model);

}  // namespace weir::test
