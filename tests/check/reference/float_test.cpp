// Floating point operators, against what C++ computes and against the rules for what it leaves open.
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "check/reference/evaluator.hpp"

namespace weir::float_test {

constexpr Type kSingle{32, false};
constexpr Type kDouble{64, false};
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr Value kNoNumber32 = 0xFFC0'0000;
constexpr Value kNoNumber64 = static_cast<Value>(0xFFF8'0000'0000'0000);

Value bits(double value) { return std::bit_cast<Value>(value); }
Value bits(float value) { return std::bit_cast<std::uint32_t>(value); }

class Floats : public ::testing::Test {
 protected:
  Value result(ExprId id) {
    return evaluate(program, id, [](const Expression&) { return Value{0}; }).value();
  }
  Value binary(ExprOp op, double a, double b) {
    return result(
        program.binary(op, program.constant(bits(a), kDouble), program.constant(bits(b), kDouble), kDouble));
  }
  Value binary(ExprOp op, float a, float b) {
    return result(
        program.binary(op, program.constant(bits(a), kSingle), program.constant(bits(b), kSingle), kSingle));
  }
  Value compare(ExprOp op, double a, double b, Type type = kInt64) {
    return result(
        program.binary(op, program.constant(bits(a), kDouble), program.constant(bits(b), kDouble), type));
  }
  Value to_int(double a, Type type) {
    return result(program.unary(ExprOp::kFloatToInt, program.constant(bits(a), kDouble), type));
  }
  Value from_int(Value a, Type from, Type to) {
    return result(program.unary(ExprOp::kIntToFloat, program.constant(a, from), to));
  }

  Program program;
};

TEST_F(Floats, Compute) {
  EXPECT_EQ(binary(ExprOp::kFloatAdd, 0.1, 0.2), bits(0.1 + 0.2));
  EXPECT_EQ(binary(ExprOp::kFloatSub, 1.0, 3.5), bits(-2.5));
  EXPECT_EQ(binary(ExprOp::kFloatMul, 0.1f, 0.2f), bits(0.1f * 0.2f));
  EXPECT_EQ(binary(ExprOp::kFloatDiv, 1.0f, 3.0f), bits(1.0f / 3.0f)) << "in single precision throughout";
  EXPECT_EQ(binary(ExprOp::kFloatDiv, 1.0, 0.0), bits(kInfinity)) << "no failure";
  EXPECT_EQ(binary(ExprOp::kFloatRem, -7.5, 2.0), bits(-1.5));
  EXPECT_EQ(binary(ExprOp::kFloatAdd, 3.4e38f, 3.4e38f), bits(std::numeric_limits<float>::infinity()));
  EXPECT_EQ(binary(ExprOp::kFloatMul, -1.0, 0.0), bits(-0.0));
}

TEST_F(Floats, HaveOneNumberThatIsNone) {
  EXPECT_EQ(binary(ExprOp::kFloatDiv, 0.0, 0.0), kNoNumber64);
  EXPECT_EQ(binary(ExprOp::kFloatSub, kInfinity, kInfinity), kNoNumber64);
  EXPECT_EQ(binary(ExprOp::kFloatAdd, -kNan, 1.0), kNoNumber64);
  EXPECT_EQ(binary(ExprOp::kFloatRem, 1.0f, 0.0f), kNoNumber32);
  const ExprId odd = program.constant(0x7FF8'0000'0000'1234, kDouble);
  EXPECT_EQ(result(program.unary(ExprOp::kFloatToFloat, odd, kSingle)), kNoNumber32);
  EXPECT_EQ(result(odd), 0x7FF8'0000'0000'1234) << "what is not computed stays as it is";
}

TEST_F(Floats, Compare) {
  EXPECT_EQ(compare(ExprOp::kFloatEq, 0.0, -0.0), 1);
  EXPECT_EQ(compare(ExprOp::kFloatLt, -1.0, 1.0), 1);
  EXPECT_EQ(compare(ExprOp::kFloatLt, 1.0, 1.0), 0);
  EXPECT_EQ(compare(ExprOp::kFloatLe, 1.0, 1.0), 1);
  EXPECT_EQ(compare(ExprOp::kFloatUnordered, 1.0, 2.0), 0);
  for (const ExprOp op : {ExprOp::kFloatEq, ExprOp::kFloatLt, ExprOp::kFloatLe}) {
    EXPECT_EQ(compare(op, kNan, 1.0), 0);
    EXPECT_EQ(compare(op, kNan, kNan), 0);
  }
  EXPECT_EQ(compare(ExprOp::kFloatUnordered, 1.0, kNan), 1);
  EXPECT_EQ(compare(ExprOp::kFloatUnordered, kNan, 1.0), 1);
  EXPECT_EQ(compare(ExprOp::kFloatEq, 1.0, 1.0, Type{1, true}), -1)
      << "wrapped to its type, like every truth";
}

TEST_F(Floats, BecomeIntegersByTruncation) {
  EXPECT_EQ(to_int(2.9, kInt64), 2);
  EXPECT_EQ(to_int(-2.9, kInt64), -2);
  EXPECT_EQ(to_int(-0.9, Type{8, false}), 0);
  EXPECT_EQ(to_int(255.9, Type{8, false}), 255);
  EXPECT_EQ(to_int(-128.5, Type{8, true}), -128);
  EXPECT_EQ(to_int(std::ldexp(1.5, 63), kDouble), static_cast<Value>(0xC000'0000'0000'0000));
}

TEST_F(Floats, BecomeTheLeastIntegerWhereTheyFitNot) {
  const Value least = std::numeric_limits<Value>::min();
  EXPECT_EQ(to_int(kNan, kInt64), least);
  EXPECT_EQ(to_int(kInfinity, kInt64), least);
  EXPECT_EQ(to_int(std::ldexp(1.0, 63), kInt64), least);
  EXPECT_EQ(to_int(-1.0, kDouble), least);
  EXPECT_EQ(to_int(256.0, Type{8, false}), 0) << "the low bits of that least value";
  EXPECT_EQ(to_int(1e10, Type{32, true}), 0);
  EXPECT_EQ(to_int(128.0, Type{8, true}), 0);
}

TEST_F(Floats, ComeFromIntegersRoundedOnce) {
  EXPECT_EQ(from_int(-3, kInt64, kDouble), bits(-3.0));
  EXPECT_EQ(from_int(-1, Type{64, false}, kDouble), bits(std::ldexp(1.0, 64)));
  const Value tricky =
      (Value{1} << 60) + (Value{1} << 36) + 1;  // half way between singles, and a little more
  EXPECT_EQ(from_int(tricky, kInt64, kSingle), bits(std::ldexp(1.0f, 60) + std::ldexp(1.0f, 37)));
}

TEST_F(Floats, ChangeTheirWidth) {
  const auto converted = [&](Value a, Type from, Type to) {
    return result(program.unary(ExprOp::kFloatToFloat, program.constant(a, from), to));
  };
  EXPECT_EQ(converted(bits(0.1), kDouble, kSingle), bits(0.1f));
  EXPECT_EQ(converted(bits(0.1f), kSingle, kDouble), bits(static_cast<double>(0.1f)));
  EXPECT_EQ(converted(bits(1e300), kDouble, kSingle), bits(std::numeric_limits<float>::infinity()));
}

TEST_F(Floats, AgreeWithTheMachineOnAnyBits) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const auto a = std::bit_cast<double>(random()), b = std::bit_cast<double>(random());
    const double sum = a + b, product = a * b;
    EXPECT_EQ(binary(ExprOp::kFloatAdd, a, b), std::isnan(sum) ? kNoNumber64 : bits(sum));
    EXPECT_EQ(binary(ExprOp::kFloatMul, a, b), std::isnan(product) ? kNoNumber64 : bits(product));
    EXPECT_EQ(compare(ExprOp::kFloatLt, a, b), a < b);
  }
}

}  // namespace weir::float_test
