// Programs: where they come from, what is known of them, and what is said about those that are wrong.
#include <algorithm>
#include <fstream>

#include "user.hpp"

namespace {

using weir::ErrorKind;
using weir::Input;
using weir::Model;
using weir::Verdict;

const char* const kCounter = R"(#include <assert.h>
#include <pthread.h>
#include "limit.h"
int counter;
static void *add(void *unused) {
  int seen = counter;
  counter = seen + 1;
  return unused;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(counter == LIMIT);
}
)";

bool names(const std::vector<std::string>& list, const std::string& name) {
  return std::ranges::find(list, name) != list.end();
}

void look() {
  const weir::Program dekker = example("dekker.imp");
  expect(dekker.language() == "imp" && !dekker.is_array_system(), "an imp program");
  expect(dekker.threads() == std::vector<std::string>{"P0", "P1"}, "two threads");
  expect(names(dekker.variables(), "turn") && names(dekker.variables(), "flag_1"), "its variables");
  expect(dekker.files().size() == 1 && dekker.restrictions().empty(), "one file, nothing left out");
  const std::string text = expect_value(dekker.text());
  const auto again = expect_value(weir::Program::load(Input::from_text(text, "dekker.weir")));
  expect_verdict(expect_value(weir::check(again, {.model = Model::kTso})), Verdict::kUnsafe);
  expect(dekker.text("promela-or-so").ok() == false, "there is no such form");
}

void c_programs() {
  if (!has_c) {
    expect(!weir::Program::load(Input::from_text(kCounter, "counter.c")).ok(), "no C without LLVM");
    return;
  }
  const weir::Program fixed = example("c/dekker-fenced.c");
  expect_verdict(expect_value(weir::check(fixed, {.model = Model::kTso})), Verdict::kSafe);

  const auto nameless = expect_value(
      weir::Program::load(Input::from_text("int main(void) { return 0; }\n", "text"), {.language = "c"}));
  expect(nameless.language() == "c" && nameless.files() == std::vector<std::string>{"text"},
         "a C text without a name");

  // A text that is in no file, with a header that is.
  const auto folder = outputs / "counter";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "limit.h") << "#define LIMIT 2\n";
  const std::string name = (folder / "counter.c").string();
  const auto counter = expect_value(weir::Program::load(Input::from_text(kCounter, name)));
  const auto answer = expect_value(weir::check(counter));
  expect_verdict(answer, Verdict::kUnsafe);
  expect(answer.execution && answer.execution->violation.place.file == name &&
             answer.execution->violation.place.line == 16,
         "the violation is in the text");
  expect(answer.text().find("assert(counter == LIMIT);") != std::string::npos, "its line is shown");
  write_reports(answer, "c_text");
  const auto race = expect_value(weir::check(counter, {.properties = {.races = true}}));
  expect(race.execution && race.execution->violation.kind == weir::ViolationKind::kRace,
         "there is a race, too");

  // A file whose text is another one now, as in an editor.
  std::ofstream(name) << "this is no C\n";
  expect(!weir::Program::load(name).ok(), "what is in the file is wrong");
  expect_value(weir::Program::load(Input::from_text(kCounter, name)));

  const auto together = expect_value(weir::Program::load_together(
      {Input::from_text("int x;\nint get(void) { return x; }\n", "get.c"),
       Input::from_text("#include <assert.h>\nint get(void);\nint main(void) { assert(get() == WANTED); }\n",
                        "main.c")},
      {.c = {.compiler_arguments = {"-DWANTED=0"}}}));
  expect_verdict(expect_value(weir::check(together)), Verdict::kSafe);
}

void c_fences() {
  if (!has_c) return;
  const weir::Program dekker = example("c/dekker.c");
  const auto answer = expect_value(weir::fence(dekker));
  expect_verdict(answer, Verdict::kRobust);
  if (!expect(answer.edits.size() == 1, "the fences are in one file")) return;
  const weir::FileEdits& edits = answer.edits.front();
  expect(edits.file.ends_with("dekker.c") && edits.edits.size() > answer.fences.size(),
         "a header, and each fence");
  const auto fenced =
      expect_value(weir::Program::load(Input::from_text(edits.after, "dekker-with-fences.c")));
  expect_verdict(expect_value(weir::robust(fenced)), Verdict::kRobust);
  expect(expect_value(weir::fence(fenced)).fences.empty(), "a text gets fences, too, if it needs some");
}

