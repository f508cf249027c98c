#include "frontend/imp/recover_names.hpp"

#include <cctype>
#include <fmt/format.h>

#include "frontend/imp/lexer.hpp"

namespace weir::imp {

namespace {

// "flag[0]" becomes "flag_0", "$0" becomes "t0".
std::string as_name(std::string_view wanted) {
  if (wanted.starts_with('$')) return "t" + as_name(wanted.substr(1)).substr(1);
  std::string name;
  for (const char c : wanted) {
    const bool ok = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
    if (ok || (!name.empty() && name.back() != '_')) name += ok ? c : '_';
  }
  if (wanted.size() > name.size() || !is_name(wanted))
    while (name.size() > 1 && name.back() == '_') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "v" + name;
  return is_keyword(name) || name == kOwnNumber ? name + "_" : name;
}

bool is_add(const Expression& e) { return e.op == ExprOp::kAdd && e.type == kInt64; }

// `constant + index` in either order.
struct Indexed {
  Value base = 0;
  ExprId index;
};

std::optional<Indexed> indexed(const Program& program, ExprId address) {
  const Expression& e = program.expression(address);
  if (e.op == ExprOp::kConstant) return Indexed{e.constant, ExprId::none()};
  if (!is_add(e)) return std::nullopt;
  const Expression& a = program.expression(e.a);
  const Expression& b = program.expression(e.b);
  if (a.op == ExprOp::kConstant) return Indexed{a.constant, e.b};
  if (b.op == ExprOp::kConstant) return Indexed{b.constant, e.a};
  return std::nullopt;
}

}  // namespace

std::string NamePool::unique(const std::string& base) {
  std::string name = base;
  for (int i = 1; !taken_.insert(name).second; ++i) name = fmt::format("{}_{}", base, i);
  return name;
}

std::string NamePool::name(std::string_view wanted) { return unique(as_name(wanted)); }

std::string NamePool::label(std::string_view wanted) {
  return unique(is_number(wanted) || is_name(wanted) ? std::string(wanted) : as_name(wanted));
}

VariableNames::VariableNames(const Program& program) : program_(program) {
  for (const SharedObject& object : program.objects) {
    objects_.push_back(
        pool_.name(object.name.starts_with('[') ? fmt::format("m{}", object.base) : object.name));
    is_array_.push_back(object.initial.size() > 1);
  }
  for (const Edge& edge : program.edges) {
    const Opcode op = edge.instruction.op;
    if (op == Opcode::kLoad || op == Opcode::kStore || op == Opcode::kRmw) visit_access(edge.instruction.a);
  }
  for (auto& [address, name] : loose_) name = pool_.name(fmt::format("m{}", address));
}

void VariableNames::visit_access(ExprId address) {
  const auto access = indexed(program_, address);
  if (!access) return;
  const auto object = program_.object_at(access->base);
  if (!object && program_.open_memory && !access->index) loose_.emplace(access->base, "");
  if (object && access->index) is_array_[object->index()] = true;
}

std::optional<SharedVariable> VariableNames::find(ExprId address) const {
  const auto access = indexed(program_, address);
  if (!access) return std::nullopt;
  const auto object = program_.object_at(access->base);
  if (object && (!access->index || !program_.open_memory))
    return SharedVariable{objects_[object->index()], is_array_[object->index()],
                          access->base - program_.object(*object).base, access->index};
  const auto loose = loose_.find(access->base);
  if (access->index || loose == loose_.end()) return std::nullopt;
  return SharedVariable{.name = loose->second};
}

std::vector<Variable> VariableNames::declarations() const {
  std::vector<Variable> variables;
  for (std::size_t i = 0; i < objects_.size(); ++i)
    variables.push_back({{objects_[i], {}}, is_array_[i], program_.objects[i].initial});
  for (const auto& [address, name] : loose_) variables.push_back({{name, {}}, false, {0}});
  return variables;
}

}  // namespace weir::imp
