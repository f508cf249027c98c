// Lines that the texts share at their start and end are set aside; for the rest, a longest common subsequence
// is found by E. W. Myers, An O(ND) difference algorithm and its variations (Algorithmica 1, 1986): quadratic
// in the number of lines that differ, whatever the length of the texts.
#include "report/text/unified_diff.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace weir {

namespace {

constexpr std::size_t kContext = 3;

enum class Change : char { kKept = ' ', kRemoved = '-', kAdded = '+' };

struct DiffLine {
  Change change = Change::kKept;
  std::string_view text;  // with its end, if it has one
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

using Lines = std::vector<std::string_view>;

// The shortest script from one list of lines to the other.
class Script {
 public:
  Script(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  std::vector<DiffLine> run() {
    const std::size_t most = before_.size() + after_.size();
    furthest_.assign(2 * most + 2, 0);
    centre_ = static_cast<long>(most);
    for (std::size_t edits = 0; edits <= most; ++edits) {
      rounds_.push_back(furthest_);
      if (advance(static_cast<long>(edits))) break;
    }
    trace_back();
    std::ranges::reverse(script_);
    return std::move(script_);
  }

 private:
  // On diagonal k (lines removed minus lines added): how far into `before` one gets.
  std::size_t& furthest(long k) { return furthest_[static_cast<std::size_t>(centre_ + k)]; }
  std::size_t round(long edits, long k) const {
    return rounds_[static_cast<std::size_t>(edits)][static_cast<std::size_t>(centre_ + k)];
  }
  static bool comes_by_adding(long k, long edits, std::size_t below, std::size_t above) {
    return k == -edits || (k != edits && below < above);
  }

  bool advance(long edits) {
    for (long k = -edits; k <= edits; k += 2) {
      const bool added = edits == 0 || comes_by_adding(k, edits, k > -edits ? furthest(k - 1) : 0,
                                                       k < edits ? furthest(k + 1) : 0);
      std::size_t x = edits == 0 ? 0 : added ? furthest(k + 1) : furthest(k - 1) + 1;
      std::size_t y = static_cast<std::size_t>(static_cast<long>(x) - k);
      while (x < before_.size() && y < after_.size() && before_[x] == after_[y]) ++x, ++y;
      furthest(k) = x;
      if (x >= before_.size() && y >= after_.size()) return true;
    }
    return false;
  }

  void trace_back() {
    std::size_t x = before_.size(), y = after_.size();
    for (long edits = static_cast<long>(rounds_.size()) - 1; edits > 0; --edits) {
      const long k = static_cast<long>(x) - static_cast<long>(y);
      const bool added = comes_by_adding(k, edits, k > -edits ? round(edits, k - 1) : 0,
                                         k < edits ? round(edits, k + 1) : 0);
      const std::size_t from = added ? round(edits, k + 1) : round(edits, k - 1);
      while (x > from + (added ? 0 : 1)) keep(x, y);
      if (added) {
        script_.push_back({Change::kAdded, after_[--y]});
      } else {
        script_.push_back({Change::kRemoved, before_[--x]});
      }
    }
    while (x > 0) keep(x, y);
  }

  void keep(std::size_t& x, std::size_t& y) {
    script_.push_back({Change::kKept, before_[--x]});
    --y;
  }

  const Lines& before_;
  const Lines& after_;
  long centre_ = 0;
  std::vector<std::size_t> furthest_;
  std::vector<std::vector<std::size_t>> rounds_;  // before each number of edits
  std::vector<DiffLine> script_;
};

std::vector<DiffLine> compare(Lines before, Lines after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  const std::size_t head = static_cast<std::size_t>(
      std::mismatch(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(shorter), after.begin())
          .first -
      before.begin());
  std::vector<DiffLine> script;
  for (std::size_t i = 0; i < head; ++i) script.push_back({Change::kKept, before[i]});
  before.erase(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(head));
  after.erase(after.begin(), after.begin() + static_cast<std::ptrdiff_t>(head));
  Lines tail;
  while (!before.empty() && !after.empty() && before.back() == after.back()) {
    tail.push_back(before.back());
    before.pop_back();
    after.pop_back();
  }
  for (const DiffLine& line : Script(before, after).run()) script.push_back(line);
  for (auto line = tail.rbegin(); line != tail.rend(); ++line) script.push_back({Change::kKept, *line});
  return script;
}

// "12,7", or "12" for a single line; an empty side names the line before it.
std::string range_text(std::size_t first, std::size_t count) {
  if (count == 1) return std::to_string(first + 1);
  return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

class Writer {
 public:
  explicit Writer(const std::vector<DiffLine>& script) : script_(script) {}

  std::string hunks() {
    for (std::size_t i = next_change(0); i < script_.size(); i = next_change(end_)) {
      begin_ = std::max(i - std::min(i, kContext), end_);
      find_end(i);
      put_hunk();
    }
    return std::move(out_);
  }

 private:
  std::size_t next_change(std::size_t i) const {
    while (i < script_.size() && script_[i].change == Change::kKept) ++i;
    return i;
  }

  // Changes whose context would meet belong to one hunk.
  void find_end(std::size_t change) {
    for (;;) {
      while (change < script_.size() && script_[change].change != Change::kKept) ++change;
      const std::size_t next = next_change(change);
      if (next == script_.size() || next - change > 2 * kContext) break;
      change = next;
    }
    end_ = std::min(change + kContext, script_.size());
  }

  std::size_t count(std::size_t from, std::size_t to, Change other) const {
    return static_cast<std::size_t>(std::count_if(
        script_.begin() + static_cast<std::ptrdiff_t>(from),
        script_.begin() + static_cast<std::ptrdiff_t>(to),
        [&](const DiffLine& line) { return line.change == Change::kKept || line.change == other; }));
  }

  void put_hunk() {
    const auto side = [&](Change change) {
      return range_text(count(0, begin_, change), count(begin_, end_, change));
    };
    out_ += fmt::format("@@ -{} +{} @@\n", side(Change::kRemoved), side(Change::kAdded));
    for (std::size_t i = begin_; i < end_; ++i) {
      out_ += static_cast<char>(script_[i].change);
      out_ += script_[i].text;
      if (!script_[i].text.ends_with('\n')) out_ += "\n\\ No newline at end of file\n";
    }
  }

  const std::vector<DiffLine>& script_;
  std::size_t begin_ = 0, end_ = 0;  // of the hunk
  std::string out_;
};

}  // namespace

std::string unified_diff(const std::string& path, std::string_view before, std::string_view after) {
  if (before == after) return "";
  const std::vector<DiffLine> script = compare(lines_of(before), lines_of(after));
  return fmt::format("--- {0}\n+++ {0}\n{1}", path, Writer(script).hunks());
}

std::string unified_diff(const std::vector<FileEdits>& files) {
  std::string patch;
  for (const FileEdits& file : files) patch += unified_diff(file.path, file.before, file.after());
  return patch;
}

}  // namespace weir
