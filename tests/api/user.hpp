// What the parts of this program share: what is expected, and where examples and outputs are.
#pragma once

#include <atomic>
#include <filesystem>
#include <iostream>
#include <source_location>
#include <string>
#include <weir/weir.hpp>

inline std::filesystem::path examples, outputs;
inline bool has_c = true, has_fairness = true;
inline std::atomic<int> mistakes = 0;

inline bool expect(bool condition, const std::string& what,
                   const std::source_location& where = std::source_location::current()) {
  if (condition) return true;
  ++mistakes;
  std::cout << where.file_name() << ":" << where.line() << ": not so: " << what << std::endl;
  return false;
}

// The value, which must be there.
template <class T>
T expect_value(weir::Result<T> result, const std::source_location& where = std::source_location::current()) {
  expect(result.ok(), result ? "" : "there is an answer; instead:\n" + result.error().text, where);
  return std::move(result).value();
}

template <class A>
void expect_verdict(const A& answer, weir::Verdict verdict,
                    const std::source_location& where = std::source_location::current()) {
  expect(answer.verdict == verdict,
         std::string(weir::name(verdict)) + "; instead " + weir::name(answer.verdict) + ": " + answer.reason,
         where);
}

// Leaves all that an answer can be written as where tests/api/api_test.py looks at it.
void write_reports(const weir::Answer& answer, const std::string& name);

inline weir::Program example(const std::string& name) {
  return expect_value(weir::Program::load(examples / name));
}

// Store buffering, as a text: under TSO both threads can be at their ends having read 0.
extern const char* const kStoreBuffering;

void ask_all_questions();
void read_programs();
void read_bad_programs();
void stop_and_watch();
void ask_at_the_same_time();
