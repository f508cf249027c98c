// The words of the `.weir` text form, shared by its printer and its parser so that they cannot disagree.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "program/program.hpp"

namespace weir::text_form {

template <class T>
struct Word {
  T value;
  std::string_view text;
};

inline constexpr std::array kOrders = {
    Word{Order::kRelaxed, "relaxed"}, Word{Order::kAcquire, "acquire"}, Word{Order::kRelease, "release"},
    Word{Order::kAcquireRelease, "acquire_release"}, Word{Order::kSequential, "sequential"}};

inline constexpr std::array kRmwOps = {Word{RmwOp::kExchange, "exchange"},
                                       Word{RmwOp::kAdd, "add"},
                                       Word{RmwOp::kSub, "sub"},
                                       Word{RmwOp::kBitAnd, "and"},
                                       Word{RmwOp::kBitOr, "or"},
                                       Word{RmwOp::kBitXor, "xor"},
                                       Word{RmwOp::kCompareExchange, "compare_exchange"},
                                       Word{RmwOp::kBitNand, "nand"},
                                       Word{RmwOp::kMin, "min"},
                                       Word{RmwOp::kMax, "max"},
                                       Word{RmwOp::kUnsignedMin, "umin"},
                                       Word{RmwOp::kUnsignedMax, "umax"}};

inline constexpr std::array kFences = {Word{FenceKind::kFull, "full"},
                                       Word{FenceKind::kStoreStore, "store_store"}};

inline constexpr std::array kBlocks = {
    Word{BlockKind::kHeap, "heap"},     Word{BlockKind::kZeroed, "zeroed"},
    Word{BlockKind::kStack, "stack"},   Word{BlockKind::kAligned, "aligned"},
    Word{BlockKind::kObject, "object"}, Word{BlockKind::kArray, "array"}};

// Instructions that are a single word, for some with a message behind it.
inline constexpr std::array kBareInstructions = {Word{Opcode::kNop, "nop"},
                                                 Word{Opcode::kLock, "lock"},
                                                 Word{Opcode::kUnlock, "unlock"},
                                                 Word{Opcode::kAtomicBegin, "atomic_begin"},
                                                 Word{Opcode::kAtomicEnd, "atomic_end"},
                                                 Word{Opcode::kStop, "stop"},
                                                 Word{Opcode::kHalt, "halt"}};

constexpr bool may_have_message(Opcode op) { return op == Opcode::kAtomicBegin || op == Opcode::kHalt; }
// The thread does not go on at the edge's target, so there need not be one in the text.
constexpr bool leaves_for_good(Opcode op) { return op == Opcode::kReturn || op == Opcode::kStop; }

struct BinaryWord {
  ExprOp value;
  std::string_view text;
  int precedence;  // as in C: higher binds tighter
};

inline constexpr std::array kBinary = {
    BinaryWord{ExprOp::kLogicalOr, "||", 1}, BinaryWord{ExprOp::kLogicalAnd, "&&", 2},
    BinaryWord{ExprOp::kBitOr, "|", 3},      BinaryWord{ExprOp::kBitXor, "^", 4},
    BinaryWord{ExprOp::kBitAnd, "&", 5},     BinaryWord{ExprOp::kEq, "==", 6},
    BinaryWord{ExprOp::kNe, "!=", 6},        BinaryWord{ExprOp::kLt, "<", 7},
    BinaryWord{ExprOp::kLe, "<=", 7},        BinaryWord{ExprOp::kGt, ">", 7},
    BinaryWord{ExprOp::kGe, ">=", 7},        BinaryWord{ExprOp::kShl, "<<", 8},
    BinaryWord{ExprOp::kShr, ">>", 8},       BinaryWord{ExprOp::kAdd, "+", 9},
    BinaryWord{ExprOp::kSub, "-", 9},        BinaryWord{ExprOp::kMul, "*", 10},
    BinaryWord{ExprOp::kDiv, "/", 10},       BinaryWord{ExprOp::kRem, "%", 10}};

inline constexpr std::array kUnary = {Word{ExprOp::kNegate, "-"}, Word{ExprOp::kBitNot, "~"},
                                      Word{ExprOp::kLogicalNot, "!"}};

// Floating point is written as calls: fadd(a, b), ftoi(a, i32).
inline constexpr std::array kFloatBinary = {Word{ExprOp::kFloatAdd, "fadd"},
                                            Word{ExprOp::kFloatSub, "fsub"},
                                            Word{ExprOp::kFloatMul, "fmul"},
                                            Word{ExprOp::kFloatDiv, "fdiv"},
                                            Word{ExprOp::kFloatRem, "frem"},
                                            Word{ExprOp::kFloatEq, "feq"},
                                            Word{ExprOp::kFloatLt, "flt"},
                                            Word{ExprOp::kFloatLe, "fle"},
                                            Word{ExprOp::kFloatUnordered, "funordered"}};

inline constexpr std::array kFloatConversions = {Word{ExprOp::kFloatToInt, "ftoi"},
                                                 Word{ExprOp::kIntToFloat, "itof"},
                                                 Word{ExprOp::kFloatToFloat, "ftof"}};

template <class Table, class T>
constexpr std::string_view word_of(const Table& table, T value) {
  for (const auto& word : table)
    if (word.value == value) return word.text;
  return "?";
}

template <class Table>
constexpr auto value_of(const Table& table, std::string_view text)
    -> std::optional<decltype(table[0].value)> {
  for (const auto& word : table)
    if (word.text == text) return word.value;
  return std::nullopt;
}

// Operations whose result is 0 or 1, of a type that the operands do not determine.
constexpr bool gives_truth(ExprOp op) {
  return (op >= ExprOp::kEq && op <= ExprOp::kLogicalOr) || op == ExprOp::kLogicalNot ||
         (op >= ExprOp::kFloatEq && op <= ExprOp::kFloatUnordered);
}

// Expressions whose type is written behind them, in parentheses, where it is not i64.
constexpr bool takes_type(ExprOp op) {
  return gives_truth(op) || op == ExprOp::kSelf || op == ExprOp::kFrame;
}

std::optional<Type> parse_type(std::string_view text);  // "u8"
std::string type_name(Type type);                       // the inverse
// Whether a name can stand in the text as it is; otherwise it is written as a quoted string.
bool is_plain_name(std::string_view name);
std::string quoted(std::string_view text);

}  // namespace weir::text_form
