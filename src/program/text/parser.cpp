#include "program/text/parser.hpp"

#include <charconv>
#include <fmt/format.h>
#include <limits>

#include "program/text/text.hpp"
#include "program/text/words.hpp"

namespace weir {

Expected<Program> parse_program_text(std::string path, std::string text) {
  SourceMap sources;
  const FileId file = sources.add(std::move(path), std::move(text));
  try {
    text_form::Parser parser(sources.file(file).text, file);
    Program program = parser.run();
    if (parser.is_its_own_source()) {
      if (program.name.empty()) program.name = sources.file(file).path;
      program.sources = std::move(sources);
    }
    return program;
  } catch (text_form::SyntaxError& error) {
    Diagnostic diagnostic{
        Severity::kError, std::move(error.message), {file, error.line, error.column}, std::move(error.hint)};
    return InputError{std::move(sources), {std::move(diagnostic)}};
  }
}

namespace text_form {

namespace {

constexpr std::size_t kMaxCells = std::size_t{1} << 24;
constexpr std::uint32_t kMaxId = std::numeric_limits<std::int32_t>::max();

std::string shown(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kNewline: return "the end of the line";
    case Token::Kind::kEnd: return "the end of the text";
    default: return fmt::format("'{}'", token.text.substr(0, 40));
  }
}

}  // namespace

// --- Tokens -----------------------------------------------------------------------------------------------

Token Parser::take() {
  Token result = std::move(current_);
  current_ = std::move(ahead_);
  ahead_ = lexer_.next();
  return result;
}

bool Parser::accept(std::string_view wanted) {
  if (!current_.is(wanted)) return false;
  take();
  return true;
}

Token Parser::expect(std::string_view wanted) {
  if (!current_.is(wanted)) fail_expected(current_, fmt::format("'{}'", wanted));
  return take();
}

void Parser::expect_line_end() {
  if (current_.kind != Token::Kind::kNewline && current_.kind != Token::Kind::kEnd)
    fail_expected(current_, "the end of the line");
  skip_line_ends();
}

void Parser::skip_line_ends() {
  while (current_.kind == Token::Kind::kNewline) take();
}

void Parser::fail(const Token& token, std::string message, std::string hint) const {
  throw SyntaxError{token.line, token.column, std::move(message), std::move(hint)};
}

void Parser::fail_expected(const Token& token, std::string_view wanted) const {
  fail(token, fmt::format("expected {}, found {}", wanted, shown(token)));
}

// --- Names, numbers, types, positions
// -----------------------------------------------------------------------

bool Parser::at_name() const {
  return current_.kind == Token::Kind::kName || current_.kind == Token::Kind::kString;
}

std::string Parser::name(std::string_view what) {
  if (!at_name()) fail_expected(current_, what);
  return std::string(take().name());
}

Parser::Reference Parser::reference(std::string_view what) {
  const Token token = current_;
  if (accept("#")) return {token, plain_number("a number after '#'")};
  if (!at_name()) fail_expected(current_, what);
  take();
  return {token, std::nullopt};
}

std::uint32_t Parser::plain_number(std::string_view what) {
  if (current_.kind != Token::Kind::kNumber) fail_expected(current_, what);
  const Token token = take();
  std::uint32_t result = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [stop, error] = std::from_chars(token.text.data(), end, result);
  if (error != std::errc() || stop != end || result > kMaxId)
    fail(token, fmt::format("{} is not a number from 0 to {}", shown(token), kMaxId));
  return result;
}

Value Parser::signed_number() { return typed_value(kInt64); }

Value Parser::typed_value(Type type) {
  const bool negative = accept("-");
  if (current_.kind != Token::Kind::kNumber) fail_expected(current_, "a number");
  const Token token = take();
  return magnitude(token, token.text, negative, type);
}

// A number that is not negative.
std::uint64_t Parser::count(std::string_view what) {
  const Token token = current_;
  if (token.kind != Token::Kind::kNumber) fail_expected(token, what);
  return static_cast<std::uint64_t>(signed_number());
}

Value Parser::magnitude(const Token& token, std::string_view digits, bool negative, Type type) const {
  std::uint64_t word = 0;
  const char* end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, word);
  if (stop != end || error == std::errc::invalid_argument)
    fail(token, fmt::format("{} is not a number", shown(token)));
  const std::uint64_t most_positive = std::numeric_limits<Value>::max();
  const bool whole_word = type.bits == 64 && !type.is_signed && !negative;
  if (error != std::errc() || (!whole_word && word > most_positive + (negative ? 1 : 0)))
    fail(token, fmt::format("the number {} does not fit into 64 bits", shown(token)));
  return static_cast<Value>(negative ? 0 - word : word);
}

