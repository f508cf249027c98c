#include "machine/thread_automaton.hpp"

#include "base/error.hpp"
#include "machine/evaluate.hpp"

namespace weir {

namespace {

// Silent runs shorter than this are not watched for loops.
constexpr std::uint64_t kFirstSnapshot = 16;

// Private addresses have no more bits for their activation: those of deeper ones would be taken for others.
constexpr std::size_t kMostActivations = std::size_t{1} << 20;
static_assert(decode_private(encode(PrivateAddress{kMostActivations - 1, 0})).activation ==
              kMostActivations - 1);

Action failure(const Instruction& instruction, EdgeId edge, FailureKind kind) {
  return {.kind = ActionKind::kFail,
          .order = instruction.order,
          .failure = kind,
          .failing = instruction.op,
          .edge = edge};
}

bool stores(const Instruction& instruction, Value read, Value expected) {
  return instruction.op == Opcode::kStore ||
         (instruction.op == Opcode::kRmw && (instruction.rmw != RmwOp::kCompareExchange || read == expected));
}

bool inside_an_object(const Function& function, std::uint64_t offset, std::uint64_t bytes) {
  return std::ranges::any_of(function.privates, [&](const PrivateObject& object) {
    return offset >= object.offset && offset + bytes <= object.offset + object.size;
  });
}

}  // namespace

void identify(AutomatonOptions& options, const Code& code, ThreadId thread) {
  options.self = code.knows_self() ? static_cast<std::uint32_t>(thread.index()) : 0u;
  options.dormant = code.program().thread(thread).dormant;
}

ThreadAutomaton::ThreadAutomaton(const Code& code, FunctionId function, std::span<const Value> arguments,
                                 AutomatonOptions options)
    : code_(code),
      program_(code.program()),
      function_(function),
      options_(std::move(options)),
      header_(code.allocates() ? std::size_t{kCounters} : 0),
      observed_location_(program_.locations.size()),
      observed_register_(program_.function(function).registers.size()),
      temporaries_(code.temporary_count()) {
  for (const LocationId id : options_.observed_locations) observed_location_[id.index()] = true;
  for (const RegisterId id : options_.observed_registers) observed_register_[id.index()] = true;

  const Function& body = program_.function(function);
  start_.words.assign(header_ + 1 + code.frame_words(function), 0);
  start_.frames = {header_};
  start_.set_location(body.entry);
  for (std::size_t r = 0; r < body.registers.size(); ++r) {
    const Register& reg = body.registers[r];
    const Value value = r < arguments.size() ? arguments[r] : reg.initial;
    start_.reg(RegisterId(r)) = wrap(static_cast<std::uint64_t>(value), reg.type);
  }
  Config config = start_;
  RunEnd end = RunEnd::kReady;
  if (options_.dormant)
    end = RunEnd::kDormant;
  else if (!observed_location_[body.entry.index()])
    end = run(config, nullptr);
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
  WEIR_CHECK(taken.kind != ActionKind::kFail && taken.kind != ActionKind::kHalt,
             "nothing follows a failing instruction or the end");
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
  if (!options_.dormant && !observed_location_[config.location().index()]) run(config, &steps);
  return steps;
}

std::vector<PathStep> ThreadAutomaton::path(StateId state, std::uint32_t action, Value returned) {
  const Action taken = actions(state)[action];
  if (taken.kind == ActionKind::kFail || taken.kind == ActionKind::kHalt) return {{taken.edge, 0}};
  std::vector<PathStep> steps;
  Config config = load(state);
  step_and_run(config, taken.edge, returns_value(taken) ? returned : taken.value, &steps);
  return steps;
}

LocationId ThreadAutomaton::innermost_location(StateId state) const { return load(state).location(); }

Value ThreadAutomaton::register_value(StateId state, RegisterId reg) const {
  return states_[state.index()][header_ + 1 + reg.index()];
}

std::uint64_t ThreadAutomaton::allocated(StateId state) const {
  return header_ == 0 ? 0 : static_cast<std::uint64_t>(states_[state.index()][kHeapBlocks]);
}

// --- Encoding
// -------------------------------------------------------------------------------------------------

ThreadAutomaton::Config ThreadAutomaton::load(StateId state) const {
  const std::span<const Value> words = states_[state.index()];
  Config config;
  config.words.assign(words.begin(), words.end());
  if (info_[state.index()].flags & kMarked) config.words.pop_back();
  config.frames = {header_};
  std::size_t next = header_ + 1 + code_.frame_words(function_);
  while (next < config.words.size()) {
    config.frames.push_back(next + 1);
    next += 2 + code_.frame_words(function_at(config.location()));
  }
  return config;
}

StateId ThreadAutomaton::store(Config& config, RunEnd end) {
  if (options_.forget_dead_registers) forget_dead(config);
  const LocationId outermost = Config::decode(config.words[header_]);
  const bool inside_call = config.frames.size() > 1;
  std::uint8_t flags = 0;
  if (!inside_call && (!outermost || program_.location(outermost).edges.empty())) flags |= kStopped;
  if (end == RunEnd::kLoops) flags |= kLoops;
  if (end == RunEnd::kCut) flags |= kCut;
  if (end == RunEnd::kDormant) flags |= kDormant;
  if (flags & kLoops) config.words.push_back(kLoopMark);
  if (flags & kCut) config.words.push_back(kCutMark);
  if (flags & kDormant) config.words.push_back(kDormantMark);
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
    const std::size_t count = program_.function(function_at(location)).registers.size();
    for (std::size_t r = 0; r < count; ++r) {
      if (i == 0 && observed_register_[r]) continue;
      if (!location || RegisterId(r) == result || !code_.live(location, RegisterId(r)))
        config.words[base + 1 + r] = 0;
    }
  }
}

