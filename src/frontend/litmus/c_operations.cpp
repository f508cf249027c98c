#include "frontend/litmus/c_operations.hpp"

#include <algorithm>
#include <array>

namespace weir::litmus {

namespace {

using OperationKind = COperation::Kind;
using Orders = COperation::Orders;
using Result = COperation::Result;

constexpr COperation load(std::string_view name, Orders orders, Order order, bool through = false) {
  return {.name = name,
          .kind = OperationKind::kLoad,
          .orders = orders,
          .order = order,
          .result = Result::kOld,
          .through = through};
}
constexpr COperation store(std::string_view name, Orders orders, Order order, bool through = false) {
  return {.name = name, .kind = OperationKind::kStore, .orders = orders, .order = order, .through = through};
}
constexpr COperation update(std::string_view name, Orders orders, RmwOp op, Result result = Result::kOld,
                            bool value_first = false) {
  return {.name = name,
          .kind = OperationKind::kUpdate,
          .orders = orders,
          .update = op,
          .result = result,
          .value_first = value_first};
}
constexpr COperation fence(std::string_view name, Orders orders, Order order) {
  return {.name = name, .kind = OperationKind::kFence, .orders = orders, .order = order};
}
constexpr COperation compare(std::string_view name, Orders orders, bool by_pointer) {
  return {.name = name,
          .kind = OperationKind::kCompareExchange,
          .orders = orders,
          .result = by_pointer ? Result::kSuccess : Result::kOld,
          .by_pointer = by_pointer};
}

constexpr Orders kFixed = Orders::kFixed, kLast = Orders::kLastArgument, kLastTwo = Orders::kLastTwoArguments;

constexpr std::array kOperations = {
    // <stdatomic.h>
    load("atomic_load", kFixed, Order::kSequential),
    load("atomic_load_explicit", kLast, Order::kSequential),
    store("atomic_store", kFixed, Order::kSequential),
    store("atomic_store_explicit", kLast, Order::kSequential),
    update("atomic_exchange", kFixed, RmwOp::kExchange),
    update("atomic_exchange_explicit", kLast, RmwOp::kExchange),
    update("atomic_fetch_add", kFixed, RmwOp::kAdd),
    update("atomic_fetch_add_explicit", kLast, RmwOp::kAdd),
    update("atomic_fetch_sub", kFixed, RmwOp::kSub),
    update("atomic_fetch_sub_explicit", kLast, RmwOp::kSub),
    update("atomic_fetch_and", kFixed, RmwOp::kBitAnd),
    update("atomic_fetch_and_explicit", kLast, RmwOp::kBitAnd),
    update("atomic_fetch_or", kFixed, RmwOp::kBitOr),
    update("atomic_fetch_or_explicit", kLast, RmwOp::kBitOr),
    update("atomic_fetch_xor", kFixed, RmwOp::kBitXor),
    update("atomic_fetch_xor_explicit", kLast, RmwOp::kBitXor),
    compare("atomic_compare_exchange_strong", kFixed, true),
    compare("atomic_compare_exchange_weak", kFixed, true),
    compare("atomic_compare_exchange_strong_explicit", kLastTwo, true),
    compare("atomic_compare_exchange_weak_explicit", kLastTwo, true),
    fence("atomic_thread_fence", kLast, Order::kSequential),
    // The Linux kernel.
    load("READ_ONCE", kFixed, Order::kRelaxed, true),
    store("WRITE_ONCE", kFixed, Order::kRelaxed, true),
    load("smp_load_acquire", kFixed, Order::kAcquire),
    store("smp_store_release", kFixed, Order::kRelease),
    load("atomic_read", kFixed, Order::kRelaxed),
    store("atomic_set", kFixed, Order::kRelaxed),
    update("xchg", kFixed, RmwOp::kExchange),
    update("atomic_xchg", kFixed, RmwOp::kExchange),
    compare("cmpxchg", kFixed, false),
    compare("atomic_cmpxchg", kFixed, false),
    update("atomic_add", kFixed, RmwOp::kAdd, Result::kNone, true),
    update("atomic_sub", kFixed, RmwOp::kSub, Result::kNone, true),
    update("atomic_add_return", kFixed, RmwOp::kAdd, Result::kNew, true),
    update("atomic_sub_return", kFixed, RmwOp::kSub, Result::kNew, true),
    fence("smp_mb", kFixed, Order::kSequential),
    fence("smp_wmb", kFixed, Order::kRelease),
    fence("smp_rmb", kFixed, Order::kAcquire),
};

constexpr std::array kOrders = {std::pair{std::string_view("relaxed"), Order::kRelaxed},
                                std::pair{std::string_view("consume"), Order::kAcquire},
                                std::pair{std::string_view("acquire"), Order::kAcquire},
                                std::pair{std::string_view("release"), Order::kRelease},
                                std::pair{std::string_view("acq_rel"), Order::kAcquireRelease},
                                std::pair{std::string_view("seq_cst"), Order::kSequential}};

}  // namespace

std::optional<COperation> c_operation(std::string_view name) {
  const auto found = std::ranges::find(kOperations, name, &COperation::name);
  return found == kOperations.end() ? std::nullopt : std::optional(*found);
}

std::optional<Order> c_order(std::string_view name) {
  constexpr std::string_view kPrefix = "memory_order_", kShort = "mo_";
  if (name.starts_with(kPrefix))
    name.remove_prefix(kPrefix.size());
  else if (name.starts_with(kShort))
    name.remove_prefix(kShort.size());
  else
    return std::nullopt;
  for (const auto& [word, order] : kOrders)
    if (word == name) return order;
  return std::nullopt;
}

}  // namespace weir::litmus
