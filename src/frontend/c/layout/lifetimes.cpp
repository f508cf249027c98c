#include "frontend/c/layout/lifetimes.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include "frontend/c/layout/uninitialised.hpp"

namespace weir::c {

namespace {

// Objects of one variable that are told apart where nothing bounds their number, and where something does.
constexpr unsigned kUnboundedBeginnings = 4;
constexpr unsigned kMostBeginnings = 16;

const llvm::AllocaInst* marked(const llvm::Instruction& instruction, llvm::Intrinsic::ID kind) {
  const auto* mark = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (mark == nullptr || mark->getIntrinsicID() != kind) return nullptr;
  return llvm::dyn_cast<llvm::AllocaInst>(mark->getArgOperand(1));
}

bool is_mark(const llvm::Instruction& instruction) { return instruction.isLifetimeStartOrEnd(); }

// Walks all ways from an instruction; a way is either before or after the end of the variable.
class Walk {
 public:
  Walk(const llvm::AllocaInst& variable, const llvm::Value& address)
      : variable_(variable), address_(address) {}

  // Is the address used where the variable has ended? From its computation on; from its ends, if it is the
  // variable itself, whose address is always that of the newest object.
  bool uses_ended() {
    if (&address_ == &variable_) {
      for (const llvm::User* user : variable_.users())
        if (const auto* mark = llvm::dyn_cast<llvm::Instruction>(user);
            mark != nullptr && ending_variable(*mark) == &variable_)
          pending_.push_back({mark->getParent(), mark->getNextNode(), true});
    } else {
      const auto& computed = llvm::cast<llvm::Instruction>(address_);
      if (used_nearby(computed)) return false;
      pending_.push_back({computed.getParent(), computed.getNextNode(), false});
    }
    while (!pending_.empty()) {
      const Point point = pending_.back();
      pending_.pop_back();
      if (visit(point)) return true;
    }
    return false;
  }

 private:
  struct Point {
    const llvm::BasicBlock* block;
    const llvm::Instruction* from;
    bool ended;
  };

  // All uses follow in the same block, and it does not end before the last of them.
  bool used_nearby(const llvm::Instruction& computed) const {
    unsigned left = computed.getNumUses();
    for (const llvm::User* user : computed.users())
      if (llvm::isa<llvm::PHINode>(user)) return false;
    for (const llvm::Instruction* next = computed.getNextNode(); next != nullptr && left > 0;
         next = next->getNextNode()) {
      if (ending_variable(*next) == &variable_) return false;
      for (const llvm::Use& operand : next->operands()) left -= operand.get() == &computed;
    }
    return left == 0;
  }

  bool uses(const llvm::Instruction& instruction) const {
    return !llvm::isa<llvm::PHINode>(instruction) && !is_mark(instruction) && !stores_mark(instruction) &&
           llvm::is_contained(instruction.operands(), &address_);
  }

  bool visit(Point point) {
    for (const llvm::Instruction* at = point.from; at != nullptr; at = at->getNextNode()) {
      if (at == &address_ && at != &variable_) return false;  // computed anew
      if (point.ended && uses(*at)) return true;
      if (ending_variable(*at) == &variable_) point.ended = true;
      if (&address_ == &variable_ && beginning_variable(*at) == &variable_) return false;
    }
    for (const llvm::BasicBlock* next : llvm::successors(point.block)) {
      for (const llvm::PHINode& phi : next->phis())
        if (point.ended && phi.getIncomingValueForBlock(point.block) == &address_) return true;
      if (seen_[point.ended].insert(next).second) pending_.push_back({next, &next->front(), point.ended});
    }
    return false;
  }

