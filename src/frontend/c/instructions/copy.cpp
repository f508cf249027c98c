#include "frontend/c/instructions/copy.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "frontend/c/layout/uninitialised.hpp"
#include "frontend/c/layout/wide_accesses.hpp"
#include "frontend/c/lowering/function.hpp"

namespace weir::c {

namespace {

constexpr std::uint64_t kMostUnrolled = 8;  // cells of one run that are copied without a loop

// A run of cells at some distance from the start of the copy.
using Runs = std::vector<CellRun>;

Runs bytes_run(std::uint64_t bytes) { return {{0, 1, 1, bytes, true, true}}; }

// Words, and bytes at the end: for private memory that is written as a whole.
Runs words_run(std::uint64_t bytes) {
  Runs runs;
  if (bytes >= 8) runs.push_back({0, 8, 8, bytes / 8, true, true});
  if (bytes % 8 != 0) runs.push_back({bytes / 8 * 8, 1, 1, bytes % 8, true, true});
  return runs;
}

// The cells of the first `bytes` bytes at the place. Empty if a cell is only partly in there, or nothing is
// known. Beyond the end of a variable it goes on as before: the machine will say that there is nothing.
Runs runs_at(const Place& place, std::uint64_t bytes) {
  if (place.layout == nullptr || place.layout->too_big || place.layout->size == 0) return {};
  Runs runs = place.layout->slice(place.offset, place.offset + bytes);
  for (CellRun& run : runs) {
    if (run.offset < place.offset || run.end() > place.offset + bytes) return {};
    run.offset -= place.offset;
  }
  return runs;
}

bool any_seen_otherwise(const Runs& runs) {
  return std::any_of(runs.begin(), runs.end(), [](const CellRun& run) { return run.may_be_seen_otherwise; });
}

// Cells side by side in as few runs as possible.
Runs joined(const Runs& runs) {
  Runs result;
  for (const CellRun& run : runs) {
    const bool dense = !result.empty() && run.stride == run.bytes &&
                       result.back().stride == result.back().bytes && result.back().bytes == run.bytes;
    if (dense && result.back().end() == run.offset)
      result.back().count += run.count;
    else
      result.push_back(run);
  }
  return result;
}

bool same_cells(const Runs& a, const Runs& b) {
  const auto same = [](const CellRun& x, const CellRun& y) {
    return x.offset == y.offset && x.bytes == y.bytes && x.count == y.count &&
           (x.stride == y.stride || x.count == 1);
  };
  return std::ranges::equal(joined(a), joined(b), same);
}

// How to copy: by the cells of the side that has some. Where that cannot be said, byte by byte: the machine finds out what
// they are parts of.
Runs divide(const Place& to, const Place& from, std::uint64_t bytes) {
  const Runs target = runs_at(to, bytes), origin = runs_at(from, bytes);
  const bool target_private = to.owner == Owner::kPrivate, origin_private = from.owner == Owner::kPrivate;
  if (target_private && origin_private) {
    const bool alike = !target.empty() && !any_seen_otherwise(target) && !any_seen_otherwise(origin) &&
                       same_cells(target, origin);
    return alike ? target : bytes_run(bytes);
  }
  if (!target_private && !target.empty() && (origin_private || origin.empty() || same_cells(target, origin)))
    return target;
  if (!origin_private && !origin.empty() && (target_private || target.empty())) return origin;
  // One side is private, or they differ.
  if (target_private && !target.empty() && !any_seen_otherwise(target)) return target;
  if (origin_private && !origin.empty() && !any_seen_otherwise(origin)) return origin;
  if (target_private || origin_private) return bytes_run(bytes);
  if (!target.empty() && to.certain() && !from.certain()) return target;
  if (!origin.empty() && from.certain() && !to.certain()) return origin;
  return bytes_run(bytes);
}

// With the bytes between the cells, each by itself.
Runs with_padding(Runs runs, std::uint64_t bytes) {
  Runs result;
  std::uint64_t end = 0;
  const auto add_gap = [&](std::uint64_t until) {
    if (end < until) result.push_back({end, 1, 1, until - end, true, true});
  };
  for (const CellRun& run : runs)
    for (std::uint64_t k = 0; k < (run.stride == run.bytes ? 1 : run.count); ++k) {
      CellRun part = run;
      if (run.stride != run.bytes) {
        part.offset += k * run.stride;
        part.count = 1;
      }
      add_gap(part.offset);
      end = part.end();
      result.push_back(part);
    }
  add_gap(bytes);
  return result;
}

// What memory of unknown size consists of, again and again.
struct Element {
  Runs runs;
  std::uint64_t size = 0;
};

std::optional<Element> repeated(const Place& place) {
  if (place.layout == nullptr || place.layout->too_big) return std::nullopt;
  const TypeLayout& layout = *place.layout;
  if (!place.certain() && place.offset == 0 && layout.size > 0) return Element{layout.runs, layout.size};
  // An array of scalars within a variable.
  for (const CellRun& run : layout.runs)
    if (place.offset >= run.offset && place.offset < run.end() && run.stride == run.bytes &&
        (place.offset - run.offset) % run.stride == 0)
      return Element{{{0, run.bytes, run.bytes, 1, run.is_integer, run.may_be_seen_otherwise}}, run.bytes};
  return std::nullopt;
}

class Moves {
 public:
  explicit Moves(FunctionLowering& lowering) : emitter_(lowering.emitter), build_(lowering.build) {}

