// The cheapest fences: those found are enough and each is needed, as other searches and the reference machine
// confirm, and the text with the fences in it was itself checked.
#pragma once

#include <string>
#include <vector>

#include "base/context.hpp"
#include "engine/robust/fences/fence.hpp"
#include "verify/load.hpp"
#include "verify/properties.hpp"
#include "verify/question.hpp"

namespace weir::verify {

struct FenceQuestion {
  FencePurpose purpose = FencePurpose::kRobustness;
  Model model = Model::kTso;
  RobustOptions robust;
  std::string cost = "size";        // see fence_costs.hpp
  std::size_t alternatives = 0;     // other sets of the same cost to look for
  PropertyRequest properties = {};  // that were added to the program, and hold for the changed text, too
  bool changes = true;              // to the text are wanted
  std::optional<std::uint32_t> copies = {};  // of each thread; none: the program as it is
  bool any_number = false;                   // of copies: only for robustness
};

struct FenceResult {
  FenceAnswer answer;
  FenceOptions options;            // as they were placed
  std::vector<FileEdits> changes;  // to the user's files, checked
  bool no_changes = false;         // there are fences, but nobody knows how to write them
  bool under_sc = false;           // impossible: the witness is an execution under SC
};

// `loaded` comes from the source. An error is about the costs.
Expected<FenceResult> place_fences(const Source& source, const Loaded& loaded, const FenceQuestion& question,
                                   Context& context);

}  // namespace weir::verify
