#include "native/schedule.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <tuple>

#include "program/address.hpp"

namespace weir::native {

namespace {

using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // file of the table, line, column

constexpr std::uint32_t kNowhere = UINT32_MAX;

// What the runtime function does that is called there; 0 if it is no point of the schedule.
char site_kind(const std::string& callee) {
  if (callee.empty()) return 'x';
  const auto has = [&](std::string_view text) { return callee.find(text) != std::string::npos; };
  if (callee == "weir_stack_ends" || callee == "weir_stack_leave" || callee == "weir_stack_restore")
    return 'e';
  if (callee.starts_with("weir_stack_")) return 0;
  if (callee == "weir_assembly_fence") return 'f';
  if (callee == "weir_fails_by_chance") return 'k';
  if (!callee.starts_with("__tsan_")) return 'c';
  if (has("_vptr_update")) return 'w';
  if (has("_vptr_read")) return 'r';
  if (has("_mem")) return 'm';
  if (has("fence")) return 'f';
  if (has("atomic")) return has("_load") ? 'r' : has("_store") ? 'w' : 'u';
  if (has("read")) return 'r';
  if (has("write")) return 'w';
  return 0;
}

// The letters of accesses that a site of a kind can be.
std::string_view accesses_of(char site) {
  switch (site) {
    case 'r': return "R";
    case 'w': return "W";
    case 'u': return "URW";
    case 'm': return "RW";
    case 'e': return "F";
    case 'k': return "C";
    case 'c':
    case 'x': return "RWUBCF";
    default: return "";
  }
}

char item_kind(Opcode op) {
  switch (op) {
    case Opcode::kLoad: return 'R';
    case Opcode::kStore: return 'W';
    case Opcode::kRmw: return 'U';
    case Opcode::kAtomicBegin: return 'B';
    case Opcode::kChoose: return 'C';
    case Opcode::kFree: return 'F';
    default: return 0;
  }
}

class Scheduler {
 public:
  Scheduler(const Program& program, const Witness& witness, const LineTable& table,
            const std::string& directory)
      : program_(program), witness_(witness), table_(table) {
    for (std::size_t i = 0; i < program.sources.size(); ++i)
      files_.push_back(file_of(program.sources.file(FileId(i)).path, directory));
  }

  std::string run() {
    for (std::size_t i = 0; i < table_.files.size() && i < 64; ++i)
      out_ += fmt::format("file {} {}\n", i, std::filesystem::path(table_.files[i]).filename().string());
    for (const Edge& edge : program_.edges)
      if (const char kind = item_kind(edge.instruction.op)) known_.insert({place(edge.position), kind});
    for (const CallSite& call : table_.calls) add_site(call);
    for (std::size_t i = 0; i < witness_.steps.size(); ++i) add_step(i);
    const bool leak =
        witness_.violation.kind == ViolationKind::kMemory && witness_.violation.property == kLeak;
    const bool uninitialised = witness_.violation.kind == ViolationKind::kMemory &&
                               witness_.violation.message.find("initialised") != std::string::npos;
    out_ += fmt::format("violation {} {}\n",
                        leak            ? "leak"
                        : uninitialised ? "uninitialised"
                                        : name(witness_.violation.kind),
                        witness_.steps.empty() ? 0 : witness_.steps.back().thread.index());
    return std::move(out_);
  }

 private:
  std::uint32_t file_of(const std::string& path, const std::string& directory) const {
    const auto absolute = (std::filesystem::path(directory) / path).lexically_normal().string();
    const auto found = std::find(table_.files.begin(), table_.files.end(), absolute);
    return found == table_.files.end() ? kNowhere : static_cast<std::uint32_t>(found - table_.files.begin());
  }

  Place place(const SourcePosition& position) const {
    if (!position.file) return {kNowhere, 0, 0};
    return {files_[position.file.index()], position.line, position.column};
  }

  static Place place(const LineRow& row) { return {row.file, row.line, row.column}; }

  void add_site(const CallSite& call) {
    const char kind = site_kind(call.callee);
    if (kind == 0) return;
    bool known = false;
    for (const char access : accesses_of(kind)) {
      known = known || known_.contains({place(call.place), access});
      (kind == 'x' ? maybe_ : sites_).insert({place(call.place), access});
    }
    if (kind == 'c') calls_.insert(place(call.place));
    out_ += fmt::format("site {:x} {} {} {} {} {}\n", call.return_address, call.place.file, call.place.line,
                        call.place.column, kind, known ? 1 : 0);
  }