  // Calls `move(distance from the start, type)` for every cell.
  template <class Move>
  void for_each_cell(const Runs& runs, ExprId start, bool backwards, Move move) {
    const std::size_t count = runs.size();
    for (std::size_t i = 0; i < count; ++i)
      in_run(runs[backwards ? count - 1 - i : i], start, backwards, move);
  }

 private:
  template <class Move>
  void in_run(const CellRun& run, ExprId start, bool backwards, Move move) {
    const Type type{static_cast<std::uint8_t>(run.bytes * 8), run.is_integer};
    if (run.count <= kMostUnrolled) {
      for (std::uint64_t k = 0; k < run.count; ++k) {
        const std::uint64_t at = backwards ? run.count - 1 - k : k;
        move(build_.plus(start, static_cast<Value>(run.offset + at * run.stride)), type);
      }
      return;
    }
    emitter_.repeat(build_.address(run.count), [&](ExprId k) {
      const ExprId at = backwards ? build_.binary(ExprOp::kSub, build_.address(run.count - 1), k) : k;
      const ExprId distance = build_.binary(ExprOp::kMul, at, build_.address(run.stride));
      move(build_.plus(build_.binary(ExprOp::kAdd, start, distance), static_cast<Value>(run.offset)), type);
    });
  }

  Emitter& emitter_;
  Expressions& build_;
};

// As many elements as there are bytes for; all of it byte by byte if they leave a rest.
class Repetition {
 public:
  Repetition(FunctionLowering& lowering, Element element, ExprId total)
      : element_(std::move(element)), total_(total) {
    Expressions& build = lowering.build;
    if (element_.size == 1) return;
    const ExprId size = build.address(element_.size), none = build.address(0);
    const ExprId rest = build.compare(ExprOp::kNe, build.binary(ExprOp::kRem, total, size), none);
    elements_ =
        lowering.emitter.in_register(build.select(rest, none, build.binary(ExprOp::kDiv, total, size)));
    bytes_ = lowering.emitter.in_register(build.select(rest, total, none));
  }

  // Calls `body(element, how many)` for each kind of element there is; of one of them there are none.
  template <class Body>
  void run(Body body) const {
    if (element_.size == 1) return body(element_, total_);
    body(element_, elements_);
    body(Element{bytes_run(1), 1}, bytes_);
  }

 private:
  Element element_;
  ExprId total_, elements_, bytes_;
};

class Copying {
 public:
  Copying(FunctionLowering& lowering, const llvm::CallBase& call, const llvm::Value& to,
          const llvm::Value& from)
      : lowering_(lowering),
        emitter_(lowering.emitter),
        build_(lowering.build),
        call_(call),
        to_(lowering.module.places.of(to)),
        from_(lowering.module.places.of(from)),
        target_(emitter_.in_register(lowering.use(to))),
        origin_(emitter_.in_register(lowering.use(from))) {}

  void fixed(std::uint64_t bytes, bool may_overlap) {
    if (bytes == 0) return;
    Runs runs = divide(to_, from_, bytes);
    if (is_shared() && lowering_.module.separate_cells.padding_is_read())
      runs = with_padding(std::move(runs), bytes);
    if (any_shared_wide_number(runs)) note_wide_access(lowering_, call_);
    if (!may_overlap) require_apart(build_.address(bytes));
    in_right_order(may_overlap, [&](bool backwards) { copy(runs, build_.address(0), backwards); });
  }