Type Parser::type() {
  const auto found = current_.kind == Token::Kind::kName ? parse_type(current_.text) : std::nullopt;
  if (!found) fail_expected(current_, "a type such as i64 or u8");
  take();
  return *found;
}

Type Parser::optional_colon_type() { return accept(":") ? type() : kInt64; }

// The annotation that may follow, or the place of `token` in a text that is its own source.
SourcePosition Parser::position_after(const Token& token) {
  const Token sign = current_;
  if (!accept("@"))
    return own_positions_ ? SourcePosition{own_file_, token.line, token.column} : SourcePosition{};
  SourcePosition result;
  const std::uint32_t file = plain_number("the number of a source");
  if (file >= program_.sources.size()) fail(sign, fmt::format("there is no source number {}", file));
  result.file = FileId(file);
  if (accept(":")) {
    result.line = plain_number("a line");
    expect(":");
    result.column = plain_number("a column");
  }
  return result;
}

// --- Declarations
// -------------------------------------------------------------------------------------------

Program Parser::run() {
  skip_line_ends();
  header();
  while (current_.kind != Token::Kind::kEnd) declaration();
  resolve_calls();
  place_locations();
  place_edges();
  return std::move(program_);
}

void Parser::header() {
  const Token first = current_;
  if (!accept("weir")) fail_expected(current_, "'weir 1', the first line of this format");
  if (plain_number("the version of the format") != 1)
    fail(first, "this version of Weir reads version 1 of the format");
  expect_line_end();
  if (accept("program")) {
    program_.name = name("the program's name");
    expect_line_end();
  }
  if (!accept("sources")) return;
  own_positions_ = false;
  while (current_.kind == Token::Kind::kString) {
    program_.sources.add(name("a path"), "");
    if (!accept(",")) break;
  }
  expect_line_end();
}

void Parser::declaration() {
  if (accept("open")) {
    expect("memory");
    program_.open_memory = true;
  } else if (accept("byte")) {
    expect("memory");
    program_.byte_memory = true;
  } else if (current_.is("shared") || current_.is("constant")) {
    shared_object();
  } else if (current_.is("function")) {
    function();
  } else if (current_.is("thread") || current_.is("dormant") || current_.is("single")) {
    thread();
  } else if (accept("goal")) {
    goal();
  } else if (current_.is("or")) {
    another_goal();
  } else if (accept("exclusive")) {
    exclusive();
  } else if (current_.is("invariant")) {
    invariant();
  } else if (accept("deadlock")) {
    program_.properties.deadlock = true;
  } else if (accept("partial_deadlock")) {
    program_.properties.partial_deadlock = true;
  } else if (accept("races")) {
    program_.properties.races = true;
  } else if (accept("leaks")) {
    program_.properties.leaks = true;
  } else if (accept("restriction")) {
    program_.restrictions.push_back(message());
  } else if (accept("assumption")) {
    program_.assumptions.push_back(message());
  } else {
    fail_expected(current_, "shared, constant, function, thread or a property");
  }
  expect_line_end();
}

void Parser::shared_object() {
  const Token opening = take();
  SharedObject object{.name = name("the object's name"), .constant = opening.is("constant")};
  object.type = optional_colon_type();
  object.base = accept("at") ? signed_number() : next_address_;
  if (const Token word = current_; accept("stride")) {
    object.stride = signed_number();
    if (object.stride < 1) fail(word, "the cells of an object are at least 1 apart");
  }
  if (accept("=")) {
    cells(object);
  } else {
    object.initial = {0};
  }
  const std::uint64_t extent = object.initial.size() * static_cast<std::uint64_t>(object.stride);
  next_address_ = wrap(static_cast<std::uint64_t>(object.base) + extent, kInt64);
  object.position = position_after(opening);
  program_.objects.push_back(std::move(object));
}

void Parser::cells(SharedObject& object) {
  do {
    const Value value = accept("uninitialised") ? kUninitialised : typed_value(object.type);
    const Token factor = current_;
    const std::uint32_t times = accept("*") ? plain_number("how many cells") : 1;
    cell_count_ += times;
    if (cell_count_ > kMaxCells)
      fail(factor, fmt::format("the program has more than {} shared cells", kMaxCells));
    object.initial.insert(object.initial.end(), times, value);
  } while (accept(","));
}

