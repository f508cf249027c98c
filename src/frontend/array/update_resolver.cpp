// An update names its cell by processes. By `case`, names that are not in scope are bound: the update then is
// one of all cells; where only some names are new, a first case keeps the cells whose other processes differ
// from the ones given.
#include "frontend/array/update_resolver.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir::cub {

namespace {

using array::FormulaKind;
using array::TermKind;
using array::Update;
using array::UpdateCase;

class UpdateResolver {
 public:
  UpdateResolver(const UpdateSyntax& syntax, TermResolver& terms, FormulaResolver& formulas)
      : syntax_(syntax), terms_(terms), formulas_(formulas) {}

  Update resolve() {
    update_.symbol = terms_.written_symbol(syntax_.target);
    update_.position = syntax_.target.name.position;
    const TermResolver::Mark mark = terms_.mark();
    resolve_target();
    resolve_cases();
    terms_.release(mark);
    return std::move(update_);
  }

 private:
  bool is_new(const Name& name) const { return name.text[0] != '#' && !terms_.knows(name); }

  void resolve_target() {
    const std::vector<Name>& names = syntax_.target.arguments;
    const auto new_name = std::ranges::find_if(names, [&](const Name& name) { return is_new(name); });
    if (new_name == names.end()) {
      for (const Name& name : names) update_.arguments.push_back(terms_.process(name));
      return;
    }
    if (!syntax_.by_case)
      fail(new_name->position, fmt::format("unknown process '{0}'", shortened(new_name->text)),
           fmt::format("to change every cell, write {0}[{1}] := case | … : … | _ : {0}[{1}]",
                       shortened(syntax_.target.name.text), shortened(new_name->text)));
    bind_target(names);
  }

  void bind_target(const std::vector<Name>& names) {
    update_.everywhere = true;
    std::vector<std::pair<std::uint32_t, Process>> given;
    for (const Name& name : names) {
      if (is_new(name)) {
        update_.bound.push_back(terms_.bind_process(name));
      } else {
        const bool repeated = std::ranges::any_of(update_.bound, [&](std::uint32_t bound) {
          return name.text[0] != '#' && terms_.process(name) == Process{.index = bound};
        });
        if (repeated) fail(name.position, fmt::format("a second process named '{}'", shortened(name.text)));
        update_.bound.push_back(terms_.bind_nameless());
        given.emplace_back(update_.bound.back(), terms_.process(name));
      }
    }
    if (!given.empty()) keep_others(given);
  }

  void keep_others(const std::vector<std::pair<std::uint32_t, Process>>& given) {
    Formula elsewhere{.kind = FormulaKind::kOr, .position = update_.position};
    for (const auto& [bound, process] : given) {
      Formula different{
          .kind = FormulaKind::kCompare, .comparison = Comparison::kDifferent, .position = update_.position};
      for (const Process side : {Process{.index = bound}, process})
        different.terms.push_back({.kind = TermKind::kProcess,
                                   .sort = kProcessSort,
                                   .process = side,
                                   .position = update_.position});
      elsewhere.operands.push_back(std::move(different));
    }
    if (elsewhere.operands.size() == 1) {
      Formula only = std::move(elsewhere.operands[0]);
      elsewhere = std::move(only);
    }
    update_.cases.push_back({.guard = std::move(elsewhere), .value = itself()});
  }

  Term itself() const {
    std::vector<Process> arguments = update_.arguments;
    for (const std::uint32_t bound : update_.bound) arguments.push_back({.index = bound});
    return terms_.cell(update_.symbol, std::move(arguments), update_.position);
  }

  void resolve_cases() {
    for (const CaseSyntax& one : syntax_.cases) {
      UpdateCase& added = update_.cases.emplace_back();
      added.guard.position = update_.position;
      if (one.guard) added.guard = formulas_.formula(*one.guard);
      if (one.value) added.value = terms_.value_for(update_.symbol, *one.value);
    }
    if (update_.cases.back().guard.kind != FormulaKind::kTrue)
      update_.cases.push_back({.guard = {.position = update_.position}, .value = itself()});
  }

  const UpdateSyntax& syntax_;
  TermResolver& terms_;
  FormulaResolver& formulas_;
  Update update_;
};

// Are these different whatever the parameters are?
bool surely_different(Process a, Process b) { return a.constant == b.constant && a.index != b.index; }

bool may_overlap(const Update& a, const Update& b) {
  if (a.symbol != b.symbol) return false;
  if (a.everywhere || b.everywhere) return true;
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    if (surely_different(a.arguments[i], b.arguments[i])) return false;
  return true;
}

void check_overlap(const std::vector<Update>& updates, const ArraySystem& system) {
  for (std::size_t i = 0; i < updates.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (may_overlap(updates[j], updates[i]))
        fail(updates[i].position,
             fmt::format("'{}' is changed twice", shortened(system.symbol(updates[i].symbol).name)),
             "all updates of a transition happen at once; put them into one 'case'");
}

}  // namespace

std::vector<Update> resolve_updates(const std::vector<UpdateSyntax>& syntax, const ArraySystem& system,
                                    TermResolver& terms, FormulaResolver& formulas) {
  std::vector<Update> result;
  for (const UpdateSyntax& update : syntax)
    result.push_back(UpdateResolver(update, terms, formulas).resolve());
  check_overlap(result, system);
  return result;
}

}  // namespace weir::cub