  const llvm::AllocaInst& variable_;
  const llvm::Value& address_;
  std::vector<Point> pending_;
  llvm::SmallPtrSet<const llvm::BasicBlock*, 16> seen_[2];
};

bool is_literal(const llvm::AllocaInst& variable) {
  return variable.isStaticAlloca() && variable.getName().starts_with(".compoundliteral") &&
         !has_lifetime(variable);
}

// The scope in the source, if it is a block; literals of the outermost block end with the function.
const llvm::DILexicalBlock* block_of(const llvm::Instruction& instruction) {
  const llvm::DILocation* location = instruction.getDebugLoc();
  if (location == nullptr) return nullptr;
  return llvm::dyn_cast<llvm::DILexicalBlock>(location->getScope()->getNonLexicalBlockFileScope());
}

bool lies_in(const llvm::Instruction& instruction, const llvm::DILexicalBlock& block) {
  const llvm::DILocation* location = instruction.getDebugLoc();
  if (location == nullptr) return true;  // it belongs to what stands around it
  const llvm::DIScope* scope = location->getScope();
  for (; scope != nullptr; scope = scope->getScope()) {
    if (scope == &block) return true;
    if (llvm::isa<llvm::DISubprogram>(scope)) return false;
  }
  return false;
}

// Ends the variable on every way that leaves the block.
void end_with(llvm::AllocaInst& variable, const llvm::DILexicalBlock& block, llvm::Instruction& first) {
  begin_lifetime(variable, first);
  llvm::SmallPtrSet<const llvm::Instruction*, 16> seen;
  llvm::SmallSetVector<llvm::Instruction*, 4> outside;
  std::vector<llvm::Instruction*> pending{&first};
  while (!pending.empty()) {
    llvm::Instruction* at = pending.back();
    pending.pop_back();
    for (; at != nullptr; at = at->getNextNode()) {
      if (!lies_in(*at, block)) {
        outside.insert(at);
        break;
      }
      if (!at->isTerminator()) continue;
      for (llvm::BasicBlock* next : llvm::successors(at))
        if (llvm::Instruction* start = &*next->getFirstNonPHIIt(); seen.insert(start).second)
          pending.push_back(start);
    }
  }
  for (llvm::Instruction* at : outside) end_lifetime(variable, *at);
}

bool has_stack_blocks(const llvm::Function& function,
                      const llvm::DenseSet<const llvm::AllocaInst*>& privates) {
  return llvm::any_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    return variable != nullptr && !privates.contains(variable);
  });
}

// Calls of what was not inlined, but for those that the runtime makes when the thread has ended its
// variables.
bool calls_others(const llvm::Function& function) {
  const llvm::DominatorTree dominators(const_cast<llvm::Function&>(function));  // it only looks at it
  std::vector<const llvm::CallBase*> ends, calls;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || call->isInlineAsm()) continue;
    const llvm::Function* callee = call->getCalledFunction();
    if (callee != nullptr && callee->getName() == "__weir_end_variables") ends.push_back(call);
    if (callee == nullptr || !callee->isDeclaration()) calls.push_back(call);
  }
  return llvm::any_of(calls, [&](const llvm::CallBase* call) {
    return llvm::none_of(ends, [&](const llvm::CallBase* end) { return dominators.dominates(end, call); });
  });
}

constexpr std::uint64_t kUnlimited = std::uint64_t{1} << 32;

// How often a block can be executed in one activation of its function.
class TripCounts {
 public:
  explicit TripCounts(llvm::Function& function)
      : dominators_(function),
        loops_(dominators_),
        library_(library_functions_),
        assumptions_(function),
        evolution_(function, library_, assumptions_, dominators_, loops_),
        irreducible_(is_irreducible(function)) {}

  std::uint64_t most_executions(const llvm::BasicBlock& block) {
    if (irreducible_) return kUnlimited;
    std::uint64_t times = 1;
    for (const llvm::Loop* loop = loops_.getLoopFor(&block); loop != nullptr; loop = loop->getParentLoop()) {
      const unsigned trips = evolution_.getSmallConstantMaxTripCount(loop);
      if (trips == 0 || times > kMostBeginnings) return kUnlimited;
      times *= trips;
    }
    return times;
  }

 private:
  bool is_irreducible(llvm::Function& function) const {
    llvm::ReversePostOrderTraversal<llvm::Function*> order(&function);
    return llvm::containsIrreducibleCFG<llvm::BasicBlock*>(order, loops_);
  }

  llvm::DominatorTree dominators_;
  llvm::LoopInfo loops_;
  llvm::TargetLibraryInfoImpl library_functions_;
  llvm::TargetLibraryInfo library_;
  llvm::AssumptionCache assumptions_;
  llvm::ScalarEvolution evolution_;
  bool irreducible_;
};

// The first instruction that writes the literal stands in its block.
llvm::Instruction* first_use(llvm::AllocaInst& variable) {
  for (llvm::Instruction& instruction : llvm::instructions(*variable.getFunction()))
    if (llvm::is_contained(instruction.operands(), &variable)) return &instruction;
  return nullptr;
}

}  // namespace

