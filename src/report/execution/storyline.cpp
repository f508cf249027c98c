#include "report/execution/storyline.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

#include "program/address.hpp"
#include "program/ordering.hpp"
#include "program/text/text.hpp"
#include "trace/buffering.hpp"

namespace weir {

namespace {

const char* action_name(Opcode op) {
  switch (op) {
    case Opcode::kNop: return "nop";
    case Opcode::kAssign: return "assign";
    case Opcode::kAssume: return "assume";
    case Opcode::kAssert: return "assert";
    case Opcode::kLoad: return "load";
    case Opcode::kStore: return "store";
    case Opcode::kRmw: return "rmw";
    case Opcode::kFence: return "fence";
    case Opcode::kLock: return "lock";
    case Opcode::kUnlock: return "unlock";
    case Opcode::kAtomicBegin: return "atomic-begin";
    case Opcode::kAtomicEnd: return "atomic-end";
    case Opcode::kChoose: return "choose";
    case Opcode::kCall: return "call";
    case Opcode::kReturn: return "return";
    case Opcode::kStop: return "stop";
    case Opcode::kAllocate: return "allocate";
    case Opcode::kFree: return "free";
    case Opcode::kHalt: return "halt";
  }
  return "?";
}

bool is_local(Opcode op) {
  return op == Opcode::kNop || op == Opcode::kAssign || op == Opcode::kAssume || op == Opcode::kAssert ||
         op == Opcode::kCall || op == Opcode::kReturn || op == Opcode::kStop || op == Opcode::kAllocate;
}

const char* rmw_name(RmwOp op) {
  switch (op) {
    case RmwOp::kExchange: return "exchange";
    case RmwOp::kAdd: return "fetch-and-add";
    case RmwOp::kSub: return "fetch-and-sub";
    case RmwOp::kBitAnd: return "fetch-and-and";
    case RmwOp::kBitOr: return "fetch-and-or";
    case RmwOp::kBitXor: return "fetch-and-xor";
    case RmwOp::kCompareExchange: return "compare-exchange";
    case RmwOp::kBitNand: return "fetch-and-nand";
    case RmwOp::kMin:
    case RmwOp::kUnsignedMin: return "fetch-and-min";
    case RmwOp::kMax:
    case RmwOp::kUnsignedMax: return "fetch-and-max";
  }
  return "?";
}

class Teller {
 public:
  Teller(const Program& program, const Witness& witness)
      : program_(program),
        witness_(witness),
        names_(program, witness),
        buffering_(find_buffering(program, witness)),
        instructions_(instruction_texts(program)),
        waiting_(program.threads.size()),
        returns_(program.threads.size()) {
    for (const Thread& thread : program.threads) places_.push_back(program.function(thread.function).entry);
    const auto name_marks = [&](const std::vector<ThreadLocation>& list) {
      for (const ThreadLocation& mark : list) marks_.insert({mark.thread, mark.location});
    };
    for (const auto& goal : program.properties.goals) name_marks(goal);
    for (const auto& list : program.properties.exclusive) name_marks(list);
  }

  Storyline run() {
    for (std::size_t i = 0; i < witness_.steps.size(); ++i)
      story_.events.push_back(fails_at(i) ? failing_event(i) : event(i));
    fold_library_types();
    mark_setup();
    if (!story_.events.empty() && fails_in_last_step() && !fails_at(witness_.steps.size() - 1))
      story_.events.back().text += kFails;
    for (std::size_t t = 0; t < places_.size(); ++t)
      story_.location.push_back(places_[t] ? program_.location_name(places_[t]) : "its end");
    return std::move(story_);
  }

 private:
  static constexpr const char* kFails = "  <-- fails";

  bool fails_in_last_step() const {
    return witness_.violation.kind == ViolationKind::kAssertion ||
           (witness_.violation.kind == ViolationKind::kMemory && witness_.violation.property != kLeak);
  }

