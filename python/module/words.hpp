// The words of the command line, and what they stand for in the library.
#pragma once

#include <array>
#include <pybind11/pybind11.h>
#include <string>
#include <string_view>
#include <utility>

#include "weir/questions.hpp"

namespace weir::python {

template <class Enum, std::size_t N>
using Words = std::array<std::pair<std::string_view, Enum>, N>;

inline constexpr Words<v1::Model, 3> kModels = {{{"sc", v1::Model::kSc},  //
                                                 {"tso", v1::Model::kTso},
                                                 {"pso", v1::Model::kPso}}};

inline constexpr Words<v1::FencePurpose, 2> kPurposes = {
    {{"robustness", v1::FencePurpose::kRobustness}, {"safety", v1::FencePurpose::kSafety}}};

inline constexpr Words<v1::Equivalence, 6> kEquivalences = {{{"mazurkiewicz", v1::Equivalence::kMazurkiewicz},
                                                             {"observers", v1::Equivalence::kObservers},
                                                             {"rf", v1::Equivalence::kReadsFrom},
                                                             {"dc", v1::Equivalence::kDataCentric},
                                                             {"vc", v1::Equivalence::kValueCentric},
                                                             {"rvf", v1::Equivalence::kReadsValueFrom}}};

inline constexpr Words<v1::Scheduler, 4> kSchedulers = {{{"none", v1::Scheduler::kAny},
                                                         {"weak", v1::Scheduler::kWeak},
                                                         {"strong", v1::Scheduler::kStrong},
                                                         {"random", v1::Scheduler::kRandom}}};

inline constexpr Words<bool, 2> kAlgorithms = {{{"verify", false}, {"naive", true}}};
inline constexpr Words<bool, 2> kOutsideRange = {{{"block", false}, {"fail", true}}};

// What the word means; ValueError if it is none of these.
template <class Enum, std::size_t N>
Enum meaning(const char* option, std::string_view word, const Words<Enum, N>& words) {
  std::string known;
  for (const auto& [name, value] : words) {
    if (name == word) return value;
    known += (known.empty() ? "'" : ", '") + std::string(name) + "'";
  }
  throw pybind11::value_error(std::string(option) + " is one of " + known + ", not '" + std::string(word) +
                              "'");
}

}  // namespace weir::python
