// A Trencher file as it was read, before it becomes a `Program`: words with their positions, expressions
// still in prefix order. Comparing thread bodies and checking that states exist is easier here than in the
// graph.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/text/token.hpp"
#include "program/program.hpp"

namespace weir::trencher {

using text::Name;

// One word of an expression.
struct Term {
  ExprOp op = ExprOp::kConstant;  // an operator, kConstant or kRegister
  Value value = 0;
  std::string name;
};

using PrefixExpression = std::vector<Term>;

struct Transition {
  Name source, target;
  Opcode op = Opcode::kNop;
  std::string reg;           // read, local
  PrefixExpression value;    // write, local, check
  PrefixExpression address;  // write, read
};

struct ThreadDraft {
  Name name;
  std::optional<Name> initial;
  std::vector<Name> finals;
  std::vector<Transition> transitions;
};

// What `memory` and `name` lines say about one address.
struct CellDraft {
  std::optional<Value> initial;
  std::string name;
  SourcePosition position;
};

struct Draft {
  std::vector<ThreadDraft> threads;
  std::map<Value, CellDraft> cells;
};

// Throws SyntaxError.
Draft read_draft(FileId file, const std::string& text);

// The notation of papers: does the text begin with "program"? What it says, and the name of the program.
bool is_figure(FileId file, std::string_view text);
Draft read_figure(FileId file, std::string_view text, std::string& name);

// Throws SyntaxError unless there is an initial state, and all marked states occur in transitions.
void check_states(const ThreadDraft& thread);

// Fills `program`, which already owns the source text.
void build(const Draft& draft, Program& program);

}  // namespace weir::trencher