  // A flush that comes too late is told as any other one.
  bool fails_at(std::size_t i) const {
    return i + 1 == witness_.steps.size() && fails_in_last_step() &&
           witness_.steps[i].kind == WitnessStep::Kind::kInstruction;
  }

  // Where an assertion can only fail (a call that must not be reached), its message says more than its
  // condition.
  const std::string& what_fails(const Instruction& instruction, const std::string& text) const {
    const bool fails_always = instruction.op == Opcode::kAssert && !instruction.message.empty() &&
                              program_.expression(instruction.a).op == ExprOp::kConstant;
    return fails_always ? instruction.message : text;
  }

  // An instruction that fails has no effect besides ending the execution.
  StoryEvent failing_event(std::size_t i) const {
    const WitnessStep& step = witness_.steps[i];
    StoryEvent event{.step = i, .thread = step.thread};
    const Edge& edge = program_.edge(step.edge);
    event.position = names_.place(i);
    event.action = action_name(edge.instruction.op);
    event.text = program_.byte_memory ? failing_text(step, edge.instruction)
                                      : what_fails(edge.instruction, instructions_[step.edge.index()]);
    event.text += event.text.ends_with(" fails") ? "  <--" : kFails;
    if (witness_.violation.kind == ViolationKind::kMemory) name_cell(step.address, event);
    return event;
  }

  // "reads o->data"
  std::string failing_text(const WitnessStep& step, const Instruction& instruction) const {
    const bool frees = instruction.op == Opcode::kFree;
    if (!frees && instruction.op != Opcode::kLoad && instruction.op != Opcode::kStore &&
        instruction.op != Opcode::kRmw)
      return instruction.message.empty() ? witness_.violation.message : instruction.message;
    std::string what = names_.written(step.edge);
    if (what.empty()) what = frees ? names_.whole_block(step.address) : names_.address(step.address);
    const char* const verb = frees                              ? "frees"
                             : instruction.op == Opcode::kLoad  ? "reads"
                             : instruction.op == Opcode::kStore ? "writes"
                                                                : "updates";
    return fmt::format("{} {}", verb, what);
  }

  void name_cell(Value address, StoryEvent& event) const {
    event.address = address;
    event.name = names_.address(address);
  }

  // What a type of a library does to members of its own is one step for the user, however many accesses it takes.
  void fold_library_types() {
    constexpr std::size_t kFew = 1;
    std::vector<StoryEvent*> run;
    const auto close = [&] {
      if (run.size() > kFew) fold(run);
      run.clear();
    };
    for (StoryEvent& event : story_.events) {
      if (event.local) continue;
      const bool folds = is_of_library_type(event);
      if (!folds || (!run.empty() && !are_alike(*run.front(), event))) close();
      if (folds) run.push_back(&event);
    }
    close();
  }

  bool is_of_library_type(const StoryEvent& event) const {
    const std::string_view action = event.action;
    const bool accesses = action == "load" || action == "store" || action == "flush";
    return accesses && event.address && !event.sync && !fails_at(event.step) &&
           names_.is_hidden_member(*event.address);
  }

  static bool are_alike(const StoryEvent& one, const StoryEvent& other) {
    return one.thread == other.thread && one.name == other.name && one.position.line == other.position.line &&
           (std::string_view(one.action) == "flush") == (std::string_view(other.action) == "flush");
  }

  static void fold(const std::vector<StoryEvent*>& run) {
    const bool writes = std::ranges::any_of(
        run, [](const StoryEvent* event) { return std::string_view(event->action) != "load"; });
    for (StoryEvent* event : run) event->change.clear();
    run.front()->text = fmt::format("{} {}", writes ? "changes" : "looks at", run.front()->name);
    for (StoryEvent* event : std::vector(run.begin() + 1, run.end())) hide(*event);
  }

