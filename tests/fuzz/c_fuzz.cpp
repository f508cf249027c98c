// A fuzzer for the C front end: c_fuzz modules|sources COUNT [SEED [FAILURES]]
//
// `modules`: COUNT changed LLVM modules that LLVM's verifier accepts. `sources`: COUNT changed C texts,
// through clang. Each must be answered within seconds: by a well-formed program that contains only what is
// supported, and that prints to a text that parses again, or by diagnostics. Of some modules, weir's answer
// is compared with what the processor computes. Run it with sanitizers. The seed makes a run repeatable; the
// run ends with the first failure, unless FAILURES says more.
//
// c_fuzz module|source ROUND SEED shows one input and what is said about it. c_fuzz input FILE says what weir
// answers to an input that a failure has left behind.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "engine/explicit/explicit.hpp"
#include "frontend/c/module.hpp"
#include "fuzz/c_fuzz_defined.hpp"
#include "fuzz/c_fuzz_isolation.hpp"
#include "fuzz/c_fuzz_mutation.hpp"
#include "fuzz/c_fuzz_processor.hpp"
#include "fuzz/c_fuzz_seeds.hpp"
#include "fuzz/c_fuzz_sources.hpp"
#include "fuzz/c_fuzz_supported.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

// LLVM keeps what it allocates for its own global tables. The rest makes forking cheaper.
extern "C" const char* __asan_default_options() {
  return "detect_leaks=0:quarantine_size_mb=8:malloc_context_size=6";
}

namespace weir::fuzz {

namespace {

// --- What an answer must be
// -----------------------------------------------------------------------------------------

// Why the refusal is not good enough; empty if it is.
std::string complaint(const InputError& error, Tally& tally) {
  ++tally.rejected;
  if (error.diagnostics.empty() && error.verbatim.empty()) return "refused without a reason";
  for (const Diagnostic& diagnostic : error.diagnostics) {
    if (diagnostic.message.empty()) return "a diagnostic without a message";
    if (render(diagnostic, error.sources).empty()) return "nothing rendered";
    if (diagnostic.position.line == 0) ++tally.without_line;
  }
  return "";
}

std::string check_program(const Program& program) {
  if (const auto mistakes = validate(program); !mistakes.empty())
    return "not well formed: " + mistakes.front().message;
  const std::string text = print(program);
  const auto again = parse_program_text("again", text);
  if (!again.ok()) return "the printed program does not parse: " + again.error().diagnostics.front().message;
  return print(again.value()) == text ? "" : "the printed program prints differently when it is parsed again";
}

COptions some_options(Random& random) {
  COptions options;
  if (random.one_in(5)) options.unroll = static_cast<std::uint32_t>(1 + random.below(3));
  if (random.one_in(8)) options.threads = static_cast<std::uint32_t>(1 + random.below(4));
  options.strict = !random.one_in(3);
  return options;
}

// As weir does it. The program is passed on if there is one.
std::string check_answer(const std::string& file, const COptions& options, Tally& tally, Program* kept) {
  auto prepared = c::prepare_module({file}, options);
  if (!prepared) return complaint(prepared.error(), tally);
  auto program = c::lower_module(*prepared, file, options);
  if (!program) return complaint(program.error(), tally);
  ++tally.accepted;
  if (std::string problem = not_supported(*prepared); options.strict && !problem.empty()) return problem;
  if (std::string problem = check_program(*program); !problem.empty()) return problem;
  if (kept != nullptr) *kept = std::move(*program);
  return "";
}

Answer answer_to(const Program& program) {
  Limits most;
  most.timeout = std::chrono::seconds(2);
  Context context(most, {}, false);
  ExplicitOptions options;
  options.minimise_effort = 0;
  options.local_steps = 200'000;  // more than the seeds need; sanitizers make them slow
  return check_explicit(program, options, context);
}

// --- Modules
// --------------------------------------------------------------------------------------------------------

std::unique_ptr<llvm::Module> read(const std::string& text, llvm::LLVMContext& context) {
  const llvm::MemoryBufferRef buffer(text, "seed");
  if (text.starts_with("BC")) {
    auto module = llvm::parseBitcodeFile(buffer, context);
    if (module) return std::move(*module);
    llvm::consumeError(module.takeError());
    return nullptr;
  }
  llvm::SMDiagnostic problem;
  return llvm::parseAssembly(buffer, problem, context);
}

std::string bitcode_of(const llvm::Module& module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out);
  return bytes;
}

void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

class ModuleFuzzer {
 public:
  explicit ModuleFuzzer(std::vector<ModuleSeed> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), seed_(seed) {}

