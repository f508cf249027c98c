// Names of what has a value in a cube.
//
// A cube names its processes 0, 1, 2, …, all different. A `Node` is a 32-bit name of something that has a
// value: a cell (a symbol at some of these processes), the value that a weak read of the cube returns, or a
// sum of such nodes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>

#include "program/array/system.hpp"

namespace weir::array {

inline constexpr std::uint32_t kMostProcesses = 31;
inline constexpr std::uint32_t kMostDimensions = 3;
inline constexpr std::uint32_t kMostReads = 32;

// Where the processes and reads of one cube go in another.
struct Renaming {
  std::array<std::uint8_t, kMostProcesses> process{};
  std::array<std::uint8_t, kMostReads> read{};
  std::uint32_t processes = 0;  // how many processes of the source are mapped: the first ones

  static Renaming identity(std::uint32_t processes);
};

class Node {
 public:
  static constexpr std::uint32_t kMostSymbols = 65'000;
  static constexpr std::uint32_t kMostSums = 0xFFFFFF;

  constexpr Node() = default;
  static Node cell(SymbolId symbol, const std::uint8_t* processes, std::uint32_t dimensions);
  // What read number `read` of the cube, of a cell of `symbol`, returns.
  static Node value_of_read(SymbolId symbol, std::uint32_t read) {
    return Node(kReadBit | symbol.index() << 15 | read);
  }
  static Node zero() { return Node(kZero); }
  // Sum number `number` of the vocabulary; see linear_sum.hpp.
  static Node sum(std::uint32_t number) { return Node(kFirstSum + number); }

  bool is_zero() const { return bits_ == kZero; }
  bool is_sum() const { return bits_ >= kFirstSum && bits_ != kZero; }
  bool is_read() const { return bits_ >= kReadBit && bits_ < kFirstSum; }
  bool is_cell() const { return (bits_ & kReadBit) == 0; }
  SymbolId symbol() const { return SymbolId((bits_ >> 15) & 0xFFFF); }
  std::uint32_t read() const { return bits_ & 0x7FFF; }
  std::uint32_t sum() const { return bits_ - kFirstSum; }
  // The process at place `place` of a cell; 31: the symbol has fewer dimensions.
  std::uint32_t process(std::uint32_t place) const { return (bits_ >> (5 * place)) & 31; }
  std::uint32_t dimensions() const;
  std::uint32_t processes() const;  // the set of processes that a cell names

  Node renamed(const Renaming& renaming) const;  // not for sums

  std::uint32_t bits() const { return bits_; }

  // See base/archive.hpp.
  template <class Archive>
  void transfer(Archive& archive) {
    archive(bits_);
  }
  friend constexpr auto operator<=>(Node, Node) = default;

 private:
  static constexpr std::uint32_t kReadBit = 1u << 31;
  static constexpr std::uint32_t kFirstSum = 0xFF000000;  // above all symbols
  static constexpr std::uint32_t kZero = 0xFFFFFFFF;
  constexpr explicit Node(std::uint32_t bits) : bits_(bits) {}
  std::uint32_t bits_ = kZero;
};

}  // namespace weir::array
