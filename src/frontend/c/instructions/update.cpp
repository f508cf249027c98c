// Read-modify-writes and fences.
#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "frontend/c/instructions/access.hpp"
#include "frontend/c/instructions/cell_access.hpp"
#include "frontend/c/instructions/checks.hpp"
#include "frontend/c/instructions/wide_numbers.hpp"

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

// What an operation leaves in memory.
std::optional<ExprId> updated(Expressions& build, llvm::AtomicRMWInst::BinOp operation, ExprId old,
                              ExprId operand) {
  const Type type = build.type(old);
  const auto unsigned_less = [&](ExprId a, ExprId b) {
    return build.compare(ExprOp::kLt, build.as_unsigned(a), build.as_unsigned(b));
  };
  const auto signed_less = [&](ExprId a, ExprId b) {
    return build.compare(ExprOp::kLt, build.as_signed(a), build.as_signed(b));
  };
  // Or if what was there is not a number.
  const auto operand_if = [&](ExprId wanted) {
    return build.select(build.either(wanted, build.compare(ExprOp::kFloatUnordered, old, old)), operand, old);
  };
  const ExprId zero = build.constant(0, type), one = build.constant(1, type);
  switch (operation) {
    case llvm::AtomicRMWInst::Xchg: return operand;
    case llvm::AtomicRMWInst::Add: return build.binary(ExprOp::kAdd, old, operand);
    case llvm::AtomicRMWInst::Sub: return build.binary(ExprOp::kSub, old, operand);
    case llvm::AtomicRMWInst::And: return build.binary(ExprOp::kBitAnd, old, operand);
    case llvm::AtomicRMWInst::Or: return build.binary(ExprOp::kBitOr, old, operand);
    case llvm::AtomicRMWInst::Xor: return build.binary(ExprOp::kBitXor, old, operand);
    case llvm::AtomicRMWInst::Nand:
      return build.binary(ExprOp::kBitXor, build.binary(ExprOp::kBitAnd, old, operand),
                          build.constant(-1, type));
    case llvm::AtomicRMWInst::Min: return build.select(signed_less(old, operand), old, operand);
    case llvm::AtomicRMWInst::Max: return build.select(signed_less(old, operand), operand, old);
    case llvm::AtomicRMWInst::UMin: return build.select(unsigned_less(old, operand), old, operand);
    case llvm::AtomicRMWInst::UMax: return build.select(unsigned_less(old, operand), operand, old);
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

constexpr const char* kPartMessage = "an atomic update of a part of a shared variable is not supported";

// A read-modify-write as a step that loads and stores, of one cell or several.
class LockedSteps {
 public:
  LockedSteps(FunctionLowering& lowering, const llvm::Value& pointer, llvm::Type& type)
      : lowering_(lowering),
        type_(type),
        reading_(lowering, pointer, {.order = Order::kAcquire, .plain = false}),
        writing_(lowering, pointer, {.order = Order::kRelease, .plain = false}) {
    reading_.keep_address();
    writing_.keep_address();
  }

  // As memory holds it.
  ExprId load() {
    return lowering_.emitter.in_register(lowering_.as_stored(reading_.load(0, &type_, {}), type_));
  }
  void store(ExprId value) {
    WEIR_CHECK(writing_.store(0, &type_, lowering_.as_loaded(value, type_)), "whole cells change");
  }

 private:
  FunctionLowering& lowering_;
  llvm::Type& type_;
  CellAccess reading_, writing_;
};

constexpr std::uint64_t kWordBytes = 8;

bool are_whole(const std::vector<Part>& parts, std::uint64_t bytes) {
  return std::ranges::all_of(parts, [&](const Part& part) {
    return part.offset >= 0 && static_cast<std::uint64_t>(part.offset) + part.bytes <= bytes;
  });
}

// None if it is a part of one, which cannot be updated; one also if nothing is known.
std::size_t cells_hit(FunctionLowering& lowering, const llvm::Value& pointer, llvm::Type& type) {
  const CellAccess access(lowering, pointer, {.plain = false});
  const std::uint64_t bytes = lowering.data().getTypeStoreSize(&type);
  const std::vector<Part> parts = access.parts_at(0, bytes);
  if (parts.empty()) return 1;
  return are_whole(parts, bytes) ? parts.size() : 0;
}

void update_in_steps(FunctionLowering& lowering, const llvm::AtomicRMWInst& update, ExprId operand) {
  Emitter& emitter = lowering.emitter;
  LockedSteps steps(lowering, *update.getPointerOperand(), *update.getType());
  const ExprId kept = emitter.in_register(operand);
  bool known = true;
  ExprId old;
  lowering.atomically("updates", [&] {
    old = steps.load();
    const auto next = updated(lowering.build, update.getOperation(), old, kept);
    known = next.has_value();
    if (known) steps.store(*next);
  });
  if (!known) return lowering.unsupported(update, "this atomic operation is not supported");
  lowering.define(update, lowering.as_loaded(old, *update.getType()));
}

void exchange_in_steps(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange, llvm::Type& type,
                       ExprId expected, ExprId desired) {
  Emitter& emitter = lowering.emitter;
  LockedSteps steps(lowering, *exchange.getPointerOperand(), type);
  const ExprId kept = emitter.in_register(desired);
  ExprId old, is_expected;
  lowering.atomically("compares and exchanges", [&] {
    old = steps.load();
    is_expected = emitter.in_register(lowering.build.compare(ExprOp::kEq, old, expected));
    emitter.when(is_expected, [&] { steps.store(kept); });
  });
  lowering.define(exchange, Scalars{lowering.as_loaded(old, type), is_expected});
}

// Both words of a number of 128 bits in one step, as cmpxchg16b does it.
class WideSteps {
 public:
  WideSteps(FunctionLowering& lowering, const llvm::Value& pointer, llvm::Type& type)
      : lowering_(lowering),
        words_(*lowering.leaves(&type)),
        reading_(lowering, pointer, {.order = Order::kAcquire, .plain = false}),
        writing_(lowering, pointer, {.order = Order::kRelease, .plain = false}) {
    reading_.keep_address();
    writing_.keep_address();
  }

  Scalars load() {
    Scalars found;
    for (const Leaf& word : words_)
      found.push_back(lowering_.emitter.in_register(reading_.load(word.offset, word.type, {})));
    return found;
  }
  void store(const Scalars& values) {
    for (std::size_t i = 0; i < words_.size(); ++i)
      WEIR_CHECK(writing_.store(words_[i].offset, words_[i].type, values[i]), "whole cells change");
  }

 private:
  FunctionLowering& lowering_;
  std::vector<Leaf> words_;
  CellAccess reading_, writing_;
};

Scalars kept(Emitter& emitter, Scalars values) {
  for (ExprId& value : values) value = emitter.in_register(value);
  return values;
}

// Is a word of the number only a part of a cell?
bool hits_parts(FunctionLowering& lowering, const llvm::Value& pointer, llvm::Type& type) {
  const CellAccess access(lowering, pointer, {.plain = false});
  return !std::ranges::all_of(*lowering.leaves(&type), [&](const Leaf& word) {
    return are_whole(access.parts_at(word.offset, kWordBytes), kWordBytes);
  });
}

void update_wide_number(FunctionLowering& lowering, const llvm::AtomicRMWInst& update) {
  WideSteps steps(lowering, *update.getPointerOperand(), *update.getType());
  const Scalars operand = kept(lowering.emitter, lowering.use_all(*update.getValOperand()));
  Scalars old;
  bool known = true;
  lowering.atomically("updates", [&] {
    old = steps.load();
    const Scalars next = updated_wide_number(lowering.build, update.getOperation(), old, operand);
    known = !next.empty();
    if (known) steps.store(next);
  });
  if (!known) return lowering.unsupported(update, "this atomic operation is not supported");
  lowering.define(update, old);
}

void exchange_wide_number(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange) {
  WideSteps steps(lowering, *exchange.getPointerOperand(), *exchange.getNewValOperand()->getType());
  Expressions& build = lowering.build;
  const Scalars expected = kept(lowering.emitter, lowering.use_all(*exchange.getCompareOperand()));
  const Scalars desired = kept(lowering.emitter, lowering.use_all(*exchange.getNewValOperand()));
  Scalars result;
  lowering.atomically("compares and exchanges", [&] {
    result = steps.load();
    const ExprId equal =
        lowering.emitter.in_register(build.both(build.compare(ExprOp::kEq, result[0], expected[0]),
                                                build.compare(ExprOp::kEq, result[1], expected[1])));
    lowering.emitter.when(equal, [&] { steps.store(desired); });
    result.push_back(equal);
  });
  lowering.define(exchange, result);
}

}  // namespace

void lower_update(FunctionLowering& lowering, const llvm::AtomicRMWInst& update) {
  if (is_wide_number(update.getType())) {
    if (hits_parts(lowering, *update.getPointerOperand(), *update.getType()))
      return lowering.unsupported(update, kPartMessage);
    return update_wide_number(lowering, update);
  }
  const auto type = cell_type(update.getType(), lowering.data());
  if (!type || scalar_type(update.getType())->bits % 8 != 0)
    return lowering.unsupported(
        update, "an atomic update of " + type_in_words(update.getType()) + " is not supported", kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId operand = lowering.as_stored(lowering.use(*update.getValOperand()), *update.getType());
  const std::size_t cells = cells_hit(lowering, *update.getPointerOperand(), *update.getType());
  if (cells == 0) return lowering.unsupported(update, kPartMessage);
  require_aligned(lowering, *update.getPointerOperand(), update.getAlign().value());
  require_inside_arrays(lowering, *update.getPointerOperand());
  const auto op = rmw_op(update.getOperation());
  if (!op || cells > 1) return update_in_steps(lowering, update, operand);
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
                .a = lowering.use(*update.getPointerOperand()),
                .b = operand});
  if (used && !keeps_width)
    lowering.define(update, lowering.as_loaded(emitter.value_of(result), *update.getType()));
}

