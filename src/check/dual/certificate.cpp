// The four conditions of the header, one after the other; each has a file of its own, dual_*.cpp. That these
// suffice needs no theorem about well-structured systems: what is above no element contains the initial
// configurations (3), is closed under steps (1, 4), and contains no violation (2). That TSO with load buffers
// is TSO is Theorem 1 of [Abdulla16].
//
// An element above which there is nothing, because it has more threads of a code than exist or a value
// that is not in the sets, is no mistake; it is ignored.
#include "check/dual/certificate.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/error.hpp"
#include "check/dual/covering.hpp"
#include "check/dual/moves.hpp"
#include "check/dual/predecessors.hpp"
#include "check/dual/violations.hpp"
#include "check/reference/state.hpp"
#include "program/expressions.hpp"

namespace weir {

namespace {

using namespace certificates;

// What is beyond this way of checking.

bool reads_leaf(const Program& program, const Instruction& instruction, ExprOp op) {
  bool found = false;
  for (const ExprId expression : {instruction.a, instruction.b, instruction.c})
    for_each_subexpression(program, expression, [&](const Expression& leaf) { found |= leaf.op == op; });
  return found;
}

std::string refused_instruction(const Program& program, const Instruction& instruction) {
  switch (instruction.op) {
    case Opcode::kCall: return "programs with calls cannot be checked this way";
    case Opcode::kAllocate:
    case Opcode::kFree: return "programs that allocate memory cannot be checked this way";
    default: break;
  }
  if (reads_leaf(program, instruction, ExprOp::kFrame))
    return "programs with private memory cannot be checked this way";
  return "";
}

std::string refused_thread(const Program& program, const DualCertificate& certificate, ThreadId id) {
  const Thread& thread = program.thread(id);
  if (!program.function(thread.function).privates.empty())
    return "programs with private memory cannot be checked this way";
  const auto same_code = [&](const Thread& other) {
    return other.function == thread.function && other.arguments == thread.arguments;
  };
  const bool has_copies = certificate.any_number || std::ranges::count_if(program.threads, same_code) > 1;
  for (const Edge& edge : program.edges) {
    if (program.location(edge.source).function != thread.function) continue;
    if (std::string reason = refused_instruction(program, edge.instruction); !reason.empty()) return reason;
    if (has_copies && reads_leaf(program, edge.instruction, ExprOp::kSelf))
      return "threads that are interchangeable but know their number cannot be checked this way";
  }
  return "";
}

std::string refused_program(const Program& program, const DualCertificate& certificate) {
  if (certificate.model == Model::kPso) return "certificates are about SC and TSO";
  for (std::size_t i = 0; i < program.threads.size(); ++i)
    if (std::string reason = refused_thread(program, certificate, ThreadId(i)); !reason.empty())
      return reason;
  return "";
}

// The elements.

std::string malformed_member(const Program& program, const DualCertificate& certificate,
                             const Member& member) {
  if (member.state >= certificate.states.size()) return "mentions a local state that is not listed";
  if (certificate.model == Model::kSc && !member.buffer.empty()) return "has a buffer under SC";
  for (std::size_t i = 0; i < member.buffer.size(); ++i) {
    const auto& [address, value, own] = member.buffer[i];
    if (!own && !value) return "has a message without a value that is not the thread's own";
    if (own && own_message_in(member.buffer, address) != &member.buffer[i])
      return fmt::format("has two own messages for {} in one buffer", program.address_name(address));
  }
  return "";
}

std::string malformed_element(const Program& program, const DualCertificate& certificate,
                              const DualCertificate::Element& element) {
  for (const Member& member : element.threads)
    if (std::string reason = malformed_member(program, certificate, member); !reason.empty()) return reason;
  if (Cells(element.memory.begin(), element.memory.end()).size() != element.memory.size())
    return "mentions a cell twice";
  return "";
}

std::string malformed_elements(const Program& program, const DualCertificate& certificate) {
  for (std::size_t i = 0; i < certificate.elements.size(); ++i)
    if (std::string reason = malformed_element(program, certificate, certificate.elements[i]);
        !reason.empty())
      return fmt::format("element {} {}", i, reason);
  return "";
}

bool possible(const Threads& threads, ThreadId code, const Message& message) {
  if (!message.own) return threads.values(message.address).contains(*message.value);
  const auto found = threads.own_values(code).find(message.address);
  if (found == threads.own_values(code).end()) return false;
  return !message.value || found->second.contains(*message.value);
}

// Is there any configuration above it?
bool possible(const Threads& threads, const Configuration& element) {
  for (const auto& [address, value] : element.memory)
    if (!threads.values(address).contains(value)) return false;
  std::map<ThreadId, std::size_t> mentioned;
  for (const Member& member : element.threads) {
    const ThreadId code = threads.code_of(member.state);
    ++mentioned[code];
    for (const Message& message : member.buffer)
      if (!possible(threads, code, message)) return false;
  }
  return std::ranges::all_of(mentioned, [&](const auto& entry) {
    const std::optional<std::size_t> there = threads.count(entry.first);
    return !there || entry.second <= *there;
  });
}

std::vector<Configuration> possible_elements(const Threads& threads, const DualCertificate& certificate) {
  std::vector<Configuration> elements;
  for (const DualCertificate::Element& element : certificate.elements) {
    Configuration told{.memory = {element.memory.begin(), element.memory.end()}, .threads = element.threads};
    if (possible(threads, told)) elements.push_back(std::move(told));
  }
  return elements;
}

// Conditions 2 to 4.
class Check {
 public:
  Check(const Program& program, const DualCertificate& certificate, const Threads& threads)
      : program_(program),
        certificate_(certificate),
        threads_(threads),
        elements_(possible_elements(threads, certificate)),
        covering_(threads, elements_) {}

