#include "engine/array/region.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace weir::array {

namespace {

// The processes of which something is said.
std::uint32_t mentioned(const Region& region, const Vocabulary& vocabulary) {
  std::uint32_t set = (1u << vocabulary.pinned()) - 1;
  for (const Constraint& one : region.constraints) {
    set |= vocabulary.processes(one);
    if (one.kind != ConstraintKind::kIn || vocabulary.domain(one.a) != Domain::kProcess) continue;
    const std::uint64_t others = (one.mask() >> 63) != 0 ? ~one.mask() : one.mask();
    set |= static_cast<std::uint32_t>(others & ((std::uint64_t{1} << kMostProcesses) - 1));
  }
  for (const Read& read : region.reads) set |= 1u << read.process | read.cell.processes();
  for (const Anchor& anchor : region.anchors) {
    if (anchor.kind < AnchorKind::kCell) set |= 1u << anchor.process;
    if (anchor.kind == AnchorKind::kCell) set |= anchor.cell.processes();
  }
  return set & static_cast<std::uint32_t>((std::uint64_t{1} << region.processes) - 1);
}

Groups renumbered(Groups groups, const std::vector<std::uint8_t>& number) {
  Groups result = 0;
  for (Groups rest = groups; rest != 0; rest &= rest - 1) {
    const std::uint8_t to = number[static_cast<std::size_t>(std::countr_zero(rest))];
    if (to != kGone) result |= Groups{1} << to;
  }
  return result;
}

// Drops the reads whose values nobody asks about, and groups without reads; fills in where reads go.
void drop_idle_reads(Region& region, Renaming& renaming, const Vocabulary& vocabulary) {
  std::uint32_t used = 0;
  for (const Constraint& one : region.constraints)
    vocabulary.each_part(one, [&](Node node) {
      if (node.is_read()) used |= 1u << node.read();
    });
  std::vector<std::pair<Read, std::uint8_t>> kept;
  for (std::size_t i = 0; i < region.reads.size(); ++i)
    if (((used >> i) & 1) != 0) kept.emplace_back(region.reads[i], static_cast<std::uint8_t>(i));
  std::vector<std::uint8_t> number(region.after.size(), kGone);
  std::sort(kept.begin(), kept.end());
  std::uint8_t groups = 0;
  for (const auto& [read, old] : kept)
    if (number[read.group] == kGone) number[read.group] = groups++;
  std::vector<Groups> after(groups);
  for (std::size_t g = 0; g < number.size(); ++g)
    if (number[g] != kGone) after[number[g]] = renumbered(region.after[g], number);
  region.after = std::move(after);
  region.reads.clear();
  for (auto& [read, old] : kept) {
    renaming.read[old] = static_cast<std::uint8_t>(region.reads.size());
    read.group = number[read.group];
    region.reads.push_back(read);
  }
  for (Anchor& anchor : region.anchors) anchor.groups = renumbered(anchor.groups, number);
  std::erase_if(region.anchors, [](const Anchor& anchor) { return anchor.groups == 0; });
}

// The normal form keeps reads in the order of their numbers; after a renaming of processes it must be made
// again.
void sort_reads(Region& region, Renaming& renaming) {
  std::vector<std::pair<Read, std::uint8_t>> order;
  for (std::size_t i = 0; i < region.reads.size(); ++i)
    order.emplace_back(region.reads[i], static_cast<std::uint8_t>(i));
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) {
    region.reads[i] = order[i].first;
    renaming.read[order[i].second] = static_cast<std::uint8_t>(i);
  }
}

}  // namespace

Groups Region::anchored(AnchorKind kind, std::uint8_t process, Node cell) const {
  for (const Anchor& anchor : anchors)
    if (anchor.kind == kind && anchor.process == process && anchor.cell == cell) return anchor.groups;
  return 0;
}

void Region::anchor(AnchorKind kind, std::uint8_t process, Node cell, Groups groups) {
  for (Anchor& anchor : anchors)
    if (anchor.kind == kind && anchor.process == process && anchor.cell == cell) {
      anchor.groups |= groups;
      return;
    }
  if (groups != 0) anchors.push_back({kind, process, cell, groups});
}

