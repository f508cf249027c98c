#include "program/model.hpp"

namespace weir {

std::span<const Model> all_models() {
  static constexpr Model kModels[] = {Model::kSc, Model::kTso, Model::kPso};
  return kModels;
}

const char* name(Model model) {
  switch (model) {
    case Model::kSc: return "sc";
    case Model::kTso: return "tso";
    case Model::kPso: return "pso";
  }
  return "?";
}

std::optional<Model> parse_model(std::string_view text) {
  for (const Model model : all_models())
    if (text == name(model)) return model;
  return std::nullopt;
}

std::string model_names(std::string_view separator) { return model_names(separator, separator); }

std::string model_names(std::string_view separator, std::string_view before_last) {
  const std::span<const Model> models = all_models();
  std::string out = name(models.front());
  for (const Model model : models.subspan(1)) {
    out += model == models.back() ? before_last : separator;
    out += name(model);
  }
  return out;
}

}  // namespace weir
