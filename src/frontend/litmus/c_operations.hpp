// The functions that C code of litmus tests can call.
#pragma once

#include <optional>
#include <string_view>

#include "program/program.hpp"

namespace weir::litmus {

struct COperation {
  enum class Kind : std::uint8_t { kLoad, kStore, kUpdate, kCompareExchange, kFence };
  enum class Result : std::uint8_t { kNone, kOld, kNew, kSuccess };
  // How the arguments say how strongly it is ordered.
  enum class Orders : std::uint8_t { kFixed, kLastArgument, kLastTwoArguments };

  std::string_view name;
  Kind kind = Kind::kLoad;
  Orders orders = Orders::kFixed;
  Order order = Order::kSequential;  // kFixed
  RmwOp update = RmwOp::kExchange;   // kUpdate
  Result result = Result::kNone;
  bool through = false;      // the place is written *x, and not x
  bool by_pointer = false;   // compare-exchange: the expected value is in a variable of the thread
  bool value_first = false;  // the operand comes before the place
};

std::optional<COperation> c_operation(std::string_view name);

// "memory_order_release" and its like.
std::optional<Order> c_order(std::string_view name);

}  // namespace weir::litmus