template <class T>
void expect_error(const weir::Result<T>& result, ErrorKind kind, const std::string& words,
                  const std::source_location& where = std::source_location::current()) {
  if (!expect(!result.ok(), "there is an error about " + words, where)) return;
  const weir::Error& error = result.error();
  expect(error.kind == kind && !error.diagnostics.empty(), "it is of its kind: " + error.text, where);
  expect(error.text.find(words) != std::string::npos, "it says '" + words + "', not " + error.text, where);
}

void bad_texts() {
  const auto wrong =
      weir::Program::load(Input::from_text("weir 1\nshared x\nthread P = nobody()\n", "wrong.weir"));
  expect_error(wrong, ErrorKind::kInput, "nobody");
  const weir::Diagnostic& first = wrong.error().diagnostics.front();
  expect(first.file == "wrong.weir" && first.line == 3 && first.column > 0, "it is located");
  expect(first.text.find("wrong.weir:3:") != std::string::npos && first.text.find('^') != std::string::npos,
         "as a compiler does it");
  expect_error(weir::Program::load("no/such/file.imp"), ErrorKind::kInput, "file.imp");
  expect_error(weir::Program::load(Input::from_text("", "empty.imp")), ErrorKind::kInput, "empty");
  expect_error(weir::consistent(Input::from_text("{", "broken.json")), ErrorKind::kInput, "broken.json");
  try {
    wrong.value();
    expect(false, "a failed result has no value");
  } catch (const weir::NoValue& none) {
    expect(std::string(none.what()).find("nobody") != std::string::npos, "the exception says why");
  }
  if (!has_c) return;
  const auto bad = weir::Program::load(Input::from_text("int main(void) {\n  return oops;\n}\n", "bad.c"));
  expect_error(bad, ErrorKind::kInput, "bad.c:2:");
  const auto is_located = [](const weir::Diagnostic& diagnostic) {
    return diagnostic.file == "bad.c" && diagnostic.line == 2 &&
           diagnostic.message.find("oops") != std::string::npos;
  };
  expect(std::ranges::any_of(bad.error().diagnostics, is_located), "what clang says is located, too");
}

void bad_questions() {
  const weir::Program dekker = example("dekker.imp");
  const auto usage = ErrorKind::kUsage;
  expect_error(weir::check(dekker, {.engine = "magic"}), usage, "magic");
  expect_error(weir::check(dekker, {.model = Model::kPso, .engine = "dual"}), usage, "dual");
  expect_error(weir::check(dekker, {.model = Model::kPso, .any_number = true}), usage, "pso");
  expect_error(weir::check(dekker, {.properties = {.exclusive = {"nowhere"}}}), usage, "nowhere");
  expect_error(weir::check(dekker, {.limits = {.ranges = {{"flag_2", 0, 1}}}}), usage, "flag_2");
  expect_error(weir::check(dekker, {.run = {.timeout = std::chrono::seconds(0)}}), usage, "timeout");
  expect_error(weir::fence(dekker, {.model = Model::kPso}), usage, "tso");
  expect_error(weir::explore(dekker, {.model = Model::kTso, .equivalence = weir::Equivalence::kDataCentric}),
               usage, "sc");
  expect_error(weir::robust(example("array/token.cub")), usage, "any number");
  expect_error(weir::Program::load("a.imp", {.language = "cobol"}), usage, "cobol");
  expect_error(weir::Program::load_together({"a.imp", "b.imp"}), usage, "one C program");
  expect_error(weir::outcomes(dekker, {.show = {"flag_2"}}), usage, "flag_2");
}

}  // namespace

void read_programs() {
  look();
  c_programs();
  c_fences();
}

void read_bad_programs() {
  bad_texts();
  bad_questions();
}
