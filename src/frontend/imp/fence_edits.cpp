// Which statement starts at a location is told by their positions, which lowering makes equal. An expression
// never stands where a statement starts; only the location at the end of an atomic block has the position of
// the block, too.
#include "frontend/imp/fence_edits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "frontend/imp/lexer.hpp"
#include "frontend/imp/syntax.hpp"

namespace weir {

namespace {

using imp::Statement;
using imp::Token;

class FenceSites {
 public:
  FenceSites(const Program& program, std::string_view text)
      : program_(program), text_(text), lines_(text), syntax_(imp::parse(FileId(0), text)) {
    for (const imp::Process& process : syntax_.processes) collect(process.body);
  }

  // The statement that starts at the location; none if there is no fence to be put there.
  const Statement* statement_at(LocationId id) const {
    const Location& location = program_.location(id);
    const auto found = statements_.find({location.position.line, location.position.column});
    if (found == statements_.end() || location.edges.empty()) return nullptr;
    const Opcode first = program_.edge(location.edges[0]).instruction.op;
    if (first == Opcode::kAtomicEnd) return nullptr;
    const bool loop = found->second->kind == Statement::Kind::kWhile;
    return loop && named_by_property(id) ? nullptr : found->second;
  }

  bool is_loop(LocationId location) const {
    const Statement* statement = statement_at(location);
    return statement != nullptr && statement->kind == Statement::Kind::kWhile;
  }

  std::vector<TextEdit> edits(std::span<const LocationId> locations, std::span<const LoopFences> loops) {
    std::vector<TextEdit> result;
    for (const LocationId location : locations) {
      const Statement* statement = statement_at(location);
      WEIR_CHECK(statement != nullptr, "fences are put at fence sites");
      const auto loop = std::ranges::find(loops, location, &LoopFences::loop);
      const LoopFences wanted = loop != loops.end() ? *loop : LoopFences{location};
      if (!is_loop(location) || wanted.before) put_before(*statement, result);
      if (is_loop(location) && wanted.inside) put_at_end(*statement, result);
    }
    return result;
  }

 private:
  void collect(const std::vector<Statement>& statements) {
    for (const Statement& statement : statements) {
      statements_[{statement.position.line, statement.position.column}] = &statement;
      if (statement.kind == Statement::Kind::kAtomic) continue;
      collect(statement.body);
      collect(statement.otherwise);
    }
  }

  bool named_by_property(LocationId id) const {
    const auto names = [&](const std::vector<ThreadLocation>& places) {
      return std::ranges::find(places, id, &ThreadLocation::location) != places.end();
    };
    return std::ranges::any_of(program_.properties.goals, names) ||
           std::ranges::any_of(program_.properties.exclusive, names);
  }

  static bool blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

  // The line up to the statement, if there is nothing on it but a label: as blanks.
  static std::optional<std::string> indentation(std::string_view before, const Statement& statement) {
    const std::size_t label = before.find(statement.label.text);
    const std::string_view rest =
        statement.label.empty() || label == std::string_view::npos ? before : before.substr(0, label);
    if (!blank(rest)) return std::nullopt;
    std::string blanks(before);
    std::ranges::replace_if(
        blanks, [](char c) { return c != '\t'; }, ' ');
    return blanks;
  }

  void put_before(const Statement& statement, std::vector<TextEdit>& edits) const {
    const std::size_t at = lines_.offset(statement.position);
    const auto blanks = indentation(lines_.before(at), statement);
    const std::string gap = blanks ? std::string(lines_.line_end(at)) + *blanks : " ";
    edits.push_back({at, at, "fence;" + gap});
  }

  void put_at_end(const Statement& loop, std::vector<TextEdit>& edits) {
    const std::size_t at = lines_.offset(loop.closing);
    const Token last = token_before(at);
    const std::size_t last_end = static_cast<std::size_t>(last.text.data() - text_.data()) + last.text.size();
    if (!last.is(";") && !last.is("do")) edits.push_back({last_end, last_end, ";"});
    const std::string_view before = lines_.before(at);
    const std::string fence =
        blank(before) ? "  fence" + std::string(lines_.line_end(at)) + std::string(before) : "fence ";
    edits.push_back({at, at, fence});
  }

  Token token_before(std::size_t offset) {
    if (tokens_.empty()) {
      imp::TokenReader reader(FileId(0), text_);
      while (!reader.at_end()) tokens_.push_back(reader.take());
    }
    const auto after = std::ranges::lower_bound(tokens_, offset, {}, [&](const Token& t) {
      return static_cast<std::size_t>(t.text.data() - text_.data());
    });
    return *std::prev(after);
  }

  const Program& program_;
  std::string_view text_;
  LineTable lines_;
  imp::ProgramSyntax syntax_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, const Statement*> statements_;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<bool> imp_fence_sites(const Program& program, std::string_view text) {
  const FenceSites sites(program, text);
  std::vector<bool> result;
  for (std::size_t l = 0; l < program.locations.size(); ++l)
    result.push_back(sites.statement_at(LocationId(l)) != nullptr);
  return result;
}

std::vector<LoopFences> imp_loops(const Program& program, std::string_view text,
                                  std::span<const LocationId> locations) {
  const FenceSites sites(program, text);
  std::vector<LoopFences> loops;
  for (const LocationId location : locations)
    if (sites.is_loop(location)) loops.push_back({location});
  return loops;
}

std::vector<TextEdit> imp_fence_edits(const Program& program, std::string_view text,
                                      std::span<const LocationId> locations,
                                      std::span<const LoopFences> loops) {
  return FenceSites(program, text).edits(locations, loops);
}

}  // namespace weir
