#include "support/dual_saturation.hpp"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "check/reference/access.hpp"
#include "check/reference/machine.hpp"
#include "program/instances.hpp"

namespace weir::test {

namespace {

using Memory = std::map<Value, Value>;
using Message = DualCertificate::Message;
using Buffer = std::vector<Message>;

bool same(const Message& a, const Message& b) {
  return a.address == b.address && a.value == b.value && a.own == b.own;
}

bool has_own(const Buffer& buffer, Value address) {
  return std::ranges::any_of(buffer, [&](const Message& m) { return m.own && m.address == address; });
}

Buffer inserted(Buffer buffer, std::size_t at, const Message& message) {
  buffer.insert(buffer.begin() + static_cast<std::ptrdiff_t>(at), message);
  return buffer;
}

struct Local {
  LocationId location;
  std::vector<Value> registers;

  friend auto operator<=>(const Local&, const Local&) = default;
};

struct Individual {
  std::size_t thread = 0;  // or template
  Local local;
  Buffer buffer;
};

struct Whole {
  std::vector<Individual> threads;
  Memory memory;
};

// What a thread does from a local state if memory contains `before`.
struct Step {
  Opcode op = Opcode::kNop;  // of its first instruction
  Order order = Order::kRelaxed;
  FenceKind fence = FenceKind::kFull;
  bool shared = false;  // a single access of shared memory
  Value address = 0, value = 0;
  Local from, to;
  Memory before, after;
  bool fails = false;

  friend auto operator<=>(const Step&, const Step&) = default;
};

// Is `small` what is left of `large` if messages are dropped, but not the own ones? All are newest.
bool embeds(const Buffer& small, const Buffer& large) {
  if (small.empty()) return std::ranges::none_of(large, &Message::own);
  if (large.empty()) return false;
  const Buffer rest(large.begin() + 1, large.end());
  if (same(small.front(), large.front()) && embeds(Buffer(small.begin() + 1, small.end()), rest)) return true;
  return !large.front().own && embeds(small, rest);
}

// Are there different threads in `large` for all those in `small`?
bool embeds(const std::vector<Individual>& small, std::vector<Individual> large) {
  if (small.empty()) return true;
  const Individual& first = small.front();
  for (std::size_t i = 0; i < large.size(); ++i) {
    if (large[i].thread != first.thread || large[i].local != first.local ||
        !embeds(first.buffer, large[i].buffer))
      continue;
    std::vector<Individual> others = large;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    if (embeds(std::vector<Individual>(small.begin() + 1, small.end()), std::move(others))) return true;
  }
  return false;
}

class Saturation {
 public:
  Saturation(const Program& program, Model model, bool any_number, std::size_t most)
      : program_(program),
        model_(model),
        any_number_(any_number),
        most_(most),
        machine_(program, Model::kSc) {}

  std::optional<DualSaturation> run() {
    initial_ = machine_.initial();
    find_cells();
    if (!find_steps()) return std::nullopt;
    add_violations();
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_.size() > most_) return std::nullopt;
      add_predecessors(Whole(found_[i]));
    }
    return result();
  }

 private:
  // Local states, values and steps.

  void find_cells() {
    for (const SharedObject& object : program_.objects)
      for (std::size_t i = 0; i < object.initial.size(); ++i) {
        const Value address = object.base + static_cast<Value>(i) * object.stride;
        if (!object.constant) values_[address] = {read_memory(program_, {}, address)};
      }
  }

  std::vector<Memory> memories() const {
    std::vector<Memory> all{{}};
    for (const auto& [address, values] : values_) {
      std::vector<Memory> longer;
      for (const Memory& memory : all)
        for (const Value value : values) {
          longer.push_back(memory);
          longer.back()[address] = value;
        }
      all = std::move(longer);
    }
    return all;
  }

  bool find_steps() {
    for (std::size_t t = 0; t < program_.threads.size(); ++t)
      locals_.push_back({{initial_.threads[t].stack[0].location, initial_.threads[t].stack[0].registers}});
    own_values_.resize(locals_.size());
    for (bool more = true; more;) {
      more = false;
      steps_.assign(locals_.size(), {});
      const std::vector<Memory> all = memories();
      for (std::size_t t = 0; t < locals_.size(); ++t)
        for (const Local& local : std::set<Local>(locals_[t]))
          for (const Memory& memory : all)
            for (Step& step : steps_alone(t, local, memory)) {
              more |= remember(t, step);
              if ((is_buffered(step) && !step.fails) || reads_buffer(step))
                step.before = step.after = {};  // means nothing
              steps_[t].insert(std::move(step));
            }
      if (locals_[0].size() * all.size() > 4000) return false;
    }
    return true;
  }