  std::string check(Round& round) const {
    Random random(seed_, round.number);
    const bool compared = random.one_in(12);
    llvm::LLVMContext context;
    const auto module = mutant(random, context, compared);
    if (compared) return compare(round, *module);
    write(round.file, bitcode_of(*module));
    round.start_clock();
    return check_answer(round.file, some_options(random), round.tally, nullptr);
  }

 private:
  const ModuleSeed& any_seed(Random& random, bool sequential) const {
    while (true) {
      const ModuleSeed& seed = random.any(seeds_);
      if (seed.sequential || !sequential) return seed;
    }
  }

  // The first that LLVM accepts.
  std::unique_ptr<llvm::Module> mutant(Random& random, llvm::LLVMContext& context, bool compared) const {
    while (true) {
      auto module = read(any_seed(random, compared).text, context);
      if (module == nullptr) continue;
      mutate(*module, random, compared);
      if (compared && !(make_defined(*module) && observe(*module, random))) continue;
      bool broken_debug_info = false;
      if (llvm::verifyModule(*module, nullptr, &broken_debug_info)) continue;
      if (broken_debug_info) llvm::StripDebugInfo(*module);
      return module;
    }
  }

  // The processor's result must be weir's.
  std::string compare(Round& round, llvm::Module& module) const {
    const Execution execution = execute(bitcode_of(module));
    if (execution.result != execute(bitcode_of(module), true).result) return "";
    if (execution.end == Execution::End::kReturned) expect_result(module, execution.result);
    write(round.file, bitcode_of(module));
    round.start_clock();
    Program program;
    const std::uint64_t accepted = round.tally.accepted;
    std::string problem = check_answer(round.file, {}, round.tally, &program);
    if (!problem.empty() || round.tally.accepted == accepted) return problem;
    ++round.tally.compared;
    round.start_clock();
    return disagreement(execution, program, round.tally);
  }

  static std::string disagreement(const Execution& execution, const Program& program, Tally& tally) {
    using End = Execution::End;
    if (execution.end == End::kUnknown) {
      ++tally.given_up;
      return "";
    }
    const Answer answer = answer_to(program);
    if (answer.verdict == Verdict::kUnknown) ++tally.given_up;
    if (answer.verdict == Verdict::kSafe) {
      ++tally.safe;
      if (execution.end == End::kCrashed)
        return fmt::format("safe, but the processor ends with signal {}", execution.result);
    }
    if (answer.verdict != Verdict::kUnsafe || execution.end != End::kReturned) return "";
    const std::string& message = answer.witness->violation.message;
    const bool is_result = message.find("reach_error") != std::string::npos;
    const bool is_assertion = message.find("assertion \"") != std::string::npos;
    return is_result || is_assertion
               ? fmt::format("\"{}\", but the processor returns {}", message, execution.result)
               : "";
  }

  std::vector<ModuleSeed> seeds_;
  std::uint64_t seed_;
};

// --- Sources
// --------------------------------------------------------------------------------------------------------

class SourceFuzzer {
 public:
  explicit SourceFuzzer(std::vector<SourceSeed> seeds, std::uint64_t seed)
      : seeds_(std::move(seeds)), seed_(seed) {}

  std::string check(Round& round) const {
    Random random(seed_, round.number);
    write(round.file, mutated_source(seeds_, random));
    round.start_clock();
    return check_answer(round.file, some_options(random), round.tally, nullptr);
  }

