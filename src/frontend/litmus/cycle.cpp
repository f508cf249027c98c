// Accesses are numbered like the edges that leave them. Variables change with the edges that say so; the last
// of these leads back to the first variable. Along the cycle, the accesses to one variable stand in an order
// that all relations agree with if the code did the same, so writes get the values 1, 2, … in that order, and
// a read expects the value of the last write before it.
#include "frontend/litmus/cycle.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>

namespace weir::litmus {

namespace {

using EdgeKind = CycleEdge::Kind;
using Fence = CycleEdge::Fence;

constexpr std::array kRegisters = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP"};
constexpr std::array kVariables = {"x", "y", "z", "a", "b", "c", "d", "e"};

CycleEdge program_order(bool from_write, bool to_write, bool same, Fence fence) {
  return {.kind = EdgeKind::kProgramOrder,
          .from_write = from_write,
          .to_write = to_write,
          .same = same,
          .fence = fence};
}

CycleEdge communication(EdgeKind kind, bool external) {
  return {.kind = kind,
          .from_write = kind != EdgeKind::kFromRead,
          .to_write = kind != EdgeKind::kReadsFrom,
          .external = external};
}

// Every edge there is. Fences between stores only stand between stores: elsewhere they do nothing.
std::vector<CycleEdge> all_edges() {
  std::vector<CycleEdge> edges;
  for (const bool external : {true, false})
    for (const EdgeKind kind : {EdgeKind::kReadsFrom, EdgeKind::kCoherence, EdgeKind::kFromRead})
      edges.push_back(communication(kind, external));
  for (const Fence fence : {Fence::kNone, Fence::kFull, Fence::kStores})
    for (const bool same : {false, true})
      for (const bool from_write : {false, true})
        for (const bool to_write : {false, true})
          if (fence != Fence::kStores || (from_write && to_write && !same))
            edges.push_back(program_order(from_write, to_write, same, fence));
  return edges;
}

char letter(bool write) { return write ? 'W' : 'R'; }

std::optional<CycleEdge> edge_named(std::string_view word) {
  std::string known(word);
  if (known == "Wse" || known == "Wsi") known = fmt::format("Co{}", known.back());
  for (const CycleEdge& edge : all_edges())
    if (name(edge) == known) return edge;
  return std::nullopt;
}

bool is_internal_and_same(const CycleEdge& edge) { return !edge.external && edge.same; }

// May these follow each other in a critical cycle?
bool follow(const CycleEdge& first, const CycleEdge& second) {
  if (first.to_write != second.from_write) return false;
  if (first.kind == EdgeKind::kProgramOrder && second.kind == EdgeKind::kProgramOrder) return false;
  if (is_internal_and_same(first) && is_internal_and_same(second)) return false;
  if (first.kind == EdgeKind::kProgramOrder || second.kind == EdgeKind::kProgramOrder) return true;
  return second.kind == EdgeKind::kReadsFrom;  // Rf Fr, Co Co and Fr Co would be Co, Co and Fr
}

// Why no test can be made of a cycle whose edges fit together.
std::optional<CycleMistake> mistake_of(const Cycle& cycle) {
  const auto externals = std::ranges::count_if(cycle, [](const CycleEdge& e) { return e.external; });
  const auto changes = std::ranges::count_if(cycle, [](const CycleEdge& e) { return !e.same; });
  const auto orders = std::ranges::count(cycle, EdgeKind::kProgramOrder, &CycleEdge::kind);
  if (externals < 2)
    return CycleMistake{"a cycle needs two edges to other threads", "Rfe, Coe and Fre are such edges"};
  if (changes == 1)
    return CycleMistake{"a cycle cannot leave a variable only once", "edges with a 'd' change the variable"};
  if (orders == 0) return CycleMistake{"a cycle needs an edge of program order", "such as PodWR or PosRR"};
  if (changes > static_cast<std::ptrdiff_t>(kVariables.size()))
    return CycleMistake{fmt::format("a cycle has at most {} variables", kVariables.size()), ""};
  return std::nullopt;
}

struct Access {
  bool write = false;
  std::size_t thread = 0, variable = 0;
  int value = 0;  // written, or expected
  std::string reg;
};

class TestWriter {
 public:
  TestWriter(const Cycle& cycle, std::string name) : cycle_(cycle), name_(std::move(name)) {
    // A thread begins behind an external edge: the last one, so that the test begins as the cycle does.
    const auto last =
        std::find_if(cycle_.rbegin(), cycle_.rend(), [](const CycleEdge& e) { return e.external; });
    std::ranges::rotate(cycle_, last.base());
    place_accesses();
    choose_values();
    choose_registers();
  }

