#include "engine/coverability/dual/certify.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "engine/coverability/dual/question.hpp"

namespace weir {

namespace {

class Certifier {
 public:
  Certifier(const Program& program, const ThreadMoves& moves) : program_(program), moves_(moves) {}

  DualCertificate certificate(const std::vector<DualConfiguration>& basis) {
    DualCertificate result;
    for (const ClosedCell& cell : moves_.cells()) result.values.emplace_back(cell.address, cell.values);
    number_of_.resize(moves_.post_count());
    for (Post post = 0; post < moves_.post_count(); ++post)
      if (moves_.state(post) && moves_.exists(post)) add_state(post, result);
    for (const DualConfiguration& configuration : basis) add_element(configuration.draft(), result);
    return result;
  }

 private:
  void add_state(Post post, DualCertificate& result) {
    const ClosedThread& code = moves_.closure().threads()[moves_.code_of(post)];
    const StateId state = moves_.state(post);
    const Function& function = program_.function(program_.thread(code.threads[0]).function);
    DualCertificate::LocalState local{code.threads[0], code.automaton->location(state), {}};
    for (std::size_t r = 0; r < function.registers.size(); ++r)
      local.registers.push_back(code.automaton->register_value(state, RegisterId(r)));
    number_of_[post] = static_cast<std::uint32_t>(result.states.size());
    result.states.push_back(std::move(local));
  }

  // A thread that has not begun is at its first local state, for which there is another element. One that has
  // failed is gone: there is an element for each instruction that fails.
  void add_element(const DualDraft& draft, DualCertificate& result) const {
    DualCertificate::Element element;
    for (const CellValue x : draft.memory) {
      const ClosedCell& cell = moves_.cells()[x.cell];
      element.memory.emplace_back(cell.address, cell.values[x.value]);
    }
    for (const DualThread& thread : draft.threads) {
      if (!moves_.state(thread.post)) return;
      DualCertificate::Member& member = element.threads.emplace_back();
      member.state = number_of_[thread.post];
      for (const Message message : thread.buffer) member.buffer.push_back(described(message));
    }
    result.elements.push_back(std::move(element));
  }

  DualCertificate::Message described(Message message) const {
    const ClosedCell& cell = moves_.cells()[message.cell()];
    DualCertificate::Message result{.address = cell.address, .own = message.is_own()};
    if (!message.is_own() || !message.is_open()) result.value = cell.values[message.value()];
    return result;
  }

  const Program& program_;
  const ThreadMoves& moves_;
  std::vector<std::uint32_t> number_of_;  // per post: among the states of the certificate
};

}  // namespace

DualProof certify_dual(const Program& program, const DualOptions& wanted, Context& context) {
  DualOptions options = wanted;
  options.textbook = true;
  const SystemOptions unfolding{.model = options.model,
                                .every_instruction = true,
                                .live_variables = false,
                                .local_steps = options.local_steps,
                                .values = options.values,
                                .observe_alike = true};
  const DualQuestion question(program, options, unfolding, context);
  if (!question.obstacle().empty()) return {std::nullopt, question.obstacle()};
  if (!question.bad().obstacle.empty()) return {std::nullopt, question.bad().obstacle};
  DualSystem system(question.moves(), question.thread_numbers(), true);
  std::vector<DualConfiguration> targets;
  for (const DualTarget& target : question.bad().targets) targets.emplace_back(target.draft);
  const auto found =
      search_backward(system, std::move(targets), {.phase = "certificate", .jobs = options.jobs}, context);
  if (!found.complete) return {std::nullopt, describe(context.stop_reason())};
  if (found.path) return {std::nullopt, "something bad is reachable"};
  DualCertificate certificate = Certifier(program, question.moves()).certificate(found.basis);
  certificate.model = options.model;
  certificate.any_number = options.any_number;
  return {std::move(certificate), ""};
}

}  // namespace weir
