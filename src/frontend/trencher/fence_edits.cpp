// Threads with the same body share one function, so a fence at one of its locations goes into the text of
// each of them: the file is read again, and its threads are those of the program, in order.
#include "frontend/trencher/fence_edits.hpp"

#include <fmt/format.h>
#include <unordered_set>

#include "frontend/trencher/draft.hpp"

namespace weir {

namespace {

using trencher::ThreadDraft;
using trencher::Transition;

// A name that no state of the thread has. Different states get different names.
std::string fresh_state(const ThreadDraft& thread, const std::string& state) {
  std::unordered_set<std::string_view> taken;
  for (const Transition& transition : thread.transitions) {
    taken.insert(transition.source.text);
    taken.insert(transition.target.text);
  }
  std::string name = state + "_fenced";
  for (std::size_t i = 2; taken.contains(name); ++i) name = fmt::format("{}_fenced{}", state, i);
  return name;
}

// How a line opens that continues with the source state of a transition: as the present one does, unless more
// stands on it.
std::string opening(std::string_view before) {
  std::string_view word = before;
  while (word.starts_with(' ') || word.starts_with('\t')) word.remove_prefix(1);
  while (word.ends_with(' ') || word.ends_with('\t')) word.remove_suffix(1);
  return word == "transition" ? std::string(before) : "transition ";
}

void fence_state(const ThreadDraft& thread, const std::string& state, const LineTable& lines,
                 std::vector<TextEdit>& edits) {
  const std::string behind = fresh_state(thread, state);
  bool first = true;
  for (const Transition& transition : thread.transitions) {
    if (transition.source.text != state) continue;
    const std::size_t at = lines.offset(transition.source.position);
    const std::string fence =
        fmt::format("{} {} mfence{}{}", state, behind, lines.line_end(at), opening(lines.before(at)));
    edits.push_back({at, at + state.size(), first ? fence + behind : behind});
    first = false;
  }
}

}  // namespace

std::vector<TextEdit> trencher_fence_edits(const Program& program, const std::string& text,
                                           std::span<const LocationId> locations) {
  const trencher::Draft draft = trencher::read_draft(FileId(0), text);
  const LineTable lines(text);
  std::vector<TextEdit> edits;
  for (const LocationId at : locations)
    for (std::size_t t = 0; t < draft.threads.size(); ++t)
      if (program.threads[t].function == program.location(at).function)
        fence_state(draft.threads[t], program.location(at).label, lines, edits);
  return edits;
}

}  // namespace weir