  // Is there something new in it?
  bool remember(std::size_t t, const Step& step) {
    if (step.fails) return false;
    bool is_new = locals_[t].insert(step.to).second;
    for (const auto& [address, value] : step.after) is_new |= values_.at(address).insert(value).second;
    if (is_buffered(step)) is_new |= own_values_[t][step.address].insert(step.value).second;
    return is_new;
  }

  bool is_buffered(const Step& step) const {
    return model_ == Model::kTso && step.op == Opcode::kStore && step.order != Order::kSequential;
  }

  ReferenceState state_of(ReferenceState state, const std::vector<Local>& locals,
                          const Memory& memory) const {
    for (std::size_t t = 0; t < locals.size(); ++t) {
      state.threads[t].stack[0].location = locals[t].location;
      state.threads[t].stack[0].registers = locals[t].registers;
    }
    for (const auto& [address, value] : memory) write_memory(program_, state.memory, address, value);
    return state;
  }

  // With all other threads at their end. A section is followed until the lock is free again.
  std::vector<Step> steps_alone(std::size_t t, const Local& local, const Memory& memory) const {
    std::vector<Local> locals(program_.threads.size());
    for (std::size_t i = 0; i < locals.size(); ++i)
      locals[i].registers = initial_.threads[i].stack[0].registers;
    locals[t] = local;
    std::vector<Step> found;
    for (const ReferenceStep& first : machine_.steps(state_of(initial_, locals, memory))) {
      std::deque<ReferenceStep> open{first};
      std::set<ReferenceState> met;
      for (; !open.empty(); open.pop_front()) {
        const ReferenceStep now = open.front();
        if (now.after.halted || !met.insert(now.after).second) continue;
        if (!now.after.lock || now.failure)
          found.push_back(step_of(t, local, memory, first, now));
        else
          for (const ReferenceStep& next : machine_.steps(now.after)) open.push_back(next);
      }
    }
    return found;
  }

  Step step_of(std::size_t t, const Local& local, const Memory& memory, const ReferenceStep& first,
               const ReferenceStep& last) const {
    const Instruction& instruction = program_.edge(first.steps[0].edge).instruction;
    Step step{.op = instruction.op,
              .order = instruction.order,
              .fence = instruction.fence,
              .from = local,
              .before = memory};
    step.fails = last.failure.has_value();
    step.address = first.steps[0].address;
    step.shared = values_.contains(step.address) &&
                  (step.op == Opcode::kLoad || step.op == Opcode::kStore || step.op == Opcode::kRmw);
    if (step.fails && step.shared && memory.at(step.address) != kUninitialised) step.shared = false;
    const Activation& after = last.after.threads[t].stack[0];
    step.to = {after.location, after.registers};
    for (const auto& [address, value] : memory)
      step.after[address] = read_memory(program_, last.after.memory, address);
    if (step.shared)
      step.value = step.op == Opcode::kLoad ? memory.at(step.address) : step.after.at(step.address);
    return step;
  }

  // Violations.

  // All threads; with any number, up to two threads: no property speaks of more than two templates.
  std::vector<std::vector<std::uint32_t>> groups() const {
    const std::size_t threads = program_.threads.size();
    if (!any_number_) return {std::vector<std::uint32_t>(threads, 1)};
    std::vector<std::vector<std::uint32_t>> all{std::vector<std::uint32_t>(threads, 0)};
    for (std::size_t i = 0; i < threads; ++i)
      for (std::size_t j = i; j <= threads; ++j) {
        std::vector<std::uint32_t>& counts = all.emplace_back(threads, 0);
        ++counts[i];
        if (j < threads) ++counts[j];
      }
    return all;
  }

  void for_each_whole(const std::vector<std::size_t>& threads, const std::function<void(const Whole&)>& visit,
                      Whole whole = {}) const {
    if (whole.threads.size() == threads.size()) {
      for (const Memory& memory : memories()) visit({.threads = whole.threads, .memory = memory});
      return;
    }
    const std::size_t next = threads[whole.threads.size()];
    for (const Local& local : locals_[next]) {
      Whole longer = whole;
      longer.threads.push_back({.thread = next, .local = local, .buffer = {}});
      for_each_whole(threads, visit, std::move(longer));
    }
  }

