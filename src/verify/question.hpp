// What is asked about a program, whoever asks: the command line, the library, another part of Weir.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/checkpoint.hpp"
#include "engine/answer.hpp"
#include "engine/explicit/explicit.hpp"
#include "memory/buffer_abstraction.hpp"
#include "program/model.hpp"
#include "program/value_limits.hpp"

namespace weir::verify {

// All schedules with few preemptions, or some by chance, instead of an engine that looks at all.
struct RandomSchedules {
  std::uint64_t schedules = 1000;
  std::uint64_t seed = 0;
  std::uint64_t most_steps = 20'000;  // of one schedule
};

struct Question {
  Model model = Model::kSc;
  std::string engine = "auto";  // or one of the table (engines.hpp)
  bool any_number = false;      // every thread is a template
  ValueLimits values;
  std::uint64_t local_steps = 20'000'000;  // instructions a thread may execute between two visible actions
  unsigned jobs = 1;

  // How states are visited. Who asks for one of these wants them to be visited: `auto` tries nothing else.
  std::optional<Search> search;
  std::optional<Reduction> reduction;
  bool symmetry = true;
  bool live_variables = true;
  std::optional<std::uint32_t> buffer;  // at most so many stores in a thread's buffer
  bool about_states() const { return search || reduction || !symmetry || !live_variables || buffer; }

  std::optional<BufferAbstraction> abstraction;  // only this one, without refining it
  std::optional<RandomSchedules> random;
  std::optional<std::uint64_t> preemptions;
  Checkpoint* checkpoint = nullptr;
};

// Who wants to know how far the answer is. Both may be left out.
struct Observer {
  std::function<void(const char* phase)> enter;       // "replaying the execution", …
  std::function<void(const Answer& answer)> settled;  // the verdict is confirmed; its witness gets shorter

  void begin(const char* phase) const {
    if (enter) enter(phase);
  }
  void settle(const Answer& answer) const {
    if (settled) settled(answer);
  }
};

}  // namespace weir::verify
