// Phrases that the text reports of several commands have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/statistics.hpp"
#include "report/answer_report.hpp"

namespace weir {

using Bound = std::vector<std::pair<std::string, std::string>>;

// "1 step", "2 steps"
std::string count_text(std::size_t number, std::string_view noun);

// A number of which only the first digits matter: "730", "525 thousand", "4.2 million", "3.1e+12"
std::string rounded_count(double number);

// "UNKNOWN under tso: buffers can grow beyond 4 (reached: buffer 4)"; `about` is "under tso".
std::string unknown_line(std::string_view about, const std::string& reason, const Bound& bound,
                         const Presentation& presentation);

// "mutual exclusion violated: …", also where the violation has no message.
std::string violation_text(const Violation& violation);

// "UNSAFE under tso: …", "NOT ROBUST against tso: …", "RACY against tso: …"
std::string violation_line(const Violation& violation, Model model, const Presentation& presentation);

// "12 states, 34 transitions, 0.01 s, 5 MB", with the end of the line.
std::string cost_line(const Statistics& statistics, const RunInfo& run, const Presentation& presentation);

// "It takes 3 threads, 1 of writer and 2 of reader; with fewer it is robust.", with the end of the line.
std::string threads_line(const ThreadCounts& threads, std::string_view with_fewer);

// "The execution is in w.json.", if it is in a file.
std::string witness_file_line(const RunInfo& run);

// A diagnostic as compilers print it; on a terminal in colours, and with an excerpt that fits.
std::string shown(const Diagnostic& diagnostic, const SourceMap& sources, const Presentation& presentation);

// Nothing at all, or one line.
std::string line_unless_empty(const std::string& text);

}  // namespace weir
