// Reads a Trencher file into a draft: the actions of the grammar, and the messages for where it does not
// match. PEGTL tracks lines as it goes, so reading is linear and the first error ends it.
#include <fmt/format.h>
#include <unordered_map>
#include <utility>

#include "base/syntax_error.hpp"
#include "frontend/text/nesting.hpp"
#include "frontend/text/words.hpp"
#include "frontend/trencher/draft.hpp"
#include "frontend/trencher/grammar.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/validate.hpp"

namespace weir {

namespace trencher {

namespace {

// Operators above an operand; the operand itself is one level more.
constexpr std::uint32_t kMaximalDepth = kMaxExpressionDepth - 1;

// What the actions fill. `owed` holds, for each operator still being read, how many operands it lacks; its
// size is the depth of the next operand.
struct Reader {
  FileId file;
  Draft draft;
  Transition transition;
  PrefixExpression expression;
  std::vector<int> owed;
  Value address = 0;
  SourcePosition address_position;
  const char* last_word_end = nullptr;
  std::unordered_map<std::string, SourcePosition> thread_names;
  std::unordered_map<std::string, SourcePosition> address_names;

  bool operands_owed() const { return !owed.empty(); }
  ThreadDraft& thread() { return draft.threads.back(); }

  template <class Input>
  SourcePosition position(const Input& in) const {
    return {file, static_cast<std::uint32_t>(in.iterator().line),
            static_cast<std::uint32_t>(in.iterator().column)};
  }
  template <class Input>
  Name word(const Input& in) const {
    return {in.string(), position(in)};
  }
};

// Words come from the file and may be anything.
std::string in_quotes(std::string_view word) {
  std::string shown = text::shortened(word);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7f) c = '?';
  return fmt::format("'{}'", shown);
}

Value parse_number(const Name& word) {
  const bool negative = word.text.starts_with('-'), sign = negative || word.text.starts_with('+');
  const auto value = text::integer(std::string_view(word.text).substr(sign ? 1 : 0), negative);
  if (!value)
    fail(word.position, fmt::format("the number {} does not fit into 64 bits", in_quotes(word.text)));
  return *value;
}

ExprOp binary_operator(std::string_view text) {
  static constexpr std::pair<std::string_view, ExprOp> kOperators[] = {
      {"==", ExprOp::kEq},        {"!=", ExprOp::kNe},      {"<", ExprOp::kLt},
      {"<=", ExprOp::kLe},        {">", ExprOp::kGt},       {">=", ExprOp::kGe},
      {"+", ExprOp::kAdd},        {"-", ExprOp::kSub},      {"&&", ExprOp::kLogicalAnd},
      {"||", ExprOp::kLogicalOr}, {"*", ExprOp::kMul},      {"&", ExprOp::kBitAnd},
      {"≠", ExprOp::kNe},         {"≤", ExprOp::kLe},       {"≥", ExprOp::kGe},
      {"∧", ExprOp::kLogicalAnd}, {"∨", ExprOp::kLogicalOr}};
  for (const auto& [name, op] : kOperators)
    if (name == text) return op;
  WEIR_CHECK(false, "the grammar matched an operator");
  return ExprOp::kAdd;
}

// An operand fills a place of the operator before it; filling the last one completes that operator too.
void operand_complete(Reader& reader) {
  while (!reader.owed.empty() && --reader.owed.back() == 0) reader.owed.pop_back();
}

void operator_read(Reader& reader, ExprOp op, int operands, SourcePosition position) {
  if (reader.owed.size() >= kMaximalDepth) text::nested_too_deeply(position, "expression", kMaximalDepth);
  reader.expression.push_back({.op = op});
  // The place that this operator takes is settled when its own operands are complete, in `operand_complete`.
  reader.owed.push_back(operands);
}

template <class Rule>
struct Action : tao::pegtl::nothing<Rule> {};

template <>
struct Action<grammar::word> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.last_word_end = in.end();
  }
};

template <>
struct Action<grammar::thread_name> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    Name name = reader.word(in);
    const auto [first, is_new] = reader.thread_names.emplace(name.text, name.position);
    if (!is_new)
      fail(name.position, fmt::format("a second thread named {}; the first is on line {}",
                                      in_quotes(name.text), first->second.line));
    reader.draft.threads.push_back({.name = std::move(name)});
  }
};

template <>
struct Action<grammar::initial_state> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    auto& initial = reader.thread().initial;
    if (initial)
      fail(reader.position(in), fmt::format("thread {} has a second initial state; the first is on line {}",
                                            in_quotes(reader.thread().name.text), initial->position.line));
    initial = reader.word(in);
  }
};

template <>
struct Action<grammar::final_state> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.thread().finals.push_back(reader.word(in));
  }
};

template <>
struct Action<grammar::source_state> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.transition = {.source = reader.word(in)};
  }
};

template <>
struct Action<grammar::target_state> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.transition.target = reader.word(in);
  }
};

template <>
struct Action<grammar::target_register> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.transition.reg = in.string();
  }
};

