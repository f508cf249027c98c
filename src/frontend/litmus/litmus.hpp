// The litmus front end: `.litmus` files as herd7 and litmus7 read them [Alglave14], with code for `X86`
// (destination first), `X86_64` (destination last, as GNU tools write it) or in `C`. docs/litmus.md says what
// is understood.
//
// A file is a header, an initial state in braces, the code, and a question about final states. The header and
// the two states are read by state_parser.hpp, code by x86_parser.hpp or c_parser.hpp. Code becomes
// instructions of a Program; each process Pn is a thread of that name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "program/final_states.hpp"

namespace weir {

enum class LitmusLanguage : std::uint8_t { kX86, kX86_64, kC };

struct LitmusTest {
  LitmusLanguage language = LitmusLanguage::kX86;
  Program program;
  FinalQuestion question;
  std::vector<std::pair<std::string, std::string>> metadata;  // the lines "Key=value" of the header

  // The value of a metadata line; empty if there is none.
  std::string_view about(std::string_view key) const;
};

// `path` is only used in messages.
Expected<LitmusTest> parse_litmus(std::string path, std::string text);

// A condition over the final states of a test, as its file would write it: "0:EAX=0 /\ x=1". Places that it
// names are added to the question; its condition stays.
Expected<FinalCondition> parse_final_condition(LitmusTest& test, const std::string& text);

}  // namespace weir
