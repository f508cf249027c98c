// A fuzzer for the text front ends: parser_fuzz [count] [seed]
//
// Feeds `count` inputs to each parser: examples with random changes, random words of the language, random
// bytes. A parser must answer every input quickly, without an exception: with a located diagnostic inside the
// text, or with a well-formed program, which must print, if it can be printed, to a text that parses again.
// Run it with sanitizers; the seed makes a run repeatable. The first failing input is shown and ends the run.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/array/array.hpp"
#include "frontend/imp/imp.hpp"
#include "frontend/imp/invariant.hpp"
#include "frontend/litmus/litmus.hpp"
#include "frontend/rmm/rmm.hpp"
#include "frontend/trencher/trencher.hpp"
#include "program/array/text.hpp"
#include "program/validate.hpp"

namespace {

using namespace weir;

constexpr auto kSlowest = std::chrono::seconds(5);
constexpr std::size_t kLongestSeed = 6'000;

struct Tally {
  std::size_t accepted = 0, rejected = 0, printed = 0;
};

struct Language {
  std::string name;
  std::string suffix;
  std::function<std::string(const std::string&, Tally&)>
      check;  // why the answer is wrong; empty if it is right
  std::vector<std::string> words;
  std::vector<std::string> seeds;
};

class InputMaker {
 public:
  explicit InputMaker(std::uint64_t seed) : random_(seed) {}

  std::string make(const Language& language) {
    switch (pick(10)) {
      case 0: return bytes(pick(200));
      case 1:
      case 2: return soup(language, pick(60));
      default: return mutated(language);
    }
  }

 private:
  std::size_t pick(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  const std::string& any(const std::vector<std::string>& list) { return list[pick(list.size())]; }

  std::string bytes(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += static_cast<char>(random_());
    return text;
  }

  std::string soup(const Language& language, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += any(language.words) + (pick(8) == 0 ? "\n" : " ");
    return text;
  }

  std::string mutated(const Language& language) {
    std::string text = any(language.seeds);
    for (std::size_t changes = 1 + pick(4); changes > 0; --changes) change(text, language);
    return text;
  }

  void change(std::string& text, const Language& language) {
    const std::size_t at = pick(text.size() + 1);
    const std::size_t length = std::min(pick(20), text.size() - at);
    switch (pick(7)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, bytes(1 + pick(3))); break;
      case 2: text.insert(at, " " + any(language.words) + " "); break;
      case 3: text.replace(at, length, any(language.words)); break;
      case 4: text.insert(pick(text.size() + 1), text.substr(at, length)); break;
      case 5: replace_word(text, language); break;
      default: text.resize(at); break;
    }
  }

  // Keeps the text plausible: one word of the language for another.
  void replace_word(std::string& text, const Language& language) {
    const std::string& old_word = any(language.words);
    const std::size_t at = text.find(old_word, pick(text.size() + 1));
    if (at != std::string::npos) text.replace(at, old_word.size(), any(language.words));
  }

