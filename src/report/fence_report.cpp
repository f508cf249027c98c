#include "report/fence_report.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "report/again.hpp"
#include "report/execution/cycle.hpp"
#include "report/execution/explanation.hpp"
#include "report/execution/story.hpp"
#include "report/json/parts.hpp"
#include "report/robust_report.hpp"
#include "report/scope.hpp"
#include "report/text/parts.hpp"

namespace weir {

namespace {

bool for_safety(const FenceReport& report) { return report.options.purpose == FencePurpose::kSafety; }
bool triangular(const FenceReport& report) {
  return report.options.robust.notion == RobustnessNotion::kTriangular;
}

// "against tso", "under pso"
std::string about(const FenceReport& report) {
  return for_safety(report) ? fmt::format("under {}", name(report.options.model)) : "against tso";
}

std::string effect(const FenceReport& report, bool several) {
  if (!for_safety(report) && triangular(report))
    return several ? "leave no triangular race" : "leaves no triangular race";
  return fmt::format("{} it {} {}", several ? "make" : "makes", for_safety(report) ? "safe" : "robust",
                     about(report));
}

// ", for any number of threads"; empty for the program as it is.
std::string extent(const FenceReport& report) {
  if (report.options.any_number) return ", for any number of threads";
  if (!report.options.copies) return "";
  const std::uint32_t copies = *report.options.copies;
  return fmt::format(", with {} {} of each thread", copies, copies == 1 ? "copy" : "copies");
}

// Code that stands several times in the source needs a fence in each copy.
std::size_t fence_count(const FenceReport& report) {
  std::size_t count = 0;
  for (const LocationId fence : report.answer.fences)
    count += report.program.function(report.program.location(fence).function).copies;
  return count;
}

std::string found_line(const FenceReport& report, const Presentation& presentation) {
  const std::size_t count = fence_count(report);
  const char* const head = for_safety(report) ? "SAFE" : "ROBUST";
  if (count == 0)
    return fmt::format("{} {}{}: no fence is needed\n", tinted(head, Tint::kGood, presentation),
                       about(report), extent(report));
  const std::string fences = tinted(count_text(count, "fence"), Tint::kGood, presentation);
  return fmt::format("{} {}{} (cost {:g})\n", fences, effect(report, count > 1), extent(report),
                     report.answer.cost);
}

// The names of the threads that pass the location; of the function where none has it as its outermost.
std::vector<std::string> threads_at(const Program& program, LocationId at) {
  std::vector<std::string> names;
  const FunctionId function = program.location(at).function;
  for (const Thread& thread : program.threads)
    if (thread.function == function) names.push_back(thread.name);
  if (names.empty()) names.push_back(program.function(function).name);
  return names;
}

// The same place in the code of another thread with the same text; not known if that is laid out differently.
SourcePosition same_place(const Program& program, SourcePosition position, const Thread& first,
                          const Thread& other) {
  const SourceFile& file = program.sources.file(position.file);
  const std::uint32_t line = position.line - first.position.line + other.position.line;
  if (line == 0 || file.line(line) != file.line(position.line)) return {};
  return {position.file, line, position.column};
}

// What stands behind the fence: the statement that starts here, or the first instruction.
SourcePosition position_behind(const Program& program, LocationId at) {
  const Location& location = program.location(at);
  if (location.edges.empty()) return location.position;
  const SourcePosition first = program.edge(location.edges[0]).position;
  return location.position.line == first.line ? location.position : first;
}

std::string place_text(const Program& program, LocationId at) {
  const std::vector<std::string> threads = threads_at(program, at);
  const SourcePosition position = position_behind(program, at);
  const bool named = !program.location(at).label.empty() || !position.known();
  return fmt::format("{} {} {}", printable(fmt::format("{}", fmt::join(threads, ", "))),
                     named ? "at" : "in line",
                     named ? printable(program.location_name(at)) : std::to_string(position.line));
}

// "with threads P, P.2 and Q: "; empty if all know how many there are.
std::string instance_text(const FenceReport& report, const FenceNeed& need) {
  if (!report.options.any_number) return "";
  std::string names;
  for (std::size_t t = 0; t < need.program.threads.size(); ++t) {
    if (t > 0) names += t + 1 < need.program.threads.size() ? ", " : " and ";
    names += need.program.threads[t].name;
  }
  return fmt::format("with threads {}: ", printable(names));
}

// In the words of the program without fences, whose edges have kept their numbers. The first copy of a
// thread has its name.
std::string need_text(const FenceReport& report, const FenceNeed& need) {
  const std::string with = instance_text(report, need);
  auto attack = shown_attack(need.program, need.witness);
  const auto original = [&](EdgeId edge) { return edge.index() < report.program.edges.size(); };
  if (!attack || !original(attack->store) || !original(attack->load))
    return with + violation_text(need.witness.violation);
  const std::vector<Thread>& threads = report.program.threads;
  const std::string& name = need.program.thread(attack->thread).name;
  const auto thread = std::ranges::find(threads, name, &Thread::name);
  if (thread == threads.end()) return with + violation_text(need.witness.violation);
  attack->thread = ThreadId(static_cast<std::size_t>(thread - threads.begin()));
  return with + printable(attack_text(report.program, *attack, report.options.robust.notion));
}

const FenceNeed* need_of(const FenceReport& report, LocationId fence) {
  const auto found = std::ranges::find(report.answer.needs, fence, &FenceNeed::fence);
  return found == report.answer.needs.end() ? nullptr : &*found;
}

std::string one_fence(const FenceReport& report, LocationId fence, const Presentation& presentation) {
  const std::string place = place_text(report.program, fence);
  std::string out = shown({Severity::kNote, fmt::format("a fence before this, in {}", place),
                           position_behind(report.program, fence), ""},
                          report.program.sources, presentation);
  if (const std::string without = without_fence(report, fence); !without.empty())
    out += fmt::format("      = without it, {}\n", without);
  return out;
}

std::string alternatives_text(const FenceReport& report) {
  if (report.answer.alternatives.empty())
    return report.options.alternatives > 0 ? "There is no other set of this cost.\n\n" : "";
  std::string out = "Other sets of the same cost:\n";
  for (const std::vector<LocationId>& fences : report.answer.alternatives) {
    std::vector<std::string> places;
    for (const LocationId fence : fences) places.push_back(place_text(report.program, fence));
    out += fmt::format("  {}\n", fmt::join(places, "; "));
  }
  return out + "\n";
}

std::string impossible_text(const FenceReport& report, const Presentation& presentation) {
  if (!report.answer.witness) return "";
  const Witness& witness = *report.answer.witness;
  std::string out = report.under_sc
                        ? "It happens under sequential consistency, too, so no fence stops it.\n"
                        : "No fence stops it, at least none that the language can say there and the "
                          "costs allow.\n";
  const Program& program = report.answer.instance;
  for (const std::string& sentence : story(program, witness)) out += printable(sentence) + "\n";
  out += fmt::format("\n{}\n", explanation(program, witness, presentation));
  if (witness.violation.kind == ViolationKind::kRobustness)
    out += cycle_text(program, witness, presentation) + "\n";
  return out;
}

// `patch` refuses names that lead out of the folder it is called in, unless they are given to it.
std::string patch_command(const std::string& file) {
  const bool outside = file.starts_with('/') || file.find("..") != std::string::npos;
  return outside ? fmt::format("patch {}", file) : "patch -p0";
}

std::string repeated_options(const FenceReport& report) {
  std::string out;
  if (for_safety(report)) out += "--for safety ";
  const bool by_default = report.options.model == FenceOptions{}.model;
  if (for_safety(report) && !by_default) out += fmt::format("--model {} ", name(report.options.model));
  if (!for_safety(report) && triangular(report)) out += "--triangular ";
  return out;
}

std::string next_step(const FenceReport& report, const RunInfo& run) {
  if (report.patch.empty()) return "";
  if (!report.patch_file.empty())
    return fmt::format("The patch is in {0}. To apply it:  {1} < {0}", printable(report.patch_file),
                       patch_command(printable(run.file)));
  return "To put them in:  " + patch_line(report, run);
}

// Of the program with the fences.
std::string fence_scope_text(const FenceReport& report, const RunInfo& run) {
  const Program checked = instance(report.program, report.options);
  if (!for_safety(report)) return robustness_scope_text(checked, run);
  Answer answer;
  answer.verdict = Verdict::kSafe;
  return scope_text(checked, answer, run);
}

Json place_json(const Program& program, const FencePlace& place) {
  Json out;
  out["thread"] = place.threads.front();
  out["label"] = program.location_name(place.location);
  add_position(out, program, place.position);
  if (place.threads.size() > 1) out["threads"] = place.threads;
  return out;
}

}  // namespace

std::string patch_line(const FenceReport& report, const RunInfo& run) {
  return fmt::format("{} | {}", ask_again(run, "fence", repeated_options(report) + "--patch"),
                     patch_command(printable(run.file)));
}

std::vector<FencePlace> places_of_fence(const Program& program, LocationId fence) {
  const SourcePosition position = position_behind(program, fence);
  const FunctionId function = program.location(fence).function;
  if (program.function(function).copies == 1 || !position.file)
    return {{fence, threads_at(program, fence), position}};
  std::vector<FencePlace> places;
  const Thread* first = nullptr;
  for (const Thread& thread : program.threads) {
    if (thread.function != function) continue;
    if (first == nullptr) first = &thread;
    places.push_back({fence, {thread.name}, same_place(program, position, *first, thread)});
  }
  return places;
}

std::string without_fence(const FenceReport& report, LocationId fence) {
  const FenceNeed* need = need_of(report, fence);
  return need == nullptr ? "" : need_text(report, *need);
}

std::string fence_verdict_line(const FenceReport& report, const Presentation& presentation) {
  switch (report.answer.verdict) {
    case FenceVerdict::kFound: return found_line(report, presentation);
    case FenceVerdict::kImpossible:
      if (report.answer.witness)
        return violation_line(report.answer.witness->violation, report.answer.witness->model, presentation);
      return fmt::format("{}: no fences help\n", tinted("IMPOSSIBLE", Tint::kBad, presentation));
    case FenceVerdict::kUnknown:
      return unknown_line(about(report), report.answer.reason, report.answer.bound, presentation);
  }
  return "";
}

std::string fence_text(const FenceReport& report, const RunInfo& run, const Presentation& presentation) {
  std::string out = fence_verdict_line(report, presentation);
  if (!report.answer.fences.empty()) {
    out.insert(out.size() - 1, ":");
    for (const LocationId fence : report.answer.fences) out += "\n" + one_fence(report, fence, presentation);
    out += "\n" + alternatives_text(report);
    if (!report.options.cost_basis.empty()) out += fmt::format("Costs: {}.\n", report.options.cost_basis);
  }
  if (report.answer.verdict == FenceVerdict::kImpossible) out += impossible_text(report, presentation);
  if (report.answer.verdict == FenceVerdict::kFound) out += fence_scope_text(report, run);
  return out + cost_line(report.answer.statistics, run, presentation) +
         line_unless_empty(next_step(report, run));
}

const char* verdict_name(const FenceReport& report) {
  switch (report.answer.verdict) {
    case FenceVerdict::kFound: return for_safety(report) ? "safe" : "robust";
    case FenceVerdict::kImpossible: return for_safety(report) ? "unsafe" : "not-robust";
    case FenceVerdict::kUnknown: return "unknown";
  }
  return "?";
}

std::optional<SarifResult> fence_result(const FenceReport& report, const std::vector<FileEdits>& changes) {
  const FenceAnswer& answer = report.answer;
  if (answer.witness) return sarif_result(answer.instance, *answer.witness);
  if (answer.fences.empty() || answer.needs.empty()) return std::nullopt;
  SarifResult result = sarif_result(answer.needs.front().program, answer.needs.front().witness);
  std::string sentence = found_line(report, {});
  sentence.pop_back();
  result.message += ": " + sentence;
  result.position = position_behind(report.program, answer.fences.front());
  result.related.clear();
  result.executions.clear();
  for (const LocationId fence : answer.fences) {
    const FenceNeed* need = need_of(report, fence);
    std::string text = fmt::format("a fence before this, in {}", place_text(report.program, fence));
    if (need != nullptr) text += fmt::format("; without it, {}", need_text(report, *need));
    result.related.push_back({position_behind(report.program, fence), std::move(text)});
    if (need != nullptr)
      for (auto& steps : sarif_result(need->program, need->witness).executions)
        result.executions.push_back(std::move(steps));
  }
  if (!changes.empty()) result.fixes.push_back({sentence, changes});
  return result;
}

std::string fence_json(const FenceReport& report, const RunInfo& run, const Presentation& presentation) {
  const FenceAnswer& answer = report.answer;
  const char* const engine = for_safety(report) ? "explicit" : engine_name(report.options.robust.notion);
  Json out = answer_json({engine, verdict_name(report), answer.reason, answer.bound, answer.statistics}, run);
  if (report.options.any_number) out["instances"] = "any";
  if (report.options.copies) out["instances"] = *report.options.copies;
  out["fences"] = Json::array();
  for (const LocationId fence : answer.fences) {
    const std::string without = without_fence(report, fence);
    for (const FencePlace& place : places_of_fence(report.program, fence)) {
      Json& entry = out["fences"].emplace_back(place_json(report.program, place));
      if (!without.empty()) entry["without"] = without;
    }
  }
  out["cost"] = answer.cost;
  if (!report.options.cost_basis.empty()) out["cost_basis"] = report.options.cost_basis;
  out["alternatives"] = Json::array();
  for (const std::vector<LocationId>& fences : answer.alternatives) {
    Json& set = out["alternatives"].emplace_back(Json::array());
    for (const LocationId fence : fences)
      for (const FencePlace& place : places_of_fence(report.program, fence))
        set.push_back(place_json(report.program, place));
  }
  if (answer.verdict == FenceVerdict::kFound) out["patch"] = report.patch;
  if (answer.witness) {
    out["violation"] = violation_json(answer.instance, answer.witness->violation);
    out["witness"] = witness_json(answer.instance, *answer.witness, presentation);
  }
  return dump(out);
}

}  // namespace weir