template <>
struct Action<grammar::unary_operator> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    operator_read(reader, ExprOp::kLogicalNot, 1, reader.position(in));
  }
};

template <>
struct Action<grammar::binary_operator> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    operator_read(reader, binary_operator(in.string_view()), 2, reader.position(in));
  }
};

template <>
struct Action<grammar::constant> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.expression.push_back({.op = ExprOp::kConstant, .value = parse_number(reader.word(in))});
    operand_complete(reader);
  }
};

template <>
struct Action<grammar::register_value> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    reader.expression.push_back({.op = ExprOp::kRegister, .name = in.string()});
    operand_complete(reader);
  }
};

template <>
struct Action<grammar::value> {
  static void apply0(Reader& reader) { reader.transition.value = std::exchange(reader.expression, {}); }
};

template <>
struct Action<grammar::address> {
  static void apply0(Reader& reader) { reader.transition.address = std::exchange(reader.expression, {}); }
};

template <Opcode op>
struct SetOpcode {
  static void apply0(Reader& reader) { reader.transition.op = op; }
};
template <>
struct Action<grammar::write> : SetOpcode<Opcode::kStore> {};
template <>
struct Action<grammar::read> : SetOpcode<Opcode::kLoad> {};
template <>
struct Action<grammar::local> : SetOpcode<Opcode::kAssign> {};
template <>
struct Action<grammar::check> : SetOpcode<Opcode::kAssume> {};
template <>
struct Action<grammar::mfence> : SetOpcode<Opcode::kFence> {};
template <>
struct Action<grammar::noop> : SetOpcode<Opcode::kNop> {};
template <>
struct Action<grammar::lock> : SetOpcode<Opcode::kLock> {};
template <>
struct Action<grammar::unlock> : SetOpcode<Opcode::kUnlock> {};

template <>
struct Action<grammar::transition> {
  static void apply0(Reader& reader) { reader.thread().transitions.push_back(std::move(reader.transition)); }
};

template <>
struct Action<grammar::thread_end> {
  static void apply0(Reader& reader) { check_states(reader.thread()); }
};

struct RememberAddress {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    const Name word = reader.word(in);
    reader.address = parse_number(word);
    reader.address_position = word.position;
  }
};
template <>
struct Action<grammar::memory_address> : RememberAddress {};
template <>
struct Action<grammar::named_address> : RememberAddress {};

template <>
struct Action<grammar::memory_value> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    CellDraft& cell = reader.draft.cells[reader.address];
    if (cell.initial)
      fail(reader.address_position, fmt::format("address {} has an initial value already", reader.address));
    cell.initial = parse_number(reader.word(in));
    if (!cell.position.known()) cell.position = reader.address_position;
  }
};

template <>
struct Action<grammar::address_name> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    const Name name = reader.word(in);
    CellDraft& cell = reader.draft.cells[reader.address];
    if (!cell.name.empty())
      fail(reader.address_position,
           fmt::format("address {} has a name already: {}", reader.address, in_quotes(cell.name)));
    const auto [first, is_new] = reader.address_names.emplace(name.text, name.position);
    if (!is_new)
      fail(name.position, fmt::format("a second address named {}; the first is on line {}",
                                      in_quotes(name.text), first->second.line));
    cell.name = name.text;
    cell.position = name.position;
  }
};

template <>
struct Action<grammar::size_value> {
  template <class Input>
  static void apply(const Input& in, Reader& reader) {
    parse_number(reader.word(in));
  }
};

// What a message says was expected, for every rule that must match.
template <class Rule>
constexpr const char* kExpected = "";
template <>
constexpr const char* kExpected<grammar::thread_name> = "the name of a thread";
template <>
constexpr const char* kExpected<grammar::initial_state> = "the name of the initial state";
template <>
constexpr const char* kExpected<grammar::final_state> = "the name of a final state";
template <>
constexpr const char* kExpected<grammar::source_state> = "the state where the transition starts";
template <>
constexpr const char* kExpected<grammar::target_state> = "the state where the transition ends";
template <>
constexpr const char* kExpected<grammar::instruction> =
    "an instruction: write, read, local, check, mfence, noop, lock or unlock";
template <>
constexpr const char* kExpected<grammar::target_register> = "the name of a register";
template <>
constexpr const char* kExpected<grammar::value_operand> = "the value, as an expression";
template <>
constexpr const char* kExpected<grammar::address_operand> = "the address, as an expression";
template <>
constexpr const char* kExpected<grammar::operand> = "an operand";
template <>
constexpr const char* kExpected<grammar::memory_address> = "an address, as an integer";
template <>
constexpr const char* kExpected<grammar::named_address> = "an address, as an integer";
template <>
constexpr const char* kExpected<grammar::equals> = "'='";
template <>
constexpr const char* kExpected<grammar::memory_value> = "the initial value, as an integer";
template <>
constexpr const char* kExpected<grammar::address_name> = "the name of the address";
template <>
constexpr const char* kExpected<grammar::size_value> = "the number of addresses, as an integer";
template <>
constexpr const char* kExpected<grammar::thread_end> = "'transition', 'initial', 'final' or 'end'";
template <>
constexpr const char* kExpected<grammar::file_end> = "'thread', 'memory', 'name' or a comment";