  void add_violations() {
    for (const std::vector<std::uint32_t>& counts : groups()) {
      std::vector<std::size_t> threads;
      for (std::size_t t = 0; t < counts.size(); ++t) threads.insert(threads.end(), counts[t], t);
      const Program instance = with_instances(program_, counts);
      const ReferenceMachine machine(instance, Model::kSc);
      for_each_whole(threads, [&](const Whole& whole) {
        std::vector<Local> locals;
        for (const Individual& one : whole.threads) locals.push_back(one.local);
        if (!machine.violations(state_of(machine.initial(), locals, whole.memory)).empty()) add(whole);
        for (std::size_t i = 0; i < whole.threads.size(); ++i)
          for (const Step& step : steps_[threads[i]])
            if (step.fails && step.from == locals[i]) add_failure(whole, i, step);
      });
    }
  }

  void add_failure(const Whole& whole, std::size_t i, const Step& step) {
    const std::size_t t = whole.threads[i].thread;
    if (!reads_buffer(step)) {
      if (step.before == whole.memory) add(whole);
      return;
    }
    add_with_newer(whole, i, {{step.address, step.value, false}}, step.address);
    if (own_values_[t].contains(step.address) && own_values_[t].at(step.address).contains(step.value))
      add_with_newer(whole, i, {{step.address, step.value, true}}, step.address);
  }

  void add_with_newer(Whole whole, std::size_t i, const Buffer& buffer, Value except) {
    whole.threads[i].buffer = buffer;
    add(whole);
    for (const auto& [address, values] : own_values_[whole.threads[i].thread])
      if (address != except && !has_own(buffer, address))
        for (const Value value : values)
          add_with_newer(whole, i, inserted(buffer, buffer.size(), {address, value, true}), except);
  }

  bool reads_buffer(const Step& step) const {
    return model_ == Model::kTso && step.op == Opcode::kLoad && step.shared;
  }

  // Predecessors.

  void add_predecessors(const Whole& after) {
    for (std::size_t i = 0; i < after.threads.size(); ++i) {
      const auto& [thread, local, buffer] = after.threads[i];
      for (const Step& step : steps_[thread])
        if (!step.fails && step.to == local) add_before(after, i, step);
      if (model_ != Model::kTso) continue;
      for (const auto& [address, values] : own_values_[thread])
        for (const Value value : values)
          if (!has_own(buffer, address))
            add_changed(after, i, local, inserted(buffer, 0, {address, value, true}), after.memory);
      if (!buffer.empty() && !buffer.back().own &&
          after.memory.at(buffer.back().address) == *buffer.back().value)
        add_changed(after, i, local, Buffer(buffer.begin(), buffer.end() - 1), after.memory);
    }
    if (any_number_) add_before_others(after);
  }

  // A thread of which nothing was known. It may have an own message, too: then it can be deleted before.
  void add_before_others(const Whole& after) {
    for (std::size_t t = 0; t < steps_.size(); ++t)
      for (const Step& step : steps_[t]) {
        if (step.fails) continue;
        Whole more = after;
        more.threads.push_back({.thread = t, .local = step.to, .buffer = {}});
        if (is_buffered(step)) more.threads.back().buffer = {{step.address, step.value, true}};
        add_before(more, after.threads.size(), step);
      }
  }

  void add_before(const Whole& after, std::size_t i, const Step& step) {
    const Buffer& buffer = after.threads[i].buffer;
    if (reads_buffer(step)) return add_before_load(after, i, step);
    if (is_buffered(step)) return add_before_store(after, i, step);
    if (step.after == after.memory && (buffer.empty() || !needs_empty_buffer(step)))
      add_changed(after, i, step.from, buffer, step.before);
  }

  static bool needs_empty_buffer(const Step& step) {
    switch (step.op) {
      case Opcode::kFence: return step.fence == FenceKind::kFull;
      case Opcode::kStore:
      case Opcode::kRmw:
      case Opcode::kLock:
      case Opcode::kAtomicBegin: return true;
      default: return false;
    }
  }

  void add_before_load(const Whole& after, std::size_t i, const Step& step) {
    const Buffer& buffer = after.threads[i].buffer;
    const Message own{step.address, step.value, true}, plain{step.address, step.value, false};
    if (has_own(buffer, step.address)) {
      if (std::ranges::any_of(buffer, [&](const Message& m) { return same(m, own); }))
        add_changed(after, i, step.from, buffer, after.memory);
      return;
    }
    if (!buffer.empty() && same(buffer.front(), plain))
      add_changed(after, i, step.from, buffer, after.memory);
    else
      add_changed(after, i, step.from, inserted(buffer, 0, plain), after.memory);
  }