  // Whole elements, as many as there are. If that leaves a rest, byte by byte.
  void computed(ExprId bytes, bool may_overlap) {
    const Element element = element_of().value_or(Element{bytes_run(1), 1});
    const ExprId total = emitter_.in_register(build_.cast(bytes, kAddress));
    if (any_shared_wide_number(element.runs)) note_wide_access(lowering_, call_);
    if (!may_overlap) require_apart(total);
    const Repetition whole(lowering_, element, total);
    in_right_order(may_overlap, [&](bool backwards) {
      whole.run([&](const Element& each, ExprId count) { copy_all(each, count, backwards); });
    });
  }

 private:
  void copy_all(const Element& element, ExprId count, bool backwards) {
    emitter_.repeat(count, [&](ExprId k) {
      if (backwards)
        k = build_.binary(ExprOp::kSub, build_.binary(ExprOp::kSub, count, build_.address(1)), k);
      const ExprId start = build_.binary(ExprOp::kMul, k, build_.address(element.size));
      copy(element.runs, emitter_.in_register(start), backwards);
    });
  }

  bool is_shared() const { return to_.owner != Owner::kPrivate || from_.owner != Owner::kPrivate; }

  // What repeats: the type that one of the sides points to.
  std::optional<Element> element_of() const {
    if (to_.owner == Owner::kPrivate && from_.owner == Owner::kPrivate) return Element{bytes_run(1), 1};
    for (const Place* place : {&to_, &from_})
      if (place->owner != Owner::kPrivate)
        if (const auto element = repeated(*place)) return element;
    for (const Place* place : {&to_, &from_})
      if (place->owner == Owner::kPrivate)
        if (const auto element = repeated(*place); element && !any_seen_otherwise(element->runs))
          return element;
    return std::nullopt;
  }

  bool any_shared_wide_number(const Runs& runs) const {
    return is_shared() &&
           std::ranges::any_of(runs, [](const CellRun& run) { return run.is_integer && run.bytes == 8; });
  }

  bool surely_apart() const {
    return to_.variable != nullptr && from_.variable != nullptr && to_.variable != from_.variable;
  }

  // A structure may be assigned to itself, but memory that overlaps otherwise may not be copied so.
  void require_apart(ExprId bytes) {
    if (surely_apart()) return;
    const ExprId ahead = build_.binary(ExprOp::kSub, target_, origin_);
    const ExprId behind = build_.binary(ExprOp::kSub, origin_, target_);
    const ExprId overlaps = build_.both(
        build_.compare(ExprOp::kNe, target_, origin_),
        build_.either(build_.compare(ExprOp::kLt, ahead, bytes), build_.compare(ExprOp::kLt, behind, bytes)));
    emitter_.require(build_.negation(overlaps), "memory is copied to memory that overlaps it");
  }

  // Overlapping memory is copied from the end that is not overwritten first.
  template <class Body>
  void in_right_order(bool may_overlap, Body body) {
    if (!may_overlap || surely_apart()) return body(false);
    const ExprId backwards = build_.compare(ExprOp::kGt, target_, origin_);
    const NodeId up = emitter_.new_node(), down = emitter_.new_node(), after = emitter_.new_node();
    emitter_.emit({.op = Opcode::kAssume, .a = backwards}, down);
    emitter_.emit({.op = Opcode::kAssume, .a = build_.negation(backwards)}, up);
    emitter_.continue_at(up);
    body(false);
    emitter_.jump(after);
    emitter_.continue_at(down);
    body(true);
    emitter_.jump(after);
    emitter_.continue_at(after);
  }

  void copy(const Runs& runs, ExprId start, bool backwards) {
    Moves(lowering_).for_each_cell(runs, start, backwards, [&](ExprId distance, Type type) {
      const AccessKind kind{.copies = true};
      const RegisterId moved = emitter_.load(build_.binary(ExprOp::kAdd, origin_, distance), type, kind);
      emitter_.store(build_.binary(ExprOp::kAdd, target_, distance), emitter_.value_of(moved), type, kind);
    });
  }