  void add_step(std::size_t index) {
    const WitnessStep& step = witness_.steps[index];
    if (step.kind == WitnessStep::Kind::kFlush)
      return add(index, 'L', {kNowhere, 0, 0}, true, step.address, false);
    const Edge& edge = program_.edge(step.edge);
    const Instruction& instruction = edge.instruction;
    const Place where = place(edge.position);
    if (instruction.op == Opcode::kAtomicEnd) block_ = {kNowhere, 0, 0};
    const char kind = item_kind(instruction.op);
    if (kind == 0) return;
    if (const char access = kind == 'B' ? access_as_block(where) : 0)
      return add_block_of_access(index, access, where);
    if (kind == 'B' && (instruction.message == "starts" || instruction.message == "ends")) {
      block_ = where;
      if (instruction.message == "starts") return add(index, 'S', where, true, 0, false);
      return add_end(index, where);
    }
    if (kind == 'F' && std::get<0>(where) == kNowhere && area(step.address) == 's')
      return add_end(index, where);  // thread-local variables end with their thread
    if (kind == 'B' && std::get<0>(where) == kNowhere && instruction.message.starts_with("destroys"))
      return add(index, 'N', where, true, 0, false);  // a static object, from code that has no lines
    if (kind == 'B') {
      block_ = where;
    } else if (where == block_) {
      return;  // inside a block of the library, which is one step
    }
    if (std::get<0>(where) == kNowhere) return;
    const bool is_access = kind == 'R' || kind == 'W' || kind == 'U';
    if (is_access && address_kind(step.address) == AddressKind::kPrivate) return;
    const bool firm = sites_.contains({where, kind});
    if (kind == 'C' && !firm && instruction.message == "fails without a reason")
      return add(index, 'Q', where, true, 0,
                 true);  // inside a function of a header, which its call stands for
    if (!firm && !maybe_.contains({where, kind})) return;
    if (kind == 'F' && area(step.address) == 's') {
      if (where == left_ && step.thread == leaves_)
        return;  // a function that returns leaves all its variables at once
      left_ = where;
      leaves_ = step.thread;
    } else if (step.thread == leaves_) {
      left_ = {kNowhere, 0, 0};
    }
    const Value key = kind == 'F' ? status_address(step.address) : step.address;
    // Accesses at the place of a call are parts of it, and may be of no interest to the program itself.
    const bool must_happen = kind == 'B' || (firm && (!is_access || !calls_.contains(where)));
    add(index, kind, where, must_happen, key, kind == 'R' || kind == 'C');
  }

  // An access to several cells is a block in the execution, and one event in the program; 0 if it is none.
  char access_as_block(const Place& where) const {
    if (std::get<0>(where) == kNowhere || sites_.contains({where, 'B'})) return 0;
    for (const char access : {'U', 'W', 'R'})
      if (sites_.contains({where, access})) return access;
    return 0;
  }

  void add_block_of_access(std::size_t index, char kind, const Place& where) {
    block_ = where;
    for (std::size_t inner = index + 1; inner < witness_.steps.size(); ++inner) {
      const WitnessStep& step = witness_.steps[inner];
      if (step.thread != witness_.steps[index].thread || !step.edge) continue;
      const Opcode op = program_.edge(step.edge).instruction.op;
      if (op == Opcode::kAtomicEnd) return;
      if (item_kind(op) == 'R' || item_kind(op) == 'W')
        return add(inner, kind, where, true, step.address, false);
    }
  }

  void add_end(std::size_t index, const Place& where) {
    if (ended_.insert(witness_.steps[index].thread).second) add(index, 'E', where, true, 0, false);
  }

  void add(std::size_t index, char kind, const Place& where, bool firm, Value key, bool has_value) {
    const WitnessStep& step = witness_.steps[index];
    const auto [file, line, column] = where;
    const bool comparable = kind == 'C' || address_kind(step.value) == AddressKind::kOrdinary;
    out_ += fmt::format(
        "item {} {} {} {} {} {} {} {} {} {} {} {}\n", index + 1, step.thread.index(), kind,
        static_cast<std::int32_t>(file), line, column, firm ? 1 : 0, key, step.value,
        has_value && comparable && is_number(step) && index + 1 < witness_.steps.size() ? 1 : 0,
        step.edge ? (program_.edge(step.edge).instruction.type.bits + 7) / 8 : 0, area(step.address));
  }

  static char area(Value address) {
    if (address_kind(address) != AddressKind::kBlock) return 'g';
    return decode_block(address).kind == BlockKind::kStack ? 's' : 'h';
  }

  // Can the value be compared with what the running program has? Pointers cannot.
  bool is_number(const WitnessStep& step) const {
    if (step.kind == WitnessStep::Kind::kFlush) return false;
    const Instruction& instruction = program_.edge(step.edge).instruction;
    return instruction.op == Opcode::kChoose || instruction.type.bits < 64 ||
           (step.value > -4096 && step.value < 4096);
  }

  const Program& program_;
  const Witness& witness_;
  const LineTable& table_;
  std::vector<std::uint32_t> files_;
  std::set<std::pair<Place, char>> known_, sites_, maybe_;
  std::set<Place> calls_;
  Place block_{kNowhere, 0, 0};
  Place left_{kNowhere, 0, 0};  // where `leaves_` ended a variable in its last step
  ThreadId leaves_{};
  std::set<ThreadId> ended_;
  std::string out_;
};

}  // namespace

std::string schedule_text(const Program& program, const Witness& witness, const LineTable& table,
                          const std::string& directory) {
  return Scheduler(program, witness, table, directory).run();
}

}  // namespace weir::native
