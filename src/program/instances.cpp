#include "program/instances.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"

namespace weir {

namespace {

class Instance {
 public:
  Instance(const Program& program, std::span<const std::uint32_t> counts)
      : program_(program), counts_(counts), result_(program) {}

  Program build() {
    add_copies();
    rename_expressions();
    copy_properties();
    return std::move(result_);
  }

 private:
  bool exists(ThreadId thread) const { return counts_[thread.index()] > 0; }

  void add_copies() {
    result_.threads.clear();
    for (std::size_t t = 0; t < program_.threads.size(); ++t) {
      first_copy_.emplace_back(result_.threads.size());
      for (std::uint32_t copy = 1; copy <= counts_[t]; ++copy) {
        result_.threads.push_back(program_.threads[t]);
        if (copy > 1) result_.threads.back().name += fmt::format(".{}", copy);
      }
    }
  }

  void rename_expressions() {
    for (Expression& expression : result_.expressions) {
      if (expression.op != ExprOp::kThreadRegister) continue;
      if (exists(expression.thread)) {
        expression.thread = first_copy_[expression.thread.index()];
      } else {  // of no use any more
        expression = {.op = ExprOp::kConstant, .type = expression.type};
      }
    }
  }

  void copy_properties() {
    Properties& properties = result_.properties;
    properties.goals.clear();
    for (std::vector<ThreadLocation> goal : program_.properties.goals) {
      if (!std::ranges::all_of(goal, [&](const ThreadLocation& at) { return exists(at.thread); })) continue;
      for (ThreadLocation& at : goal) at.thread = first_copy_[at.thread.index()];
      properties.goals.push_back(std::move(goal));
    }
    for (std::vector<ThreadLocation>& list : properties.exclusive) list = all_copies(list);
    std::erase_if(properties.invariants,
                  [&](const Invariant& invariant) { return names_missing_thread(invariant.expression); });
  }

  std::vector<ThreadLocation> all_copies(const std::vector<ThreadLocation>& list) const {
    std::vector<ThreadLocation> result;
    for (const ThreadLocation& at : list)
      for (std::uint32_t copy = 0; copy < counts_[at.thread.index()]; ++copy)
        result.push_back({ThreadId(first_copy_[at.thread.index()].index() + copy), at.location});
    return result;
  }

  bool names_missing_thread(ExprId id) const {
    if (!id) return false;
    const Expression& e = program_.expression(id);
    if (e.op == ExprOp::kThreadRegister) return !exists(e.thread);
    return names_missing_thread(e.a) || names_missing_thread(e.b) || names_missing_thread(e.c);
  }

  const Program& program_;
  std::span<const std::uint32_t> counts_;
  Program result_;
  std::vector<ThreadId> first_copy_;  // per thread; meaningless for those without copies
};

}  // namespace

Program with_instances(const Program& program, std::uint32_t copies) {
  std::vector<std::uint32_t> counts;
  for (const Thread& thread : program.threads) counts.push_back(thread.single ? 1 : copies);
  return with_instances(program, counts);
}

Program with_instances(const Program& program, std::span<const std::uint32_t> counts) {
  WEIR_CHECK(counts.size() == program.threads.size(), "a count for every thread");
  return Instance(program, counts).build();
}

}  // namespace weir