// --- Running silently
// -----------------------------------------------------------------------------------------

bool ThreadAutomaton::eval(const Config& config, ExprId id, Value& result) {
  const Value specials[] = {options_.self, encode(PrivateAddress{config.frames.size() - 1, 0})};
  const Operands operands{{config.words.data() + config.frames.back() + 1, code_.constants().data(),
                           temporaries_.data(), specials},
                          temporaries_.data()};
  return code_.evaluate(id, operands, result);
}

std::optional<Value> ThreadAutomaton::eval(const Config& config, ExprId id) {
  Value result = 0;
  return eval(config, id, result) ? std::optional(result) : std::nullopt;
}

// Loops are found by Brent's method [Brent80]: the state is compared with a snapshot that is renewed after
// 16, 32, 64 … steps. Dead registers are cleared first, so that a counter nobody reads does not hide a loop.
ThreadAutomaton::RunEnd ThreadAutomaton::run(Config& config, std::vector<PathStep>* recorder) {
  if (config.frames.size() > kMostActivations) return RunEnd::kCut;
  if (options_.every_instruction) return RunEnd::kReady;
  std::vector<Value> snapshot;
  LocationId snapshot_location;
  std::uint64_t next_snapshot = kFirstSnapshot;
  for (std::uint64_t steps = 0;;) {
    const std::uint64_t fast = recorder ? 0
                                        : run_fast(config, snapshot_location,
                                                   std::min(next_snapshot, options_.local_steps + 1) - steps);
    steps += fast;
    if (fast == 0) {
      const std::optional<PathStep> step = only_silent_step(config);
      if (!step) return RunEnd::kReady;
      take(config, step->edge, step->value, recorder);
      ++steps;
    }
    if (stops_run(config)) return RunEnd::kReady;
    if (steps > options_.local_steps || config.frames.size() > kMostActivations) return RunEnd::kCut;
    if (config.location() == snapshot_location && repeats(config, snapshot)) return RunEnd::kLoops;
    if (steps == next_snapshot) {
      if (options_.forget_dead_registers) forget_dead(config);
      snapshot = config.words;
      snapshot_location = config.location();
      next_snapshot *= 2;
    }
  }
}

