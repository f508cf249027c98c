#include "frontend/c/pipeline/thread_limit.hpp"

#include <algorithm>
#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/TargetParser/Triple.h>

#include "frontend/c/pipeline/link.hpp"

namespace weir::c {

namespace {

constexpr std::uint64_t kGuess = 8;  // executions of a call that cannot be counted
constexpr std::uint64_t kMany = kMostThreads;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return std::min(a * b, kMany); }

// A call of `__weir_spawn`, and how often one execution of its function executes it at most.
struct SpawnSite {
  const llvm::CallInst* call;
  std::optional<std::uint64_t> repetitions;  // nothing if not known
};

// What ScalarEvolution knows of one function.
class LoopCounts {
 public:
  LoopCounts(llvm::Function& function, llvm::TargetLibraryInfoImpl& library)
      : dominators_(function),
        loops_(dominators_),
        assumptions_(function),
        library_(library),
        evolution_(function, library_, assumptions_, dominators_, loops_) {}

  std::optional<std::uint64_t> repetitions(const llvm::BasicBlock* block) {
    std::uint64_t total = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(block); loop != nullptr; loop = loop->getParentLoop()) {
      const auto count = repetitions(block, *loop);
      if (!count) return std::nullopt;
      total = times(total, *count);
    }
    return total;
  }

 private:
  // In one execution of the loop. A block behind the test that ends it is executed once less than the test.
  std::optional<std::uint64_t> repetitions(const llvm::BasicBlock* block, const llvm::Loop& loop) {
    llvm::SmallVector<llvm::BasicBlock*> exits;
    loop.getExitingBlocks(exits);
    std::optional<std::uint64_t> least;
    for (llvm::BasicBlock* exit : exits) {
      const auto passed = passes(loop, exit);
      if (!passed) continue;
      const std::uint64_t count = stays_to_reach(loop, exit, block) ? *passed : *passed + 1;
      least = std::min(least.value_or(count), count);
    }
    return least;
  }

  // How often the test at the end of this block lets the loop go on. A maximum that is not exact is only
  // worth something if it is small: it may be the largest number of its type.
  std::optional<std::uint64_t> passes(const llvm::Loop& loop, llvm::BasicBlock* exit) {
    using enum llvm::ScalarEvolution::ExitCountKind;
    if (const auto* exact = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getExitCount(&loop, exit, Exact)))
      return exact->getAPInt().getLimitedValue(kMany);
    const auto* most =
        llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getExitCount(&loop, exit, ConstantMaximum));
    if (most == nullptr || most->getAPInt().uge(kMany)) return std::nullopt;
    return most->getAPInt().getZExtValue();
  }

  bool stays_to_reach(const llvm::Loop& loop, const llvm::BasicBlock* exit,
                      const llvm::BasicBlock* block) const {
    for (const llvm::BasicBlock* next : llvm::successors(exit))
      if (loop.contains(next) && next != loop.getHeader() &&
          dominators_.dominates(llvm::BasicBlockEdge(exit, next), block))
        return true;
    return false;
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::AssumptionCache assumptions_;
  llvm::TargetLibraryInfo library_;
  llvm::ScalarEvolution evolution_;
};

class ThreadCounter {
 public:
  ThreadCounter(llvm::Module& module, const COptions& options)
      : module_(module),
        library_(llvm::Triple(module.getTargetTriple())),
        guess_(options.unroll == 0 ? kGuess : std::min<std::uint64_t>(options.unroll + 1, kMany)) {}

  std::uint64_t count() {
    for (llvm::Function& function : module_) find_sites(function);
    std::uint64_t threads = 1;
    for (const auto& [function, sites] : sites_)
      for (const SpawnSite& site : sites) threads += executions(site).value_or(guess_);
    return std::min<std::uint64_t>(threads, kMostThreads);
  }

 private:
  void find_sites(llvm::Function& function) {
    std::vector<const llvm::CallInst*> calls;
    for (const llvm::Instruction& instruction : llvm::instructions(function))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->getCalledFunction() != nullptr && call->getCalledFunction()->getName() == kSpawn)
          calls.push_back(call);
    if (calls.empty()) return;
    LoopCounts counts(function, library_);
    for (const llvm::CallInst* call : calls)
      sites_[&function].push_back({call, counts.repetitions(call->getParent())});
  }

  // Of the call, in a whole execution of the program; nothing if not known.
  std::optional<std::uint64_t> executions(const SpawnSite& site) {
    if (!site.repetitions) return std::nullopt;
    const auto starts = executions(*site.call->getFunction());
    if (!starts) return std::nullopt;
    return times(*site.repetitions, *starts);
  }

  std::optional<std::uint64_t> executions(const llvm::Function& function) {
    if (function.getName() == kMainEntry) return 1;
    const auto [known, is_new] = executions_.try_emplace(&function, std::nullopt);
    if (!is_new) return known->second;  // nothing yet if it creates, in the end, itself
    std::uint64_t total = 0;
    for (const llvm::Use& use : function.uses()) {
      const SpawnSite* site = starting_site(use);
      const auto count = site == nullptr ? std::nullopt : executions(*site);
      if (!count) return std::nullopt;
      total = std::min(total + *count, kMany);
    }
    executions_[&function] = total;
    return total;
  }

  // The call that starts a thread with the function used, if that is what the use is: directly, or through
  // the note that C11 threads leave.
  const SpawnSite* starting_site(const llvm::Use& use) const {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser());
    if (call == nullptr || !call->isArgOperand(&use)) return nullptr;
    if (const unsigned place = call->getArgOperandNo(&use); place != 0 && place != 2) return nullptr;
    const auto sites = sites_.find(call->getFunction());
    if (sites == sites_.end()) return nullptr;
    const auto site = std::ranges::find(sites->second, call, &SpawnSite::call);
    return site == sites->second.end() ? nullptr : &*site;
  }

  llvm::Module& module_;
  llvm::TargetLibraryInfoImpl library_;
  std::uint64_t guess_;
  llvm::DenseMap<const llvm::Function*, std::vector<SpawnSite>> sites_;
  llvm::DenseMap<const llvm::Function*, std::optional<std::uint64_t>> executions_;
};

}  // namespace

std::uint32_t count_threads(llvm::Module& module, const COptions& options) {
  if (options.threads != 0) return std::min(options.threads, kMostThreads);
  return static_cast<std::uint32_t>(ThreadCounter(module, options).count());
}

}  // namespace weir::c