std::vector<std::uint8_t> settle(Region& region, const Facts& facts) {
  const Vocabulary& vocabulary = facts.vocabulary();
  facts.normal_form(region.constraints);
  Renaming renaming = Renaming::identity(region.processes);
  drop_idle_reads(region, renaming, vocabulary);
  const std::uint32_t alive = mentioned(region, vocabulary);
  std::vector<std::uint8_t> went(region.processes, kGone);
  std::uint32_t next = 0;
  for (std::uint32_t p = 0; p < region.processes; ++p)
    if (((alive >> p) & 1) != 0) {
      went[p] = static_cast<std::uint8_t>(next);
      renaming.process[p] = static_cast<std::uint8_t>(next++);
    }
  for (Read& read : region.reads) {
    read.cell = read.cell.renamed(renaming);
    read.process = renaming.process[read.process];
  }
  Renaming order = Renaming::identity(next);
  sort_reads(region, order);
  for (std::uint8_t& read : renaming.read)
    if (read < region.reads.size()) read = order.read[read];
  // The bit of a process that is dropped equals that of the processes not named, so shifting the others down
  // is all.
  const auto processes = [&](std::uint64_t mask) {
    std::uint64_t result = (mask >> 63) != 0 ? ~std::uint64_t{0} << next : 0;
    for (std::uint32_t p = 0; p < region.processes; ++p)
      if (went[p] != kGone && ((mask >> p) & 1) != 0) result |= std::uint64_t{1} << went[p];
    return result;
  };
  for (Constraint& one : region.constraints) {
    if (one.kind == ConstraintKind::kIn && vocabulary.domain(one.a) == Domain::kProcess)
      one.value = static_cast<std::int64_t>(processes(one.mask()));
    one = renamed_nodes(one, renaming, vocabulary);
    const bool symmetric = one.kind == ConstraintKind::kDifferent;
    if (symmetric && one.b < one.a) {
      std::swap(one.a, one.b);
      one.value = -one.value;
    }
  }
  std::sort(region.constraints.begin(), region.constraints.end());
  for (Anchor& anchor : region.anchors) {
    if (anchor.kind < AnchorKind::kCell) anchor.process = renaming.process[anchor.process];
    anchor.cell = anchor.cell.renamed(renaming);
  }
  std::sort(region.anchors.begin(), region.anchors.end());
  region.processes = next;
  region.signature = sign(region, vocabulary);
  return went;
}

std::uint64_t sign(const Region& region, const Vocabulary& vocabulary) {
  std::uint64_t bits = 0;
  const auto set = [&](std::uint64_t key) {
    bits |= std::uint64_t{1} << (key * 0x9E3779B97F4A7C15ull >> 58);
  };
  const auto touch = [&](Node node) { set(node.symbol().index() * 2 + (node.is_read() ? 1 : 0)); };
  for (const Constraint& one : region.constraints) {
    vocabulary.each_part(one, touch);
    if (one.kind == ConstraintKind::kIn && vocabulary.domain(one.a) == Domain::kFinite &&
        std::has_single_bit(one.mask()))
      set((static_cast<std::uint64_t>(one.a.symbol().index()) * 64 +
           static_cast<std::uint64_t>(std::countr_zero(one.mask()))) *
              2 +
          (one.a.is_read() ? 1 : 0) + 1000003);
  }
  return bits;
}

std::string describe(const Region& region, const Vocabulary& vocabulary) {
  std::string text = fmt::format("{} processes:", region.processes);
  for (const Constraint& one : region.constraints) text += fmt::format(" {};", describe(one, vocabulary));
  for (std::size_t i = 0; i < region.reads.size(); ++i) {
    const Read& read = region.reads[i];
    text += fmt::format(" !{} #{}@{} group {} before {:b};", i, read.process + 1,
                        describe(read.cell, vocabulary), read.group, region.after[read.group]);
  }
  static constexpr const char* kNames[] = {"writes", "fenced", "events", "cell", "everyone"};
  for (const Anchor& anchor : region.anchors)
    text += fmt::format(" {} {} -> {:b};", kNames[static_cast<std::size_t>(anchor.kind)],
                        anchor.kind == AnchorKind::kCell ? describe(anchor.cell, vocabulary)
                                                         : fmt::format("#{}", anchor.process + 1),
                        anchor.groups);
  return text;
}

}  // namespace weir::array
