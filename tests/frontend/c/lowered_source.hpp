// For tests of the lowering: programs from pieces of source, and what is in them.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/explore.hpp"
#include "frontend/c/prepared_source.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir::test {

inline Expected<Program> lower(const std::string& source, const COptions& options = {},
                               const std::string& name = "test.c") {
  const SourceFolder folder;
  auto ready = c::prepare_module({folder.write(name, source)}, options);
  if (!ready) return std::move(ready.error());
  return c::lower_module(*ready, name, options);
}

// The program; the test fails if there is none.
inline Program lowered(const std::string& source, const COptions& options = {},
                       const std::string& name = "test.c") {
  auto result = lower(source, options, name);
  if (!result) {
    ADD_FAILURE() << all_messages(result.error());
    return {};
  }
  EXPECT_TRUE(validate(*result).empty());
  return std::move(*result);
}

// What is said about a source that is refused where nothing may be in it that is not supported.
inline std::string refusal(const std::string& source, COptions options = {},
                           const std::string& name = "test.c") {
  options.strict = true;
  auto result = lower(source, options, name);
  if (result) {
    ADD_FAILURE() << "accepted:\n" << print(*result);
    return "";
  }
  return all_messages(result.error());
}

inline const SharedObject* object(const Program& program, std::string_view name) {
  const auto id = program.find_object(name);
  return id ? &program.object(*id) : nullptr;
}

inline const Function* function(const Program& program, std::string_view name) {
  for (const Function& candidate : program.functions)
    if (candidate.name == name) return &candidate;
  return nullptr;
}

// The edges of the user's code: those that stand on that line.
inline std::vector<Instruction> on_line(const Program& program, std::uint32_t line) {
  std::vector<Instruction> found;
  for (const Edge& edge : program.edges)
    if (edge.position.line == line) found.push_back(edge.instruction);
  return found;
}

inline std::vector<Instruction> of_kind(std::vector<Instruction> instructions, Opcode op) {
  std::erase_if(instructions, [op](const Instruction& i) { return i.op != op; });
  return instructions;
}

inline std::size_t count(const Program& program, std::uint32_t line, Opcode op) {
  return of_kind(on_line(program, line), op).size();
}

// Messages of the assertions that can fail and reasons of the halts that can be reached, whether or not they
// are.
inline bool mentions(const Program& program, std::string_view text) {
  return std::any_of(program.edges.begin(), program.edges.end(), [&](const Edge& edge) {
    return edge.instruction.message.find(text) != std::string::npos;
  });
}

inline bool is_safe(const Program& program, Model model = Model::kSc) {
  const ReferenceExploration result = explore_all(program, model);
  EXPECT_TRUE(result.complete);
  return result.violations.empty();
}

// Does main of this body end without a violation? Asserts in it are `check(condition)`.
inline bool holds(const std::string& body, const std::string& before = "") {
  return is_safe(lowered("#include <assert.h>\n#define check assert\n" + before + "\nint main(void) {\n" +
                         body + "\nreturn 0; }\n"));
}

}  // namespace weir::test
