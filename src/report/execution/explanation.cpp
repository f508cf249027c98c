#include "report/execution/explanation.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>

#include "report/execution/deadlock.hpp"
#include "report/execution/focus.hpp"
#include "report/execution/race.hpp"
#include "report/execution/source_names.hpp"
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
      : program_(program),
        witness_(witness),
        presentation_(presentation),
        names_in_source_(program, witness),
        focus_(program, presentation.focus) {
    const Storyline story = tell(program, witness);
    shows_setup_ = presentation.local_steps || !presentation.focus.empty();
    if (!shows_setup_) setup_ = setup_text(story);
    find_files(story);
    const std::size_t loop = witness.starvation ? witness.starvation->loop : witness.steps.size();
    bool repeating = false;
    for (const StoryEvent& event : story.events) {
      if (event.step >= loop && !std::exchange(repeating, true))
        rows_.push_back({"", "", event.thread, kForEver, ""});
      add(event);
    }
    hidden_ = witness.steps.size() - shown_;
    for (const RaceNote& access : race_notes(program, witness)) add(access);
    for (const WaitNote& wait : deadlock_of(program, witness, names_in_source_, story.events).waiting)
      add(wait);
    for (std::size_t t = 0; t < program.threads.size(); ++t)
      names_.push_back(printable(names_in_source_.thread(ThreadId(t))));
    measure();
  }

  // A column for each thread, as wide as it needs to be; or else columns that begin closer to each other,
  // since only one thread moves at a time, without what memory changes if that does not fit, which the steps say, too;
  // or else one column for all.
  std::string text() const {
    std::string out = setup_;
    if (wide())
      out += columns();
    else if (const std::size_t step = distance(true); step > 0)
      out += overlapping_columns(step, true);
    else if (const std::size_t narrow = distance(false); narrow > 0)
      out += overlapping_columns(narrow, false);
    else
      out += single_column();
    for (const std::string& place : block_places_) out += place + "\n";
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
    const bool wanted =
        !event.local || presentation_.local_steps || (presentation_.all_frames && event.library);
    if (wanted && event.setup && !shows_setup_) {
      ++shown_;
      note_block(event);
      return;
    }
    if (wanted && focus_.shows(event)) {
      ++shown_;
      note_block(event);
      rows_.push_back({std::to_string(event.step + 1), line_text(event.position), event.thread,
                       printable(event.text), printable(event.change)});
      add_frames(event);
    }
    if (!event.arrival.empty() && focus_.shows(event.thread))
      rows_.push_back({"", "", event.thread, "-- at " + printable(event.arrival), ""});
  }

  // The calls that led to a step, if they are wanted.
  void add_frames(const StoryEvent& event) {
    const EdgeId edge = witness_.steps[event.step].edge;
    if (!presentation_.all_frames || !edge) return;
    const auto& frames = names_in_source_.frames(edge);
    if (frames.size() < 2 && (frames.empty() || !frames.front().foreign)) return;
    for (const SourceFrame& frame : frames)
      rows_.push_back({"", "", event.thread,
                       printable(fmt::format("  in {} ({})", frame.function, place_text(frame.position))),
                       ""});
  }

  std::string place_text(SourcePosition position) const {
    if (!position.file || !position.known()) return "?";
    const std::filesystem::path path(program_.sources.file(position.file).path);
    return fmt::format("{}:{}", path.lexically_normal().string(), position.line);
  }

  // Where the blocks that steps are about come from.
  void note_block(const StoryEvent& event) {
    if (!event.address) return;
    std::string place = printable(names_in_source_.block_place(*event.address));
    if (!place.empty() && std::ranges::find(block_places_, place) == block_places_.end())
      block_places_.push_back(std::move(place));
  }

  // "First, main sets top = &nodes[0] and creates t1 (consumer) and t2 (recycler)."
  std::string setup_text(const Storyline& story) const {
    constexpr std::size_t kMostCells = 6;
    std::vector<std::string> order, created;
    std::map<std::string, std::string> values;
    for (const StoryEvent& event : story.events) {
      if (!event.setup || event.local) continue;
      if (event.sync && event.sync->kind == SyncKind::kCreate)
        for (const ThreadId thread : event.sync->threads) created.push_back(names_in_source_.thread(thread));
      if (event.change.empty() || event.sync || names_in_source_.is_hidden_member(*event.address)) continue;
      if (!values.contains(event.name)) order.push_back(event.name);
      values[event.name] = event.change.substr(event.change.rfind(" -> ") + 4);
    }
    if (created.empty()) return "";
    std::vector<std::string> cells;
    for (const std::string& name : order)
      if (cells.size() < kMostCells) cells.push_back(fmt::format("{} = {}", name, values[name]));
    if (cells.size() < order.size()) cells.push_back("more");
    const std::string sets = cells.empty() ? "" : fmt::format("sets {} and ", listed(cells));
    return printable(fmt::format("First, main {}creates {}.", sets, listed(created))) + "\n\n";
  }

  // Files are named where the steps stand in several.
  void find_files(const Storyline& story) {
    std::set<FileId> files;
    for (const StoryEvent& event : story.events)
      if (event.position.file && (!event.local || presentation_.local_steps))
        files.insert(event.position.file);
    several_files_ = files.size() > 1;
  }

  // Of two accesses that race, neither has happened yet.
  void add(const RaceNote& access) {
    if (!focus_.shows(access.thread)) return;
    rows_.push_back({"", line_text(access.position), access.thread,
                     printable(fmt::format("next: {} {}  <-- race", access.verb, access.variable)), ""});
  }

  void add(const WaitNote& wait) {
    if (!focus_.shows(wait.thread)) return;
    rows_.push_back({"", line_text(wait.position), wait.thread,
                     printable(fmt::format("waits for {}  <-- for ever", wait.wants)), ""});
  }

  // The line number, with the file where there are several.
  std::string line_text(SourcePosition position) const {
    if (!position.file || !position.known()) return "";
    if (!several_files_) return std::to_string(position.line);
    const std::filesystem::path path(program_.sources.file(position.file).path);
    return fmt::format("{}:{}", printable(path.filename().string()), position.line);
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
  std::size_t distance(bool with_changes) const {
    constexpr std::size_t kMost = 24;
    std::size_t least = 6, most = kMost;
    for (std::size_t t = 0; t < names_.size(); ++t)
      if (moves(t)) least = std::max(least, display_width(names_[t]) + 2);
    for (const Row& row : rows_) {
      const std::size_t length = step_width_ + line_width_ + 4 +
                                 display_width(with_changes ? with_change(row, row.change) : row.text);
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

  std::string overlapping_columns(std::size_t step, bool with_changes) const {
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
             (with_changes ? with_change(row, tinted(row.change, Tint::kChange, presentation_)) : row.text) +
             "\n";
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
  const Witness& witness_;
  const Presentation& presentation_;
  const SourceNames names_in_source_;
  const Focus focus_;
  bool shows_setup_ = true, several_files_ = false;
  std::string setup_;
  std::vector<std::string> block_places_;
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