  // What main does before there are others: up to the first thread that it creates, and those that follow at once.
  void mark_setup() {
    const auto& events = story_.events;
    const auto is_of_main = [](const StoryEvent& event) { return event.thread.index() == 0; };
    if (!program_.byte_memory || std::ranges::all_of(events, is_of_main)) return;
    std::size_t end = 0;
    bool created = false;
    for (std::size_t i = 0; i < events.size() && events[i].thread.index() == 0; ++i) {
      const bool creates = events[i].sync && events[i].sync->kind == SyncKind::kCreate;
      if (created && !creates && !events[i].local && events[i].name != "") break;
      if (created && !creates && events[i].sync) break;
      created = created || creates;
      end = i + 1;
    }
    if (!created) return;
    for (std::size_t i = 0; i < end; ++i) story_.events[i].setup = true;
  }

  StoryEvent event(std::size_t i) {
    const WitnessStep& step = witness_.steps[i];
    StoryEvent event{.step = i, .thread = step.thread};
    if (step.edge) event.position = names_.place(i);
    if (step.kind == WitnessStep::Kind::kFlush) {
      tell_flush(step, i, event);
      return event;
    }
    const Instruction& instruction = program_.edge(step.edge).instruction;
    event.action = action_name(instruction.op);
    event.local = is_local(instruction.op) || is_own_memory(instruction, step.address);
    event.text = words_of(step.edge);
    switch (instruction.op) {
      case Opcode::kLoad: tell_load(step, event); break;
      case Opcode::kStore: tell_store(step, i, event); break;
      case Opcode::kRmw: tell_rmw(step, instruction, event); break;
      case Opcode::kAssign:
      case Opcode::kChoose: tell_assignment(step, instruction, event); break;
      case Opcode::kFence:
        event.text = instruction.fence == FenceKind::kFull ? "fence" : "store-store fence";
        break;
      case Opcode::kAtomicBegin: tell_block(i, instruction, event); break;
      case Opcode::kAtomicEnd: event.text.assign(1, '}'); break;
      case Opcode::kFree: tell_free(step, event); break;
      case Opcode::kHalt: event.text = "end of the program"; break;
      default: break;
    }
    if (event.address && names_.is_internal(*event.address) && !named_block_) hide(event);
    if (named_block_) event.local = event.local || instruction.op != Opcode::kAtomicBegin;
    if (instruction.op == Opcode::kAtomicEnd) named_block_ = false;
    move(step, event);
    return event;
  }

  // Private memory and constants: nobody else has to do with them.
  bool is_own_memory(const Instruction& instruction, Value address) const {
    const bool accesses =
        instruction.op == Opcode::kLoad || instruction.op == Opcode::kStore || instruction.op == Opcode::kRmw;
    if (!accesses || program_.open_memory) return false;
    if (address_kind(address) == AddressKind::kPrivate) return true;
    const auto object = program_.object_at(address);
    return object && program_.object(*object).constant;
  }

  // A block that says what it does ("locks a mutex") is told by that and by what it touches first.
  void tell_block(std::size_t i, const Instruction& instruction, StoryEvent& event) {
    event.text = "atomic {";
    if (instruction.message.empty()) return;
    named_block_ = true;
    event.sync = sync_action(program_, names_, instruction.message, accesses_behind(i));
    event.text = sync_text(names_, *event.sync);
    if (event.sync->kind == SyncKind::kOther && is_of_library(instruction.message)) hide(event);
  }

  // To shared memory, in the block that begins there.
  std::vector<SharedAccess> accesses_behind(std::size_t begin) const {
    std::vector<SharedAccess> found;
    for (std::size_t next = begin + 1; next < witness_.steps.size(); ++next) {
      const WitnessStep& step = witness_.steps[next];
      const Instruction& inner = program_.edge(step.edge).instruction;
      if (inner.op == Opcode::kAtomicEnd) break;
      const bool accesses =
          inner.op == Opcode::kLoad || inner.op == Opcode::kStore || inner.op == Opcode::kRmw;
      if (accesses && !is_own_memory(inner, step.address))
        found.push_back({step.address, inner.op == Opcode::kStore || step.stored});
    }
    return found;
  }

  // Steps of the runtime that are no news.
  static bool is_of_library(const std::string& what) {
    return what.starts_with("initialises its thread-local") || what.starts_with("registers a function");
  }

