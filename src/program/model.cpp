#include "program/model.hpp"

namespace weir {

const char* name(Model model) {
  switch (model) {
    case Model::kSc: return "sc";
    case Model::kTso: return "tso";
    case Model::kPso: return "pso";
  }
  return "?";
}

std::optional<Model> parse_model(std::string_view text) {
  for (const Model model : {Model::kSc, Model::kTso, Model::kPso})
    if (text == name(model)) return model;
  return std::nullopt;
}

}  // namespace weir
