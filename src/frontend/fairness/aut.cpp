// Labelled transition systems in Aldebaran's format, as CADP and mCRL2 write them.
#include <fmt/format.h>
#include <unordered_map>

#include "frontend/fairness/scanner.hpp"
#include "frontend/fairness/systems.hpp"

namespace weir::fairness {

namespace {

constexpr std::uint64_t kMostStates = std::uint64_t{1} << 30;
constexpr std::uint64_t kMostTransitions = std::uint64_t{1} << 32;

class AutReader {
 public:
  explicit AutReader(Scanner& scanner) : scanner_(scanner) {}

  TransitionSystem read() {
    read_head();
    system_.transitions.reserve(std::min<std::size_t>(announced_, 100'000'000));
    for (scanner_.skip_space(); !scanner_.at_end(); scanner_.skip_space()) read_transition();
    if (system_.transitions.size() != announced_)
      fail(head_, fmt::format("the first line announces {} transitions, but {} follow", announced_,
                              system_.transitions.size()));
    return std::move(system_);
  }

 private:
  void read_head() {
    scanner_.skip_space();
    head_ = scanner_.here();
    if (!scanner_.accept("des"))
      scanner_.fail("expected an Aldebaran file, which begins with des (INITIAL, TRANSITIONS, STATES)");
    scanner_.skip_blanks();
    scanner_.expect('(', "after des");
    const SourcePosition initial = scanner_.here();
    system_.initial = field("an initial state", kMostStates, ',');
    announced_ = field("transitions", kMostTransitions, ',');
    system_.states = system_.given = field("states", kMostStates, ')');
    if (system_.initial >= system_.states)
      fail(initial, fmt::format("state {} does not exist: there are {}", system_.initial, system_.states));
    system_.random.assign(system_.states, false);
  }

  std::uint32_t field(std::string_view what, std::uint64_t bound, char end) {
    scanner_.skip_blanks();
    const std::uint32_t value = scanner_.number(what, bound);
    scanner_.skip_blanks();
    scanner_.expect(end, fmt::format("after the number of {}", what));
    return value;
  }

  void read_transition() {
    scanner_.expect('(', "at the beginning of a transition");
    const Vertex from = field("a state", system_.states, ',');
    scanner_.skip_blanks();
    const std::uint32_t action = scanner_.peek() == '"' ? quoted_action() : plain_action();
    const Vertex to = field("a state", system_.states, ')');
    system_.transitions.push_back({from, to, action});
  }

  std::uint32_t quoted_action() {
    const std::uint32_t action = number_of(scanner_.quoted());
    scanner_.skip_blanks();
    scanner_.expect(',', "after the label");
    return action;
  }

  // Unquoted labels may have commas, the last one of the line ends them.
  std::uint32_t plain_action() {
    const std::size_t begin = scanner_.offset();
    const std::string_view rest = scanner_.rest_of_line();
    const std::size_t comma = rest.rfind(',');
    if (comma == std::string_view::npos) scanner_.fail("expected a label and a state after it");
    std::string_view label = rest.substr(0, comma);
    while (!label.empty() && label.back() == ' ') label.remove_suffix(1);
    scanner_.go_to(begin + comma + 1);
    return number_of(std::string(label));
  }

  std::uint32_t number_of(const std::string& label) {
    const auto [place, added] =
        numbers_.try_emplace(label, static_cast<std::uint32_t>(system_.actions.size()));
    if (added) system_.actions.push_back(label);
    return place->second;
  }

  Scanner& scanner_;
  SourcePosition head_;
  std::size_t announced_ = 0;
  TransitionSystem system_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

}  // namespace

Expected<TransitionSystem> read_aut(std::string path, std::string text) {
  return read_text<TransitionSystem>(std::move(path), std::move(text),
                                     [](Scanner& scanner) { return AutReader(scanner).read(); });
}

}  // namespace weir::fairness
