// The code of one thread in RMM: a label for every location, and `goto`s.
#pragma once

#include <map>
#include <string>

#include "frontend/rmm/printer_names.hpp"
#include "program/analysis/liveness.hpp"

namespace weir::rmm {

struct PrintedProcess {
  std::string text;                          // behind "process"
  std::map<LocationId, std::string> labels;  // of the locations that it can reach
  std::string failed;                        // the label behind a failed assertion; empty if it has none
  std::string never;                         // a label that is never reached
};

PrintedProcess print_process(const Program& program, ThreadId thread, const CellNames& cells,
                             const LiveRegisters& live, Problems& problems);

}  // namespace weir::rmm