void Parser::function() {
  const Token opening = take();
  function_ = program_.add_function(name("the function's name"));
  function_first_location_ = locations_.size();
  function_first_edge_ = edges_.size();
  parameters();
  program_.functions.back().position = position_after(opening);
  expect_line_end();
  local_declarations();
  std::optional<Reference> entry;
  if (current_.is("entry") && !ahead_.is(":")) {
    take();
    entry = reference("the label of a location");
    expect_line_end();
  }
  while (!(current_.is("end") && !ahead_.is(":"))) {
    if (current_.kind == Token::Kind::kEnd)
      fail(current_, "the text ends inside a function", "every function ends with a line 'end'");
    location();
  }
  expect("end");
  finish_function(opening, entry);
}

void Parser::parameters() {
  Function& declared = program_.functions.back();
  expect("(");
  while (!current_.is(")")) {
    declared.registers.push_back(register_declaration());
    if (!accept(",")) break;
  }
  expect(")");
  declared.parameter_count = static_cast<std::uint32_t>(declared.registers.size());
}

void Parser::local_declarations() {
  Function& declared = program_.functions.back();
  std::uint64_t next_offset = 0;
  while ((current_.is("register") || current_.is("private")) && !ahead_.is(":") && !ahead_.is("#")) {
    if (take().is("register")) {
      declared.registers.push_back(register_declaration());
    } else {
      const PrivateObject& added = declared.privates.emplace_back(private_declaration(next_offset));
      next_offset = added.offset + added.size;
    }
    expect_line_end();
  }
}

// NAME : SIZE [at OFFSET]
PrivateObject Parser::private_declaration(std::uint64_t next_offset) {
  PrivateObject result{.name = name("the name of a private object")};
  expect(":");
  result.size = count("how many bytes the object has");
  result.offset = accept("at") ? count("the offset of the object") : next_offset;
  return result;
}

Register Parser::register_declaration() {
  Register result{.name = name("a register's name")};
  result.type = optional_colon_type();
  if (accept("=")) result.initial = typed_value(result.type);
  return result;
}

void Parser::location() {
  const Token start = current_;
  const bool is_label =
      current_.kind == Token::Kind::kString || is_plain_name(current_.text);  // "return #7" is not
  const bool head = current_.is("#") || (at_name() && ahead_.is(":")) || (is_label && ahead_.is("#"));
  if (!head) {
    if (locations_.size() == function_first_location_) fail_expected(current_, "a location such as 'start:'");
    return edge();
  }
  LocationDraft draft;
  draft.id = next_location_;
  draft.token = start;
  draft.location.function = function_;
  if (at_name()) draft.location.label = name("a label");
  if (accept("#")) draft.id = plain_number("the number of a location");
  expect(":");
  draft.location.position = position_after(start);
  next_location_ = draft.id + 1;
  if (!draft.location.label.empty()) {
    const auto [place, added] = labels_.try_emplace({function_, draft.location.label}, draft.id);
    if (!added) place->second.reset();
  }
  if (!location_function_.emplace(draft.id, function_).second)
    fail(start, fmt::format("there is a second location with the number {}", draft.id));
  locations_.push_back(std::move(draft));
  expect_line_end();
}

void Parser::edge() {
  EdgeDraft draft;
  draft.id = next_edge_;
  draft.token = current_;
  const std::size_t calls_before = calls_.size();
  draft.edge.instruction = instruction();
  if (calls_.size() > calls_before) calls_.back().edge_draft = edges_.size();
  if (!leaves_for_good(draft.edge.instruction.op) || current_.is("->")) {
    expect("->");
    draft.target = reference("the label of a location");
  }
  const Token start = draft.token;
  if (current_.is("#")) {
    draft.token = take();
    draft.id = plain_number("the number of an edge");
  }
  next_edge_ = draft.id + 1;
  draft.edge.position = position_after(start);
  draft.edge.source = LocationId(locations_.back().id);
  edges_.push_back(std::move(draft));
  expect_line_end();
}

void Parser::finish_function(const Token& opening, const std::optional<Reference>& entry) {
  if (locations_.size() == function_first_location_) fail(opening, "this function has no location");
  const std::uint32_t first = locations_[function_first_location_].id;
  program_.functions.back().entry = LocationId(entry ? resolve_location(*entry, function_) : first);
  for (std::size_t i = function_first_edge_; i < edges_.size(); ++i) {
    Edge& edge = edges_[i].edge;
    edge.target = edges_[i].target ? LocationId(resolve_location(*edges_[i].target, function_)) : edge.source;
  }
  function_ = FunctionId();
}