  // An instruction as the program has it; of a C program, nothing that the compiler made up.
  std::string words_of(EdgeId id) const {
    const std::string& text = instructions_[id.index()];
    if (!names_.has_terms() || text.find("\"%") == std::string::npos) return text;
    switch (program_.edge(id).instruction.op) {
      case Opcode::kAssume: return "takes a branch";
      case Opcode::kAssert: return "checks";
      case Opcode::kCall: {
        const Function& callee = program_.function(program_.edge(id).instruction.callee);
        return "calls " + callee.name;
      }
      case Opcode::kReturn: return "returns";
      case Opcode::kAllocate: return "allocates memory";
      default: return "computes";
    }
  }

  void tell_free(const WitnessStep& step, StoryEvent& event) {
    event.local = step.address == 0;
    name_cell(step.address, event);
    const Instruction& instruction = program_.edge(step.edge).instruction;
    const char* what = instruction.renews                       ? "renew"
                       : instruction.block == BlockKind::kStack ? "end of"
                                                                : "free";
    event.text = step.address == 0 ? "free of a null pointer"
                                   : fmt::format("{} {}", what, names_.whole_block(step.address));
  }

  void tell_flush(const WitnessStep& step, std::size_t i, StoryEvent& event) {
    event.action = "flush";
    concern(step, step.value, event);
    event.text = fmt::format("flush {} = {}", event.name, text(step.value, event));
    event.change = write(step.address, step.value, event.type);
    if (names_.is_internal(step.address)) hide(event);
    auto& waiting = waiting_[step.thread.index()];
    waiting.erase(std::remove(waiting.begin(), waiting.end(), buffering_.partner[i]), waiting.end());
  }

  void tell_load(const WitnessStep& step, StoryEvent& event) {
    concern(step, step.value, event);
    const auto& waiting = waiting_[step.thread.index()];
    const bool own = std::any_of(waiting.begin(), waiting.end(), [&](std::size_t store) {
      return witness_.steps[store].address == step.address;
    });
    const char* origin = !buffers_stores(witness_.model) ? "" : own ? " (own buffer)" : " (memory)";
    if (tell_look_at_library(step, event)) return;
    event.text = fmt::format("read {} = {}{}", event.name, text(step.value, event), origin);
  }

  // A signal that finds nobody is a load only; other loads of what locks and condition variables consist of are
  // followed by what they are for.
  bool tell_look_at_library(const WitnessStep& step, StoryEvent& event) const {
    if (named_block_) return false;
    if (const std::string condition = names_.condition_at(step.address); !condition.empty()) {
      event.sync = SyncAction{.kind = SyncKind::kSignal, .condition = condition};
      event.text = fmt::format("signals {}: nobody waits", condition);
      if (step.value != 0) hide(event);
      return true;
    }
    if (names_.mutex_at(step.address).empty()) return false;
    hide(event);
    return false;
  }

  static void hide(StoryEvent& event) { event.library = event.local = true; }

  void tell_store(const WitnessStep& step, std::size_t i, StoryEvent& event) {
    concern(step, step.value, event);
    event.buffered = buffering_.buffered[i];
    event.text = fmt::format("write {} = {}{}", event.name, text(step.value, event),
                             event.buffered ? " (to buffer)" : "");
    if (event.buffered) {
      waiting_[step.thread.index()].push_back(i);
    } else {
      event.change = write(step.address, step.value, event.type);
    }
  }

  void tell_rmw(const WitnessStep& step, const Instruction& instruction, StoryEvent& event) {
    concern(step, step.value, event);
    const std::string& name = event.name;
    event.text = fmt::format("{} {}: read {}, {}", rmw_name(instruction.rmw), name, text(step.value, event),
                             step.stored ? fmt::format("write {}", text(step.written, event)) : "no write");
    if (step.stored) event.change = write(step.address, step.written, event.type);
  }

