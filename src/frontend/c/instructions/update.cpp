// Read-modify-writes and fences.
#include <fmt/format.h>

#include "frontend/c/instructions/access.hpp"
#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/lowering/function.hpp"
#include "frontend/c/lowering/parts.hpp"

namespace weir::c {

namespace {

std::optional<RmwOp> rmw_op(llvm::AtomicRMWInst::BinOp operation) {
  switch (operation) {
    case llvm::AtomicRMWInst::Xchg: return RmwOp::kExchange;
    case llvm::AtomicRMWInst::Add: return RmwOp::kAdd;
    case llvm::AtomicRMWInst::Sub: return RmwOp::kSub;
    case llvm::AtomicRMWInst::And: return RmwOp::kBitAnd;
    case llvm::AtomicRMWInst::Nand: return RmwOp::kBitNand;
    case llvm::AtomicRMWInst::Or: return RmwOp::kBitOr;
    case llvm::AtomicRMWInst::Xor: return RmwOp::kBitXor;
    case llvm::AtomicRMWInst::Max: return RmwOp::kMax;
    case llvm::AtomicRMWInst::Min: return RmwOp::kMin;
    case llvm::AtomicRMWInst::UMax: return RmwOp::kUnsignedMax;
    case llvm::AtomicRMWInst::UMin: return RmwOp::kUnsignedMin;
    default: return std::nullopt;
  }
}

// What the rarer operations leave in memory.
std::optional<ExprId> updated(Expressions& build, llvm::AtomicRMWInst::BinOp operation, ExprId old,
                              ExprId operand) {
  const Type type = build.type(old);
  const auto unsigned_less = [&](ExprId a, ExprId b) {
    return build.compare(ExprOp::kLt, build.as_unsigned(a), build.as_unsigned(b));
  };
  // Or if what was there is not a number.
  const auto operand_if = [&](ExprId wanted) {
    return build.select(build.either(wanted, build.compare(ExprOp::kFloatUnordered, old, old)), operand, old);
  };
  const ExprId zero = build.constant(0, type), one = build.constant(1, type);
  switch (operation) {
    case llvm::AtomicRMWInst::FAdd: return build.binary(ExprOp::kFloatAdd, old, operand);
    case llvm::AtomicRMWInst::FSub: return build.binary(ExprOp::kFloatSub, old, operand);
    case llvm::AtomicRMWInst::FMax: return operand_if(build.compare(ExprOp::kFloatLt, old, operand));
    case llvm::AtomicRMWInst::FMin: return operand_if(build.compare(ExprOp::kFloatLt, operand, old));
    case llvm::AtomicRMWInst::UIncWrap:
      return build.select(unsigned_less(old, operand), build.binary(ExprOp::kAdd, old, one), zero);
    case llvm::AtomicRMWInst::UDecWrap: {
      const ExprId outside = build.either(build.compare(ExprOp::kEq, old, zero), unsigned_less(operand, old));
      return build.select(outside, operand, build.binary(ExprOp::kSub, old, one));
    }
    default: return std::nullopt;
  }
}

// The cell must be as wide as the update; there is no taking apart.
bool hits_whole_cell(FunctionLowering& lowering, const llvm::Value& pointer, Type type) {
  const Place place = lowering.module.places.of(pointer);
  return !is_split(place, parts_of(place, type.bits / 8), type.bits / 8);
}

constexpr const char* kPartMessage = "an atomic update of a part of a shared variable is not supported";

}  // namespace

void lower_update(FunctionLowering& lowering, const llvm::AtomicRMWInst& update) {
  const auto type = cell_type(update.getType(), lowering.data());
  if (!type || scalar_type(update.getType())->bits % 8 != 0)
    return lowering.unsupported(
        update, "an atomic update of " + type_in_words(update.getType()) + " is not supported", kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId operand = lowering.as_stored(lowering.use(*update.getValOperand()), *update.getType());
  if (!hits_whole_cell(lowering, *update.getPointerOperand(), *type))
    return lowering.unsupported(update, kPartMessage);
  require_aligned(lowering, *update.getPointerOperand(), update.getAlign().value());
  require_inside_arrays(lowering, *update.getPointerOperand());
  ExprId address = lowering.use(*update.getPointerOperand());
  if (const auto op = rmw_op(update.getOperation())) {
    const bool used = lowering.plan.used(update);
    const bool keeps_width = scalar_type(update.getType())->bits == type->bits;
    const RegisterId result = !used         ? RegisterId()
                              : keeps_width ? lowering.result_register(update)
                                            : emitter.fresh(*type);
    emitter.emit({.op = Opcode::kRmw,
                  .order = order_of(update.getOrdering()),
                  .rmw = *op,
                  .type = *type,
                  .result = result,
                  .a = address,
                  .b = operand});
    if (used && !keeps_width)
      lowering.define(update, lowering.as_loaded(emitter.value_of(result), *update.getType()));
    return;
  }
  address = emitter.in_register(address);
  const ExprId kept = emitter.in_register(operand);
  bool known = true;
  lowering.atomically("updates", [&] {
    const RegisterId old = lowering.result_register(update);
    emitter.load(address, *type, {.order = Order::kAcquire, .plain = false}, old);
    const auto next = updated(lowering.build, update.getOperation(), emitter.value_of(old), kept);
    known = next.has_value();
    if (known) emitter.store(address, *next, *type, {.order = Order::kRelease, .plain = false});
  });
  if (!known) lowering.unsupported(update, "this atomic operation is not supported");
}

void lower_compare_exchange(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange) {
  const llvm::Type& exchanged = *exchange.getNewValOperand()->getType();
  const auto type = cell_type(&exchanged, lowering.data());
  if (!type || scalar_type(&exchanged)->bits % 8 != 0)
    return lowering.unsupported(
        exchange,
        "compare-exchange of " + type_in_words(exchange.getNewValOperand()->getType()) + " is not supported",
        kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId expected =
      emitter.in_register(lowering.as_stored(lowering.use(*exchange.getCompareOperand()), exchanged));
  const ExprId desired = lowering.as_stored(lowering.use(*exchange.getNewValOperand()), exchanged);
  if (!hits_whole_cell(lowering, *exchange.getPointerOperand(), *type))
    return lowering.unsupported(exchange, kPartMessage);
  require_aligned(lowering, *exchange.getPointerOperand(), exchange.getAlign().value());
  require_inside_arrays(lowering, *exchange.getPointerOperand());
  const ExprId address = lowering.use(*exchange.getPointerOperand());
  const RegisterId old = lowering.plan.used(exchange) ? emitter.fresh(*type) : RegisterId();
  emitter.emit({.op = Opcode::kRmw,
                .order = order_of(exchange.getSuccessOrdering()),
                .failing = order_of(exchange.getFailureOrdering()),
                .rmw = RmwOp::kCompareExchange,
                .type = *type,
                .result = old,
                .a = address,
                .b = desired,
                .c = expected});
  if (!old) return;
  const ExprId found = emitter.value_of(old);
  lowering.define(exchange, Scalars{lowering.as_loaded(found, exchanged),
                                    lowering.build.compare(ExprOp::kEq, found, expected)});
}

void lower_fence(FunctionLowering& lowering, const llvm::FenceInst& fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;
  const Order order = order_of(fence.getOrdering());
  switch (order) {
    case Order::kSequential: return lowering.emitter.emit({.op = Opcode::kFence, .fence = FenceKind::kFull});
    case Order::kRelease:
    case Order::kAcquireRelease:
      return lowering.emitter.emit({.op = Opcode::kFence, .order = order, .fence = FenceKind::kStoreStore});
    default: return lowering.emitter.emit({.op = Opcode::kNop, .order = order});
  }
}

}  // namespace weir::c
