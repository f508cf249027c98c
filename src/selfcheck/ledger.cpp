#include "selfcheck/ledger.hpp"

namespace weir::selfcheck {

std::uint64_t Tally::all_left_out() const {
  std::uint64_t sum = 0;
  for (const auto& [why, times] : left_out) sum += times;
  return sum;
}

void Ledger::compared(const ComparedPair& pair, std::uint64_t times) {
  if (times > 0) tallies_[pair].compared += times;
}

void Ledger::left_out(const ComparedPair& pair, const std::string& why, std::uint64_t times) {
  if (times > 0) tallies_[pair].left_out[why] += times;
}

void Ledger::took(std::string_view comparison, std::chrono::nanoseconds time) {
  const auto found = times_.find(comparison);
  (found == times_.end() ? times_[std::string(comparison)] : found->second) += time;
}

void Ledger::add(const Ledger& other) {
  for (const auto& [comparison, time] : other.times_) took(comparison, time);
  for (const auto& [pair, tally] : other.tallies_) {
    compared(pair, tally.compared);
    for (const auto& [why, times] : tally.left_out) left_out(pair, why, times);
  }
}

std::uint64_t Ledger::all_compared() const {
  std::uint64_t sum = 0;
  for (const auto& [pair, tally] : tallies_) sum += tally.compared;
  return sum;
}

}  // namespace weir::selfcheck