// Assignments, branches and private memory of the innermost activation, which is what threads do most: as
// many steps as there are, up to `most` and until the location is `until` or one where runs stop. Returns
// their number.
std::uint64_t ThreadAutomaton::run_fast(Config& config, LocationId until, std::uint64_t most) {
  if (!options_.observed_registers.empty() || !config.location()) return 0;
  using Kind = LocationPlan::Kind;
  const bool outermost = config.frames.size() == 1;
  Value* const registers = config.words.data() + config.frames.back() + 1;
  const Value specials[] = {options_.self, encode(PrivateAddress{config.frames.size() - 1, 0})};
  const Operands operands{{registers, code_.constants().data(), temporaries_.data(), specials},
                          temporaries_.data()};
  LocationId location = config.location();
  const Function& function = program_.function(function_at(location));
  PrivateMemory memory = private_memory(config, config.frames.size() - 1);
  std::uint64_t steps = 0;
  while (steps < most) {
    const LocationPlan& plan = code_.plan(location);
    Value value = 0;
    if (plan.kind == Kind::kOther) break;
    if (plan.kind != Kind::kNop && !code_.evaluate(plan.expression, operands, value)) break;
    if (plan.kind == Kind::kPrivateLoad || plan.kind == Kind::kPrivateStore) {
      const std::uint64_t offset =
          static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(specials[kFrameAddress]);
      if (!access_private(function, memory, plan, offset, operands, value)) break;
    }
    if (plan.kind == Kind::kAssign || plan.kind == Kind::kPrivateLoad)
      registers[plan.result.index()] = wrap(static_cast<std::uint64_t>(value), plan.type);
    location = plan.kind == Kind::kBranch && value == 0 ? plan.other_target : plan.target;
    ++steps;
    if (location == until || (outermost && observed_location_[location.index()])) break;
  }
  config.set_location(location);
  instructions_ += steps;
  return steps;
}

// False if there is anything unusual about it, which is then left to `take`. A load sets `read`.
bool ThreadAutomaton::access_private(const Function& function, PrivateMemory& memory,
                                     const LocationPlan& plan, std::uint64_t offset, const Operands& operands,
                                     Value& read) const {
  if (!inside_an_object(function, offset, bytes_of(plan.access))) return false;
  if (plan.kind == LocationPlan::Kind::kPrivateLoad) {
    const std::optional<Value> found = memory.read(offset, plan.access);
    if (found) read = *found;
    return found.has_value();
  }
  Value stored = 0;
  if (!code_.evaluate(plan.stored, operands, stored) || stored == kUninitialised) return false;
  memory.write(offset, plan.access, stored);
  return true;
}

// Is this the state of the snapshot, which is at the same location? Most often a live register of the
// innermost activation tells that it is not.
bool ThreadAutomaton::repeats(Config& config, const std::vector<Value>& snapshot) const {
  if (config.words.size() != snapshot.size()) return false;
  const LocationId location = config.location();
  const std::size_t base = config.frames.back() + 1;
  const std::size_t count = program_.function(function_at(location)).registers.size();
  for (std::size_t r = 0; r < count; ++r)
    if (config.words[base + r] != snapshot[base + r] && code_.live(location, RegisterId(r))) return false;
  if (options_.forget_dead_registers) forget_dead(config);
  return config.words == snapshot;
}