  std::string mistake() {
    check_initial();
    if (mistake_.empty()) check_violations();
    if (mistake_.empty()) check_predecessors();
    return mistake_;
  }

 private:
  void check_initial() {
    for (const Configuration& element : elements_)
      if (is_initial(element))
        mistake_ = fmt::format("an initial configuration is above an element: {}", text(element));
  }

  bool is_initial(const Configuration& element) const {
    return std::ranges::all_of(element.threads,
                               [&](const Member& member) {
                                 return member.buffer.empty() &&
                                        threads_.initial_state(threads_.code_of(member.state)) ==
                                            member.state;
                               }) &&
           std::ranges::all_of(element.memory, [&](const auto& cell) {
             return read_memory(program_, {}, cell.first) == cell.second;
           });
  }

  void check_violations() {
    for_each_violation(program_, certificate_, threads_,
                       [&](const Configuration& bad, const std::string& what) {
                         require(bad, [&] { return fmt::format("a violation ({})", what); });
                         return mistake_.empty();
                       });
  }

  void check_predecessors() {
    const Predecessors predecessors(threads_, certificate_.model);
    for (const Configuration& element : elements_) {
      if (!mistake_.empty()) return;
      predecessors.of(element, [&](const Configuration& before) {
        if (mistake_.empty())
          require(before, [&] { return fmt::format("a predecessor of an element ({})", text(element)); });
      });
    }
  }

  template <class What>
  void require(const Configuration& configuration, What&& what) {
    if (covering_.covers(configuration)) return;
    mistake_ = covering_.gave_up() ? fmt::format("whether {} is above an element takes too long: {}", what(),
                                                 text(configuration))
                                   : fmt::format("{} is above no element: {}", what(), text(configuration));
  }

  std::string text(const Configuration& configuration) const {
    return describe(program_, certificate_, configuration);
  }

  const Program& program_;
  const DualCertificate& certificate_;
  const Threads& threads_;
  const std::vector<Configuration> elements_;
  Covering covering_;
  std::string mistake_;
};

}  // namespace

std::string certificate_mistake(const Program& program, const DualCertificate& certificate) {
  if (std::string reason = refused_program(program, certificate); !reason.empty()) return reason;
  const Threads threads(program, certificate);
  if (!threads.mistake().empty()) return threads.mistake();
  if (std::string reason = refused_property(program, threads); !reason.empty()) return reason;
  if (std::string reason = malformed_elements(program, certificate); !reason.empty()) return reason;
  return Check(program, certificate, threads).mistake();
}

}  // namespace weir
