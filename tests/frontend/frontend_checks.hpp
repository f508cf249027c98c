// What tests of the front ends share: the one diagnostic of a bad text, and whether two programs do the same.
#pragma once

#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "base/diagnostic.hpp"
#include "check/explore.hpp"
#include "program/program.hpp"
#include "program/validate.hpp"

namespace weir::test {

// The diagnostic of a text that must not parse.
template <class T>
Diagnostic only_diagnostic(const Expected<T>& result) {
  if (result.ok()) return {.message = "the text was accepted"};
  if (result.error().diagnostics.size() != 1) return {.message = "not exactly one diagnostic"};
  return result.error().diagnostics.front();
}

template <class T>
void expect_error(const Expected<T>& result, std::uint32_t line, std::uint32_t column,
                  const std::string& fragment) {
  const Diagnostic diagnostic = only_diagnostic(result);
  EXPECT_EQ(diagnostic.position.line, line) << diagnostic.message;
  EXPECT_EQ(diagnostic.position.column, column) << diagnostic.message;
  EXPECT_NE(diagnostic.message.find(fragment), std::string::npos) << diagnostic.message;
}

template <class T>
std::string rendered(const Expected<T>& result) {
  return result.ok() ? "" : render(result.error().diagnostics.front(), result.error().sources);
}

inline std::string rendered(const std::vector<Diagnostic>& diagnostics, const SourceMap& sources) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += render(diagnostic, sources);
  return text;
}

inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// What a program does, as far as a translation keeps it: whether something bad happens, and what memory can
// hold at the end.
struct Behaviour {
  bool complete = true;
  bool violation = false;
  std::set<std::map<std::string, Value>> final_memories;  // by name: a translation may move variables

  friend bool operator==(const Behaviour&, const Behaviour&) = default;
};

inline Behaviour behaviour(const Program& program, Model model) {
  const ReferenceExploration explored = explore_all(program, model, {.states = 4'000, .buffered_stores = 6});
  Behaviour result{.complete = explored.complete, .violation = !explored.violations.empty()};
  for (const ReferenceState& state : explored.terminal) {
    std::map<std::string, Value> memory;
    for (const auto& [address, value] : state.memory) memory[program.address_name(address)] = value;
    result.final_memories.insert(std::move(memory));
  }
  return result;
}

inline ::testing::AssertionResult same_behaviour(const Program& a, const Program& b) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso}) {
    const Behaviour x = behaviour(a, model), y = behaviour(b, model);
    if (!x.complete || !y.complete) continue;
    if (x != y) return ::testing::AssertionFailure() << "the programs differ under " << name(model);
  }
  return ::testing::AssertionSuccess();
}

}  // namespace weir::test
