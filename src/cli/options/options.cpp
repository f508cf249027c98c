#include "cli/options/options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

#include "base/error.hpp"
#include "report/again.hpp"
#include "verify/engines.hpp"
#include "verify/languages.hpp"

namespace weir::cli {

namespace {

constexpr std::uint16_t bit(Command command) {
  return static_cast<std::uint16_t>(1u << static_cast<unsigned>(command));
}

constexpr std::uint16_t kExploring = bit(Command::kCheck) | bit(Command::kExplain);
constexpr std::uint16_t kComparing = bit(Command::kRobust) | bit(Command::kFence);  // TSO with SC
constexpr std::uint16_t kListing = bit(Command::kOutcomes) | bit(Command::kExplore);
constexpr std::uint16_t kModelling = kExploring | kListing;  // under one memory model
constexpr std::uint16_t kSearching = kModelling | kComparing;
constexpr std::uint16_t kValuing = kSearching & ~bit(Command::kExplore);  // remember what values there are
constexpr std::uint16_t kFinding =
    kExploring | bit(Command::kRobust) | bit(Command::kExplore) | bit(Command::kFair);  // executions
constexpr std::uint16_t kInterruptible = bit(Command::kCheck) | bit(Command::kExplore);
constexpr std::uint16_t kSpecifying = kExploring | bit(Command::kFence) | bit(Command::kConvert);
constexpr std::uint16_t kReading = kSearching | bit(Command::kConvert) | bit(Command::kFair);
constexpr std::uint16_t kLimited = kSearching | bit(Command::kConsistent) | bit(Command::kGenerate) |
                                   bit(Command::kFair) | bit(Command::kSelfcheck) | bit(Command::kBench);
constexpr std::uint16_t kAnswering = kLimited | bit(Command::kReplay);
constexpr std::uint16_t kTalking = kAnswering | bit(Command::kDoctor);
constexpr std::uint16_t kEverywhere = kTalking | bit(Command::kConvert);

constexpr std::array kCommands = {
    CommandDescription{Command::kCheck, "check", "FILE...|DIR",
                       "is a violation reachable under a memory model?",
                       "weir check examples/c/peterson.c --model tso"},
    CommandDescription{Command::kRobust, "robust", "FILE...",
                       "do store buffers (tso) add behaviour to sequential consistency?",
                       "weir robust examples/peterson.imp"},
    CommandDescription{Command::kFence, "fence", "FILE...",
                       "the cheapest fences that make a program robust, or safe",
                       "weir fence examples/c/peterson.c --patch | patch -p0"},
    CommandDescription{Command::kReplay, "replay", "WITNESS.json",
                       "run a saved execution again, step by step", "weir replay violation.json"},
    CommandDescription{Command::kExplain, "explain", "FILE...|WITNESS.json",
                       "explain a saved execution, or the one that check finds",
                       "weir explain examples/peterson.imp --model tso"},
    CommandDescription{Command::kConvert, "convert", "FILE... --to FORMAT",
                       "write a program in another format",
                       "weir convert examples/peterson.imp --to promela"},
    CommandDescription{Command::kOutcomes, "outcomes", "FILE...",
                       "the values that variables can have when all threads have stopped",
                       "weir outcomes examples/litmus/SB.litmus --model sc,tso,pso"},
    CommandDescription{Command::kConsistent, "consistent", "INSTANCE.json",
                       "is there an execution in which each read reads from the write it is said to?",
                       "weir consistent examples/consistency/store_buffering.json --model tso"},
    CommandDescription{Command::kExplore, "explore", "FILE...",
                       "visit and count all executions, each once up to an equivalence",
                       "weir explore examples/c/peterson.c --model tso --equivalence rf"},
    CommandDescription{Command::kGenerate, "generate", "",
                       "write litmus tests from cycles of relations, or check all of them",
                       "weir generate --cycle \"PodWR Fre PodWR Fre\""},
    CommandDescription{Command::kFair, "fair", "FILE",
                       "is what a program requests granted in the end; does a system have a fair play?",
                       "weir fair examples/fairness/ticket_lock.imp --request 3 --grant 4 --model tso"},
    CommandDescription{Command::kSelfcheck, "selfcheck", "[FILE...]",
                       "random programs, or these, through every engine: all must agree",
                       "weir selfcheck --count 200"},
    CommandDescription{
        Command::kBench, "bench", "FILE...|DIR...", "how long does each engine take for the same programs?",
        "weir bench examples/lamport2.imp examples/lamport3.imp --model tso --plot engines.svg"},
    CommandDescription{Command::kDoctor, "doctor", "",
                       "which of the programs and libraries that Weir works with are there?", "weir doctor"},
};

using enum OptionId;
using enum OptionKind;

// Words that come from other tables, with lines in between.
struct Choices {
  Choices() : models(joined(all_models(), [](Model model) { return std::string_view(name(model)); })) {
    buffering = models.substr(models.find('|') + 1);
    several_models = models + ",...";
    model_list = models;
    std::ranges::replace(model_list, '|', ',');
    engines = "auto|" + joined(verify::engines(), [](const auto& engine) { return engine.name; }) + "|array";
    formats =
        "auto|" + joined(verify::languages(), [](const auto& language) { return language.name; }) + "|array";
  }

