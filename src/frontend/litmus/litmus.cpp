#include "frontend/litmus/litmus.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "frontend/litmus/c_parser.hpp"
#include "frontend/litmus/header.hpp"
#include "frontend/litmus/state_parser.hpp"
#include "frontend/litmus/x86_lowering.hpp"
#include "frontend/litmus/x86_parser.hpp"

namespace weir {

namespace {

using namespace litmus;

// Finds what conditions and initial values name in a program that is (nearly) built.
class Names {
 public:
  Names(LitmusTest& test, Variables* variables) : test_(test), variables_(variables) {}

  ObservedPlace reg(std::size_t thread, const Name& name) {
    Program& program = test_.program;
    if (thread >= program.threads.size())
      fail(name.position,
           fmt::format("there is no thread {}; the last one is {}", thread, program.threads.size() - 1));
    const ThreadId id(thread);
    const FunctionId function = program.threads[thread].function;
    const auto place = [&](RegisterId reg, const std::string& shown, Type type) {
      return ObservedPlace{
          .name = fmt::format("{}:{}", thread, shown), .thread = id, .reg = reg, .type = type};
    };
    if (test_.language != LitmusLanguage::kC) {
      const auto reg = x86_register(test_.language, name.text);
      if (!reg) fail(name.position, fmt::format("there is no register '{}'", name.text));
      return place(x86_register_of(program, test_.language, function, *reg), reg->name, {reg->bits, true});
    }
    const auto found = program.find_register(function, name.text);
    if (!found)
      fail(name.position, fmt::format("thread {} has no variable '{}' of its own", thread, name.text));
    return place(*found, name.text, program.function(function).registers[found->index()].type);
  }

  ObservedPlace variable(const Name& name, std::optional<std::size_t> cell) {
    const SharedObject& object = find(name);
    if (cell && *cell >= object.initial.size())
      fail(name.position, fmt::format("'{}' has only {} cells", name.text, object.initial.size()));
    return {.name = cell ? fmt::format("{}[{}]", name.text, *cell) : name.text,
            .address = object.base + static_cast<Value>(cell.value_or(0)) * object.stride,
            .type = object.type};
  }

  PlaceNames places() {
    return {.reg = [this](std::size_t thread, const Name& name) { return reg(thread, name); },
            .variable = [this](const Name& name,
                               std::optional<std::size_t> cell) { return variable(name, cell); },
            .address = [this](const std::string& name) -> std::optional<Value> {
              const auto object = test_.program.find_object(name);
              if (!object) return std::nullopt;
              return test_.program.object(*object).base;
            }};
  }

 private:
  const SharedObject& find(const Name& name) {
    if (variables_ != nullptr) return variables_->get(name);
    const auto object = test_.program.find_object(name.text);
    if (!object) fail(name.position, fmt::format("there is no variable '{}'", name.text));
    return test_.program.object(*object);
  }

  LitmusTest& test_;
  Variables* variables_;  // where new ones may be added; null if none may
};

void add_threads(Program& program, const std::vector<SourcePosition>& positions) {
  for (std::size_t t = 0; t < positions.size(); ++t) {
    const std::string name = fmt::format("P{}", t);
    program.add_thread(name, program.add_function(name, positions[t]), positions[t]);
  }
}

void set_registers(LitmusTest& test, const std::vector<Declaration>& initial_state, Variables& variables) {
  Names names(test, &variables);
  for (const Declaration& declaration : initial_state) {
    if (!declaration.thread) continue;
    const ObservedPlace place = names.reg(*declaration.thread, declaration.name);
    if (declaration.values.empty()) continue;
    const Value value = variables.value(declaration.values[0]);
    Program& program = test.program;
    Register& reg =
        program.functions[program.thread(place.thread).function.index()].registers[place.reg.index()];
    reg.initial = wrap(static_cast<std::uint64_t>(value), reg.type);
  }
}

// How a register is shown that the initial state declares with a type.
void set_register_types(FinalQuestion& question, const std::vector<Declaration>& initial_state,
                        Names& names) {
  for (const Declaration& declaration : initial_state) {
    if (!declaration.thread || !declaration.type) continue;
    const ObservedPlace declared = names.reg(*declaration.thread, declaration.name);
    for (ObservedPlace& place : question.places)
      if (place == declared && place.type.bits == declaration.type->bits) place.type = *declaration.type;
  }
}

void parse_x86_test(TokenReader& tokens, const std::vector<Declaration>& initial_state, LitmusTest& test) {
  const std::vector<X86Thread> threads = parse_x86(tokens, test.language);
  std::vector<SourcePosition> positions;
  for (const X86Thread& thread : threads) positions.push_back(thread.position);
  add_threads(test.program, positions);
  Variables variables(test.program, accessed_types(threads), kInt);
  variables.declare(initial_state);
  set_registers(test, initial_state, variables);
  lower_x86(threads, test.language, variables, test.program);
  Names names(test, &variables);
  parse_question(tokens, names.places(), test.question);
  set_register_types(test.question, initial_state, names);
}

void parse_c_test(TokenReader& tokens, const std::vector<Declaration>& initial_state, LitmusTest& test) {
  tokens.set_comments(kCComments);
  Variables variables(test.program, c_parameter_types(tokens), kInt);
  variables.declare(initial_state);
  lower_c(tokens, variables, test.program);
  set_registers(test, initial_state, variables);
  tokens.set_comments(kMlComments);
  Names names(test, &variables);
  parse_question(tokens, names.places(), test.question);
}

void parse_test(FileId file, LitmusTest& test) {
  TextCursor begin(file, test.program.sources.file(file).text);
  Header header = read_header(begin);
  test.language = header.language;
  test.program.name = header.name;
  test.question.name = header.name;
  test.metadata = std::move(header.metadata);
  TokenReader tokens(begin);
  const std::vector<Declaration> initial_state = parse_initial_state(tokens);
  if (test.language == LitmusLanguage::kC)
    parse_c_test(tokens, initial_state, test);
  else
    parse_x86_test(tokens, initial_state, test);
}

}  // namespace

std::string_view LitmusTest::about(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, [](const auto& line) { return line.first; });
  return found == metadata.end() ? std::string_view() : found->second;
}

Expected<LitmusTest> parse_litmus(std::string path, std::string text) {
  LitmusTest test;
  const FileId file = test.program.sources.add(std::move(path), std::move(text));
  try {
    parse_test(file, test);
  } catch (SyntaxError& error) {
    return InputError{std::move(test.program.sources), {std::move(error.diagnostic)}};
  }
  return test;
}

Expected<FinalCondition> parse_final_condition(LitmusTest& test, const std::string& text) {
  SourceMap sources;
  const FileId file = sources.add("condition", text);
  try {
    TokenReader tokens(TextCursor(file, sources.file(file).text));
    Names names(test, nullptr);
    FinalCondition condition = parse_condition(tokens, names.places(), test.question);
    if (!tokens.at_end()) tokens.fail_expected("the end of the condition");
    return condition;
  } catch (SyntaxError& error) {
    return InputError{std::move(sources), {std::move(error.diagnostic)}};
  }
}

}  // namespace weir
