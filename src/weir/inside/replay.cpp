#include "verify/replay.hpp"

#include "base/file.hpp"
#include "weir/inside/check_answer.hpp"
#include "weir/inside/echo.hpp"

namespace weir::v1 {

namespace {

CheckAnswer ask(const Input& input, const ReplayOptions& options, Call& call) {
  ReplayFile file = unwrap(read_replay(input.name, input.text ? *input.text : unwrap(read_file(input.name))));
  auto report = std::make_shared<CheckReport>();
  report->answer = unwrap(verify::replay_again(file, input.name));
  report->run = run_info("replay", input, file.witness.model, options.run);
  report->program = std::move(file.program);
  report->sources = std::move(file.c_sources);
  CheckAnswer answer;
  answer_check(answer, answer.execution, std::move(report), call);
  return answer;
}

}  // namespace

Result<CheckAnswer> replay(const Input& file, const ReplayOptions& options) {
  return answered(options.run, [&](Call& call) { return ask(file, options, call); });
}

}  // namespace weir::v1
