// The page of an array system. Processes are threads. A transition may write several cells at once: its first
// write is the step, and the others are local steps behind it, which the page takes in the same stride.
#include <algorithm>
#include <deque>
#include <fmt/format.h>

#include "report/execution/array_steps.hpp"
#include "report/explorer/pages.hpp"

namespace weir {

namespace {

using array::ArraySystem;

class ArrayExecution {
 public:
  ArrayExecution(const ArraySystem& system, const array::ArrayRun& run, Model model)
      : buffers_(run.processes) {
    result_.model = model;
    for (const ShownWrite& cell : initial_cells(system, run))
      result_.cells.push_back({cell.name, cell.value});
    const array::Cube& cube = system.unsafe.at(run.unsafe);
    const std::string holds = run.unsafe_processes.empty()
                                  ? "an unsafe state"
                                  : fmt::format("unsafe for {}", processes_text(run.unsafe_processes));
    result_.title = cube.name.empty() ? holds : fmt::format("{}: {}", cube.name, holds);
    result_.violation = {"unsafe", result_.title, cube.position, {}};
    for (const ShownStep& step : shown_steps(system, run)) take(step);
  }

  ExplorerExecution result() && { return std::move(result_); }

 private:
  void take(const ShownStep& step) {
    ++number_;
    if (step.writes.empty()) add(step, {}, false);
    bool first = true;
    for (const ShownWrite& write : step.writes) {
      ExplorerStep& told = add(step, write, !first);
      first = false;
      told.cell = write.cell;
      told.value = write.value;
      told.buffered = write.buffered;
      if (!write.buffered) told.memory = write.value;
      if (write.buffered) buffer(step).push_back(result_.steps.size() - 1);
      if (step.flush) leave_buffer(step, told);
    }
  }

  ExplorerStep& add(const ShownStep& step, const ShownWrite& write, bool local) {
    ExplorerStep& told = result_.steps.emplace_back();
    told.number = number_;
    told.thread = lane(step);
    told.action = step.flush ? "flush" : "transition";
    const std::string effect = effect_text(step);
    told.text = local ? fmt::format("{} := {}", write.name, write.value)
                      : fmt::format("{}{}{}", step.name, effect.empty() ? "" : ": ", effect);
    told.position = step.position.value_or(SourcePosition{});
    told.local = local;
    return told;
  }

  // Whose step it is: the performer's; where the system names none, that of the first process it is about.
  std::size_t lane(const ShownStep& step) const {
    if (step.process) return *step.process;
    return step.processes.empty() ? buffers_.size() : step.processes.front();
  }

  std::deque<std::size_t>& buffer(const ShownStep& step) { return buffers_.at(step.process.value()); }

  void leave_buffer(const ShownStep& step, ExplorerStep& told) {
    std::deque<std::size_t>& waiting = buffer(step);
    const auto store = std::ranges::find_if(
        waiting, [&](std::size_t index) { return result_.steps[index].cell == told.cell; });
    if (store == waiting.end()) return;
    told.store = *store;
    waiting.erase(store);
  }

  ExplorerExecution result_;
  std::vector<std::deque<std::size_t>> buffers_;  // per process: the steps whose writes wait
  std::size_t number_ = 0;
};

}  // namespace

ExplorerPage explorer_page(const ArraySystem& system, const ArrayVerdict& answer, const RunInfo& run) {
  ExplorerPage page{.tone = answer.verdict == Verdict::kSafe     ? ExplorerTone::kGood
                            : answer.verdict == Verdict::kUnsafe ? ExplorerTone::kBad
                                                                 : ExplorerTone::kUnsure};
  set_headline(page, array_verdict_line(system, answer, run, {}));
  page.engine = "array";
  page.sources = system.sources;
  add_figures(page, answer.statistics, run);
  if (!answer.run) {
    page.nothing_to_show =
        answer.verdict == Verdict::kSafe
            ? "No number of processes can reach an unsafe state, so there is no execution to show."
            : "No execution that reaches an unsafe state was found.";
    return page;
  }
  for (std::uint32_t process = 0; process < answer.run->processes; ++process)
    page.threads.push_back(process_name(process));
  page.threads.emplace_back("system");  // what is about no process
  page.executions.push_back(ArrayExecution(system, *answer.run, run.model).result());
  return page;
}

}  // namespace weir
