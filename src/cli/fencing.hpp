// Fences and the user's file: where its language can say one, what the user wants one to cost, and the text
// with fences in it.
#pragma once

#include <string>
#include <vector>

#include "cli/loading.hpp"
#include "frontend/imp/fence_edits.hpp"
#include "program/text/edit.hpp"

namespace weir::cli {

// Per location, from --cost; infinite where the language cannot say a fence.
Expected<std::vector<double>> fence_costs(const Program& program, Format format, const std::string& text,
                                          const Settings& settings);

// Which locations are one place of the text (see FenceOptions::place); empty if each has its own. C code that
// is inlined stands once in the text and several times in the program.
std::vector<LocationId> fence_places(const Program& program, Format format);

// Those fences that are two in the text to mean the same: one before a loop, and one inside.
std::vector<LoopFences> loop_fences(const Program& program, Format format, const std::string& text,
                                    const std::vector<LocationId>& fences);

// What to change in the text to put these fences in. Not for C programs.
std::vector<TextEdit> fence_edits(const Program& program, Format format, const std::string& text,
                                  const std::vector<LocationId>& fences,
                                  const std::vector<LoopFences>& loops);

}  // namespace weir::cli