  std::mt19937_64 random_;
};

// Why the diagnostic is not good enough; empty if it is.
std::string complaint(const Diagnostic& diagnostic, const InputError& error, const std::string& text) {
  if (diagnostic.message.empty()) return "a diagnostic without a message";
  if (!diagnostic.position.known()) return "a diagnostic without a position";
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  if (diagnostic.position.line > lines) return "a diagnostic behind the last line";
  if (diagnostic.position.column >
      error.sources.file(diagnostic.position.file).line(diagnostic.position.line).size() + 2)
    return "a diagnostic behind the end of its line";
  return render(diagnostic, error.sources).empty() ? "nothing rendered" : "";
}

using Printer = Expected<std::string, std::vector<Diagnostic>>(const Program&);
using Parser = Expected<Program>(std::string, std::string);

Expected<Program> read_rmm(std::string path, std::string text) {
  return parse_rmm(std::move(path), std::move(text));
}

Expected<Program> read_litmus(std::string path, std::string text) {
  auto test = parse_litmus(std::move(path), std::move(text));
  if (!test) return std::move(test.error());
  return std::move(test->program);
}

std::string check_printing(const Program& program, Printer* print, Parser* parse, Tally& tally) {
  const auto printed = print(program);
  if (!printed.ok()) return printed.error().empty() ? "refused to print without a reason" : "";
  ++tally.printed;
  const auto again = parse("again", printed.value());
  return again.ok() ? "" : "the printed text does not parse: " + again.error().diagnostics.front().message;
}

std::string check_program(const Expected<Program>& program, const std::string& text, Tally& tally) {
  if (!program.ok()) {
    ++tally.rejected;
    if (program.error().diagnostics.size() != 1) return "not exactly one diagnostic";
    return complaint(program.error().diagnostics.front(), program.error(), text);
  }
  ++tally.accepted;
  const auto mistakes = validate(program.value());
  if (!mistakes.empty()) return "not well formed: " + mistakes.front().message;
  std::string problem = check_printing(program.value(), print_imp, parse_imp, tally);
  if (problem.empty()) problem = check_printing(program.value(), print_trencher, parse_trencher, tally);
  if (problem.empty()) problem = check_printing(program.value(), print_rmm, read_rmm, tally);
  return problem;
}

// Array systems have a type of their own, and may have several mistakes.
std::string check_array_system(const std::string& text, Tally& tally) {
  const auto system = parse_array_system("fuzz", text);
  if (!system.ok()) {
    ++tally.rejected;
    if (system.error().diagnostics.empty()) return "refused without a reason";
    for (const Diagnostic& diagnostic : system.error().diagnostics)
      if (std::string problem = complaint(diagnostic, system.error(), text); !problem.empty()) return problem;
    return "";
  }
  ++tally.accepted;
  const std::string printed = print_array_system(system.value());
  const auto again = parse_array_system("again", printed);
  if (!again.ok()) return "the printed text does not parse: " + again.error().diagnostics.front().message;
  ++tally.printed;
  return print_array_system(again.value()) == printed ? "" : "the printed text means something else";
}

// An invariant must be refused with a diagnostic or leave the program well formed.
std::string check_invariant(const std::string& text) {
  Program program =
      *parse_imp("p", "program p variables x = 0, a[2] = 0 process P begin local r; r := x end");
  const auto diagnostic = add_invariant(program, text);
  if (diagnostic) return diagnostic->position.known() ? "" : "an invariant's diagnostic without a position";
  return validate(program).empty() ? "" : "an invariant makes the program ill formed";
}

bool report(const Language& language, const std::string& text, const std::string& problem) {
  fmt::print(stderr, "parser_fuzz: {}: {}\n--- input\n{}\n---\n", language.name, problem, text);
  return false;
}

bool fuzz(const Language& language, std::size_t count, std::uint64_t seed) {
  InputMaker inputs(seed);
  Tally tally;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = inputs.make(language);
    const auto start = std::chrono::steady_clock::now();
    try {
      std::string problem = language.check(text, tally);
      if (problem.empty() && i % 8 == 0) problem = check_invariant(text.substr(0, 100));
      if (!problem.empty()) return report(language, text, problem);
    } catch (const std::exception& error) {
      return report(language, text, fmt::format("exception: {}", error.what()));
    } catch (...) {
      return report(language, text, "exception");
    }
    if (std::chrono::steady_clock::now() - start > kSlowest) return report(language, text, "too slow");
  }
  fmt::print("{}: {} inputs, {} accepted, {} rejected, {} printed and parsed again\n", language.name, count,
             tally.accepted, tally.rejected, tally.printed);
  return true;
}

std::vector<std::string> load_seeds(const std::string& suffix) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WEIR_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != suffix) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    if (text.str().size() <= kLongestSeed) seeds.push_back(text.str());
  }
  std::sort(seeds.begin(), seeds.end());
  return seeds;
}

std::vector<std::string> words(const std::string& list) {
  std::vector<std::string> result;
  std::istringstream in(list);
  for (std::string word; in >> word;) result.push_back(word);
  return result;
}