 private:
  std::vector<SourceSeed> seeds_;
  std::uint64_t seed_;
};

// --- Runs
// -----------------------------------------------------------------------------------------------------------

Check check_of(bool of_modules, std::uint64_t seed) {
  if (of_modules)
    return [fuzzer = ModuleFuzzer(module_seeds(source_seeds()), seed)](Round& round) {
      return fuzzer.check(round);
    };
  return [fuzzer = SourceFuzzer(source_seeds(), seed)](Round& round) { return fuzzer.check(round); };
}

void print_tally(const std::string& what, const Rounds& rounds, const Tally& tally, double seconds) {
  fmt::print(
      "{}: {} inputs with seed {} in {:.0f} s: {} accepted, {} rejected ({} diagnostics without a line)\n",
      what, rounds.count, rounds.seed, seconds, tally.accepted, tally.rejected, tally.without_line);
  if (tally.compared > 0)
    fmt::print("  {} compared with the processor: {} results proved, {} without an answer\n", tally.compared,
               tally.safe, tally.given_up);
  if (tally.spoiled > 0)
    fmt::print("  {} rounds in which LLVM crashed while its module was changed\n", tally.spoiled);
}

bool run(const std::string& what, const Rounds& rounds) {
  const auto start = std::chrono::steady_clock::now();
  Tally tally;
  const bool good = run_rounds(rounds, check_of(what == "modules", rounds.seed), tally);
  print_tally(what, rounds, tally,
              std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  return good;
}

// One round in this process, with its input.
bool show(const std::string& what, std::uint64_t number, std::uint64_t seed) {
  Tally tally;
  const bool of_modules = what == "module";
  const std::string file =
      (std::filesystem::temp_directory_path() / (of_modules ? "shown.bc" : "shown.c")).string();
  Round round{number, file, tally, [] {}};
  const std::string problem = check_of(of_modules, seed)(round);
  if (of_modules) {
    std::ifstream in(file, std::ios::binary);
    llvm::LLVMContext context;
    if (const auto module = read(std::string{std::istreambuf_iterator<char>(in), {}}, context))
      module->print(llvm::outs(), nullptr);
    llvm::outs().flush();
  }
  fmt::print("input: {}\n{}\n", file,
             problem.empty() ? (tally.accepted > 0 ? "accepted" : "rejected") : problem);
  return problem.empty();
}

bool answer_again(const std::string& file) {
  Tally tally;
  Program program;
  const std::string problem = check_answer(file, {}, tally, &program);
  std::string said = tally.accepted > 0 ? "unknown" : "rejected";
  if (problem.empty() && tally.accepted > 0) {
    const Answer answer = answer_to(program);
    if (answer.verdict == Verdict::kSafe) said = "safe";
    if (answer.verdict == Verdict::kUnsafe) said = answer.witness->violation.message;
  }
  fmt::print("{}: {}\n", file, problem.empty() ? said : problem);
  return problem.empty();
}

}  // namespace

}  // namespace weir::fuzz

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto number = [&](std::size_t i, std::uint64_t otherwise) {
    return i < words.size() ? std::stoull(words[i]) : otherwise;
  };
  const std::string what = words.empty() ? "" : words[0];
  if (what == "input" && words.size() == 2) return weir::fuzz::answer_again(words[1]) ? 0 : 1;
  if (what == "module" || what == "source") return weir::fuzz::show(what, number(1, 0), number(2, 1)) ? 0 : 1;
  if (what != "modules" && what != "sources") {
    fmt::print(stderr, "usage: c_fuzz modules|sources COUNT [SEED [FAILURES]]\n");
    return 2;
  }
  const weir::fuzz::Rounds rounds{.count = number(1, 1000),
                                  .seed = number(2, 1),
                                  .suffix = what == "modules" ? ".bc" : ".c",
                                  .most_failures = number(3, 1)};
  return weir::fuzz::run(what, rounds) ? 0 : 1;
}
