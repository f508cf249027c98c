#include "report/execution/explanation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "report/execution/focus.hpp"
#include "report/execution/race.hpp"
#include "report/execution/storyline.hpp"
#include "report/text/parts.hpp"
#include "trace/minimise.hpp"

namespace weir {

namespace {

// Before the steps that are repeated.
constexpr const char* kForEver = "== from here on, again and again:";

// One line of the table.
struct Row {
  std::string step, line;
  ThreadId thread;
  std::string text, change;
};

class Table {
 public:
  Table(const Program& program, const Witness& witness, const Presentation& presentation)
      : program_(program), presentation_(presentation), focus_(program, presentation.focus) {
    const Storyline story = tell(program, witness);
    const std::size_t loop = witness.starvation ? witness.starvation->loop : witness.steps.size();
    bool repeating = false;
    for (const StoryEvent& event : story.events) {
      if (event.step >= loop && !std::exchange(repeating, true))
        rows_.push_back({"", "", event.thread, kForEver, ""});
      add(event);
    }
    hidden_ = witness.steps.size() - shown_;
    for (const RaceNote& access : race_notes(program, witness)) add(access);
    for (const Thread& thread : program.threads) names_.push_back(printable(thread.name));
    measure();
  }

  // A column for each thread, as wide as it needs to be; or else columns that begin closer to each other,
  // since only one thread moves at a time; or else one column for all.
  std::string text() const {
    const std::size_t step = distance();
    std::string out = wide() ? columns() : step > 0 ? overlapping_columns(step) : single_column();
    if (hidden_ > 0) {
      const std::string note =
          presentation_.focus.empty()
              ? fmt::format("({} of local computation not shown; -v shows all)", count_text(hidden_, "step"))
              : fmt::format("({} not shown; without --focus, more are)", count_text(hidden_, "step"));
      out += tinted(note, Tint::kDim, presentation_) + "\n";
    }
    return out;
  }

 private:
  void add(const StoryEvent& event) {
    const bool visible = (!event.local || presentation_.local_steps) && focus_.shows(event);
    if (visible) {
      ++shown_;
      rows_.push_back({std::to_string(event.step + 1), line_text(event.position), event.thread,
                       printable(event.text), printable(event.change)});
    }
    if (!event.arrival.empty() && focus_.shows(event.thread))
      rows_.push_back({"", "", event.thread, "-- at " + printable(event.arrival), ""});
  }

  // Of two accesses that race, neither has happened yet.
  void add(const RaceNote& access) {
    if (!focus_.shows(access.thread)) return;
    rows_.push_back({"", line_text(access.position), access.thread,
                     printable(fmt::format("next: {} {}  <-- race", access.verb, access.variable)), ""});
  }

  // The line number, with the file where there are several.
  std::string line_text(SourcePosition position) const {
    if (!position.file || !position.known()) return "";
    if (program_.sources.size() <= 1) return std::to_string(position.line);
    return fmt::format("{}:{}", printable(program_.sources.file(position.file).path), position.line);
  }

  void measure() {
    widths_.resize(names_.size());
    for (const Row& row : rows_) {
      auto& width = widths_[row.thread.index()];
      if (width == 0) width = display_width(names_[row.thread.index()]);
      width = std::max(width, display_width(row.text));
      step_width_ = std::max(step_width_, row.step.size());
      line_width_ = std::max(line_width_, display_width(row.line));
      change_width_ = std::max(change_width_, display_width(row.change));
    }
  }

  // A thread that does nothing has no column.
  bool moves(std::size_t thread) const { return widths_[thread] > 0; }

  bool wide() const {
    std::size_t total = step_width_ + line_width_ + change_width_ + 6;
    for (std::size_t t = 0; t < widths_.size(); ++t)
      if (moves(t)) total += widths_[t] + 2;
    return total <= presentation_.width;
  }

  std::size_t place(ThreadId thread) const {
    std::size_t before = 0;
    for (std::size_t t = 0; t < thread.index(); ++t)
      if (moves(t)) ++before;
    return before;
  }

