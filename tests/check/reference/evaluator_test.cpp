// Expressions: widths, signs, and what must not be evaluated.
#include "check/reference/evaluator.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

namespace weir::evaluator_test {

constexpr Type kInt8{8, true};
constexpr Type kUint8{8, false};
constexpr Type kUint64{64, false};
constexpr Value kMin64 = std::numeric_limits<Value>::min();

class Expressions : public ::testing::Test {
 protected:
  std::optional<Value> result(ExprId id) {
    return evaluate(program, id, [](const Expression& leaf) { return 100 + leaf.reg.index(); });
  }
  std::optional<Value> binary(ExprOp op, Value a, Value b, Type type) {
    return result(program.binary(op, program.constant(a, type), program.constant(b, type), type));
  }
  std::optional<Value> compare(ExprOp op, Value a, Value b, Type type) {
    return result(program.binary(op, program.constant(a, type), program.constant(b, type)));
  }
  ExprId division_by_zero() { return program.binary(ExprOp::kDiv, program.constant(1), program.constant(0)); }

  Program program;
};

TEST_F(Expressions, WrapAtTheWidthOfTheirType) {
  EXPECT_EQ(binary(ExprOp::kAdd, 127, 1, kInt8), -128);
  EXPECT_EQ(binary(ExprOp::kAdd, 255, 1, kUint8), 0);
  EXPECT_EQ(binary(ExprOp::kSub, 0, 1, kUint8), 255);
  EXPECT_EQ(binary(ExprOp::kMul, 16, 16, kInt8), 0);
  EXPECT_EQ(result(program.unary(ExprOp::kNegate, program.constant(-128, kInt8), kInt8)), -128);
  EXPECT_EQ(result(program.unary(ExprOp::kBitNot, program.constant(0, kUint8), kUint8)), 255);
  EXPECT_EQ(binary(ExprOp::kAdd, std::numeric_limits<Value>::max(), 1, kInt64), kMin64);
}

TEST_F(Expressions, CastsConvert) {
  EXPECT_EQ(result(program.unary(ExprOp::kCast, program.constant(-1), kUint8)), 255);
  EXPECT_EQ(result(program.unary(ExprOp::kCast, program.constant(200), kInt8)), -56);
  EXPECT_EQ(result(program.unary(ExprOp::kCast, program.constant(200, kUint8))), 200);
}

TEST_F(Expressions, DivisionRoundsTowardsZeroAndMindsTheSign) {
  EXPECT_EQ(binary(ExprOp::kDiv, -7, 2, kInt64), -3);
  EXPECT_EQ(binary(ExprOp::kRem, -7, 2, kInt64), -1);
  EXPECT_EQ(binary(ExprOp::kDiv, -1, 2, kUint64), std::numeric_limits<Value>::max());
  EXPECT_EQ(binary(ExprOp::kRem, -1, 2, kUint64), 1);
  EXPECT_EQ(binary(ExprOp::kDiv, kMin64, -1, kInt64), kMin64);
  EXPECT_EQ(binary(ExprOp::kRem, kMin64, -1, kInt64), 0);
  EXPECT_EQ(binary(ExprOp::kDiv, -128, -1, kInt8), -128);
}

TEST_F(Expressions, DivisionByZeroStopsTheEvaluation) {
  EXPECT_EQ(binary(ExprOp::kDiv, 1, 0, kInt64), std::nullopt);
  EXPECT_EQ(binary(ExprOp::kRem, 1, 0, kUint8), std::nullopt);
  EXPECT_EQ(result(program.binary(ExprOp::kAdd, program.constant(1), division_by_zero())), std::nullopt);
  EXPECT_EQ(result(program.unary(ExprOp::kLogicalNot, division_by_zero())), std::nullopt);
}

TEST_F(Expressions, ShiftsByTheWidthOrMoreShiftEverythingOut) {
  EXPECT_EQ(binary(ExprOp::kShl, 1, 7, kInt8), -128);
  EXPECT_EQ(binary(ExprOp::kShl, 1, 8, kInt8), 0);
  EXPECT_EQ(binary(ExprOp::kShl, 1, 64, kInt64), 0);
  EXPECT_EQ(binary(ExprOp::kShl, 1, -1, kInt64), 0);
  EXPECT_EQ(binary(ExprOp::kShr, -128, 7, kInt8), -1);
  EXPECT_EQ(binary(ExprOp::kShr, 255, 7, kUint8), 1);
  EXPECT_EQ(binary(ExprOp::kShr, 255, 8, kUint8), 0);
  EXPECT_EQ(binary(ExprOp::kShr, -1, 63, kUint64), 1);
  EXPECT_EQ(binary(ExprOp::kShr, -1, 64, kUint64), 0);
}

TEST_F(Expressions, ComparisonsUseTheTypeOfTheOperands) {
  EXPECT_EQ(compare(ExprOp::kLt, -1, 1, kInt64), 1);
  EXPECT_EQ(compare(ExprOp::kLt, -1, 1, kUint64), 0);
  EXPECT_EQ(compare(ExprOp::kGt, -1, 1, kUint64), 1);
  EXPECT_EQ(compare(ExprOp::kLe, 5, 5, kInt64), 1);
  EXPECT_EQ(compare(ExprOp::kGe, 4, 5, kInt64), 0);
  EXPECT_EQ(compare(ExprOp::kEq, 3, 3, kUint8), 1);
  EXPECT_EQ(compare(ExprOp::kNe, 3, 3, kUint8), 0);
}

TEST_F(Expressions, ConnectivesEvaluateOnlyWhatTheyNeed) {
  const ExprId zero = program.constant(0);
  const ExprId two = program.constant(2);
  EXPECT_EQ(result(program.binary(ExprOp::kLogicalAnd, zero, division_by_zero())), 0);
  EXPECT_EQ(result(program.binary(ExprOp::kLogicalOr, two, division_by_zero())), 1);
  EXPECT_EQ(result(program.binary(ExprOp::kLogicalAnd, two, two)), 1);
  EXPECT_EQ(result(program.binary(ExprOp::kLogicalOr, zero, zero)), 0);
  EXPECT_EQ(result(program.binary(ExprOp::kLogicalAnd, two, division_by_zero())), std::nullopt);
  const ExprId select = program.add_expression(
      {.op = ExprOp::kSelect, .a = two, .b = program.constant(5), .c = division_by_zero()});
  EXPECT_EQ(result(select), 5);
}

TEST_F(Expressions, LeavesAreReadByTheCaller) {
  EXPECT_EQ(result(program.register_value(RegisterId(3))), 103);
}

TEST(ReadModifyWriteValues, WrapAtTheWidthOfTheCell) {
  EXPECT_EQ(modify(RmwOp::kAdd, 255, 1, kUint8), 0);
  EXPECT_EQ(modify(RmwOp::kSub, 0, 1, kUint8), 255);
  EXPECT_EQ(modify(RmwOp::kBitAnd, 6, 3, kInt64), 2);
  EXPECT_EQ(modify(RmwOp::kBitOr, 6, 3, kInt64), 7);
  EXPECT_EQ(modify(RmwOp::kBitXor, 6, 3, kInt64), 5);
  EXPECT_EQ(modify(RmwOp::kExchange, 6, 3, kInt64), 3);
}

}  // namespace weir::evaluator_test