ThreadAutomaton::RunEnd ThreadAutomaton::step_and_run(Config& config, EdgeId edge, Value value,
                                                      std::vector<PathStep>* recorder) {
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
std::optional<PathStep> ThreadAutomaton::only_silent_step(Config& config) {
  const LocationId location = config.location();
  if (!location) return std::nullopt;
  const LocationPlan& plan = code_.plan(location);
  Value value = 0;
  if (plan.kind == LocationPlan::Kind::kBranch) {
    if (!eval(config, plan.expression, value)) return std::nullopt;
    return PathStep{value != 0 ? plan.edge : plan.other, 0};
  }
  std::optional<PathStep> only;
  for (const EdgeId id : program_.location(location).edges) {
    const Instruction& instruction = program_.edge(id).instruction;
    if (changes_observed(config, instruction)) return std::nullopt;
    const Silence now = silence(config, instruction, value);
    if (now == Silence::kDisabled) continue;
    if (now == Silence::kVisible || only) return std::nullopt;
    only = PathStep{id, value};
  }
  return only;
}

// Can the instruction be executed silently? `value` is then what it assigns.
ThreadAutomaton::Silence ThreadAutomaton::silence(Config& config, const Instruction& instruction,
                                                  Value& value) {
  const auto silent_if = [](bool condition) { return condition ? Silence::kSilent : Silence::kVisible; };
  switch (instruction.op) {
    case Opcode::kAssign: return silent_if(eval(config, instruction.a, value));
    case Opcode::kAssert: return silent_if(eval(config, instruction.a, value) && value != 0);
    case Opcode::kAssume:
      if (!eval(config, instruction.a, value)) return Silence::kVisible;
      return value != 0 ? Silence::kSilent : Silence::kDisabled;
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw: return access_silence(config, instruction, value);
    case Opcode::kNop:
    case Opcode::kStop: return Silence::kSilent;
    case Opcode::kFence: return silent_if(options_.silent_fences);
    case Opcode::kCall:
      for (const ExprId argument : instruction.arguments)
        if (!eval(config, argument, value)) return Silence::kVisible;
      return Silence::kSilent;
    case Opcode::kReturn: return silent_if(!instruction.a || eval(config, instruction.a, value));
    case Opcode::kChoose: value = instruction.low; return silent_if(instruction.low == instruction.high);
    case Opcode::kAllocate: {
      Value size = 0;
      if (!eval(config, instruction.a, size)) return Silence::kVisible;
      if (!can_allocate(config, instruction, static_cast<std::uint64_t>(size))) return Silence::kVisible;
      value = allocate(config, instruction, static_cast<std::uint64_t>(size));
      return Silence::kSilent;
    }
    case Opcode::kFree: return silent_if(eval(config, instruction.a, value) && value == 0);
    default: return Silence::kVisible;
  }
}

// Accesses to private memory and to constants concern nobody else.
ThreadAutomaton::Silence ThreadAutomaton::access_silence(Config& config, const Instruction& instruction,
                                                         Value& value) {
  Value address = 0;
  if (!eval(config, instruction.a, address)) return Silence::kVisible;
  const Target target = locate(config, address, instruction);
  if (target.place == Target::Place::kShared || target.failure) return Silence::kVisible;
  if (target.place == Target::Place::kConstant) {
    value = target.constant;
  } else {
    Value operand = 0;
    if (instruction.b && !eval(config, instruction.b, operand)) return Silence::kVisible;
    if (private_failure(config, target, instruction, operand, value)) return Silence::kVisible;
  }
  if (is_locked(instruction) && !options_.silent_fences) return Silence::kVisible;
  if (!instruction.waits) return Silence::kSilent;
  Value compared = 0;
  if (!eval(config, instruction.c, compared)) return Silence::kVisible;
  const bool equal = value == wrap(static_cast<std::uint64_t>(compared), instruction.type);
  return equal == instruction.until ? Silence::kSilent : Silence::kDisabled;
}

void ThreadAutomaton::take(Config& config, EdgeId id, Value value, std::vector<PathStep>* recorder) {
  const Edge& edge = program_.edge(id);
  const Instruction& instruction = edge.instruction;
  PathStep step{.edge = id, .value = value};
  ++instructions_;
  switch (instruction.op) {
    case Opcode::kCall: enter(config, id); break;
    case Opcode::kReturn: leave(config, instruction); break;
    case Opcode::kStop:
      config.frames.resize(1);
      config.words.resize(header_ + 1 + code_.frame_words(function_));
      config.words[header_] = kNowhere;
      break;
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw:
      take_access(config, instruction, step);
      config.set_location(edge.target);
      break;
    case Opcode::kAllocate:
      ++config.words[counter(instruction.block)];
      blocks_.insert(value);
      [[fallthrough]];
    case Opcode::kAssign:
    case Opcode::kChoose:
      if (instruction.result) {
        assign(config, instruction.result, value);
        if (instruction.op == Opcode::kAssign) step.value = config.reg(instruction.result);
      }
      config.set_location(edge.target);
      break;
    default: step.value = 0; config.set_location(edge.target);
  }
  if (recorder) recorder->push_back(step);
}

// `step.value` is what the access returned.
void ThreadAutomaton::take_access(Config& config, const Instruction& instruction, PathStep& step) {
  const Value read = step.value;
  const Value address = eval(config, instruction.a).value();
  const Target target = locate(config, address, instruction);
  if (target.place != Target::Place::kShared) step.address = address;
  if (target.place == Target::Place::kPrivate && instruction.op != Opcode::kLoad)
    step.stored = write_private(config, target, instruction, read, step.written);
  if (instruction.op == Opcode::kStore)
    step = {.edge = step.edge, .value = step.written, .address = step.address};
  if (instruction.result) assign(config, instruction.result, read);
}

void ThreadAutomaton::assign(Config& config, RegisterId reg, Value value) const {
  const Function& code = program_.function(program_.location(config.location()).function);
  config.reg(reg) = wrap(static_cast<std::uint64_t>(value), code.registers[reg.index()].type);
}

void ThreadAutomaton::enter(Config& config, EdgeId call) {
  const Instruction& instruction = program_.edge(call).instruction;
  const Function& callee = program_.function(instruction.callee);
  std::vector<Value> arguments;
  for (const ExprId argument : instruction.arguments) arguments.push_back(*eval(config, argument));
  config.words.push_back(call.index());
  config.frames.push_back(config.words.size());
  config.words.resize(config.words.size() + 1 + code_.frame_words(instruction.callee), 0);
  config.set_location(callee.entry);
  for (std::size_t r = 0; r < callee.registers.size(); ++r) {
    const Value value = r < arguments.size() ? arguments[r] : callee.registers[r].initial;
    config.reg(RegisterId(r)) = wrap(static_cast<std::uint64_t>(value), callee.registers[r].type);
  }
}

void ThreadAutomaton::leave(Config& config, const Instruction& instruction) {
  if (config.frames.size() == 1) {
    config.words[header_] = kNowhere;
    return;
  }
  const Value value = instruction.a ? *eval(config, instruction.a) : 0;
  const Edge& call = program_.edge(EdgeId(static_cast<std::size_t>(config.words[config.frames.back() - 1])));
  config.words.resize(config.frames.back() - 1);
  config.frames.pop_back();
  if (call.instruction.result && instruction.a) assign(config, call.instruction.result, value);
  config.set_location(call.target);
}

// --- Memory
// ---------------------------------------------------------------------------------------------------

// Where an access goes. Failures that memory decides (freed, uninitialised) are not known here.
ThreadAutomaton::Target ThreadAutomaton::locate(const Config& config, Value address,
                                                const Instruction& instruction) const {
  Target target;
  const AddressKind kind = program_.open_memory ? AddressKind::kOrdinary : address_kind(address);
  if (kind == AddressKind::kPrivate) return locate_private(config, address, instruction.type);
  if (kind == AddressKind::kBlock) {
    target.cell = {instruction.type.bits, false};
    const BlockAddress block = decode_block(address);
    if (!may_exist(block) || !inside_block(block, bytes_of(instruction.type)))
      target.failure = FailureKind::kBounds;
    return target;
  }
  const ObjectId id = kind == AddressKind::kOrdinary ? code_.object_at(address) : ObjectId::none();
  const bool is_whole_cell = id && program_.object(id).type.bits == instruction.type.bits;
  if (program_.byte_memory && kind == AddressKind::kOrdinary && !is_whole_cell)
    return locate_on_several_cells(address, instruction);
  if (!id) {
    if (!program_.open_memory) target.failure = FailureKind::kAddress;
    if (program_.open_memory && instruction.type.bits != 64) target.failure = FailureKind::kAddress;
    return target;
  }
  const SharedObject& object = program_.object(id);
  target.cell = object.type;
  if (object.constant && instruction.op == Opcode::kLoad) {
    target.place = Target::Place::kConstant;
    const Value held = object.initial[static_cast<std::size_t>((address - object.base) / object.stride)];
    if (held == kUninitialised && !instruction.copies) target.failure = FailureKind::kNotInitialised;
    target.constant =
        held == kUninitialised ? held : wrap(static_cast<std::uint64_t>(held), instruction.type);
  } else if (object.constant) {
    target.failure = FailureKind::kConstant;
  }
  if (object.type.bits != instruction.type.bits && target.failure != FailureKind::kConstant)
    target.failure = FailureKind::kWidth;
  return target;
}

// A part of a cell of a declared object, or several. Between cells there may be bytes that belong to none: what is
// there is not known.
ThreadAutomaton::Target ThreadAutomaton::locate_on_several_cells(Value address,
                                                                 const Instruction& instruction) const {
  Target target{.cell = {instruction.type.bits, false}};
  const std::uint64_t bytes = bytes_of(instruction.type);
  std::size_t known = 0, constant = 0;
  std::uint64_t word = 0;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const auto byte = static_cast<Value>(static_cast<std::uint64_t>(address) + i);
    const std::optional<Value> cell = code_.cell_around(byte);
    if (!cell) continue;
    ++known;
    const SharedObject& object = program_.object(code_.object_at(*cell));
    if (!object.constant) continue;
    ++constant;
    const Value held = object.initial[static_cast<std::size_t>((*cell - object.base) / object.stride)];
    if (held == kUninitialised) target.failure = FailureKind::kNotInitialised;
    word |= (static_cast<std::uint64_t>(held) >> 8 * (byte - *cell) & 0xFF) << 8 * i;
  }
  const bool loads_constant = constant == bytes && instruction.op == Opcode::kLoad;
  if (known == 0)
    target.failure = FailureKind::kAddress;
  else if (constant == bytes && !loads_constant)
    target.failure = FailureKind::kConstant;
  else if (constant != bytes && (known < bytes || constant > 0 || !options_.several_cells))
    target.failure = FailureKind::kWidth;
  if (!loads_constant) return target;
  target.place = Target::Place::kConstant;
  target.constant = wrap(word, instruction.type);
  if (target.failure == FailureKind::kNotInitialised && instruction.copies)
    target.failure = FailureKind::kWidth;
  return target;
}

