#include "frontend/rmm/variables.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace weir::rmm {

namespace {

constexpr Value kSpacing = Value{1} << 32;  // between variables of processes
constexpr std::size_t kMostThreads = 1000;

const Declaration* find(const std::vector<Declaration>& declarations, const std::string& name) {
  const auto found =
      std::ranges::find_if(declarations, [&](const Declaration& d) { return d.name.text == name; });
  return found == declarations.end() ? nullptr : &*found;
}

}  // namespace

Variables::Variables(const ProgramSyntax& syntax, Program& program) : syntax_(syntax) {
  number_threads();
  find_locals();
  for (const Process& process : syntax_.processes) find_shared(process.body);
  add_globals(program);
  add_shared(program);
}

void Variables::number_threads() {
  for (std::size_t p = 0; p < syntax_.processes.size(); ++p) {
    first_thread_.push_back(process_of_.size());
    process_of_.insert(process_of_.end(), syntax_.processes[p].copies, p);
    if (process_of_.size() > kMostThreads)
      fail(syntax_.processes[p].position, fmt::format("a program has at most {} processes", kMostThreads));
  }
}

void Variables::find_locals() {
  for (const Process& process : syntax_.processes)
    for (const Declaration& declaration : process.data)
      local_.emplace(declaration.name.text, declaration.name.position);
}

// Nesting is bounded by the parser.
void Variables::find_shared(const std::vector<Statement>& statements) {
  for (const Statement& statement : statements) {
    const Place& place = statement.place;
    if (place.kind == Place::Kind::kOther && is_local(place.name.text)) base_.try_emplace(place.name.text);
    for (const auto& branch : statement.branches) find_shared(branch);
  }
}

void Variables::add_globals(Program& program) {
  for (const Declaration& declaration : syntax_.data) {
    const auto address = static_cast<Value>(global_.size());
    global_.emplace(declaration.name.text, address);
    program.objects.push_back({.name = declaration.name.text,
                               .base = address,
                               .initial = {declaration.initial.value_or(0)},
                               .position = declaration.name.position});
    if (!declaration.initial) arbitrary_.push_back({address, &declaration});
  }
  next_base_ = kSpacing;
}

void Variables::add_shared(Program& program) {
  for (auto& [name, base] : base_) {
    base = next_base_;
    next_base_ += kSpacing;
    SharedObject object{.name = name, .base = base, .position = local_.at(name)};
    for (std::size_t thread = 0; thread < thread_count(); ++thread) {
      const Declaration* own = declaration(name, thread);
      object.initial.push_back(own != nullptr ? own->initial.value_or(0) : 0);
      if (own != nullptr && !own->initial) arbitrary_.push_back({base + static_cast<Value>(thread), own});
    }
    program.objects.push_back(std::move(object));
  }
}

std::optional<Value> Variables::global(const std::string& name) const {
  const auto found = global_.find(name);
  return found == global_.end() ? std::nullopt : std::optional(found->second);
}

const Declaration* Variables::declaration(const std::string& name, std::size_t thread) const {
  return find(syntax_.processes[process_of_[thread]].data, name);
}

}  // namespace weir::rmm
