#include "machine/thread_automaton.hpp"

#include "base/error.hpp"
#include "machine/evaluate.hpp"

namespace weir {

namespace {

struct RegisterEnvironment {
  std::span<const Value> registers;
  Value leaf(const Expression& e) const {
    WEIR_ASSERT(e.op == ExprOp::kRegister, "code reads registers only");
    return registers[e.reg.index()];
  }
};

// Silent runs shorter than this are not watched for loops.
constexpr std::uint64_t kFirstSnapshot = 16;

Action failure(const Instruction& instruction, EdgeId edge, FailureKind kind) {
  return {.kind = ActionKind::kFail,
          .order = instruction.order,
          .failure = kind,
          .failing = instruction.op,
          .edge = edge};
}

}  // namespace

ThreadAutomaton::ThreadAutomaton(const Program& program, const LiveRegisters& live, FunctionId function,
                                 std::span<const Value> arguments, AutomatonOptions options)
    : program_(program),
      live_(live),
      function_(function),
      options_(std::move(options)),
      observed_location_(program.locations.size()),
      observed_register_(program.function(function).registers.size()) {
  for (const LocationId id : options_.observed_locations) observed_location_[id.index()] = true;
  for (const RegisterId id : options_.observed_registers) observed_register_[id.index()] = true;

  const Function& code = program.function(function);
  start_.frames = {0};
  start_.words.push_back(code.entry.index());
  for (std::size_t r = 0; r < code.registers.size(); ++r) {
    const Register& reg = code.registers[r];
    const Value value = r < arguments.size() ? arguments[r] : reg.initial;
    start_.words.push_back(wrap(static_cast<std::uint64_t>(value), reg.type));
  }
  Config config = start_;
  const RunEnd end = observed_location_[code.entry.index()] ? RunEnd::kReady : run(config, nullptr);
  initial_ = store(config, end);
}

std::span<const Action> ThreadAutomaton::actions(StateId state) {
  if (info_[state.index()].first_action == kUnknown) unfold(state);
  const Info& info = info_[state.index()];
  return {actions_.data() + info.first_action, info.action_count};
}

StateId ThreadAutomaton::successor(StateId state, std::uint32_t action, Value returned) {
  WEIR_ASSERT(action < actions(state).size(), "an action that is offered");
  const std::uint32_t index = info_[state.index()].first_action + action;
  const Value key = returns_value(actions_[index]) ? returned : 0;
  const std::uint32_t known = successors_.find(slots_[index], key);
  if (known != ValueTable::kNone) return StateId(known);

  const Action taken = actions_[index];
  WEIR_CHECK(taken.kind != ActionKind::kFail, "nothing follows a failing instruction");
  StateId next = state;
  if (!(info_[state.index()].flags & kLoops)) {
    Config config = load(state);
    const RunEnd end =
        step_and_run(config, taken.edge, returns_value(taken) ? returned : taken.value, nullptr);
    next = store(config, end);
  }
  successors_.insert(slots_[index], key, next.index());
  return next;
}

std::vector<PathStep> ThreadAutomaton::initial_path() {
  std::vector<PathStep> steps;
  Config config = start_;
  if (!observed_location_[config.location().index()]) run(config, &steps);
  return steps;
}

std::vector<PathStep> ThreadAutomaton::path(StateId state, std::uint32_t action, Value returned) {
  const Action taken = actions(state)[action];
  if (taken.kind == ActionKind::kFail) return {{taken.edge, 0}};
  std::vector<PathStep> steps;
  Config config = load(state);
  step_and_run(config, taken.edge, returns_value(taken) ? returned : taken.value, &steps);
  return steps;
}

LocationId ThreadAutomaton::innermost_location(StateId state) const { return load(state).location(); }

Value ThreadAutomaton::register_value(StateId state, RegisterId reg) const {
  return states_[state.index()][1 + reg.index()];
}

// --- Encoding
// -------------------------------------------------------------------------------------------------

ThreadAutomaton::Config ThreadAutomaton::load(StateId state) const {
  const std::span<const Value> words = states_[state.index()];
  Config config;
  config.words.assign(words.begin(), words.end());
  if (info_[state.index()].flags & (kLoops | kCut)) config.words.pop_back();
  config.frames = {0};
  std::size_t next = 1 + program_.function(function_).registers.size();
  while (next < config.words.size()) {
    config.frames.push_back(next + 1);
    const FunctionId function = program_.location(config.location()).function;
    next += 2 + program_.function(function).registers.size();
  }
  return config;
}

StateId ThreadAutomaton::store(Config& config, RunEnd end) {
  if (options_.forget_dead_registers) forget_dead(config);
  const LocationId outermost = Config::decode(config.words[0]);
  const bool inside_call = config.frames.size() > 1;
  std::uint8_t flags = 0;
  if (!inside_call && (!outermost || program_.location(outermost).edges.empty())) flags |= kStopped;
  if (end == RunEnd::kLoops) flags |= kLoops;
  if (end == RunEnd::kCut) flags |= kCut;
  if (flags & kLoops) config.words.push_back(kLoopMark);
  if (flags & kCut) config.words.push_back(kCutMark);
  const std::uint32_t id = states_.intern(config.words);
  if (id == info_.size()) info_.push_back({inside_call ? LocationId::none() : outermost, flags});
  return StateId(id);
}

void ThreadAutomaton::forget_dead(Config& config) const {
  for (std::size_t i = 0; i < config.frames.size(); ++i) {
    const std::size_t base = config.frames[i];
    const bool innermost = i + 1 == config.frames.size();
    // What an outer activation still needs is what is live after the call, except the call's own result.
    LocationId location = Config::decode(config.words[base]);
    RegisterId result;
    if (!innermost) {
      const Edge& call =
          program_.edge(EdgeId(static_cast<std::size_t>(config.words[config.frames[i + 1] - 1])));
      location = call.target;
      result = call.instruction.result;
    }
    const FunctionId function = location ? program_.location(location).function : function_;
    const std::size_t count = program_.function(function).registers.size();
    for (std::size_t r = 0; r < count; ++r) {
      if (i == 0 && observed_register_[r]) continue;
      if (!location || RegisterId(r) == result || !live_.live(location, RegisterId(r)))
        config.words[base + 1 + r] = 0;
    }
  }
}

// --- Running silently
// -----------------------------------------------------------------------------------------

std::optional<Value> ThreadAutomaton::eval(const Config& config, ExprId id) const {
  const auto first = config.words.begin() + static_cast<std::ptrdiff_t>(config.frames.back() + 1);
  return evaluate(program_, id, RegisterEnvironment{std::span<const Value>(first, config.words.end())});
}

// Loops are found by Brent's method [Brent80]: the state is compared with a snapshot that is renewed after
// 16, 32, 64 … steps. Dead registers are cleared first, so that a counter nobody reads does not hide a loop.
ThreadAutomaton::RunEnd ThreadAutomaton::run(Config& config, std::vector<PathStep>* recorder) const {
  if (options_.every_instruction) return RunEnd::kReady;
  std::vector<Value> snapshot;
  std::uint64_t next_snapshot = kFirstSnapshot;
  for (std::uint64_t steps = 1;; ++steps) {
    const std::optional<PathStep> step = only_silent_step(config);
    if (!step) return RunEnd::kReady;
    take(config, step->edge, step->value, recorder);
    if (stops_run(config)) return RunEnd::kReady;
    if (steps > options_.local_steps) return RunEnd::kCut;
    if (steps < kFirstSnapshot) continue;
    if (options_.forget_dead_registers) forget_dead(config);
    if (config.words == snapshot) return RunEnd::kLoops;
    if (steps == next_snapshot) {
      snapshot = config.words;
      next_snapshot *= 2;
    }
  }
}

ThreadAutomaton::RunEnd ThreadAutomaton::step_and_run(Config& config, EdgeId edge, Value value,
                                                      std::vector<PathStep>* recorder) const {
  take(config, edge, value, recorder);
  return stops_run(config) ? RunEnd::kReady : run(config, recorder);
}

bool ThreadAutomaton::stops_run(const Config& config) const {
  if (config.frames.size() > 1) return false;
  const LocationId location = config.location();
  return !location || observed_location_[location.index()];
}

// Does the instruction change a register that a property reads?
bool ThreadAutomaton::changes_observed(const Config& config, const Instruction& instruction) const {
  if (options_.observed_registers.empty()) return false;
  RegisterId result = instruction.result;
  std::size_t depth = config.frames.size();
  if (instruction.op == Opcode::kReturn) {
    if (depth == 1) return false;
    result = program_.edge(EdgeId(static_cast<std::size_t>(config.words[config.frames.back() - 1])))
                 .instruction.result;
    --depth;
  }
  return depth == 1 && instruction.op != Opcode::kCall && result && observed_register_[result.index()];
}

// The instruction that the thread will execute next, if there is just one that can be executed and it is
// silent.
std::optional<PathStep> ThreadAutomaton::only_silent_step(const Config& config) const {
  const LocationId location = config.location();
  if (!location) return std::nullopt;
  std::optional<PathStep> only;
  for (const EdgeId id : program_.location(location).edges) {
    const Instruction& instruction = program_.edge(id).instruction;
    if (changes_observed(config, instruction)) return std::nullopt;
    Value value = 0;
    switch (instruction.op) {
      case Opcode::kNop: break;
      case Opcode::kFence:
        if (!options_.silent_fences) return std::nullopt;
        break;
      case Opcode::kAssign:
      case Opcode::kAssume:
      case Opcode::kAssert: {
        const std::optional<Value> result = eval(config, instruction.a);
        if (!result) return std::nullopt;
        if (instruction.op == Opcode::kAssume && *result == 0) continue;
        if (instruction.op == Opcode::kAssert && *result == 0) return std::nullopt;
        value = *result;
        break;
      }
      case Opcode::kCall:
        for (const ExprId argument : instruction.arguments)
          if (!eval(config, argument)) return std::nullopt;
        break;
      case Opcode::kReturn:
        if (instruction.a && !eval(config, instruction.a)) return std::nullopt;
        break;
      case Opcode::kChoose:
        if (instruction.low != instruction.high) return std::nullopt;
        value = instruction.low;
        break;
      default: return std::nullopt;
    }
    if (only) return std::nullopt;
    only = PathStep{id, value};
  }
  return only;
}

void ThreadAutomaton::take(Config& config, EdgeId id, Value value, std::vector<PathStep>* recorder) const {
  const Edge& edge = program_.edge(id);
  const Instruction& instruction = edge.instruction;
  switch (instruction.op) {
    case Opcode::kCall: enter(config, id); break;
    case Opcode::kReturn: leave(config, instruction); break;
    case Opcode::kAssign:
    case Opcode::kLoad:
    case Opcode::kRmw:
    case Opcode::kChoose:
      if (instruction.result) {
        assign(config, instruction.result, value);
        if (instruction.op == Opcode::kAssign) value = config.reg(instruction.result);
      }
      config.set_location(edge.target);
      break;
    default: value = 0; config.set_location(edge.target);
  }
  if (recorder) recorder->push_back({id, value});
}

void ThreadAutomaton::assign(Config& config, RegisterId reg, Value value) const {
  const Function& code = program_.function(program_.location(config.location()).function);
  config.reg(reg) = wrap(static_cast<std::uint64_t>(value), code.registers[reg.index()].type);
}

void ThreadAutomaton::enter(Config& config, EdgeId call) const {
  const Instruction& instruction = program_.edge(call).instruction;
  const Function& callee = program_.function(instruction.callee);
  std::vector<Value> arguments;
  for (const ExprId argument : instruction.arguments) arguments.push_back(*eval(config, argument));
  config.words.push_back(call.index());
  config.frames.push_back(config.words.size());
  config.words.push_back(callee.entry.index());
  for (std::size_t r = 0; r < callee.registers.size(); ++r) {
    const Value value = r < arguments.size() ? arguments[r] : callee.registers[r].initial;
    config.words.push_back(wrap(static_cast<std::uint64_t>(value), callee.registers[r].type));
  }
}

void ThreadAutomaton::leave(Config& config, const Instruction& instruction) const {
  if (config.frames.size() == 1) {
    config.words[0] = kNowhere;
    return;
  }
  const Value value = instruction.a ? *eval(config, instruction.a) : 0;
  const Edge& call = program_.edge(EdgeId(static_cast<std::size_t>(config.words[config.frames.back() - 1])));
  config.words.resize(config.frames.back() - 1);
  config.frames.pop_back();
  if (call.instruction.result && instruction.a) assign(config, call.instruction.result, value);
  config.set_location(call.target);
}

// --- Offering actions
// -----------------------------------------------------------------------------------------

void ThreadAutomaton::unfold(StateId state) {
  const Info info = info_[state.index()];
  const auto first = static_cast<std::uint32_t>(actions_.size());
  const Config config = load(state);
  if (info.flags & kLoops) {
    add_action({.kind = ActionKind::kInternal, .edge = only_silent_step(config)->edge});
  } else if (!(info.flags & kCut) && config.location()) {
    for (const EdgeId id : program_.location(config.location()).edges) offer(config, id);
  }
  info_[state.index()].first_action = first;
  info_[state.index()].action_count = static_cast<std::uint32_t>(actions_.size()) - first;
}

void ThreadAutomaton::add_action(const Action& action) {
  actions_.push_back(action);
  slots_.push_back(successors_.add_slot());
}

void ThreadAutomaton::offer(const Config& config, EdgeId id) {
  const Instruction& instruction = program_.edge(id).instruction;
  switch (instruction.op) {
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw: return add_action(access_action(config, id));
    case Opcode::kFence:
      return add_action({.kind = ActionKind::kFence, .fence = instruction.fence, .edge = id});
    case Opcode::kLock: return add_action({.kind = ActionKind::kLock, .edge = id});
    case Opcode::kUnlock: return add_action({.kind = ActionKind::kUnlock, .edge = id});
    case Opcode::kAtomicBegin: return add_action({.kind = ActionKind::kAtomicBegin, .edge = id});
    case Opcode::kAtomicEnd: return add_action({.kind = ActionKind::kAtomicEnd, .edge = id});
    case Opcode::kChoose: return offer_choices(id);
    case Opcode::kAssume: {
      const std::optional<Value> condition = eval(config, instruction.a);
      if (condition && *condition == 0) return;
      return add_action(local_action(config, id));
    }
    default: return add_action(local_action(config, id));
  }
}

void ThreadAutomaton::offer_choices(EdgeId id) {
  const Instruction& instruction = program_.edge(id).instruction;
  for (Value value = instruction.low;; ++value) {
    add_action({.kind = ActionKind::kInternal, .edge = id, .value = value});
    if (value == instruction.high) break;
  }
}

Action ThreadAutomaton::local_action(const Config& config, EdgeId id) const {
  const Instruction& instruction = program_.edge(id).instruction;
  Action action{.kind = ActionKind::kInternal, .edge = id};
  for (const ExprId argument : instruction.arguments)
    if (!eval(config, argument)) return failure(instruction, id, FailureKind::kDivision);
  if (!instruction.a) return action;
  const std::optional<Value> result = eval(config, instruction.a);
  if (!result) return failure(instruction, id, FailureKind::kDivision);
  if (instruction.op == Opcode::kAssert && *result == 0)
    return failure(instruction, id, FailureKind::kAssertion);
  action.value = *result;
  return action;
}

Action ThreadAutomaton::access_action(const Config& config, EdgeId id) const {
  const Instruction& instruction = program_.edge(id).instruction;
  const std::optional<Value> address = eval(config, instruction.a);
  const std::optional<Value> value = instruction.b ? eval(config, instruction.b) : 0;
  const std::optional<Value> expected = instruction.c ? eval(config, instruction.c) : 0;
  if (!address || !value || !expected) return failure(instruction, id, FailureKind::kDivision);

  const std::optional<ObjectId> object = program_.object_at(*address);
  const Type cell = object ? program_.object(*object).type : kInt64;
  if ((!object && !program_.open_memory) || cell.bits != instruction.type.bits) {
    Action fails = failure(instruction, id, object ? FailureKind::kWidth : FailureKind::kAddress);
    fails.address = *address;
    return fails;
  }

  Action action{.order = instruction.order, .rmw = instruction.rmw, .type = instruction.type, .edge = id};
  action.kind = instruction.op == Opcode::kLoad    ? ActionKind::kLoad
                : instruction.op == Opcode::kStore ? ActionKind::kStore
                                                   : ActionKind::kRmw;
  action.address = *address;
  action.value = wrap(static_cast<std::uint64_t>(*value), cell);
  action.expected = wrap(static_cast<std::uint64_t>(*expected), cell);
  return action;
}

}  // namespace weir