  template <class Table, class Name>
  static std::string joined(Table&& table, const Name& name_of) {
    std::string words;
    for (const auto& row : table) words += (words.empty() ? "" : "|") + std::string(name_of(row));
    return words;
  }

  std::string models, buffering, several_models, model_list, engines, formats;
};

const Choices& choices() {
  static const Choices all;
  return all;
}

auto make_options() {
  return std::array{
      OptionDescription{kModel, "--model", kChoice, choices().models, "sc",
                        kExploring | bit(Command::kExplore) | bit(Command::kConsistent) | bit(Command::kFair),
                        "memory model: sequential consistency, total or partial store order"},
      OptionDescription{kFenceModel, "--model", kChoice, choices().buffering, "tso", bit(Command::kFence),
                        "with --for safety: the memory model under which the program must be safe"},
      OptionDescription{kOutcomesModels, "--model", kText, choices().several_models, "sc",
                        bit(Command::kOutcomes) | bit(Command::kBench),
                        "memory model; several, with commas in between, are compared in a table"},
      OptionDescription{
          kEngine, "--engine", kChoice, choices().engines, "auto", kExploring,
          "how to search; explicit visits states one by one and remembers them; lazy (tso) emulates "
          "store buffers where they matter; abstraction (tso) forgets the order of buffered stores, and "
          "remembers as much of it as it must; dual (sc, tso) searches backwards, with buffers of any "
          "length; "
          "smc visits executions one by one and remembers none; auto begins with explicit, and the "
          "others take turns with it if that takes long; with -n any it is "
          "dual; "
          "array systems are searched backwards, for any number of processes, by array"},
      OptionDescription{
          kAxiomatic, "--axiomatic", kFlag, "", "", bit(Command::kCheck),
          "array systems: search by the axioms of the memory model, with Z3, to check the usual search; "
          "slow, but processes may share ordinary variables"},
      OptionDescription{
          kInference, "--inference", kChoice, "auto|never|always", "auto", bit(Command::kCheck),
          "array systems: guess invariants from small instances, and prove them; auto does when the "
          "exact search takes long"},
      OptionDescription{
          kAbstraction, "--abstraction", kText, "set|multiset|K", "", kExploring,
          "engine abstraction: only with this of the buffered stores, or with the first K in order "
          "and the set of the others"},
      OptionDescription{
          kSearch, "--search", kChoice, "bfs|dfs", "bfs", kExploring,
          "breadth-first (shortest violations) or depth-first; for array systems neither, but smallest "
          "regions first, if not given"},
      OptionDescription{kReduction, "--reduction", kChoice,
                        "auto|none|local-first|persistent|dynamic|cartesian", "auto", kExploring,
                        "which interleavings to leave out because others stand for them"},
      OptionDescription{
          kRandom, "--random", kNumber, "N", "", kExploring,
          "do not search, but try N random schedules; without a violation the answer is unknown"},
      OptionDescription{kSteps, "--steps", kNumber, "N", "20000", kExploring,
                        "end a random schedule after so many steps"},
      OptionDescription{
          kBoundPreemptions, "--bound-preemptions", kNumber, "K", "", kExploring,
          "search only schedules that take the processor at most K times from a thread that could "
          "go on"},
      OptionDescription{
          kAlgorithm, "--algorithm", kChoice, "auto|verify|naive", "auto", bit(Command::kConsistent),
          "how to look for the execution; naive, a baseline, tries all prefixes; auto is verify"},
      OptionDescription{kNoClosure, "--no-closure", kFlag, "", "", bit(Command::kConsistent),
                        "search without looking for orders that every execution must have, which refute most "
                        "instances and explain why"},
      OptionDescription{kRequest, "--request", kList, "PLACES", "", bit(Command::kFair),
                        "programs: whenever a thread is at these labels, as in want or P0:want (repeatable)"},
      OptionDescription{kGrant, "--grant", kList, "PLACES", "", bit(Command::kFair),
                        "programs: it is later at one of these; if it has none of them, some thread is"},
      OptionDescription{kFairness, "--fairness", kChoice, "none|weak|strong|random", "weak",
                        bit(Command::kFair),
                        "programs: of the scheduler to threads that could always, or again and again, go on; "
                        "random: it throws "
                        "dice, and requests must be granted with probability one"},
      OptionDescription{kLazyFlushes, "--lazy-flushes", kFlag, "", "", bit(Command::kFair),
                        "programs: a store may stay in its buffer for ever"},
      OptionDescription{
          kPair, "--pair", kList, "REQUEST=>GRANT", "", bit(Command::kFair),
          "what is requested again and again must be granted again and again; labels of states, "
          "actions, or * for every state (repeatable)"},
      OptionDescription{kPairs, "--pairs", kText, "FILE", "", bit(Command::kFair),
                        "such pairs as sets of states, one per line: L: 0 3 5 U: 7 9"},
      OptionDescription{kAutomaton, "--automaton", kText, "FILE", "", bit(Command::kFair),
                        "the plays that this automaton in the Hanoi format (HOA) accepts"},
      OptionDescription{kNegate, "--negate", kFlag, "", "", bit(Command::kFair),
                        "the plays that the automaton, which must be deterministic, rejects"},
      OptionDescription{kLabels, "--labels", kText, "FILE", "", bit(Command::kFair),
                        "the labels of a .tra file; by default the .lab file beside it"},
      OptionDescription{kRandomShare, "--random", kText, "SHARE", "", bit(Command::kFair),
                        "let chance decide at this share of the states, as in 0.2; --seed says at which"},
      OptionDescription{kRandomVertices, "--random-vertices", kText, "FILE", "", bit(Command::kFair),
                        "let chance decide at these states, one per line"},
      OptionDescription{
          kFairAlgorithm, "--algorithm", kChoice, "basic|improved", "improved", bit(Command::kFair),
          "compute components anew whenever states were removed, or search around what was removed"},
      OptionDescription{kThreshold, "--threshold", kText, "adaptive|log|bound|N", "adaptive",
                        bit(Command::kFair),
                        "improved: from how many states with lost edges on components are computed anew; as "
                        "long as searching "
                        "pays, log of the number of states, what the proven bound needs, or N"},
      OptionDescription{kListWinning, "--list", kFlag, "", "", bit(Command::kFair),
                        "list the states that win, and in JSON the strategy"},
      OptionDescription{kNoSymmetry, "--no-symmetry", kFlag, "", "", kExploring,
                        "tell threads with the same code apart"},
      OptionDescription{kNoLiveVariables, "--no-live-variables", kFlag, "", "", kExploring,
                        "let registers that are not read again distinguish states"},
      OptionDescription{
          kBuffer, "--buffer", kNumber, "N", "", kExploring | bit(Command::kOutcomes) | bit(Command::kFair),
          "at most N stores in a thread's buffer; an answer that needs more is unknown (fair: 4, and "
          "the answer says so)"},
      OptionDescription{kLocalSteps, "--local-steps", kNumber, "N", "20000000",
                        kSearching | bit(Command::kFair),
                        "instructions that a thread may execute between two visible actions"},
      OptionDescription{
          kGoal, "--goal", kList, "THREAD:STATE", "", kSpecifying,
          "also a violation: every thread named by these options is at one of its states (repeatable)"},
      OptionDescription{
          kExclusive, "--exclusive", kList, "PLACES", "", kSpecifying,
          "also a violation: two threads at these labels, as in cs or P0:cs,P1:cs (repeatable)"},
      OptionDescription{
          kInvariant, "--invariant", kList, "EXPR", "", kSpecifying,
          "also a violation: a state in which EXPR is false, as in \"x + y <= 1\" (repeatable)"},
      OptionDescription{kDeadlock, "--deadlock", kFlag, "", "", kSpecifying,
                        "also a violation: no step is possible and a thread has not stopped"},
      OptionDescription{kNoDeadlock, "--no-deadlock", kFlag, "", "", kSpecifying,
                        "do not look for deadlocks, as is done in C programs without being asked"},
      OptionDescription{
          kRaces, "--races", kFlag, "", "", kSpecifying,
          "also a violation: two threads access the same memory, one of them writes, one access is not "
          "atomic, and neither happens before the other"},
      OptionDescription{kLeaks, "--leaks", kFlag, "", "", kSpecifying,
                        "also a violation: all threads have stopped and allocated memory was not freed"},
      OptionDescription{kNoSpurious, "--no-spurious-wakeups", kFlag, "", "", kReading,
                        "C: a thread that waits for a condition variable wakes up only when it is signalled"},
      OptionDescription{kFailingMalloc, "--failing-malloc", kFlag, "", "", kReading,
                        "C: malloc() and the like may also return a null pointer"},
      OptionDescription{kStrict, "--strict", kFlag, "", "", kReading,
                        "C: refuse a program with anything that is not supported, even where no execution "
                        "reaches it"},
      OptionDescription{kUnroll, "--unroll", kNumber, "N", "", kReading,
                        "C: follow only executions that repeat no loop more than N times, spinning apart"},
      OptionDescription{kNondetRange, "--nondet-range", kText, "LOW..HIGH", "0..3", kReading,
                        "C: the values that __VERIFIER_nondet_int() and its like return"},
      OptionDescription{
          kThreads, "--threads", kNumber, "N", "", kReading,
          "C: follow only executions with at most N threads, main included; by default as many as "
          "the program can create, if Weir can count them"},
      OptionDescription{kTriangular, "--triangular", kFlag, "", "", kComparing,
                        "look for triangular races; having none is more than robustness needs"},
      OptionDescription{kInstances, "-n,--instances", kText, "N|any", "",
                        bit(Command::kRobust) | bit(Command::kCheck) | bit(Command::kFence),
                        "run N copies of each thread, or answer for any number of copies"},
      OptionDescription{kAll, "--all", kFlag, "", "", bit(Command::kRobust),
                        "decide every pair of a store and a load, instead of stopping at the first attack"},
      OptionDescription{kRange, "--range", kList, "VAR=LO:HI", "", kValuing,
                        "follow only executions in which VAR stays within these values (repeatable)"},
      OptionDescription{
          kValues, "--values", kNumber, "N", "", kValuing,
          "stop with the answer unknown if a variable takes more than N different values; by default "
          "262144 for check and explain, 10000 for robust and fence, 256 for any number of threads"},
      OptionDescription{kFor, "--for", kChoice, "robustness|safety", "robustness", bit(Command::kFence),
                        "what the fences are for: no behaviour beyond SC, or no violation"},
      OptionDescription{kCost, "--cost", kText, "size|frequency|FILE", "size", bit(Command::kFence),
                        "what a fence costs: 1, how often its place is passed, or as FILE says of places"},
      OptionDescription{kAlternatives, "--alternatives", kNumber, "N", "0", bit(Command::kFence),
                        "look for N other sets of fences with the same cost"},
      OptionDescription{kPatch, "--patch", kOptionalText, "[FILE]", "", bit(Command::kFence),
                        "write the fences as a patch to FILE; without FILE, print nothing but the patch"},
      OptionDescription{kEmitInstrumented, "--emit-instrumented", kText, "FILE", "", bit(Command::kRobust),
                        "write the program that looks for the first attack under sc, as .weir text"},
      OptionDescription{
          kShow, "--show", kList, "VAR|CONDITION", "", bit(Command::kOutcomes),
          "show the values of this variable, and of others only if asked; with a condition such as "
          "\"0:EAX=0 /\\ x=1\", an execution of a litmus test that ends so (repeatable)"},
      OptionDescription{kCrossCheck, "--cross-check", kFlag, "", "",
                        bit(Command::kOutcomes) | bit(Command::kGenerate),
                        "compute the final states a second time, from axioms, and compare"},
      OptionDescription{
          kExecutionDot, "--dot", kText, "FILE", "", bit(Command::kOutcomes),
          "litmus tests: write the accesses of the execution shown, and what relates them, as a "
          "Graphviz graph"},
      OptionDescription{kSvg, "--svg", kText, "FILE", "", bit(Command::kOutcomes),
                        "litmus tests: the same as a picture"},
      OptionDescription{kCycle, "--cycle", kText, "EDGES", "", bit(Command::kGenerate),
                        "the cycle to make a test of, as in \"PodWR Fre PodWR Fre\""},
      OptionDescription{kSize, "--size", kNumber, "N", "4", bit(Command::kGenerate),
                        "with --all: cycles of at most N edges"},
      OptionDescription{kAllCycles, "--all", kFlag, "", "", bit(Command::kGenerate),
                        "all critical cycles up to a size"},
      OptionDescription{kOutputFolder, "-o,--output", kText, "DIR", "", bit(Command::kGenerate),
                        "write each test to a file in this folder"},
      OptionDescription{
          kEquivalence, "--equivalence", kChoice, "mazurkiewicz|observers|rf|dc|vc|rvf", "mazurkiewicz",
          bit(Command::kExplore),
          "when two executions count as the same: rf, if each read reads from the same write; "
          "mazurkiewicz, if also the writes to each variable have the same order; observers, if "
          "that holds for two writes of which one is read; rvf, if each read reads the same value "
          "and depends on the same reads; vc and dc: rvf and rf with the order of all conflicting "
          "accesses outside a root thread"},
      OptionDescription{
          kRoot, "--root", kText, "THREAD", "", bit(Command::kExplore),
          "vc, dc: the root thread, by name or number; by default the first one that is created"},
      OptionDescription{
          kWithout, "--without", kText, "LIST", "", bit(Command::kExplore),
          "rvf, vc, dc: what to do without, for measurements: any of closure, greedy, guidance, "
          "relaxations, signals, with commas in between"},
      OptionDescription{kEstimate, "--estimate", kFlag, "", "", bit(Command::kExplore),
                        "do not visit the executions, but estimate within seconds how many there are"},
      OptionDescription{kStop, "--stop", kFlag, "", "", bit(Command::kExplore),
                        "stop at the first violation"},
      OptionDescription{kTo, "--to", kChoice, "weir|trencher|imp|rmm|array|dot|promela", "",
                        bit(Command::kConvert), "the format to write"},
      OptionDescription{kProcesses, "--processes", kNumber, "N", "", bit(Command::kConvert),
                        "array systems: write the program that the system is with N processes"},
      OptionDescription{kOutput, "-o,--output", kText, "FILE", "", bit(Command::kConvert),
                        "where to write; standard output by default"},
      OptionDescription{kWitness, "--witness", kText, "FILE", "", kFinding,
                        "write the violating execution to FILE, for replay and explain"},
      OptionDescription{
          kCertificate, "--certificate", kText, "FILE", "", bit(Command::kCheck),
          "if the program is safe under sc or tso, write a proof to FILE, checked by a second program; "
          "takes much longer than the answer; for array systems: in SMT-LIB, for Z3 or cvc5 to check"},
      OptionDescription{kDot, "--dot", kText, "FILE", "", kFinding | bit(Command::kReplay),
                        "write the program as a Graphviz graph with the violating execution marked in it"},
      OptionDescription{
          kHtml, "--html", kText, "FILE", "",
          kFinding | bit(Command::kReplay) | bit(Command::kFence) | bit(Command::kOutcomes) |
              bit(Command::kConsistent),
          "write a page that shows the answer and its executions step by step, for any browser; "
          "it needs no network"},
      OptionDescription{
          kSarif, "--sarif", kText, "FILE", "", kFinding | bit(Command::kFence) | bit(Command::kReplay),
          "write the violation, its executions and the fences in SARIF 2.1.0, for code hosts and editors"},
      OptionDescription{kSvcompWitness, "--svcomp-witness", kText, "FILE", "", bit(Command::kCheck),
                        "C, under sc: write the answer as a witness for the validators of SV-COMP: FILE.yml "
                        "(format 2.2) or FILE.graphml (format 1.0)"},
      OptionDescription{
          kNative, "--native", kFlag, "", "", bit(Command::kCheck) | bit(Command::kReplay),
          "C: compile the program, run it along the violating execution, and say whether it fails "
          "as that says"},
      OptionDescription{kDebugger, "--debugger", kFlag, "", "", bit(Command::kReplay),
                        "C: as --native, and stop the program where it fails and start gdb on it"},
      OptionDescription{kFocus, "--focus", kList, "THREAD|VARIABLE", "",
                        (kFinding & ~bit(Command::kExplore)) | bit(Command::kReplay),
                        "show only the steps of these threads, and those that access these variables; "
                        "several with commas in "
                        "between (repeatable)"},
      OptionDescription{
          kFrames, "--frames", kChoice, "own|all", "own",
          (kFinding & ~bit(Command::kExplore)) | bit(Command::kReplay),
          "C: all: below each step the calls that led to it, and what functions of libraries do, too"},
      OptionDescription{kPlot, "--plot", kText, "FILE.svg", "", bit(Command::kExplore) | bit(Command::kBench),
                        "draw the times; explore: by every equivalence in turn, each as long as --timeout "
                        "says, with the number of "
                        "executions each has"},
      OptionDescription{
          kSuite, "--suite", kFlag, "", "", bit(Command::kCheck),
          "each file is an input of its own, C files too, and is compared with what it expects"},
      OptionDescription{kSingle, "--single", kFlag, "", "", bit(Command::kCheck),
                        "the files are one program, and never a suite"},
      OptionDescription{kExpected, "--expected", kText, "FILE", "", bit(Command::kCheck),
                        "suites: what is expected, with a line PATH: EXPECTATION for each input, as in "
                        "\"spin.c: sc safe, tso unsafe\""},
      OptionDescription{kJunit, "--junit", kText, "FILE", "", bit(Command::kCheck),
                        "suites: write the results as JUnit XML, for build servers"},
      OptionDescription{kJson, "--json", kFlag, "", "", kEverywhere, "print the answer as JSON"},
      OptionDescription{kQuiet, "-q,--quiet", kFlag, "", "", kEverywhere,
                        "print the verdict only, and no progress or warnings"},
      OptionDescription{kVerbose, "-v,--verbose", kFlag, "", "", kAnswering,
                        "show steps of local computation and all figures, too"},
      OptionDescription{kTimeout, "--timeout", kSeconds, "SECONDS", "", kAnswering | bit(Command::kConvert),
                        "stop with the answer unknown after so long"},
      OptionDescription{
          kMemory, "--memory", kMegabytes, "MB", "", kAnswering | bit(Command::kConvert),
          "stop with the answer unknown beyond so much memory; 4G is 4096; by default 80% of what "
          "there is"},
      OptionDescription{kJobs, "--jobs", kNumber, "N", "",
                        kExploring | kComparing | bit(Command::kExplore) | bit(Command::kSelfcheck),
                        "searches at the same time; by default as many as there are cores"},
      OptionDescription{kCheckpoint, "--checkpoint", kText, "DIR", "", kInterruptible,
                        "keep what the search knows in this folder, again and again, so that --resume can go "
                        "on with it; for "
                        "the engines explicit, smc, dual and array, and without --engine explicit"},
      OptionDescription{
          kResume, "--resume", kText, "DIR", "", kInterruptible,
          "go on with the search whose checkpoint is in this folder, and keep it there; from the "
          "start if there is none yet"},
      OptionDescription{kCheckpointInterval, "--checkpoint-interval", kSeconds, "SECONDS", "60",
                        kInterruptible, "the time between two checkpoints"},
      OptionDescription{
          kSeed, "--seed", kNumber, "N", "0", kExploring | bit(Command::kFair) | bit(Command::kSelfcheck),
          "seed of --random, and of the programs of selfcheck; nothing else is chosen at random"},
      OptionDescription{kColor, "--color", kChoice, "auto|always|never", "auto", kEverywhere,
                        "colours; auto means on a terminal"},
      OptionDescription{
          kFormat, "--format", kChoice, choices().formats, "auto", kReading | bit(Command::kSelfcheck),
          "the format of FILE, or of standard input (-); auto goes by suffix (.weir, .trn, .imp, "
          ".rmm, .litmus, .cub; .c, .cpp, .i, .ll, .bc and the like are C programs), then by content"},
      OptionDescription{
          kOutsideRange, "--outside-range", kChoice, "block|fail", "block", kReading,
          "RMM: what happens when a value outside the range of a variable or register would be "
          "written. block: the instruction cannot be executed, as in Memorax; fail: an assertion fails"},
      OptionDescription{kSelfcheckCount, "--count", kNumber, "N", "", bit(Command::kSelfcheck),
                        "stop after N programs; by default Ctrl-C or --timeout stop it"},
      OptionDescription{kSelfcheckFirst, "--first", kNumber, "N", "0", bit(Command::kSelfcheck),
                        "the number of the first program"},
      OptionDescription{
          kSelfcheckEngines, "--engines", kText, "LIST", "", bit(Command::kSelfcheck),
          "only these, with commas in between, and each on every program that suits it: explicit, schedules, "
          "lazy, dual, abstraction, smc, values, robust, fence, outcomes, array, array-axioms"},
      OptionDescription{kBenchEngines, "--engines", kText, "LIST", "explicit,smc,lazy,abstraction,dual",
                        bit(Command::kBench),
                        "the engines to compare, with commas in between; auto and auto-2 are possible, too"},
      OptionDescription{
          kBenchAuto, "--auto", kFlag, "", "", bit(Command::kBench),
          "every engine by itself, and auto with one job and with two (auto-2): how far is auto "
          "from the best engine?"},
      OptionDescription{kSelfcheckModels, "--models", kText, "LIST", choices().model_list,
                        bit(Command::kSelfcheck), "only under these memory models"},
      OptionDescription{kMostThreads, "--threads", kNumber, "N", "", bit(Command::kSelfcheck),
                        "programs with at most N threads"},
      OptionDescription{kMostVariables, "--variables", kNumber, "N", "", bit(Command::kSelfcheck),
                        "programs with at most N variables"},
      OptionDescription{kMostValues, "--values", kNumber, "N", "", bit(Command::kSelfcheck),
                        "programs that store numbers up to N"},
      OptionDescription{kMostInstructions, "--instructions", kNumber, "N", "", bit(Command::kSelfcheck),
                        "threads of at most N instructions"},
      OptionDescription{
          kFeatures, "--features", kText, "LIST", "", bit(Command::kSelfcheck),
          "programs with no more than loads, stores and these, with commas in between: branches, loops, "
          "atomics, blocks, fences, locks, choices, calls, failures, c (what only C programs have)"},
      OptionDescription{kSelfcheckOutput, "-o,--output", kText, "DIR", ".", bit(Command::kSelfcheck),
                        "the folder for a program on which engines disagree"},
  };
}

std::span<const OptionDescription> options() {
  static const auto all = make_options();
  static_assert(std::tuple_size_v<decltype(make_options())> == static_cast<std::size_t>(OptionId::kCount));
  return all;
}

const OptionDescription& description(OptionId id) {
  for (const OptionDescription& option : options())
    if (option.id == id) return option;
  throw InternalError("an option without a description");
}

// What the program is, and what must hold.
bool is_about_input(OptionId id) {
  constexpr std::array kSuch = {kGoal,      kExclusive,  kInvariant,   kDeadlock, kNoDeadlock,    kRaces,
                                kLeaks,     kNoSpurious, kUnroll,      kThreads,  kFailingMalloc, kStrict,
                                kInstances, kRange,      kNondetRange, kFormat,   kOutsideRange};
  return std::ranges::find(kSuch, id) != kSuch.end();
}

// Where answers go, how they look, and when to give up.
bool is_about_output(OptionId id) {
  constexpr std::array kSuch = {kPatch,
                                kEmitInstrumented,
                                kExecutionDot,
                                kSvg,
                                kOutputFolder,
                                kOutput,
                                kWitness,
                                kCertificate,
                                kDot,
                                kHtml,
                                kSarif,
                                kSvcompWitness,
                                kNative,
                                kDebugger,
                                kFocus,
                                kFrames,
                                kPlot,
                                kJunit,
                                kJson,
                                kQuiet,
                                kVerbose,
                                kTimeout,
                                kMemory,
                                kJobs,
                                kColor,
                                kSelfcheckOutput,
                                kCheckpoint,
                                kResume,
                                kCheckpointInterval};
  return std::ranges::find(kSuch, id) != kSuch.end();
}

}  // namespace

std::span<const CommandDescription> command_table() { return kCommands; }

const CommandDescription& describe(Command command) {
  for (const CommandDescription& description : kCommands)
    if (description.command == command) return description;
  throw InternalError("a command without a description");
}

std::span<const OptionDescription> option_table() { return options(); }

bool applies(const OptionDescription& option, Command command) {
  return (option.commands & bit(command)) != 0;
}

std::string_view long_name(const OptionDescription& option) {
  return option.names.substr(option.names.find("--"));
}

void Settings::set(OptionId id, std::vector<std::string> values) { values_[index(id)] = std::move(values); }

std::string_view Settings::text(OptionId id) const {
  return given(id) ? std::string_view(values_[index(id)].back()) : description(id).fallback;
}

std::optional<std::uint64_t> Settings::number(OptionId id) const {
  const std::string_view text = this->text(id);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> Settings::seconds(OptionId id) const {
  const std::string_view text = this->text(id);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc() || stop != end || !(value > 0 && value < 1e9)) return std::nullopt;
  return value;
}

// At least one, and few enough that they can be counted in bytes.
std::optional<std::uint64_t> Settings::megabytes(OptionId id) const {
  constexpr std::string_view kUnits = "KMGT";
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::string_view text = this->text(id);
  std::uint64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  std::size_t unit = 1;
  if (!text.empty()) {
    const char letter = text[0] >= 'a' && text[0] <= 'z' ? static_cast<char>(text[0] - 'a' + 'A') : text[0];
    unit = kUnits.find(letter);
    text.remove_prefix(1);
    if (unit == std::string_view::npos || !(text.empty() || text == "B" || text == "iB")) return std::nullopt;
  }
  if (unit == 0) value = (value + 1023) / 1024;
  for (; unit > 1 && value < kMost; --unit) value *= 1024;
  if (value == 0 || value >= kMost) return std::nullopt;
  return value;
}

std::vector<std::pair<std::string, std::string>> Settings::of_the_question(Command command) const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const OptionDescription& option : options()) {
    if (!applies(option, command) || is_about_output(option.id) || option.id == kEngine) continue;
    std::string value(text(option.id));
    if (option.kind == kFlag) value = flag(option.id) ? "given" : "";
    if (option.kind == kList) value = fmt::format("{}", fmt::join(list(option.id), " "));
    result.emplace_back(long_name(option), std::move(value));
  }
  return result;
}

