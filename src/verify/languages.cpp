#include "verify/languages.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "frontend/c/c.hpp"
#include "frontend/c/fence_edits.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/litmus/litmus.hpp"
#include "frontend/rmm/fence_edits.hpp"
#include "frontend/trencher/fence_edits.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/analysis/polling.hpp"
#include "program/text/fence_edits.hpp"
#include "program/text/text.hpp"

namespace weir::verify {

namespace {

using Printed = Expected<std::string, std::vector<Diagnostic>>;
using Locations = std::vector<LocationId>;
using Loops = std::vector<LoopFences>;

// Weir's own.

constexpr std::string_view kWeirSuffixes[] = {".weir"}, kWeirWords[] = {"weir"};

Expected<Program> parse_weir(const std::string& path, std::string text, const Dialect&) {
  return parse_program_text(path, std::move(text));
}

Printed print_weir(const Program& program) { return print(program); }

std::vector<TextEdit> weir_edits(const Program& program, const std::string& text, const Locations& fences,
                                 const Loops&) {
  return text_fence_edits(program, text, fences);
}

// Trencher's. Only .weir and RMM have loads that wait.

constexpr std::string_view kTrencherSuffixes[] = {".trn"};
constexpr std::string_view kTrencherWords[] = {"thread", "memory", "name", "memory_size"};

Expected<Program> parse_states(const std::string& path, std::string text, const Dialect&) {
  return parse_trencher(path, std::move(text));
}

Printed print_states(const Program& program) { return print_trencher(with_polling(program)); }

std::vector<TextEdit> state_edits(const Program& program, const std::string& text, const Locations& fences,
                                  const Loops&) {
  return trencher_fence_edits(program, text, fences);
}

// IMP.

constexpr std::string_view kImpSuffixes[] = {".imp"}, kImpWords[] = {"program"};

Expected<Program> parse_statements(const std::string& path, std::string text, const Dialect&) {
  return parse_imp(path, std::move(text));
}

Printed print_statements(const Program& program) { return print_imp(with_polling(program)); }

std::vector<bool> statement_sites(const Program& program, const std::string& text) {
  return imp_fence_sites(program, text);
}

Loops statement_loops(const Program& program, const std::string& text, const Locations& fences) {
  return imp_loops(program, text, fences);
}

std::vector<TextEdit> statement_edits(const Program& program, const std::string& text,
                                      const Locations& fences, const Loops& loops) {
  return imp_fence_edits(program, text, fences, loops);
}

// RMM.

constexpr std::string_view kRmmSuffixes[] = {".rmm"}, kRmmWords[] = {"forbidden"};

Expected<Program> parse_machines(const std::string& path, std::string text, const Dialect& dialect) {
  return parse_rmm(path, std::move(text), dialect.outside_range);
}

Printed print_machines(const Program& program) { return print_rmm(program); }

std::vector<bool> machine_sites(const Program& program, const std::string& text) {
  return rmm_fence_sites(program, text);
}

std::vector<TextEdit> machine_edits(const Program& program, const std::string& text, const Locations& fences,
                                    const Loops&) {
  return rmm_fence_edits(program, text, fences);
}

// Litmus tests.

constexpr std::string_view kLitmusSuffixes[] = {".litmus"}, kLitmusWords[] = {"X86", "X86_64", "C"};

Expected<Program> parse_test(const std::string& path, std::string text, const Dialect&) {
  auto test = parse_litmus(path, std::move(text));
  if (!test) return std::move(test.error());
  return std::move(test->program);
}

// Not between two steps of one instruction of the text.
std::vector<bool> between_instructions(const Program& program, const std::string&) {
  std::vector<bool> sites(program.locations.size(), true);
  for (const Edge& edge : program.edges) {
    const auto& leaving = program.location(edge.target).edges;
    if (!leaving.empty() && edge.position == program.edge(leaving.front()).position)
      sites[edge.target.index()] = false;
  }
  return sites;
}

// C and C++.

std::vector<bool> places_in_text(const Program& program, const std::string&) {
  std::vector<bool> sites(program.locations.size());
  for (std::size_t l = 0; l < sites.size(); ++l) sites[l] = c_fence_place(program, LocationId(l)).has_value();
  return sites;
}

// Code that is inlined stands once in the text and several times in the program.
Locations shared_places(const Program& program) {
  std::map<std::tuple<FileId, std::uint32_t, std::uint32_t, Opcode>, LocationId> first;
  Locations places;
  for (std::size_t l = 0; l < program.locations.size(); ++l) {
    const LocationId location(l);
    const auto place = c_fence_place(program, location);
    if (!place) {
      places.push_back(location);
      continue;
    }
    const Opcode op = program.edge(program.location(location).edges.front()).instruction.op;
    places.push_back(
        first.try_emplace({place->file, place->line, place->column, op}, location).first->second);
  }
  return places;
}

constexpr Language kLanguages[] = {
    {.name = "weir",
     .suffixes = kWeirSuffixes,
     .first_words = kWeirWords,
     .parse = parse_weir,
     .print = print_weir,
     .fence_edits = weir_edits},
    {.name = "trencher",
     .suffixes = kTrencherSuffixes,
     .first_words = kTrencherWords,
     .parse = parse_states,
     .print = print_states,
     .fence_edits = state_edits},
    {.name = "imp",
     .suffixes = kImpSuffixes,
     .first_words = kImpWords,
     .parse = parse_statements,
     .print = print_statements,
     .fence_sites = statement_sites,
     .loop_fences = statement_loops,
     .fence_edits = statement_edits},
    {.name = "rmm",
     .suffixes = kRmmSuffixes,
     .first_words = kRmmWords,
     .parse = parse_machines,
     .print = print_machines,
     .fence_sites = machine_sites,
     .fence_edits = machine_edits},
    {.name = "litmus",
     .suffixes = kLitmusSuffixes,
     .first_words = kLitmusWords,
     .parse = parse_test,
     .fence_sites = between_instructions},
    {.name = "c", .suffixes = kCSuffixes, .fence_sites = places_in_text, .fence_places = shared_places},
};

// The first word of a text, after blanks and comments.
std::string_view first_word(std::string_view text) {
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin);
    const bool is_block = text.starts_with("/*");
    if (!is_block && text[0] != '#' && !text.starts_with("//")) break;
    const std::size_t end = is_block ? text.find("*/") : text.find('\n');
    text.remove_prefix(std::min(end == std::string_view::npos ? end : end + (is_block ? 2 : 0), text.size()));
  }
  return text.substr(0, text.find_first_of(" \t\r\n"));
}

}  // namespace

bool Language::owns(std::string_view path) const {
  return std::ranges::any_of(suffixes, [&](std::string_view suffix) {
    return path.size() > suffix.size() && path.ends_with(suffix);
  });
}

std::span<const Language> languages() { return kLanguages; }

const Language* find_language(std::string_view name) {
  const auto found = std::ranges::find(kLanguages, name, &Language::name);
  return found == std::end(kLanguages) ? nullptr : found;
}

const Language* recognise(std::string_view path, std::string_view text) {
  constexpr std::size_t kSniffed = 4096;
  for (const Language& language : kLanguages)
    if (language.owns(path)) return &language;
  const std::string_view word = first_word(text.substr(0, kSniffed));
  for (const Language& language : kLanguages)
    if (std::ranges::find(language.first_words, word) != language.first_words.end()) return &language;
  return nullptr;
}

}  // namespace weir::verify