// Whoever goes far enough out of a block comes to an address that looks like one of another block. The blocks
// of this thread are known. Of those of others the size is all that is looked at: so it does not matter in
// which order an engine executes the threads.
bool ThreadAutomaton::may_exist(const BlockAddress& block) const {
  if (block.kind > kLastBlockKind || block.thread >= program_.threads.size()) return false;
  if (block.thread != options_.self) return code_.may_allocate(block.kind, block.size);
  BlockAddress start = block;
  start.offset = 0;
  return blocks_.contains(encode(start));
}

ThreadAutomaton::Target ThreadAutomaton::locate_private(const Config& config, Value address,
                                                        Type type) const {
  const PrivateAddress place = decode_private(address);
  Target target{.place = Target::Place::kPrivate, .cell = type, .failure = FailureKind::kBounds};
  if (place.activation >= config.frames.size()) return target;
  target.frame = place.activation;
  target.offset = place.offset;
  const FunctionId function = function_at(Config::decode(config.words[config.frames[target.frame]]));
  if (inside_an_object(program_.function(function), place.offset, bytes_of(type))) target.failure.reset();
  return target;
}

PrivateMemory ThreadAutomaton::private_memory(Config& config, std::size_t frame) const {
  const FunctionId function = function_at(Config::decode(config.words[config.frames[frame]]));
  Value* const registers = config.words.data() + config.frames[frame] + 1;
  return {registers + code_.private_begin(function), registers + code_.mask_begin(function)};
}