std::vector<GivenOption> Settings::given_options() const {
  std::vector<GivenOption> result;
  for (const OptionDescription& option : options()) {
    if (!given(option.id) || is_about_output(option.id)) continue;
    GivenOption found{.about_input = is_about_input(option.id)};
    for (const CommandDescription& command : kCommands)
      if (applies(option, command.command)) found.commands.emplace_back(command.name);
    for (const std::string& value : list(option.id)) {
      found.text = long_name(option);
      if (option.kind != kFlag) found.text += " " + shell_word(value);
      if (option.kind == kList || &value == &list(option.id).back()) result.push_back(found);
    }
  }
  return result;
}

std::vector<std::pair<std::string, OptionValue>> Settings::echo(Command command) const {
  std::vector<std::pair<std::string, OptionValue>> result;
  for (const OptionDescription& option : options()) {
    if (!applies(option, command)) continue;
    const std::string name(long_name(option).substr(2));
    switch (option.kind) {
      case kFlag: result.emplace_back(name, flag(option.id)); break;
      case kList: result.emplace_back(name, list(option.id)); break;
      case kNumber:
        if (const auto value = number(option.id))
          result.emplace_back(name, static_cast<std::int64_t>(*value));
        break;
      case kSeconds:
        if (const auto value = seconds(option.id)) result.emplace_back(name, *value);
        break;
      case kMegabytes:
        if (const auto value = megabytes(option.id))
          result.emplace_back(name, static_cast<std::int64_t>(*value));
        break;
      case kChoice:
      case kText:
      case kOptionalText:
        if (!text(option.id).empty()) result.emplace_back(name, std::string(text(option.id)));
        break;
    }
  }
  return result;
}

}  // namespace weir::cli