  void tell_assignment(const WitnessStep& step, const Instruction& instruction, StoryEvent& event) {
    const Function& function = program_.function(program_.location(program_.edge(step.edge).source).function);
    const Register& reg = function.registers[instruction.result.index()];
    event.type = reg.type;
    event.value = step.value;
    if (instruction.op == Opcode::kChoose) return tell_choice(step, instruction, reg.name, event);
    event.text = fmt::format("{}  = {}", event.text, text(step.value, event));
  }

  // Of what is said to happen if the choice is 1, nothing is told if it is 0.
  void tell_choice(const WitnessStep& step, const Instruction& instruction, const std::string& reg,
                   StoryEvent& event) const {
    const bool made_up = names_.has_terms() && (reg.starts_with('%') || is_reserved(reg));
    event.text = made_up ? fmt::format("chooses {}", text(step.value, event))
                         : fmt::format("choose {} = {}", reg, text(step.value, event));
    if (instruction.message.empty()) return;
    if (step.value != 0) event.text = instruction.message;
    event.local = true;
  }

  // The event is about a cell.
  void concern(const WitnessStep& step, Value value, StoryEvent& event) const {
    name_cell(step.address, event);
    event.value = value;
    const auto object = program_.object_at(step.address);
    const bool known = object || !names_.has_terms() || !step.edge;
    event.type = object  ? program_.object(*object).type
                 : known ? kInt64
                         : program_.edge(step.edge).instruction.type;
  }

  std::string text(Value value, const StoryEvent& event) const {
    return names_.value(value, event.type, event.address);
  }

  // Changes memory, and says so where it makes a difference.
  std::string write(Value address, Value value, Type type) {
    if (!program_.open_memory && address_kind(address) == AddressKind::kPrivate) return "";
    const Value before = memory_at(address);
    memory_[address] = value;
    if (before == value) return "";
    return fmt::format("{}: {} -> {}", names_.address(address), names_.value(before, type, address),
                       names_.value(value, type, address));
  }

  Value memory_at(Value address) const {
    if (const auto found = memory_.find(address); found != memory_.end()) return found->second;
    const auto object = program_.object_at(address);
    if (!object) return 0;
    const SharedObject& shared = program_.object(*object);
    return shared.initial[static_cast<std::size_t>((address - shared.base) / shared.stride)];
  }

  // Follows the thread through calls and returns, and notes the marked labels of its outermost function.
  void move(const WitnessStep& step, StoryEvent& event) {
    const Edge& edge = program_.edge(step.edge);
    auto& returns = returns_[step.thread.index()];
    LocationId& place = places_[step.thread.index()];
    if (edge.instruction.op == Opcode::kCall) {
      returns.push_back(edge.target);
      place = program_.function(edge.instruction.callee).entry;
    } else if (edge.instruction.op == Opcode::kReturn) {
      place = returns.empty() ? LocationId() : returns.back();
      if (!returns.empty()) returns.pop_back();
    } else {
      place = edge.target;
    }
    if (place && returns.empty() && marks_.contains({step.thread, place}))
      event.arrival = program_.location_name(place);
  }

  const Program& program_;
  const Witness& witness_;
  const SourceNames names_;
  Buffering buffering_;
  std::vector<std::string> instructions_;
  std::vector<std::vector<std::size_t>> waiting_;    // per thread: buffered stores not yet flushed
  std::vector<std::vector<LocationId>> returns_;     // per thread: where the open calls return to
  std::vector<LocationId> places_;                   // per thread; none after the outermost return
  std::set<std::pair<ThreadId, LocationId>> marks_;  // named by a property
  std::map<Value, Value> memory_;                    // where it differs from the initial one
  bool named_block_ = false;                         // inside an atomic block that says what it does
  Storyline story_;
};

}  // namespace

Storyline tell(const Program& program, const Witness& witness) { return Teller(program, witness).run(); }

std::string value_text(Value value, Type type) {
  if (value == kUninitialised) return "uninitialised";
  if (type.bits == 64 && !type.is_signed) return std::to_string(static_cast<std::uint64_t>(value));
  return std::to_string(value);
}

}  // namespace weir
