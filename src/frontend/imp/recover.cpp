// From a program back to IMP syntax: variables, processes, properties. Threads of one function whose names
// are numbered become copies of one process; others are printed one by one.
#include "frontend/imp/recover.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "frontend/imp/lexer.hpp"
#include "frontend/imp/recover_function.hpp"

namespace weir::imp {

namespace {

using Problems = std::vector<Diagnostic>;

class Recovery {
 public:
  explicit Recovery(const Program& program) : program_(program), variables_(program), live_(program) {}

  Expected<ProgramSyntax, Problems> recover() {
    syntax_.name = NamePool().name(program_.name.empty() ? "unnamed" : program_.name);
    for (const Invariant& invariant : program_.properties.invariants)
      problems_.push_back({Severity::kError, "IMP cannot express invariants", invariant.position,
                           "give them to the command that checks the program"});
    for (const SharedObject& object : program_.objects)
      if (object.type != kInt64)
        problems_.push_back({Severity::kError,
                             "IMP cannot express variables of other types than int64",
                             object.position,
                             {}});
    syntax_.variables = variables_.declarations();
    mark_locations();
    recover_threads();
    recover_properties();
    if (!problems_.empty()) return distinct(std::move(problems_));
    return std::move(syntax_);
  }

 private:
  void mark_locations() {
    for (const auto& goal : program_.properties.goals)
      for (const ThreadLocation& place : goal) marked_.insert(place.location);
    for (const auto& places : program_.properties.exclusive)
      for (const ThreadLocation& place : places) marked_.insert(place.location);
  }

  bool writes_first_register(FunctionId function) const {
    return std::any_of(program_.edges.begin(), program_.edges.end(), [&](const Edge& edge) {
      return program_.location(edge.source).function == function && edge.instruction.result == RegisterId(0);
    });
  }

  // How many threads from `first` on are copies of one process.
  std::size_t copies_from(std::size_t first) const {
    const Thread& thread = program_.threads[first];
    const Function& function = program_.function(thread.function);
    if (!thread.name.ends_with('0') || !is_name(thread.name)) return 0;
    const std::string prefix = thread.name.substr(0, thread.name.size() - 1);
    if (!is_name(prefix) || function.parameter_count > 1) return 0;
    if (function.parameter_count == 1 && writes_first_register(thread.function)) return 0;
    std::size_t count = 0;
    for (; first + count < program_.threads.size(); ++count) {
      const Thread& next = program_.threads[first + count];
      const bool same_code =
          next.function == thread.function && next.name == fmt::format("{}{}", prefix, count);
      const bool numbered = next.arguments.empty() || next.arguments[0] == static_cast<Value>(count);
      if (!same_code || !numbered) break;
    }
    return count >= 2 ? count : 0;
  }

  void recover_threads() {
    thread_names_.resize(program_.threads.size());
    for (std::size_t i = 0; i < program_.threads.size();) {
      const std::size_t copies = copies_from(i);
      const std::size_t end = i + std::max<std::size_t>(copies, 1);
      for (std::size_t k = i; k < end; ++k) thread_names_[k] = thread_pool_.name(program_.threads[k].name);
      recover_process(i, copies);
      i = end;
    }
  }

  void recover_process(std::size_t first, std::size_t copies) {
    const Thread& thread = program_.threads[first];
    const bool own_number = copies > 0 && program_.function(thread.function).parameter_count == 1;
    RecoveredFunction recovered = recover_function({.program = program_,
                                                    .function = thread.function,
                                                    .arguments = thread.arguments,
                                                    .own_number = own_number,
                                                    .marked = marked_,
                                                    .variables = variables_,
                                                    .live = live_},
                                                   syntax_.terms, problems_);
    const std::string& name = thread_names_[first];
    Process process{.name = {copies > 0 ? name.substr(0, name.size() - 1) : name, {}},
                    .copies = copies,
                    .body = std::move(recovered.body)};
    syntax_.processes.push_back(std::move(process));
    for (std::size_t i = first; i < first + std::max<std::size_t>(copies, 1); ++i) {
      labels_[ThreadId(i)] = recovered.labels;
      for (const auto& [location, label] : recovered.labels) threads_with_[label].insert(ThreadId(i));
    }
  }

  // Places of reachable locations; a label alone where every thread that has it is meant.
  std::vector<Place> recover_places(const std::vector<ThreadLocation>& places) const {
    std::map<std::string, std::set<ThreadId>> wanted;
    for (const ThreadLocation& place : places) {
      const auto& labels = labels_.at(place.thread);
      const auto label = labels.find(place.location);
      if (label != labels.end()) wanted[label->second].insert(place.thread);
    }
    std::vector<Place> result;
    for (const auto& [label, threads] : wanted) {
      if (threads == threads_with_.at(label)) {
        result.push_back({.label = {label, {}}});
        continue;
      }
      for (const ThreadId thread : threads)
        result.push_back({.process = {thread_names_[thread.index()], {}}, .label = {label, {}}});
    }
    return result;
  }

  bool is_reachable(const std::vector<ThreadLocation>& goal) const {
    std::set<ThreadId> named, reachable;
    for (const ThreadLocation& place : goal) {
      named.insert(place.thread);
      if (labels_.at(place.thread).contains(place.location)) reachable.insert(place.thread);
    }
    return named == reachable;
  }

  void recover_properties() {
    for (const auto& places : program_.properties.exclusive)
      if (auto recovered = recover_places(places); !recovered.empty())
        syntax_.exclusive.push_back(std::move(recovered));
    for (const auto& goal : program_.properties.goals) {
      if (!is_reachable(goal)) continue;
      if (!syntax_.goal.empty())
        problems_.push_back(
            {Severity::kError, "IMP cannot express several goals",
             program_.location(goal.front().location).position,
             "a goal of its own can be given to the command that checks the program, --goal"});
      syntax_.goal = recover_places(goal);
    }
  }

  // Reading an instruction in several ways may complain about it several times.
  static Problems distinct(Problems problems) {
    Problems result;
    for (Diagnostic& problem : problems) {
      const bool known = std::any_of(result.begin(), result.end(), [&](const Diagnostic& other) {
        return other.position == problem.position && other.message == problem.message;
      });
      if (!known) result.push_back(std::move(problem));
    }
    return result;
  }

  const Program& program_;
  VariableNames variables_;
  LiveRegisters live_;
  ProgramSyntax syntax_;
  Problems problems_;
  std::set<LocationId> marked_;
  NamePool thread_pool_;
  std::vector<std::string> thread_names_;
  std::map<ThreadId, std::map<LocationId, std::string>> labels_;
  std::map<std::string, std::set<ThreadId>> threads_with_;
};

}  // namespace

Expected<ProgramSyntax, std::vector<Diagnostic>> recover(const Program& program) {
  return Recovery(program).recover();
}

}  // namespace weir::imp
