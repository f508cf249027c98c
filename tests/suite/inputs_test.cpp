// What inputs say about themselves, and what a manifest says about them: expectations, options, companions; and that
// a mistake in them is the failure of one input, not of the suite.
#include "suite/inputs.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder.hpp"

namespace weir::suite::inputs_test {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class SuiteInputs : public testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path.string();
  }
  std::vector<Input> inputs(const std::vector<std::string>& paths,
                            const std::optional<std::string>& manifest = {}) const {
    auto found = collect_inputs({paths, manifest, [](const Input& input) -> std::optional<Diagnostic> {
                                   for (const std::string& option : input.options)
                                     if (option == "--forbidden")
                                       return Diagnostic{Severity::kError, "not this one", {}, ""};
                                   return std::nullopt;
                                 }});
    EXPECT_TRUE(found.ok());
    return found.ok() ? *found : std::vector<Input>();
  }

  TemporaryFolder folder_;
};

std::string told(const Expectation& expectation) {
  return (expectation.model ? name(*expectation.model) : std::string("any")) + " " + expectation.verdict +
         (expectation.kind.empty() ? "" : " " + expectation.kind);
}

std::vector<std::string> told(const std::vector<Expectation>& expectations) {
  std::vector<std::string> all;
  for (const Expectation& each : expectations) all.push_back(told(each));
  return all;
}

TEST_F(SuiteInputs, SayWhatIsExpectedInCommentsOfTheirLanguage) {
  const auto found = inputs({file("a.c", "// expect: sc safe, tso unsafe assertion\nint main() {}\n"),
                             file("b.imp", "(* expect: all safe *)\nprogram b\n"),
                             file("c.litmus", "X86 c\nExpect=sc:Never tso:Sometimes\n"),
                             file("d.c", "/* expect: error */\n")});
  ASSERT_THAT(found, SizeIs(4));
  EXPECT_THAT(told(found[0].expectations), ElementsAre("sc safe", "tso unsafe assertion"));
  EXPECT_THAT(told(found[1].expectations), ElementsAre("sc safe", "tso safe", "pso safe"));
  EXPECT_THAT(told(found[2].expectations), ElementsAre("sc never", "tso sometimes"));
  EXPECT_THAT(told(found[3].expectations), ElementsAre("any error"));
}

TEST_F(SuiteInputs, KeepTogetherWhatStandsInQuotes) {
  const auto found =
      inputs({file("a.imp", "// options: --no-deadlock  --invariant \"x != 1\" --range=\"x=0:1\"\n")});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].options, ElementsAre("--no-deadlock", "--invariant", "x != 1", "--range=x=0:1"));
}

TEST_F(SuiteInputs, OfAFolderAreInTheOrderOfTheirPaths) {
  file("suite/b.imp", "");
  file("suite/a.c", "");
  file("suite/notes.md", "");
  file("suite/.hidden/c.c", "");
  const auto found = inputs({(folder_.path() / "suite").string()});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(found[0].file, HasSubstr("a.c"));
  EXPECT_THAT(found[1].file, HasSubstr("b.imp"));
}

TEST_F(SuiteInputs, WithCompanionsAreOneProgram) {
  const std::string queue = file("queue.c", "");
  const auto found = inputs({file("main.c", "// with: queue.c\n"), queue});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].companions, ElementsAre(queue));
  EXPECT_THAT(found[0].problem, IsEmpty());
}

TEST_F(SuiteInputs, FailByThemselvesIfWhatTheySayIsWrong) {
  const auto found = inputs({file("a.c", "// expect: perhaps\n"), file("b.c", "// options: --forbidden\n"),
                             file("c.c", "// with: ../other.c\n"),
                             file("d.c", "// compiler: -o/etc/passwd\n"), file("e.c", "// expect: safe\n")});
  ASSERT_THAT(found, SizeIs(5));
  EXPECT_THAT(found[0].problem, HasSubstr("'perhaps' is no expectation"));
  EXPECT_THAT(found[1].problem, HasSubstr("not this one"));
  EXPECT_THAT(found[2].problem, HasSubstr("is no C source in the folder"));
  EXPECT_THAT(found[3].problem, HasSubstr("cannot ask for -o/etc/passwd"));
  EXPECT_THAT(found[4].problem, IsEmpty());
}

TEST_F(SuiteInputs, AreExpectedToDoWhatTheManifestSays) {
  const std::string program = file("a.c", "// expect: all safe\n");
  const auto found =
      inputs({program}, file("manifest", "a.c: tso unsafe  # not what it says itself\nz.c: safe\n"));
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_THAT(told(found[0].expectations), ElementsAre("tso unsafe"));
  EXPECT_THAT(found[1].problem, HasSubstr("no input of this suite has this path"));
}

}  // namespace weir::suite::inputs_test