// Why an access to private memory fails, if it does; `read` is what a load or read-modify-write finds there.
std::optional<FailureKind> ThreadAutomaton::private_failure(Config& config, const Target& target,
                                                            const Instruction& instruction, Value value,
                                                            Value& read) {
  Value expected = 0;
  if (instruction.op == Opcode::kStore) {
    if (instruction.copies) return std::nullopt;
  } else {
    const std::optional<Value> found =
        private_memory(config, target.frame).read(target.offset, instruction.type);
    if (!found && !instruction.copies) return FailureKind::kNotInitialised;
    read = found.value_or(kUninitialised);
    if (instruction.op == Opcode::kLoad) return std::nullopt;
    if (instruction.c)
      expected = wrap(static_cast<std::uint64_t>(eval(config, instruction.c).value_or(0)), target.cell);
  }
  if (instruction.type.bits != 64 || !stores(instruction, read, expected)) return std::nullopt;
  const Value left =
      instruction.op == Opcode::kStore ? value : apply_rmw(instruction.rmw, read, value, instruction.type);
  return left == kUninitialised ? std::optional(FailureKind::kMark) : std::nullopt;
}

// `read` is what a read-modify-write has found there. Does it write, and what?
bool ThreadAutomaton::write_private(Config& config, const Target& target, const Instruction& instruction,
                                    Value read, Value& written) {
  const Value operand = *eval(config, instruction.b);
  PrivateMemory memory = private_memory(config, target.frame);
  if (instruction.op == Opcode::kStore && instruction.copies && operand == kUninitialised) {
    written = operand;
    memory.forget(target.offset, instruction.type);
    return true;
  }
  const Value expected =
      instruction.c ? wrap(static_cast<std::uint64_t>(*eval(config, instruction.c)), target.cell) : 0;
  if (!stores(instruction, read, expected)) return false;
  written = instruction.op == Opcode::kStore ? wrap(static_cast<std::uint64_t>(operand), instruction.type)
                                             : apply_rmw(instruction.rmw, read, operand, instruction.type);
  memory.write(target.offset, instruction.type, written);
  return true;
}