  FunctionLowering& lowering_;
  Emitter& emitter_;
  Expressions& build_;
  const llvm::CallBase& call_;
  Place to_, from_;
  ExprId target_, origin_;
};

// The byte in every byte of a word.
ExprId repeated_byte(Expressions& build, ExprId byte, Type type) {
  const Type word{type.bits, false};
  const ExprId wide = build.cast(build.as_unsigned(byte), word);
  const Value ones = wrap(0x0101'0101'0101'0101, word);
  return build.binary(ExprOp::kMul, wide, build.constant(ones, word));
}

}  // namespace

void lower_memory_copy(FunctionLowering& lowering, const llvm::CallBase& call, const llvm::Value& to,
                       const llvm::Value& from, const llvm::Value& bytes, bool may_overlap) {
  const ExprId size = lowering.build.as_unsigned(lowering.use(bytes));
  if (is_never_written(from))
    return forget_memory(lowering, to, static_cast<std::uint64_t>(lowering.build.number(size).value_or(0)));
  Copying copying(lowering, call, to, from);
  if (const auto known = lowering.build.number(size))
    return copying.fixed(static_cast<std::uint64_t>(*known), may_overlap);
  copying.computed(size, may_overlap);
}

void lower_memory_fill(FunctionLowering& lowering, const llvm::Value& to, const llvm::Value& byte,
                       const llvm::Value& bytes) {
  Emitter& emitter = lowering.emitter;
  Expressions& build = lowering.build;
  const Place place = lowering.module.places.of(to);
  const ExprId size = lowering.build.as_unsigned(lowering.use(bytes));
  const ExprId value = emitter.in_register(lowering.use(byte));
  const ExprId target = emitter.in_register(lowering.use(to));
  const auto fill = [&](const Runs& runs, ExprId start) {
    Moves(lowering).for_each_cell(runs, start, false, [&](ExprId distance, Type type) {
      emitter.store(build.binary(ExprOp::kAdd, target, distance), repeated_byte(build, value, type), type,
                    {});
    });
  };
  if (const auto known = build.number(size)) {
    const auto count = static_cast<std::uint64_t>(*known);
    if (count == 0) return;
    Runs runs = place.owner == Owner::kPrivate ? words_run(count) : runs_at(place, count);
    if (runs.empty()) runs = bytes_run(count);
    if (lowering.module.separate_cells.padding_is_read()) runs = with_padding(std::move(runs), count);
    return fill(runs, build.address(0));
  }
  const ExprId total = emitter.in_register(build.cast(size, kAddress));
  const bool is_private = place.owner == Owner::kPrivate;
  const Element unit{bytes_run(1), 1};
  const Repetition whole(lowering, is_private ? unit : repeated(place).value_or(unit), total);
  whole.run([&](const Element& each, ExprId count) {
    emitter.repeat(count, [&](ExprId k) {
      fill(each.runs, emitter.in_register(build.binary(ExprOp::kMul, k, build.address(each.size))));
    });
  });
}

void copy_structure(FunctionLowering& lowering, ExprId to, ExprId from, const TypeLayout& layout) {
  Emitter& emitter = lowering.emitter;
  Expressions& build = lowering.build;
  Moves(lowering).for_each_cell(layout.runs, build.address(0), false, [&](ExprId distance, Type type) {
    const AccessKind kind{.copies = true};
    const RegisterId moved = emitter.load(build.binary(ExprOp::kAdd, from, distance), type, kind);
    emitter.store(build.binary(ExprOp::kAdd, to, distance), emitter.value_of(moved), type, kind);
  });
}

bool is_never_written(const llvm::Value& variable) {
  const auto* made = llvm::dyn_cast<llvm::AllocaInst>(&variable);
  return made != nullptr && made->hasMetadata(kNeverWritten);
}

void forget_memory(FunctionLowering& lowering, const llvm::Value& pointer, std::uint64_t bytes) {
  const Place place = lowering.module.places.of(pointer);
  if (place.owner != Owner::kPrivate) return;
  Emitter& emitter = lowering.emitter;
  Expressions& build = lowering.build;
  const ExprId start = lowering.value(pointer).front();
  const auto forget = [&](ExprId address, std::uint64_t width) {
    emitter.store(address, build.constant(kUninitialised, kInt64),
                  {static_cast<std::uint8_t>(width * 8), true}, {.copies = true});
  };
  constexpr std::uint64_t kWord = 8;
  std::uint64_t at = 0;
  if (bytes / kWord > kMostUnrolled) {
    emitter.repeat(build.address(bytes / kWord), [&](ExprId k) {
      const ExprId distance = build.binary(ExprOp::kMul, k, build.address(kWord));
      forget(build.binary(ExprOp::kAdd, start, distance), kWord);
    });
    at = bytes / kWord * kWord;
  }
  while (at < bytes) {
    std::uint64_t width = kWord;
    while (at + width > bytes) width /= 2;
    forget(build.plus(start, static_cast<Value>(at)), width);
    at += width;
  }
}

}  // namespace weir::c