template <class Rule>
constexpr bool kIsOperand =
    std::is_same_v<Rule, grammar::operand> || std::is_same_v<Rule, grammar::value_operand> ||
    std::is_same_v<Rule, grammar::address_operand>;

template <class Input>
std::string_view next_word(const Input& in) {
  const char* end = in.current();
  while (end != in.end() && std::string_view(" \t\n\v\f\r").find(*end) == std::string_view::npos) ++end;
  return {in.current(), static_cast<std::size_t>(end - in.current())};
}

// The position just after the last word read: where a line that stops too early stops.
template <class Input>
SourcePosition after_last_word(const Input& in, const Reader& reader) {
  const char* const begin = in.current() - in.byte();
  TextCursor cursor(reader.file, {begin, in.end()});
  cursor.take(static_cast<std::size_t>(reader.last_word_end - begin));
  return cursor.here();
}

// Explains why `Rule` does not match here, and throws.
template <class Rule, class Input>
[[noreturn]] void explain(Input& in, Reader& reader) {
  const std::string_view found = next_word(in);
  const bool new_line = grammar::line_start::match(in) || found.empty();
  const SourcePosition here = reader.position(in);
  constexpr bool kCloses =
      std::is_same_v<Rule, grammar::thread_end> || std::is_same_v<Rule, grammar::file_end>;
  if constexpr (std::is_same_v<Rule, grammar::thread_end>) {
    const Name& thread = reader.thread().name;
    if (found.empty())
      fail(here,
           fmt::format("expected 'end' of thread {}, which starts on line {}, found the end of the text",
                       in_quotes(thread.text), thread.position.line));
  }
  if constexpr (kCloses) {
    const bool comment = found.starts_with('#');
    if (!new_line)
      fail(here, fmt::format("unexpected {} at the end of this line", in_quotes(found)),
           comment ? "a comment needs a line of its own" : fmt::format("expected {}", kExpected<Rule>));
  }
  if (new_line && !kCloses)
    fail(after_last_word(in, reader), fmt::format("expected {}, found the end of the line", kExpected<Rule>));
  if constexpr (std::is_same_v<Rule, grammar::instruction>)
    fail(here, fmt::format("unknown instruction {}", in_quotes(found)),
         "the instructions are write, read, local, check, mfence, noop, lock and unlock");
  if constexpr (kIsOperand<Rule>) {
    const bool number = found.find_first_of("0123456789") <= 1;
    if (number) fail(here, fmt::format("{} is neither a number nor a register", in_quotes(found)));
    fail(here, fmt::format("unknown operator {}", in_quotes(found)),
         "the operators are ! == != < <= > >= && || + - * &");
  }
  fail(here, fmt::format("expected {}, found {}", kExpected<Rule>, in_quotes(found)));
}

template <class Rule>
struct Control : tao::pegtl::normal<Rule> {
  template <class Input>
  [[noreturn]] static void raise(Input& in, Reader& reader) {
    explain<Rule>(in, reader);
  }
};

std::string program_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  return file.substr(0, file.find_last_of('.'));
}

}  // namespace

void check_states(const ThreadDraft& thread) {
  const std::string name = in_quotes(thread.name.text);
  if (!thread.initial) fail(thread.name.position, fmt::format("thread {} has no 'initial' line", name));
  std::unordered_map<std::string_view, bool> declared;
  if (thread.transitions.empty()) declared[thread.initial->text] = true;
  for (const Transition& transition : thread.transitions)
    declared[transition.source.text] = declared[transition.target.text] = true;
  const auto require = [&](const Name& state) {
    if (!declared.contains(state.text))
      fail(state.position, fmt::format("undeclared state {}", in_quotes(state.text)),
           fmt::format("no transition of thread {} starts or ends there", name));
  };
  require(*thread.initial);
  for (const Name& state : thread.finals) require(state);
}

Draft read_draft(FileId file, const std::string& text) {
  Reader reader{.file = file};
  tao::pegtl::memory_input<> in(text.data(), text.data() + text.size(), "");
  reader.last_word_end = text.data();
  const bool complete = tao::pegtl::parse<grammar::file, Action, Control>(in, reader);
  WEIR_CHECK(complete, "the file rule matches or raises");
  if (reader.draft.threads.empty()) fail({file, 1, 1}, "no thread in this file");
  return std::move(reader.draft);
}

}  // namespace trencher

Expected<Program> parse_trencher(std::string path, std::string text) {
  Program program;
  program.name = trencher::program_name(path);
  program.open_memory = true;
  const FileId file = program.sources.add(std::move(path), std::move(text));
  try {
    const std::string& source = program.sources.file(file).text;
    const bool figure = trencher::is_figure(file, source);
    trencher::build(
        figure ? trencher::read_figure(file, source, program.name) : trencher::read_draft(file, source),
        program);
  } catch (SyntaxError& error) {
    return InputError{std::move(program.sources), {std::move(error.diagnostic)}};
  }
  return program;
}

}  // namespace weir