  std::string text() {
    std::string out =
        fmt::format("X86 {}\n\"{}\"\nOrig={}\n{{\n}}\n", name_, cycle_text(cycle_), cycle_text(cycle_));
    return out + code() + condition();
  }

 private:
  void place_accesses() {
    const auto changes = std::ranges::count_if(cycle_, [](const CycleEdge& e) { return !e.same; });
    std::size_t thread = 0, variable = 0;
    for (const CycleEdge& edge : cycle_) {
      accesses_.push_back({.write = edge.from_write, .thread = thread, .variable = variable});
      if (edge.external) ++thread;
      if (!edge.same) variable = (variable + 1) % static_cast<std::size_t>(changes);
    }
    thread_count_ = thread;
    variable_count_ = std::max<std::size_t>(1, static_cast<std::size_t>(changes));
  }

  // The access behind which the order of a variable begins: one that leaves to another variable, or, if there
  // is only one, by program order.
  std::size_t first_access() const {
    const auto cut = std::ranges::find_if(cycle_, [&](const CycleEdge& e) {
      return variable_count_ > 1 ? !e.same : e.kind == EdgeKind::kProgramOrder;
    });
    return static_cast<std::size_t>(cut - cycle_.begin()) + 1;
  }

  void choose_values() {
    last_value_.assign(variable_count_, 0);
    const std::size_t begin = first_access();
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      Access& access = accesses_[(begin + i) % accesses_.size()];
      if (access.write) ++last_value_[access.variable];
      access.value = last_value_[access.variable];
    }
  }

  void choose_registers() {
    std::vector<std::size_t> used(thread_count_, 0);
    for (Access& access : accesses_)
      if (!access.write) access.reg = kRegisters[std::min(used[access.thread]++, kRegisters.size() - 1)];
  }

  static std::string instruction(const Access& access) {
    return access.write ? fmt::format("MOV [{}],${}", kVariables[access.variable], access.value)
                        : fmt::format("MOV {},[{}]", access.reg, kVariables[access.variable]);
  }

  std::string code() const {
    std::vector<std::vector<std::string>> columns(thread_count_);
    for (std::size_t t = 0; t < thread_count_; ++t) columns[t].push_back(fmt::format("P{}", t));
    for (std::size_t i = 0; i < accesses_.size(); ++i) {
      auto& column = columns[accesses_[i].thread];
      column.push_back(instruction(accesses_[i]));
      if (cycle_[i].fence == Fence::kFull) column.emplace_back("MFENCE");
      if (cycle_[i].fence == Fence::kStores) column.emplace_back("SFENCE");
    }
    std::size_t rows = 0;
    for (const auto& column : columns) rows = std::max(rows, column.size());
    std::string out;
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t t = 0; t < thread_count_; ++t)
        out += fmt::format("{} {:<11} ", t == 0 ? "" : "|", row < columns[t].size() ? columns[t][row] : "");
      out += ";\n";
    }
    return out;
  }

  std::string condition() const {
    std::vector<std::string> parts;
    for (std::size_t v = 0; v < variable_count_; ++v)
      if (last_value_[v] > 1) parts.push_back(fmt::format("{}={}", kVariables[v], last_value_[v]));
    for (const Access& access : accesses_)
      if (!access.write) parts.push_back(fmt::format("{}:{}={}", access.thread, access.reg, access.value));
    return fmt::format("exists\n({})\n",
                       parts.empty() ? "true" : fmt::format("{}", fmt::join(parts, " /\\ ")));
  }

  Cycle cycle_;
  std::string name_;
  std::vector<Access> accesses_;
  std::vector<int> last_value_;  // per variable
  std::size_t thread_count_ = 0, variable_count_ = 0;
};

