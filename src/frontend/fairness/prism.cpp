// Explicit models as PRISM exports them (-exporttrans, -exportlabels).
#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "frontend/fairness/scanner.hpp"
#include "frontend/fairness/systems.hpp"

namespace weir::fairness {

namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 29;

class TraReader {
 public:
  explicit TraReader(Scanner& scanner) : scanner_(scanner) {}

  TransitionSystem read() {
    read_head();
    choices_.resize(states_);
    std::size_t transitions = 0;
    for (scanner_.skip_space(); !scanner_.at_end(); scanner_.skip_space(), ++transitions) read_transition();
    if (transitions != announced_)
      fail(head_,
           fmt::format("the first line announces {} transitions, but {} follow", announced_, transitions));
    check_sums();
    return build();
  }

 private:
  struct Choice {
    std::vector<Vertex> targets;
    double sum = 0;
    SourcePosition position;
  };

  // `states choices transitions` of an MDP, `states transitions` of a Markov chain.
  void read_head() {
    scanner_.skip_space();
    head_ = scanner_.here();
    states_ = scanner_.number("states", kMost);
    scanner_.skip_blanks();
    announced_ = scanner_.number("choices", kMost);
    scanner_.skip_blanks();
    decisions_ = !scanner_.at_line_end();
    if (decisions_) announced_ = scanner_.number("transitions", kMost);
    scanner_.skip_blanks();
    if (!scanner_.at_line_end()) scanner_.fail("expected the end of the line after the sizes");
  }

  void read_transition() {
    const SourcePosition position = scanner_.here();
    const Vertex from = scanner_.number("a state", states_);
    scanner_.skip_blanks();
    const std::uint32_t number = decisions_ ? scanner_.number("a choice", kMost) : 0;
    scanner_.skip_blanks();
    const Vertex to = scanner_.number("a state", states_);
    scanner_.skip_blanks();
    Choice& choice = choices_[from][number];
    if (choice.targets.empty()) choice.position = position;
    if (add_probability(choice)) choice.targets.push_back(to);
    scanner_.rest_of_line();  // the action
  }

  // False: it never happens.
  bool add_probability(Choice& choice) {
    const SourcePosition position = scanner_.here();
    const std::string_view word = scanner_.until(" \t");
    double value = -1;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || !(value >= 0 && value <= 1.000001))
      fail(position, "expected a probability");
    choice.sum += value;
    return value > 0;
  }

  void check_sums() const {
    for (const auto& choices : choices_)
      for (const auto& [number, choice] : choices)
        if (std::abs(choice.sum - 1) > 1e-4)
          fail(choice.position,
               fmt::format("the probabilities of this choice add up to {}, not to 1", choice.sum));
  }

  TransitionSystem build() const {
    TransitionSystem system;
    system.given = system.states = states_;
    system.random.assign(states_, false);
    system.actions = {""};
    for (Vertex state = 0; state < states_; ++state) {
      const auto& choices = choices_[state];
      if (choices.size() == 1) {
        const Choice& only = choices.begin()->second;
        system.random[state] = only.targets.size() > 1;
        for (const Vertex to : only.targets) system.transitions.push_back({state, to, 0});
        continue;
      }
      for (const auto& [number, choice] : choices) add_choice(system, state, choice);
    }
    return system;
  }

  static void add_choice(TransitionSystem& system, Vertex state, const Choice& choice) {
    if (choice.targets.size() == 1) return system.transitions.push_back({state, choice.targets.front(), 0});
    const auto vertex = static_cast<Vertex>(system.states++);
    system.random.push_back(true);
    system.transitions.push_back({state, vertex, 0});
    for (const Vertex to : choice.targets) system.transitions.push_back({vertex, to, 0});
  }

  Scanner& scanner_;
  SourcePosition head_;
  std::size_t states_ = 0, announced_ = 0;
  bool decisions_ = false;
  std::vector<std::map<std::uint32_t, Choice>> choices_;  // per state, by number
};

TransitionSystem read_labels(Scanner& scanner, TransitionSystem system) {
  for (scanner.skip_space(); !scanner.at_line_end(); scanner.skip_blanks()) {
    if (scanner.number("a label", kMost) != system.labels.size())
      scanner.fail("labels are numbered from 0 without gaps");
    scanner.expect('=', "after the number of a label");
    system.labels.push_back({scanner.quoted(), {}});
  }
  for (scanner.skip_space(); !scanner.at_end(); scanner.skip_space()) {
    const Vertex state = scanner.number("a state", system.given);
    scanner.skip_blanks();
    scanner.expect(':', "after the state");
    for (scanner.skip_blanks(); !scanner.at_line_end(); scanner.skip_blanks())
      system.labels[scanner.number("a label", system.labels.size())].states.push_back(state);
  }
  for (TransitionSystem::Label& label : system.labels) {
    std::sort(label.states.begin(), label.states.end());
    label.states.erase(std::unique(label.states.begin(), label.states.end()), label.states.end());
    if (label.name == "init" && !label.states.empty()) system.initial = label.states.front();
  }
  return system;
}

}  // namespace

Expected<TransitionSystem> read_tra(std::string path, std::string text) {
  return read_text<TransitionSystem>(std::move(path), std::move(text),
                                     [](Scanner& scanner) { return TraReader(scanner).read(); });
}

Expected<TransitionSystem> read_lab(TransitionSystem system, std::string path, std::string text) {
  return read_text<TransitionSystem>(std::move(path), std::move(text), [&](Scanner& scanner) {
    return read_labels(scanner, std::move(system));
  });
}

}  // namespace weir::fairness
