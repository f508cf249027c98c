#include "engine/array/axiomatic/covering.hpp"

#include <algorithm>

namespace weir::array {

namespace {

constexpr std::uint8_t kNowhere = 0xFF;

class Embedding {
 public:
  Embedding(const EventCube& general, const EventCube& special, const Vocabulary& vocabulary,
            bool issue_order, const std::function<bool(std::vector<Constraint>&&)>& found)
      : general_(general),
        special_(special),
        vocabulary_(vocabulary),
        issue_order_(issue_order),
        found_(found),
        process_(general.processes, kNowhere),
        event_(general.events.size(), kNowhere) {}

  void run() {
    if (general_.processes <= special_.processes && general_.events.size() <= special_.events.size())
      map_process(0);
  }

 private:
  // False: `found` wants no more.
  bool map_process(std::uint32_t process) {
    if (process == general_.processes) return map_event(0);
    const bool pinned = process < vocabulary_.pinned();
    for (std::uint32_t to = pinned ? process : vocabulary_.pinned(); to < special_.processes; ++to) {
      if (std::find(process_.begin(), process_.begin() + process, to) != process_.begin() + process) continue;
      process_[process] = static_cast<std::uint8_t>(to);
      if (!map_process(process + 1)) return false;
      if (pinned) return true;
    }
    return true;
  }

  bool map_event(std::size_t event) {
    if (event == general_.events.size()) return finish();
    for (std::size_t to = 0; to < special_.events.size(); ++to) {
      if (!fits(event, to)) continue;
      event_[event] = static_cast<std::uint8_t>(to);
      if (!map_event(event + 1)) return false;
    }
    return true;
  }

  bool fits(std::size_t event, std::size_t to) const {
    const Event& here = general_.events[event];
    const Event& there = special_.events[to];
    if (here.write != there.write || process_[here.process] != there.process) return false;
    if ((here.fenced && !there.fenced) || (here.final && !there.final)) return false;
    for (std::size_t before = 0; before < event; ++before) {
      const Event& other = general_.events[before];
      const bool ordered = issue_order_ || other.process == here.process;
      if (event_[before] == to || (ordered && event_[before] > to)) return false;
      if (other.instant == here.instant && special_.events[event_[before]].instant != there.instant)
        return false;
    }
    return writes_all(here, there);
  }

  bool writes_all(const Event& here, const Event& there) const {
    for (const Node cell : here.cells)
      if (!writes(there, renamed(cell, process_))) return false;
    return std::all_of(here.elsewhere.begin(), here.elsewhere.end(),
                       [&](SymbolId symbol) { return writes_elsewhere(symbol, there); });
  }

  // The processes that `general` does not name are those that `special` does not name, and some that it does.
  bool writes_elsewhere(SymbolId symbol, const Event& there) const {
    if (std::find(there.elsewhere.begin(), there.elsewhere.end(), symbol) == there.elsewhere.end())
      return false;
    std::uint32_t named = 0;
    for (const std::uint8_t process : process_) named |= 1u << process;
    for (const Node cell : cells_of(symbol, special_.processes, vocabulary_.system()))
      if ((cell.processes() & ~named) != 0 && !writes(there, cell)) return false;
    return true;
  }

  bool finish() {
    for (const ReadFrom& link : general_.from) {
      const ReadFrom there{renamed(link.cell, process_), event_[link.write], event_[link.read]};
      if (std::find(special_.from.begin(), special_.from.end(), there) == special_.from.end()) return true;
    }
    Renaming renaming = Renaming::identity(general_.processes);
    std::copy(process_.begin(), process_.end(), renaming.process.begin());
    for (std::size_t read = 0; read < general_.waiting.size(); ++read) {
      const WaitingRead& waiting = general_.waiting[read];
      const WaitingRead there{renamed(waiting.cell, process_), event_[waiting.event]};
      const auto found = std::find(special_.waiting.begin(), special_.waiting.end(), there);
      if (found == special_.waiting.end()) return true;
      renaming.read[read] = static_cast<std::uint8_t>(found - special_.waiting.begin());
    }
    std::vector<Constraint> constraints;
    for (const Constraint& one : general_.constraints)
      constraints.push_back(renamed(one, renaming, vocabulary_));
    return found_(std::move(constraints));
  }

  const EventCube& general_;
  const EventCube& special_;
  const Vocabulary& vocabulary_;
  const bool issue_order_;
  const std::function<bool(std::vector<Constraint>&&)>& found_;
  std::vector<std::uint8_t> process_;  // where the processes of `general` go
  std::vector<std::uint8_t> event_;
};

}  // namespace

void each_embedding(const EventCube& general, const EventCube& special, const Vocabulary& vocabulary,
                    bool issue_order, const std::function<bool(std::vector<Constraint>&&)>& found) {
  Embedding(general, special, vocabulary, issue_order, found).run();
}

}  // namespace weir::array