// Sequences of numbers of edges, those only that are not greater than any of their rotations.
class CycleEnumeration {
 public:
  CycleEnumeration(std::size_t size, const std::function<bool(const Cycle&)>& visit)
      : size_(size), visit_(visit), edges_(all_edges()) {}

  void run() {
    for (std::size_t length = 2; length <= size_ && !stopped_; ++length) {
      length_ = length;
      extend();
    }
  }

 private:
  void extend() {
    if (chosen_.size() == length_) return complete();
    for (std::size_t e = chosen_.empty() ? 0 : chosen_[0]; e < edges_.size() && !stopped_; ++e) {
      if (!chosen_.empty() && !follow(edges_[chosen_.back()], edges_[e])) continue;
      chosen_.push_back(e);
      extend();
      chosen_.pop_back();
    }
  }

  void complete() {
    if (!follow(edges_[chosen_.back()], edges_[chosen_[0]]) || !is_least_rotation()) return;
    Cycle cycle;
    for (const std::size_t e : chosen_) cycle.push_back(edges_[e]);
    if (!mistake_of(cycle)) stopped_ = !visit_(cycle);
  }

  bool is_least_rotation() const {
    for (std::size_t shift = 1; shift < chosen_.size(); ++shift)
      for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const std::size_t other = chosen_[(i + shift) % chosen_.size()];
        if (chosen_[i] < other) break;
        if (chosen_[i] > other) return false;
      }
    return true;
  }

  std::size_t size_, length_ = 0;
  const std::function<bool(const Cycle&)>& visit_;
  std::vector<CycleEdge> edges_;
  std::vector<std::size_t> chosen_;
  bool stopped_ = false;
};

}  // namespace

std::string name(const CycleEdge& edge) {
  const char side = edge.external ? 'e' : 'i';
  switch (edge.kind) {
    case EdgeKind::kReadsFrom: return fmt::format("Rf{}", side);
    case EdgeKind::kCoherence: return fmt::format("Co{}", side);
    case EdgeKind::kFromRead: return fmt::format("Fr{}", side);
    case EdgeKind::kProgramOrder: break;
  }
  const char* const prefix = edge.fence == Fence::kFull     ? "MFence"
                             : edge.fence == Fence::kStores ? "SFence"
                                                            : "Po";
  return fmt::format("{}{}{}{}", prefix, edge.same ? 's' : 'd', letter(edge.from_write),
                     letter(edge.to_write));
}

std::string cycle_text(const Cycle& cycle) {
  std::string out;
  for (const CycleEdge& edge : cycle) out += (out.empty() ? "" : " ") + name(edge);
  return out;
}

std::string test_name(const Cycle& cycle) {
  std::string out = cycle_text(cycle);
  std::ranges::replace(out, ' ', '+');
  return out;
}

Expected<Cycle, CycleMistake> parse_cycle(std::string_view text) {
  Cycle cycle;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \t\n,");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(" \t\n,"));
    const auto edge = edge_named(word);
    if (!edge)
      return CycleMistake{
          fmt::format("there is no edge '{}'", word),
          "edges are Rfe, Coe, Fre, Rfi, Coi, Fri, and Pod, Pos, MFenced, MFences with RR, RW, WR or "
          "WW behind, and SFencedWW"};
    cycle.push_back(*edge);
    text.remove_prefix(word.size());
  }
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const CycleEdge& next = cycle[(i + 1) % cycle.size()];
    if (cycle[i].to_write != next.from_write)
      return CycleMistake{
          fmt::format("{} ends with a {}, but {} starts with a {}", name(cycle[i]),
                      cycle[i].to_write ? "write" : "read", name(next), next.from_write ? "write" : "read"),
          ""};
  }
  if (auto mistake = mistake_of(cycle)) return std::move(*mistake);
  return cycle;
}

std::string litmus_text(const Cycle& cycle, const std::string& test_name) {
  return TestWriter(cycle, test_name).text();
}

void for_each_cycle(std::size_t size, const std::function<bool(const Cycle&)>& visit) {
  CycleEnumeration(size, visit).run();
}

}  // namespace weir::litmus