  void add_before_store(const Whole& after, std::size_t i, const Step& step) {
    const Buffer& buffer = after.threads[i].buffer;
    if (buffer.empty() || !same(buffer.back(), {step.address, step.value, true})) return;
    if (after.memory.at(step.address) != step.value) return;
    const Buffer rest(buffer.begin(), buffer.end() - 1);
    Memory memory = after.memory;
    for (const Value old_value : values_.at(step.address)) {
      memory[step.address] = old_value;
      add_changed(after, i, step.from, rest, memory);
      for (const Value hidden : own_values_[after.threads[i].thread].at(step.address))
        for (std::size_t place = 0; place <= rest.size(); ++place)
          add_changed(after, i, step.from, inserted(rest, place, {step.address, hidden, true}), memory);
    }
  }

  void add_changed(Whole whole, std::size_t i, const Local& local, const Buffer& buffer,
                   const Memory& memory) {
    whole.threads[i].local = local;
    whole.threads[i].buffer = buffer;
    whole.memory = memory;
    add(whole);
  }

  void add(const Whole& whole) {
    const auto is_below = [&](const Whole& element) {
      return element.memory == whole.memory && embeds(element.threads, whole.threads);
    };
    if (found_.size() <= most_ && std::ranges::none_of(found_, is_below)) found_.push_back(whole);
  }

  // As a certificate.

  DualSaturation result() const {
    DualSaturation saturation;
    DualCertificate& certificate = saturation.certificate;
    certificate.model = model_;
    certificate.any_number = any_number_;
    for (const auto& [address, values] : values_)
      certificate.values.emplace_back(address, std::vector<Value>(values.begin(), values.end()));
    std::map<std::pair<ThreadId, Local>, std::uint32_t> numbers;
    for (std::size_t t = 0; t < locals_.size(); ++t)
      for (const Local& local : locals_[t])
        if (numbers.try_emplace({code_of(t), local}, certificate.states.size()).second)
          certificate.states.push_back({code_of(t), local.location, local.registers});
    for (const Whole& whole : found_) {
      DualCertificate::Element& element = certificate.elements.emplace_back();
      element.memory.assign(whole.memory.begin(), whole.memory.end());
      for (const auto& [thread, local, buffer] : whole.threads)
        element.threads.push_back({numbers.at({code_of(thread), local}), buffer});
      if (is_initial(whole) && saturation.violating.empty()) saturation.violating = counts_of(whole);
    }
    return saturation;
  }

  ThreadId code_of(std::size_t t) const {
    for (std::size_t i = 0; i < t; ++i)
      if (program_.threads[i].function == program_.threads[t].function &&
          program_.threads[i].arguments == program_.threads[t].arguments)
        return ThreadId(i);
    return ThreadId(t);
  }

  bool is_initial(const Whole& whole) const {
    const bool threads_are = std::ranges::all_of(whole.threads, [&](const Individual& one) {
      const Activation& first = initial_.threads[one.thread].stack[0];
      return one.buffer.empty() && one.local == Local{first.location, first.registers};
    });
    return threads_are && std::ranges::all_of(whole.memory, [&](const auto& cell) {
             return read_memory(program_, {}, cell.first) == cell.second;
           });
  }

  std::vector<std::uint32_t> counts_of(const Whole& whole) const {
    std::vector<std::uint32_t> counts(program_.threads.size());
    for (const Individual& one : whole.threads) ++counts[one.thread];
    return counts;
  }

  const Program& program_;
  const Model model_;
  const bool any_number_;
  const std::size_t most_;
  const ReferenceMachine machine_;
  ReferenceState initial_;
  std::map<Value, std::set<Value>> values_;
  std::vector<std::set<Local>> locals_;                       // of each thread
  std::vector<std::map<Value, std::set<Value>>> own_values_;  // what it stores where, with a buffer
  std::vector<std::set<Step>> steps_;                         // of each thread
  std::vector<Whole> found_;
};

}  // namespace

std::optional<DualSaturation> saturate(const Program& program, Model model, bool any_number,
                                       std::size_t most_elements) {
  return Saturation(program, model, any_number, most_elements).run();
}

}  // namespace weir::test