bool ThreadAutomaton::can_allocate(const Config& config, const Instruction& instruction,
                                   std::uint64_t size) const {
  return weir::can_allocate(static_cast<std::uint64_t>(config.words[counter(instruction.block)]), size);
}

Value ThreadAutomaton::allocate(Config& config, const Instruction& instruction, std::uint64_t size) const {
  return encode(BlockAddress{.thread = options_.self,
                             .number = static_cast<std::uint64_t>(config.words[counter(instruction.block)]),
                             .kind = instruction.block,
                             .size = size});
}

// --- Offering actions
// -----------------------------------------------------------------------------------------

void ThreadAutomaton::unfold(StateId state) {
  const Info info = info_[state.index()];
  const auto first = static_cast<std::uint32_t>(actions_.size());
  Config config = load(state);
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

void ThreadAutomaton::offer(Config& config, EdgeId id) {
  const Instruction& instruction = program_.edge(id).instruction;
  switch (instruction.op) {
    case Opcode::kLoad:
    case Opcode::kStore:
    case Opcode::kRmw: return offer_access(config, id);
    case Opcode::kFree: return offer_free(config, id);
    case Opcode::kFence:
      return add_action({.kind = ActionKind::kFence, .fence = instruction.fence, .edge = id});
    case Opcode::kLock: return add_action({.kind = ActionKind::kLock, .edge = id});
    case Opcode::kUnlock: return add_action({.kind = ActionKind::kUnlock, .edge = id});
    case Opcode::kAtomicBegin: return add_action({.kind = ActionKind::kAtomicBegin, .edge = id});
    case Opcode::kAtomicEnd: return add_action({.kind = ActionKind::kAtomicEnd, .edge = id});
    case Opcode::kHalt: return add_action({.kind = ActionKind::kHalt, .edge = id});
    case Opcode::kChoose: return offer_choices(id);
    case Opcode::kAssume: {
      const std::optional<Value> condition = eval(config, instruction.a);
      if (condition && *condition == 0) return;
      return add_action(local_action(config, id));
    }
    case Opcode::kAllocate: {
      const std::optional<Value> size = eval(config, instruction.a);
      if (size && !can_allocate(config, instruction, static_cast<std::uint64_t>(*size)))
        return add_action({.kind = ActionKind::kHalt, .edge = id});
      Action action = local_action(config, id);
      if (size) action.value = allocate(config, instruction, static_cast<std::uint64_t>(*size));
      return add_action(action);
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

Action ThreadAutomaton::local_action(const Config& config, EdgeId id) {
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

void ThreadAutomaton::offer_free(Config& config, EdgeId id) {
  const Instruction& instruction = program_.edge(id).instruction;
  const std::optional<Value> address = eval(config, instruction.a);
  if (!address) return add_action(failure(instruction, id, FailureKind::kDivision));
  if (*address == 0) return add_action({.kind = ActionKind::kInternal, .edge = id});
  if (is_cut_address(*address)) return add_action({.kind = ActionKind::kHalt, .edge = id});
  const BlockAddress block = decode_block(*address);
  if (address_kind(*address) != AddressKind::kBlock || block.offset != 0 || !may_exist(block) ||
      !releases(instruction.block, block.kind)) {
    Action fails = failure(instruction, id, FailureKind::kBadFree);
    fails.address = *address;
    return add_action(fails);
  }
  add_action({.kind = ActionKind::kFree,
              .order = (instruction.block == BlockKind::kStack) ? Order::kSequential : Order::kRelease,
              .edge = id,
              .address = *address,
              .value = instruction.renews ? 0 : 1});
}

void ThreadAutomaton::offer_access(Config& config, EdgeId id) {
  const Instruction& instruction = program_.edge(id).instruction;
  const std::optional<Value> address = eval(config, instruction.a);
  const std::optional<Value> value = instruction.b ? eval(config, instruction.b) : 0;
  const std::optional<Value> expected = instruction.c ? eval(config, instruction.c) : 0;
  if (!address || !value || !expected) return add_action(failure(instruction, id, FailureKind::kDivision));

  Target target = locate(config, *address, instruction);
  const bool local = target.place != Target::Place::kShared;
  Value read = target.constant;
  if (!target.failure && target.place == Target::Place::kPrivate)
    target.failure = private_failure(config, target, instruction, *value, read);
  const bool copied = instruction.copies && *value == kUninitialised;
  const Value written = copied ? *value : wrap(static_cast<std::uint64_t>(*value), target.cell);
  const bool marks = instruction.op == Opcode::kStore && !copied && written == kUninitialised && !local;
  if (!target.failure && marks) target.failure = FailureKind::kMark;
  const bool cut = !program_.open_memory && is_cut_address(*address);
  if (cut || (target.failure == FailureKind::kWidth && program_.byte_memory))
    return add_action({.kind = ActionKind::kHalt, .edge = id});
  if (target.failure) {
    Action fails = failure(instruction, id, *target.failure);
    if (local) fails.failing = is_locked(instruction) ? Opcode::kFence : Opcode::kNop;
    fails.address = *address;
    return add_action(fails);
  }

  const Value wanted =
      wrap(static_cast<std::uint64_t>(*expected), instruction.waits ? instruction.type : target.cell);
  if (local) {
    if (instruction.waits && (read == wanted) != instruction.until) return;
    const ActionKind kind = is_locked(instruction) ? ActionKind::kFence : ActionKind::kInternal;
    return add_action({.kind = kind, .fence = FenceKind::kFull, .edge = id, .value = read});
  }
  Action action{.order = instruction.order,
                .rmw = instruction.rmw,
                .waits = instruction.waits,
                .until = instruction.until,
                .plain = instruction.plain,
                .copies = instruction.copies,
                .type = instruction.type,
                .edge = id};
  action.kind = instruction.op == Opcode::kLoad    ? ActionKind::kLoad
                : instruction.op == Opcode::kStore ? ActionKind::kStore
                                                   : ActionKind::kRmw;
  action.address = *address;
  action.value = written;
  action.expected = wanted;
  add_action(action);
}

}  // namespace weir