  static std::string with_change(const Row& row, const std::string& change) {
    return row.change.empty() ? row.text : row.text + "   [" + change + "]";
  }

  // How far apart columns can begin so that every line fits; 0: not far enough to tell them apart.
  std::size_t distance() const {
    constexpr std::size_t kMost = 24;
    std::size_t least = 6, most = kMost;
    for (std::size_t t = 0; t < names_.size(); ++t)
      if (moves(t)) least = std::max(least, display_width(names_[t]) + 2);
    for (const Row& row : rows_) {
      const std::size_t length = step_width_ + line_width_ + 4 + display_width(with_change(row, row.change));
      if (length > presentation_.width) return 0;
      if (const std::size_t before = place(row.thread); before > 0)
        most = std::min(most, (presentation_.width - length) / before);
    }
    return most < least ? 0 : most;
  }

  std::string left(std::string_view step, std::string_view line) const {
    return fmt::format("{:>{}}  {}  ", step, step_width_, padded(line, line_width_));
  }

  std::string columns() const {
    std::string head = left("step", "line"),
                rule = left(std::string(step_width_, '-'), std::string(line_width_, '-'));
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (!moves(t)) continue;
      head += padded(names_[t], widths_[t]) + "  ";
      rule += std::string(widths_[t], '-') + "  ";
    }
    std::string out =
        trimmed(head + "memory") + "\n" + trimmed(rule + std::string(change_width_, '-')) + "\n";
    for (const Row& row : rows_) {
      std::string line = left(row.step, row.line);
      for (std::size_t t = 0; t < names_.size(); ++t)
        if (moves(t)) line += padded(t == row.thread.index() ? row.text : "", widths_[t]) + "  ";
      out += row.change.empty() ? trimmed(line) + "\n"
                                : line + tinted(row.change, Tint::kChange, presentation_) + "\n";
    }
    return out;
  }

  std::string overlapping_columns(std::size_t step) const {
    std::string head = left("step", "line"),
                rule = left(std::string(step_width_, '-'), std::string(line_width_, '-'));
    for (std::size_t t = 0; t < names_.size(); ++t) {
      if (!moves(t)) continue;
      head += padded(names_[t], step);
      rule += padded(std::string(display_width(names_[t]), '-'), step);
    }
    std::string out = trimmed(head) + "\n" + trimmed(rule) + "\n";
    for (const Row& row : rows_)
      out += left(row.step, row.line) + std::string(step * place(row.thread), ' ') +
             with_change(row, tinted(row.change, Tint::kChange, presentation_)) + "\n";
    return out;
  }

  std::string single_column() const {
    std::size_t name_width = 0;
    for (const auto& name : names_) name_width = std::max(name_width, display_width(name));
    std::string out;
    for (const Row& row : rows_) {
      out += fmt::format("{}{}: {}", left(row.step, row.line), padded(names_[row.thread.index()], name_width),
                         row.text);
      if (!row.change.empty()) out += "   " + tinted("[" + row.change + "]", Tint::kChange, presentation_);
      out += "\n";
    }
    return out;
  }

  static std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
  }

  const Program& program_;
  const Presentation& presentation_;
  const Focus focus_;
  std::vector<Row> rows_;
  std::vector<std::string> names_;
  std::vector<std::size_t> widths_;
  std::size_t step_width_ = 4, line_width_ = 4, change_width_ = 6;
  std::size_t shown_ = 0, hidden_ = 0;
};

}  // namespace

std::string explanation(const Program& program, const Witness& witness, const Presentation& presentation) {
  if (witness.steps.empty()) return "The initial state violates the property already.\n";
  const std::string title =
      fmt::format("How it happens, in {} with {}:\n\n", count_text(witness.steps.size(), "step"),
                  fmt::format("{} {}", context_switches(witness),
                              context_switches(witness) == 1 ? "context switch" : "context switches"));
  return title + Table(program, witness, presentation).text();
}

}  // namespace weir
