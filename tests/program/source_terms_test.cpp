// The words of the source survive the way through the text in which they travel, and a damaged text loses words, not
// the program.
#include "program/source_terms.hpp"

#include <gtest/gtest.h>

namespace weir::source_terms_test {
namespace {

Program program_with(const std::string& text) {
  Program program;
  const FunctionId function = program.add_function("f");
  const LocationId from = program.add_location(function), to = program.add_location(function);
  program.add_edge(from, to, {.op = Opcode::kNop});
  program.sources.add("a.c", "");
  program.sources.add(std::string(kTermsPath), text);
  return program;
}

SourceTerms some_terms() {
  SourceTerms terms;
  terms.types.push_back({.kind = SourceType::Kind::kRecord, .name = "node", .bytes = 16});
  terms.types.push_back({.kind = SourceType::Kind::kPointer, .bytes = 8, .target = SourceTypeId(0)});
  terms.types.push_back({.kind = SourceType::Kind::kEnumeration, .name = "state", .bytes = 4,
                         .enumerators = {{"IDLE", 0}, {"BUSY", -1}}});
  terms.types[0].members = {{"next", 0, SourceTypeId(1)}, {"state", 8, SourceTypeId(2)}};
  terms.variables = {{"nodes", 4096, 32, SourceTypeId(0)}, {"f", 8192, 1, {}}};
  terms.accesses[EdgeId(0)] = {"o->next", SourceTypeId(1), SourceTypeId(0), 0};
  terms.chains = {{{"inner", {FileId(0), 3, 7}, true}, {"outer", {FileId(0), 9, 1}, false}}};
  terms.chain_of[EdgeId(0)] = 0;
  return terms;
}

TEST(SourceTerms, SurviveTheirText) {
  const std::string text = print(some_terms());
  const auto read = terms_of(program_with(text));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(print(*read), text);
  EXPECT_EQ(read->types[0].members[1].name, "state");
  EXPECT_EQ(read->types[2].enumerators[1].value, -1);
  EXPECT_EQ(read->accesses.at(EdgeId(0)).text, "o->next");
  EXPECT_FALSE(read->variables[1].type);
}

TEST(SourceTerms, ThePlaceIsTheInnermostOfTheUsersOwn) {
  const Program program = program_with(print(some_terms()));
  const auto terms = terms_of(program);
  ASSERT_NE(terms, nullptr);
  EXPECT_EQ(own_position(program, terms.get(), EdgeId(0)).line, 9u);
  EXPECT_FALSE(own_position(program, nullptr, EdgeId(0)).known());
}

TEST(SourceTerms, DamagedTextsAreNone) {
  const std::string text = print(some_terms());
  EXPECT_EQ(terms_of(program_with("")), nullptr);
  EXPECT_EQ(terms_of(program_with("[]")), nullptr);
  EXPECT_EQ(terms_of(program_with(text.substr(0, text.size() / 2))), nullptr);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return terms_of(program_with(changed.replace(at, from.size(), to)));
  };
  EXPECT_EQ(with("\"edge\":0", "\"edge\":1"), nullptr) << "no such edge";
  EXPECT_EQ(with("\"calls\":0", "\"calls\":7"), nullptr) << "no such chain";
  EXPECT_EQ(with("\"target\":0", "\"target\":3"), nullptr) << "no such type";
  EXPECT_EQ(with("\"file\":0", "\"file\":2"), nullptr) << "no such file";
  EXPECT_EQ(with("\"record\"", "\"recorder\""), nullptr) << "no such kind";
}

TEST(SourceTerms, ProgramsMayHaveNone) {
  Program program;
  program.sources.add("a.imp", "");
  EXPECT_EQ(terms_of(program), nullptr);
}

TEST(SourceTerms, ReservedMembersBelongToTheLibrary) {
  EXPECT_EQ(without_reserved_members("accounts[0].lock.__data.__kind"), "accounts[0].lock");
  EXPECT_EQ(without_reserved_members("instance._M_b._M_p"), "instance");
  EXPECT_EQ(without_reserved_members("node._next.data"), "node._next.data") << "a name of the user's own";
  EXPECT_EQ(without_reserved_members("x"), "x");
}

}  // namespace
}  // namespace weir::source_terms_test
