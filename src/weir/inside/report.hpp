// What the reports about an answer are made of, when somebody asks for one.
#pragma once

#include <string>

#include "report/answer_report.hpp"
#include "trace/replay_file.hpp"
#include "weir/answer.hpp"

namespace weir::v1 {

struct Answer::Report {
  virtual ~Report() = default;

  virtual std::string json() const = 0;
  virtual std::string text() const = 0;
  virtual std::string page() const = 0;
  virtual std::string replay_file() const;  // fails if there is no execution

  RunInfo run;
};

// How reports look: nobody knows where they are read.
inline const Presentation kPlain = {};

// Known to reproduce the violation: it was read again and replayed.
std::string replay_text(const weir::Program& program, const Witness& witness, const CSources& sources);

}  // namespace weir::v1
