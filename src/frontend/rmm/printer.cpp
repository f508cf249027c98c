// A program in RMM: memory, processes, and everything that is bad as `forbidden` lists. Goals and mutual
// exclusion become one list for each combination of places, a failed assertion a list of its own.
#include <algorithm>
#include <fmt/format.h>

#include "frontend/rmm/printer_process.hpp"
#include "frontend/rmm/rmm.hpp"
#include "program/analysis/plain.hpp"
#include "program/analysis/polling.hpp"

namespace weir::rmm {

namespace {

constexpr std::size_t kMostLists = 4096;

using List = std::vector<std::string>;  // an entry for each thread

class ProgramPrinter {
 public:
  explicit ProgramPrinter(const Program& program) : program_(program), cells_(program, problems_) {}

  Expected<std::string, std::vector<Diagnostic>> print() {
    const LiveRegisters live(program_);
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      processes_.push_back(print_process(program_, ThreadId(t), cells_, live, problems_));
    if (processes_.empty()) problems_.refuse({}, "a program without threads");
    for (const Invariant& invariant : program_.properties.invariants)
      problems_.refuse(invariant.position, "invariants", "give them to the command that checks the program");
    if (problems_.empty()) find_lists();
    if (!problems_.empty()) return problems_.take();
    return text();
  }

 private:
  void find_lists() {
    for (const auto& goal : program_.properties.goals) add_goal(goal);
    for (const auto& places : program_.properties.exclusive) add_exclusion(places);
    for (std::size_t t = 0; t < processes_.size(); ++t)
      if (!processes_[t].failed.empty()) add({{t, processes_[t].failed}});
    if (lists_.empty()) add({{0, processes_[0].never}});
    if (lists_.size() > kMostLists) problems_.refuse({}, "so many combinations of forbidden places");
  }

  void add(const std::map<std::size_t, std::string>& entries) {
    List list(processes_.size(), "*");
    for (const auto& [thread, label] : entries) list[thread] = label;
    if (lists_.size() <= kMostLists) lists_.push_back(std::move(list));
  }

  // Every combination of places of the threads that the goal names. Places that are never reached have no
  // label.
  void add_goal(const std::vector<ThreadLocation>& goal) {
    std::map<std::size_t, List> labels;
    for (const ThreadLocation& place : goal) {
      List& own = labels[place.thread.index()];
      const auto& known = processes_[place.thread.index()].labels;
      if (const auto label = known.find(place.location); label != known.end()) own.push_back(label->second);
    }
    std::vector<std::map<std::size_t, std::string>> combinations{{}};
    for (const auto& [thread, own] : labels) {
      std::vector<std::map<std::size_t, std::string>> longer;
      for (const auto& combination : combinations)
        for (const std::string& label : own) {
          if (longer.size() > kMostLists) break;
          longer.push_back(combination);
          longer.back()[thread] = label;
        }
      combinations = std::move(longer);
    }
    for (const auto& combination : combinations) add(combination);
  }

  void add_exclusion(const std::vector<ThreadLocation>& places) {
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t j = i + 1; j < places.size(); ++j)
        if (places[i].thread != places[j].thread) add_goal({places[i], places[j]});
  }

  std::string text() const {
    std::string text = "forbidden\n";
    for (std::size_t i = 0; i < lists_.size(); ++i)
      text += fmt::format("  {}{}\n", fmt::join(lists_[i], " "), i + 1 < lists_.size() ? " ;" : "");
    text += "\n" + cells_.declarations();
    for (std::size_t t = 0; t < processes_.size();) {
      std::size_t copies = 1;
      while (t + copies < processes_.size() && processes_[t + copies].text == processes_[t].text) ++copies;
      text += fmt::format("{}process{}\n{}", t == 0 ? "" : "\n",
                          copies > 1 ? fmt::format("({})", copies) : "", processes_[t].text);
      t += copies;
    }
    return text;
  }

  const Program& program_;
  Problems problems_;
  CellNames cells_;
  std::vector<PrintedProcess> processes_;  // per thread
  std::vector<List> lists_;
};

}  // namespace

}  // namespace weir::rmm

namespace weir {

Expected<std::string, std::vector<Diagnostic>> print_rmm(const Program& program) {
  // A load that waits for one certain value is `read: x = E`.
  Program polling = with_polling(program, Polled::kWaiting);
  if (const auto found = beyond_plain(with_polling(program))) {
    rmm::Problems problems;
    problems.refuse(found->position, found->what);
    return problems.take();
  }
  return rmm::ProgramPrinter(polling).print();
}

}  // namespace weir