const llvm::AllocaInst* beginning_variable(const llvm::Instruction& instruction) {
  return marked(instruction, llvm::Intrinsic::lifetime_start);
}

const llvm::AllocaInst* ending_variable(const llvm::Instruction& instruction) {
  return marked(instruction, llvm::Intrinsic::lifetime_end);
}

bool has_lifetime(const llvm::AllocaInst& variable) {
  return llvm::any_of(variable.users(), [](const llvm::User* user) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
    return instruction != nullptr && is_mark(*instruction);
  });
}

void begin_lifetime(llvm::AllocaInst& variable, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  builder.CreateLifetimeStart(&variable);
}

void end_lifetime(llvm::AllocaInst& variable, llvm::Instruction& before) {
  llvm::IRBuilder<> builder(&before);
  builder.CreateLifetimeEnd(&variable);
}

void end_literals(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> literals;
  for (llvm::Instruction& instruction : function.getEntryBlock())
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (is_literal(*variable)) literals.push_back(variable);
  for (llvm::AllocaInst* literal : literals) {
    llvm::Instruction* first = first_use(*literal);
    const llvm::DILexicalBlock* block = first == nullptr ? nullptr : block_of(*first);
    if (block != nullptr) end_with(*literal, *block, *first);
  }
}

void end_arrays(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> variables;
  std::vector<llvm::IntrinsicInst*> ends;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable != nullptr && variable->isStaticAlloca()) variables.push_back(variable);
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::stackrestore) ends.push_back(call);
  }
  if (ends.empty()) return;
  const llvm::DominatorTree dominators(function);
  for (llvm::AllocaInst* variable : variables) {
    const auto ends_it = [&](const llvm::IntrinsicInst* end) {
      const auto* saved = llvm::dyn_cast<llvm::Instruction>(end->getArgOperand(0));
      return saved != nullptr && dominators.dominates(saved, variable);
    };
    if (has_lifetime(*variable) || llvm::none_of(ends, ends_it)) continue;
    begin_lifetime(*variable, *variable->getNextNode());
    for (llvm::IntrinsicInst* end : ends)
      if (ends_it(end)) end_lifetime(*variable, *end);
  }
}

bool outlives(const llvm::AllocaInst& variable, llvm::ArrayRef<const llvm::Value*> addresses) {
  if (!has_lifetime(variable)) return false;
  return llvm::any_of(addresses,
                      [&](const llvm::Value* address) { return Walk(variable, *address).uses_ended(); });
}

void drop_lifetimes(llvm::Module& module, const llvm::DenseSet<const llvm::AllocaInst*>& variables) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!is_mark(instruction)) continue;
      const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(instruction.getOperand(1));
      if (variable == nullptr || variables.contains(variable)) instruction.eraseFromParent();
    }
}

bool keeps_variables_in_calls(const llvm::Module& module,
                              const llvm::DenseSet<const llvm::AllocaInst*>& privates) {
  return llvm::any_of(module, [&](const llvm::Function& function) {
    return !function.isDeclaration() && has_stack_blocks(function, privates) && calls_others(function);
  });
}

llvm::DenseMap<const llvm::AllocaInst*, Beginnings> count_beginnings(const llvm::Function& function) {
  llvm::DenseMap<const llvm::AllocaInst*, Beginnings> counts;
  std::vector<const llvm::Instruction*> begins;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (beginning_variable(instruction) != nullptr) begins.push_back(&instruction);
  if (begins.empty()) return counts;

  auto& code = const_cast<llvm::Function&>(function);  // analyses only look at it
  TripCounts trips(code);
  for (const llvm::Instruction* begin : begins) {
    Beginnings& count = counts.try_emplace(beginning_variable(*begin), Beginnings{0, true}).first->second;
    const std::uint64_t times = trips.most_executions(*begin->getParent());
    count.bounded &= times != kUnlimited && count.most + times <= kMostBeginnings;
    count.most = static_cast<unsigned>(std::min<std::uint64_t>(count.most + times, kMostBeginnings));
    if (times == kUnlimited) count.most = kUnboundedBeginnings;
  }
  return counts;
}

}  // namespace weir::c