void lower_compare_exchange(FunctionLowering& lowering, const llvm::AtomicCmpXchgInst& exchange) {
  llvm::Type& exchanged = *exchange.getNewValOperand()->getType();
  if (is_wide_number(&exchanged)) {
    if (hits_parts(lowering, *exchange.getPointerOperand(), exchanged))
      return lowering.unsupported(exchange, kPartMessage);
    return exchange_wide_number(lowering, exchange);
  }
  const auto type = cell_type(&exchanged, lowering.data());
  if (!type || scalar_type(&exchanged)->bits % 8 != 0)
    return lowering.unsupported(
        exchange, "compare-exchange of " + type_in_words(&exchanged) + " is not supported", kTypesHint);
  Emitter& emitter = lowering.emitter;
  const ExprId expected =
      emitter.in_register(lowering.as_stored(lowering.use(*exchange.getCompareOperand()), exchanged));
  const ExprId desired = lowering.as_stored(lowering.use(*exchange.getNewValOperand()), exchanged);
  const std::size_t cells = cells_hit(lowering, *exchange.getPointerOperand(), exchanged);
  if (cells == 0) return lowering.unsupported(exchange, kPartMessage);
  require_aligned(lowering, *exchange.getPointerOperand(), exchange.getAlign().value());
  require_inside_arrays(lowering, *exchange.getPointerOperand());
  if (cells > 1) return exchange_in_steps(lowering, exchange, exchanged, expected, desired);
  const RegisterId old = lowering.plan.used(exchange) ? emitter.fresh(*type) : RegisterId();
  emitter.emit({.op = Opcode::kRmw,
                .order = order_of(exchange.getSuccessOrdering()),
                .failing = order_of(exchange.getFailureOrdering()),
                .rmw = RmwOp::kCompareExchange,
                .type = *type,
                .result = old,
                .a = lowering.use(*exchange.getPointerOperand()),
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
