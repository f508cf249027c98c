#include "report/explanation.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "report/focus.hpp"
#include "report/storyline.hpp"
#include "report/text_parts.hpp"
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
    for (const Thread& thread : program.threads) names_.push_back(printable(thread.name));
    measure();
  }

  std::string text() const {
    std::string out = wide() ? columns() : single_column();
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

  // The line number, with the file where there are several.
  std::string line_text(SourcePosition position) const {
    if (!position.file || !position.known()) return "";
    if (program_.sources.size() <= 1) return std::to_string(position.line);
    return fmt::format("{}:{}", printable(program_.sources.file(position.file).path), position.line);
  }

  void measure() {
    for (const auto& name : names_) widths_.push_back(display_width(name));
    for (const Row& row : rows_) {
      auto& width = widths_[row.thread.index()];
      width = std::max(width, display_width(row.text));
      step_width_ = std::max(step_width_, row.step.size());
      line_width_ = std::max(line_width_, display_width(row.line));
      change_width_ = std::max(change_width_, display_width(row.change));
    }
  }

  bool wide() const {
    std::size_t total = step_width_ + line_width_ + change_width_ + 6;
    for (const std::size_t width : widths_) total += width + 2;
    return total <= presentation_.width;
  }

  std::string left(std::string_view step, std::string_view line) const {
    return fmt::format("{:>{}}  {}  ", step, step_width_, padded(line, line_width_));
  }

  std::string columns() const {
    std::string head = left("step", "line"),
                rule = left(std::string(step_width_, '-'), std::string(line_width_, '-'));
    for (std::size_t t = 0; t < names_.size(); ++t) {
      head += padded(names_[t], widths_[t]) + "  ";
      rule += std::string(widths_[t], '-') + "  ";
    }
    std::string out =
        trimmed(head + "memory") + "\n" + trimmed(rule + std::string(change_width_, '-')) + "\n";
    for (const Row& row : rows_) {
      std::string line = left(row.step, row.line);
      for (std::size_t t = 0; t < names_.size(); ++t)
        line += padded(t == row.thread.index() ? row.text : "", widths_[t]) + "  ";
      out += row.change.empty() ? trimmed(line) + "\n"
                                : line + tinted(row.change, Tint::kChange, presentation_) + "\n";
    }
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