void Parser::thread() {
  const bool dormant = accept("dormant");
  const bool single = accept("single");
  const Token opening = expect("thread");
  Thread thread{.name = name("the thread's name"), .dormant = dormant, .single = single};
  expect("=");
  const Reference function = reference("the name of a function");
  thread.function = FunctionId(resolve(function, program_.functions, "function"));
  expect("(");
  while (!current_.is(")")) {
    thread.arguments.push_back(signed_number());
    if (!accept(",")) break;
  }
  expect(")");
  thread.position = position_after(opening);
  program_.threads.push_back(std::move(thread));
}

// The first goal, or one more thread of the last one.
void Parser::goal() {
  std::vector<std::vector<ThreadLocation>>& goals = program_.properties.goals;
  if (goals.empty()) goals.emplace_back();
  goals.back().push_back(thread_location());
}

void Parser::another_goal() {
  const Token opening = expect("or");
  expect("goal");
  if (program_.properties.goals.empty()) fail(opening, "there is no goal yet", "the first one has no 'or'");
  program_.properties.goals.push_back({thread_location()});
}

void Parser::exclusive() {
  std::vector<ThreadLocation> list;
  while (current_.kind != Token::Kind::kNewline && current_.kind != Token::Kind::kEnd) {
    list.push_back(thread_location());
    if (!accept(",")) break;
  }
  program_.properties.exclusive.push_back(std::move(list));
}

void Parser::invariant() {
  const Token opening = take();
  Invariant invariant{.expression = expression()};
  if (accept(",")) invariant.text = message();
  invariant.position = position_after(opening);
  program_.properties.invariants.push_back(std::move(invariant));
}

ThreadLocation Parser::thread_location() {
  const ThreadId thread = thread_reference();
  expect("at");
  const Reference wanted = reference("the label of a location");
  return {thread, LocationId(resolve_location(wanted, program_.thread(thread).function))};
}

// --- Resolving
// ----------------------------------------------------------------------------------------------

template <class Declared>
std::uint32_t Parser::resolve(const Reference& wanted, const Declared& declared,
                              std::string_view what) const {
  if (wanted.number) {
    if (*wanted.number >= declared.size())
      fail(wanted.token, fmt::format("there is no {} #{}", what, *wanted.number));
    return *wanted.number;
  }
  const Token& token = wanted.token;
  const std::string_view name = token.name();
  std::optional<std::uint32_t> found;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    if (declared[i].name != name) continue;
    if (found) fail(token, fmt::format("there are several {}s {}; write # and a number", what, shown(token)));
    found = static_cast<std::uint32_t>(i);
  }
  if (!found) fail(token, fmt::format("there is no {} {}", what, shown(token)));
  return *found;
}

ThreadId Parser::thread_reference() {
  return ThreadId(resolve(reference("the name of a thread"), program_.threads, "thread"));
}

std::uint32_t Parser::resolve_location(const Reference& wanted, FunctionId function) const {
  if (wanted.number) {
    const auto found = location_function_.find(*wanted.number);
    if (found == location_function_.end() || found->second != function)
      fail(wanted.token, fmt::format("there is no location #{} in this function", *wanted.number));
    return *wanted.number;
  }
  const Token& token = wanted.token;
  const auto found = labels_.find({function, std::string(token.name())});
  if (found == labels_.end())
    fail(token, fmt::format("there is no location {} in this function", shown(token)));
  if (!found->second)
    fail(token, fmt::format("there are several locations {} in this function", shown(token)),
         "give them numbers, as in 'label #7:', and refer to them as #7");
  return *found->second;
}

void Parser::resolve_calls() {
  for (const CallDraft& call : calls_) {
    const std::uint32_t callee = resolve(call.callee, program_.functions, "function");
    edges_[call.edge_draft].edge.instruction.callee = FunctionId(callee);
  }
}

void Parser::place_locations() {
  program_.locations.resize(locations_.size());
  for (LocationDraft& draft : locations_) {
    if (draft.id >= locations_.size())
      fail(draft.token,
           fmt::format("location number {} is too large: there are {} locations, numbered from 0", draft.id,
                       locations_.size()));
    program_.locations[draft.id] = std::move(draft.location);
  }
}

void Parser::place_edges() {
  std::vector<bool> taken(edges_.size());
  program_.edges.resize(edges_.size());
  for (EdgeDraft& draft : edges_) {
    if (draft.id >= edges_.size())
      fail(draft.token, fmt::format("edge number {} is too large: there are {} edges, numbered from 0",
                                    draft.id, edges_.size()));
    if (taken[draft.id])
      fail(draft.token, fmt::format("there is a second edge with the number {}", draft.id));
    taken[draft.id] = true;
    program_.locations[draft.edge.source.index()].edges.emplace_back(draft.id);
    program_.edges[draft.id] = std::move(draft.edge);
  }
}

}  // namespace text_form

}  // namespace weir
