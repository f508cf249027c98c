// Which answers were compared with which, under which model, how often; and which were not, and why. And how
// long each comparison took in all.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "program/model.hpp"

namespace weir::selfcheck {

struct ComparedPair {
  std::string engine, reference;
  Model model = Model::kSc;

  friend auto operator<=>(const ComparedPair&, const ComparedPair&) = default;
};

struct Tally {
  std::uint64_t compared = 0;
  std::map<std::string, std::uint64_t> left_out;  // by reason

  std::uint64_t all_left_out() const;
  friend bool operator==(const Tally&, const Tally&) = default;
};

class Ledger {
 public:
  void compared(const ComparedPair& pair, std::uint64_t times = 1);
  void left_out(const ComparedPair& pair, const std::string& why, std::uint64_t times = 1);
  void took(std::string_view comparison, std::chrono::nanoseconds time);
  void add(const Ledger& other);

  const std::map<ComparedPair, Tally>& tallies() const { return tallies_; }
  std::uint64_t all_compared() const;
  const std::map<std::string, std::chrono::nanoseconds, std::less<>>& times() const { return times_; }

 private:
  std::map<ComparedPair, Tally> tallies_;
  std::map<std::string, std::chrono::nanoseconds, std::less<>> times_;  // by comparison
};

}  // namespace weir::selfcheck
