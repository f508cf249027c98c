#include "engine/consistency/support/buffer_machine.hpp"

#include <algorithm>
#include <unordered_set>

namespace weir::consistency::test {

namespace {

bool all_stores_gone(const std::vector<MachineState::Entry>& buffer) {
  return std::all_of(buffer.begin(), buffer.end(), [](const auto& entry) { return entry.event < 0; });
}

int load(const MachineState& state, std::size_t thread, int variable) {
  for (std::size_t i = state.buffers[thread].size(); i-- > 0;)
    if (state.buffers[thread][i].event >= 0 && state.buffers[thread][i].variable == variable)
      return state.buffers[thread][i].event;
  return state.memory[variable];
}

bool may_leave(Model model, const std::vector<MachineState::Entry>& buffer, std::size_t index) {
  bool store = false;
  for (std::size_t i = 0; i < index; ++i) {
    if (buffer[i].event < 0) {
      if (store) return false;
    } else {
      if (model == Model::kTso || buffer[i].variable == buffer[index].variable) return false;
      store = true;
    }
  }
  return buffer[index].event >= 0;
}

std::optional<MachineStep> next(const Instance& instance, Model model, const MachineState& state,
                                std::size_t thread) {
  const std::size_t number = instance.begin(thread) + static_cast<std::size_t>(state.positions[thread]);
  if (number == instance.end(thread)) return std::nullopt;
  const EventId id(number);
  const auto& event = instance.event(id);
  const int variable = static_cast<int>(event.variable.index());
  MachineStep result{{id, false}, state, std::nullopt};
  MachineState& after = result.after;
  ++after.positions[thread];
  if (drains(event.kind) && !all_stores_gone(state.buffers[thread])) return std::nullopt;
  if (reads(event.kind)) result.read = load(state, thread, variable);
  switch (event.kind) {
    case EventKind::kUpdate: after.memory[variable] = static_cast<int>(number); break;
    case EventKind::kWrite:
      if (model == Model::kSc)
        after.memory[variable] = static_cast<int>(number);
      else
        after.buffers[thread].push_back({static_cast<int>(number), variable});
      break;
    case EventKind::kStoreFence:
      if (model == Model::kPso) after.buffers[thread].push_back({-1, 0});
      break;
    case EventKind::kRead:
    case EventKind::kFence: break;
  }
  return result;
}

bool finished(const Instance& instance, const MachineState& state) {
  for (std::size_t t = 0; t < instance.threads(); ++t)
    if (instance.begin(t) + static_cast<std::size_t>(state.positions[t]) != instance.end(t)) return false;
  return true;
}

}  // namespace

std::string MachineState::text() const {
  std::string out;
  for (const int position : positions) out += static_cast<char>(position);
  for (const auto& buffer : buffers) {
    for (const Entry& entry : buffer) out += static_cast<char>(entry.event);
    out += '\xFE';
  }
  for (const int event : memory) out += static_cast<char>(event);
  return out;
}

MachineState initial_state(const Instance& instance) {
  return {std::vector<int>(instance.threads(), 0),
          std::vector<std::vector<MachineState::Entry>>(instance.threads()),
          std::vector<int>(instance.variables(), -1)};
}

std::vector<MachineStep> possible_steps(const Instance& instance, Model model, const MachineState& state) {
  std::vector<MachineStep> result;
  for (std::size_t t = 0; t < instance.threads(); ++t) {
    if (auto step = next(instance, model, state, t)) result.push_back(std::move(*step));
    for (std::size_t i = 0; i < state.buffers[t].size(); ++i) {
      if (!may_leave(model, state.buffers[t], i)) continue;
      MachineStep step{
          {EventId(static_cast<std::size_t>(state.buffers[t][i].event)), true}, state, std::nullopt};
      step.after.memory[state.buffers[t][i].variable] = state.buffers[t][i].event;
      auto& buffer = step.after.buffers[t];
      buffer.erase(buffer.begin() + static_cast<std::ptrdiff_t>(i));
      while (!buffer.empty() && buffer.front().event < 0) buffer.erase(buffer.begin());
      result.push_back(std::move(step));
    }
  }
  return result;
}

bool consistent_by_brute_force(const Instance& instance, Model model) {
  std::vector<MachineState> open{initial_state(instance)};
  std::unordered_set<std::string> seen{open[0].text()};
  while (!open.empty()) {
    const MachineState state = std::move(open.back());
    open.pop_back();
    // Buffers can always be emptied, so they do not matter at the end.
    if (finished(instance, state)) return true;
    for (MachineStep& step : possible_steps(instance, model, state)) {
      if (step.read) {
        bool good = false;
        instance.for_each_source(step.step.event, [&](EventId write) {
          good = good || (write == kInitialWrite ? -1 : static_cast<int>(write.index())) == *step.read;
        });
        if (!good) continue;
      }
      if (seen.insert(step.after.text()).second) open.push_back(std::move(step.after));
    }
  }
  return false;
}

}  // namespace weir::consistency::test