std::vector<Language> languages() {
  const std::string small_trencher =
      "thread t\ninitial q0\ntransition q0 q1 write 1 0\ntransition q1 q0 check ! r\nend\n";
  const std::string small_imp = "program p variables x = 0 process P begin 1: while x do x := x + 1 od end";
  const std::string small_rmm =
      "forbidden A * data x = * : [0:1] process(2) data v = 0 registers $r = 0 : [0:1] text A: write: v[my] "
      ":= 1; "
      "either { read: $r := v[0] or cas(x, $r, 1) }; locked { write: [$r] := 0 or nop }; while $r < 1 do "
      "goto A";
  const std::string small_array =
      "number_procs 2 type loc = A | B weak var X : int var Y : real array Z[proc] : loc predicate same(p, "
      "q) { "
      "Z[p] = Z[q] } init (p) { Z[p] = A && X = 0 } unsafe (p q) { same(p, q) || p@X = 2 } transition t "
      "([p] "
      "q) requires { fence() && (X + 1) * 2 < 3 && forall_other j. Z[j] <> A => q = #1 } { let v = X + 1 in "
      "X := "
      "v; Y := ?; Z[j] := case | j = p : B | _ : Z[j] }";
  std::vector<Language> result{
      {.name = "trencher",
       .suffix = ".trn",
       .check = [](const std::string& text,
                   Tally& tally) { return check_program(parse_trencher("fuzz", text), text, tally); },
       .words =
           words("thread end initial final transition write read local check mfence noop lock unlock memory "
                 "memory_size name = == != < <= > >= && || + - * & ! / # q0 q1 q2 r s t0 t1 0 1 2 -1 "
                 "9223372036854775807 9223372036854775808 12ab"),
       .seeds = {small_trencher}},
      {.name = "imp",
       .suffix = ".imp",
       .check = [](const std::string& text,
                   Tally& tally) { return check_program(parse_imp("fuzz", text), text, tally); },
       .words = words(
           "program variables exclusive goal process proc begin end local skip if then else fi while do od "
           "fence atomic assert assume and or not true false me := : ; , . = == != <> < <= > >= << >> && || "
           "& | ^ ~ + - * / % ! ( ) [ ] { } // /* */ (* *) x y a b P Q 0 1 2 9 9223372036854775807 "
           "9223372036854775808 12ab $"),
       .seeds = {small_imp}},
      {.name = "rmm",
       .suffix = ".rmm",
       .check = [](const std::string& text,
                   Tally& tally) { return check_program(read_rmm("fuzz", text), text, tally); },
       .words = words("forbidden predicates data process registers text nop read write syncwr locked cas "
                      "fence assume if "
                      "then else while do goto either or true false not my Z : ; , = := != < > <= >= && || + "
                      "- * ( ) [ ] "
                      "{ } // /* */ A B x y v $r $s $ 0 1 2 9223372036854775807 9223372036854775808 12ab"),
       .seeds = {small_rmm}},
      {.name = "array",
       .suffix = ".cub",
       .check = check_array_system,
       .words = words(
           "number_procs type var array const weak predicate init unsafe invariant transition requires case "
           "let "
           "in if then else not true false forall exists forall_other exists_other fence() fence(p) proc int "
           "real bool loc A B X Y Z p q j #1 #2 #9 p@X p@ [p] [j] [p,q] ( ) [ ] { } . , ; : := = <> < <= > "
           ">= "
           "=> <=> && || | _ ? + - * / (* *) 0 1 2.5 1/3 True False 9223372036854775807 9223372036854775808 "
           "12ab same(p,q)"),
       .seeds = {small_array}},
      {.name = "litmus",
       .suffix = ".litmus",
       .check = [](const std::string& text,
                   Tally& tally) { return check_program(read_litmus("fuzz", text), text, tally); },
       .words = words(
           "X86 X86_64 C P0 P1 P2 { } ; | , : = == != /\\ \\/ => ~ not true false exists forall filter "
           "locations ( ) [ ] (* *) // /* */ $ % $1 $-1 $x x y z t EAX EBX AL CX rax %eax rip movq movl movb "
           "MOV LEA XCHG XADD CMPXCHG LOCK ADD SUB AND OR XOR INC DEC NEG NOT CMP TEST MFENCE SFENCE JMP JE "
           "JNE SETE CMOVE 0:EAX 1:r0 int long atomic_int uint64_t unsigned volatile * & + - << < && || ^ ! "
           "if else while do atomic_load_explicit atomic_store atomic_fetch_add "
           "atomic_compare_exchange_strong memory_order_relaxed memory_order_seq_cst atomic_thread_fence "
           "READ_ONCE WRITE_ONCE smp_mb L0 L0: 0 1 2 0x10 18446744073709551615 18446744073709551616 12ab"),
       .seeds = {"X86 t\n{ x=1; }\nP0;\nMOV [x],$1;\nexists (x=1)"}}};
  for (Language& language : result)
    for (std::string& seed : load_seeds(language.suffix)) language.seeds.push_back(std::move(seed));
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = argc > 1 ? std::stoul(argv[1]) : 10'000;
  const std::uint64_t seed = argc > 2 ? std::stoull(argv[2]) : 1;
  bool good = true;
  for (const Language& language : languages()) good = fuzz(language, count, seed) && good;
  return good ? 0 : 1;
}
