#include "frontend/c/instructions/primitives.hpp"

#include <llvm/ADT/StringMap.h>

#include "frontend/c/instructions/call.hpp"
#include "frontend/c/instructions/copy.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/pipeline/link.hpp"
#include "program/address.hpp"

namespace weir::c {

namespace {

using llvm::CallBase;

// __weir_allocate, __weir_allocate_zeroed
void allocate(FunctionLowering& lowering, const CallBase& call, BlockKind kind) {
  const ExprId size =
      lowering.build.cast(lowering.build.as_unsigned(lowering.use(*call.getArgOperand(0))), kAddress);
  lowering.emitter.emit(
      {.op = Opcode::kAllocate, .block = kind, .result = lowering.result_register(call), .a = size});
}

void free_block(FunctionLowering& lowering, const CallBase& call, BlockKind kind) {
  lowering.emitter.emit({.op = Opcode::kFree, .block = kind, .a = lowering.use(*call.getArgOperand(0))});
}

// It is in the address.
void block_size(FunctionLowering& lowering, const CallBase& call) {
  Expressions& build = lowering.build;
  const ExprId address = lowering.use(*call.getArgOperand(0));
  const auto field = [&](std::uint64_t low, std::uint64_t mask) {
    return build.binary(ExprOp::kBitAnd, build.binary(ExprOp::kShr, address, build.address(low)),
                        build.address(mask));
  };
  const ExprId high = build.binary(ExprOp::kShr, address, build.address(48));
  const ExprId is_small = build.compare(ExprOp::kEq, high, build.address(0));
  lowering.define(call, build.cast(build.select(is_small, field(13, kSmallBlocks - 1), field(19, 0x7FFFF)),
                                   *scalar_type(call.getType())));
}

void await_int(FunctionLowering& lowering, const CallBase& call) {
  const ExprId address = lowering.use(*call.getArgOperand(0));
  const ExprId unwanted = lowering.use(*call.getArgOperand(1));
  lowering.emitter.emit({.op = Opcode::kLoad,
                         .order = Order::kAcquire,
                         .waits = true,
                         .type = {32, true},
                         .result = lowering.result_register(call),
                         .a = address,
                         .c = unwanted});
  lowering.enter();
}

void choose(FunctionLowering& lowering, const CallBase& call) {
  const auto low = lowering.build.number(lowering.use(*call.getArgOperand(0)));
  const auto high = lowering.build.number(lowering.use(*call.getArgOperand(1)));
  if (!low || !high || *low > *high)
    return lowering.unsupported(call, "a choice needs two constants, the lower one first");
  lowering.emitter.emit(
      {.op = Opcode::kChoose, .result = lowering.result_register(call), .low = *low, .high = *high});
}

// Those of functions that have called this one cannot be reached from here.
void end_variables(FunctionLowering& lowering, const CallBase&) {
  const bool outermost = lowering.source.getName() == kMainEntry || lowering.source.getName() == kThreadEntry;
  if (!outermost && lowering.module.keeps_variables_in_calls)
    return lowering.emitter.give_up(
        "a thread ends inside several functions, and variables of the outer ones may be seen by others");
  lowering.release_stack_blocks();
}

void wakes_early(FunctionLowering& lowering, const CallBase& call) {
  if (!lowering.module.options.spurious_wakeups)
    return lowering.define(call, lowering.build.constant(0, {32, true}));
  lowering.emitter.emit({.op = Opcode::kChoose,
                         .waits = true,
                         .result = lowering.result_register(call),
                         .low = 0,
                         .high = 1,
                         .message = "wakes without a signal"});
}

void fails_by_chance(FunctionLowering& lowering, const CallBase& call) {
  lowering.emitter.emit({.op = Opcode::kChoose,
                         .result = lowering.result_register(call),
                         .low = 0,
                         .high = 1,
                         .message = "fails without a reason"});
}

void allocation_fails(FunctionLowering& lowering, const CallBase& call) {
  if (!lowering.module.options.failing_malloc) {
    lowering.module.assume("malloc() and the like find memory (--failing-malloc: or not)");
    return lowering.define(call, lowering.build.constant(0, {32, true}));
  }
  lowering.emitter.emit({.op = Opcode::kChoose,
                         .result = lowering.result_register(call),
                         .low = 0,
                         .high = 1,
                         .message = "there is no memory left"});
}

void wait_until(FunctionLowering& lowering, const CallBase& call) {
  const ExprId condition = lowering.use(*call.getArgOperand(0));
  lowering.emitter.assume(lowering.build.compare(ExprOp::kNe, condition,
                                                 lowering.build.constant(0, lowering.build.type(condition))));
}

void can_end(FunctionLowering& lowering, const CallBase& call) {
  Expressions& build = lowering.build;
  const ExprId address = build.as_unsigned(lowering.use(*call.getArgOperand(0)));
  const ExprId ordinary = build.compare(ExprOp::kLt, address, build.address(kFirstSpecialAddress));
  lowering.define(call, build.cast(build.negation(ordinary), *scalar_type(call.getType())));
}

using Handler = void (*)(FunctionLowering&, const CallBase&);

const llvm::StringMap<Handler>& handlers() {
  static const llvm::StringMap<Handler> table = {
      {"__weir_atomic_begin",
       [](FunctionLowering& l, const CallBase& c) { l.begin_block(text_argument(c, 0)); }},
      {"__weir_atomic_end", [](FunctionLowering& l, const CallBase&) { l.end_block(); }},
      {"__weir_wait_until", wait_until},
      {"__weir_await_int", await_int},
      {"__weir_fail", [](FunctionLowering& l, const CallBase& c) { l.emitter.fail(text_argument(c, 0)); }},
      {"__weir_halt", [](FunctionLowering& l, const CallBase&) { l.emitter.halt(); }},
      {"__weir_give_up",
       [](FunctionLowering& l, const CallBase& c) { l.emitter.give_up(text_argument(c, 0)); }},
      {"__weir_end_variables", end_variables},
      {"__weir_end_thread_variables",
       [](FunctionLowering& l, const CallBase&) { l.release_thread_blocks(); }},
      {"__weir_wakes_early", wakes_early},
      {"__weir_fails_by_chance", fails_by_chance},
      {"__weir_allocation_fails", allocation_fails},
      {"__weir_thread_stop",
       [](FunctionLowering& l, const CallBase&) { l.emitter.finish({.op = Opcode::kStop}); }},
      {"__weir_self",
       [](FunctionLowering& l, const CallBase& c) {
         l.define(c, l.build.self({32, true}));
       }},
      {"__weir_thread_limit",
       [](FunctionLowering& l, const CallBase& c) {
         l.define(c, l.build.constant(l.module.thread_limit, {32, true}));
       }},
      {"__weir_process_ends",
       [](FunctionLowering& l, const CallBase& c) {
         l.define(c, l.build.constant(l.module.options.process_ends ? 1 : 0, {32, true}));
       }},
      {"__weir_checks_races",
       [](FunctionLowering& l, const CallBase& c) {
         l.define(c, l.build.constant(l.module.options.races ? 1 : 0, {32, true}));
       }},
      {"__weir_choose", choose},
      {"__weir_allocate", [](FunctionLowering& l, const CallBase& c) { allocate(l, c, BlockKind::kHeap); }},
      {"__weir_allocate_zeroed",
       [](FunctionLowering& l, const CallBase& c) { allocate(l, c, BlockKind::kZeroed); }},
      {"__weir_allocate_aligned",
       [](FunctionLowering& l, const CallBase& c) { allocate(l, c, BlockKind::kAligned); }},
      {"__weir_allocate_object",
       [](FunctionLowering& l, const CallBase& c) { allocate(l, c, BlockKind::kObject); }},
      {"__weir_allocate_array",
       [](FunctionLowering& l, const CallBase& c) { allocate(l, c, BlockKind::kArray); }},
      {"__weir_free", [](FunctionLowering& l, const CallBase& c) { free_block(l, c, BlockKind::kHeap); }},
      {"__weir_free_object",
       [](FunctionLowering& l, const CallBase& c) { free_block(l, c, BlockKind::kObject); }},
      {"__weir_free_array",
       [](FunctionLowering& l, const CallBase& c) { free_block(l, c, BlockKind::kArray); }},
      {"__weir_block_size", block_size},
      {"__weir_can_end", can_end},
      {"__weir_copy_block",
       [](FunctionLowering& l, const CallBase& c) {
         lower_memory_copy(l, c, *c.getArgOperand(0), *c.getArgOperand(1), *c.getArgOperand(2), false);
       }},
      {"__weir_full_fence",
       [](FunctionLowering& l, const CallBase&) {
         l.emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
       }},
      {"__weir_restriction",
       [](FunctionLowering& l, const CallBase& c) { l.module.restrict(text_argument(c, 0)); }},
      {"__weir_assumption",
       [](FunctionLowering& l, const CallBase& c) { l.module.assume(text_argument(c, 0)); }},
  };
  return table;
}

}  // namespace

bool lower_primitive(FunctionLowering& lowering, const CallBase& call, const llvm::Function& callee) {
  const auto found = handlers().find(callee.getName());
  if (found == handlers().end()) return false;
  found->second(lowering, call);
  return true;
}

}  // namespace weir::c
