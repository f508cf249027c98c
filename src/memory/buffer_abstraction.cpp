#include "memory/buffer_abstraction.hpp"

#include <charconv>
#include <fmt/format.h>

#include "base/error.hpp"
#include "program/ordering.hpp"

namespace weir {

std::optional<BufferAbstraction> parse_abstraction(std::string_view text) {
  if (text == "set") return kSetAbstraction;
  if (text == "multiset") return kMultisetAbstraction;
  std::uint32_t queue = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), queue);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return partial_coherence_with(queue);
}

std::string name(const BufferAbstraction& abstraction) {
  if (abstraction == kMultisetAbstraction) return "multiset";
  return abstraction == kSetAbstraction ? "set" : std::to_string(abstraction.queue);
}

std::string describe(const BufferAbstraction& abstraction) {
  if (abstraction == kMultisetAbstraction) return "the multiset of buffered stores";
  if (abstraction == kSetAbstraction) return "the set of buffered stores";
  if (abstraction.queue == 1) return "the first buffered store and the set of the others";
  return fmt::format("the first {} buffered stores and the set of the others", abstraction.queue);
}

std::unique_ptr<const BufferRules> buffer_rules(Model model,
                                                const std::optional<BufferAbstraction>& abstraction,
                                                ShareBytes share) {
  if (!abstraction) return reorders_stores(model) ? partial_order(std::move(share)) : total_order();
  WEIR_CHECK(model == Model::kTso, "the abstractions are of TSO");
  if (*abstraction == kMultisetAbstraction) return multiset();
  return partial_coherence(abstraction->queue);
}

}  // namespace weir
