#include "verify/fences/fences.hpp"

#include <chrono>
#include <numeric>

#include "base/error.hpp"
#include "engine/explicit/explicit.hpp"
#include "engine/robust/parameterized.hpp"
#include "frontend/c/fence_edits.hpp"
#include "program/fences.hpp"
#include "program/instances.hpp"
#include "verify/confirmation.hpp"
#include "verify/fences/fence_costs.hpp"

namespace weir::verify {

namespace {

constexpr std::uint32_t kComparedThreads = 4;
constexpr std::chrono::milliseconds kInstancesBudget(5000);

// Every way to have so many threads in total, of any templates.
std::vector<std::vector<std::uint32_t>> instances_of(const Program& program, std::uint32_t total) {
  std::vector<std::vector<std::uint32_t>> partial = {{}};
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const std::vector<std::uint32_t>& counts : partial) {
      const std::uint32_t left = total - std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
      const bool last = t + 1 == program.threads.size();
      for (std::uint32_t count = last ? left : 0; count <= left; ++count) {
        longer.push_back(counts);
        longer.back().push_back(count);
      }
    }
    partial = std::move(longer);
  }
  return partial;
}

class Fencing {
 public:
  Fencing(const Source& source, const Loaded& loaded, const FenceQuestion& question, FenceOptions options,
          Context& context)
      : source_(source), loaded_(loaded), question_(question), context_(context) {
    result_.options = std::move(options);
  }

  FenceResult run() {
    FenceAnswer& answer = result_.answer;
    answer = weir::place_fences(program(), options(), context_);
    if (answer.verdict == FenceVerdict::kImpossible) explain_impossible();
    if (answer.verdict != FenceVerdict::kFound) return std::move(result_);
    for (const FenceNeed& need : answer.needs) confirm(need.program, need.witness);
    const Program fenced = with_fences(program(), all_at_places(options(), answer.fences));
    if (options().any_number) compare_with_instances(fenced);
    if (require(fenced, "the fences found are not enough") && question_.changes) change_text();
    return std::move(result_);
  }

 private:
  enum class Outcome : std::uint8_t { kGood, kBad, kUnknown };

  const Program& program() const { return loaded_.program; }
  const FenceOptions& options() const { return result_.options; }
  const std::vector<LocationId>& fences() const { return result_.answer.fences; }

  // Is the program, or its instances, what the fences should make of it?
  Outcome check(const Program& fenced) const {
    if (options().any_number) return outcome(check_robust_any(fenced, options().robust, context_).verdict);
    const Program copies = instance(fenced, options());
    if (options().purpose == FencePurpose::kSafety) {
      const Verdict verdict = check_explicit(copies, explicit_options(options().model), context_).verdict;
      return verdict == Verdict::kSafe     ? Outcome::kGood
             : verdict == Verdict::kUnsafe ? Outcome::kBad
                                           : Outcome::kUnknown;
    }
    return outcome(check_robust(copies, options().robust, context_).verdict);
  }

  static Outcome outcome(RobustVerdict verdict) {
    return verdict == RobustVerdict::kRobust      ? Outcome::kGood
           : verdict == RobustVerdict::kNotRobust ? Outcome::kBad
                                                  : Outcome::kUnknown;
  }

  // The net that decides for any number knows nothing of the search that decides for given threads: what it
  // says is compared with that for up to four threads, as far as there is time. An instance contains those
  // with fewer copies, whose other threads need not run.
  void compare_with_instances(const Program& fenced) const {
    Context context(context_, {.timeout = kInstancesBudget, .memory_bytes = {}});
    for (const std::vector<std::uint32_t>& counts : instances_of(fenced, kComparedThreads)) {
      if (context.stopped()) return;
      const Program copies = with_instances(fenced, counts);
      if (check_robust(copies, options().robust, context).verdict == RobustVerdict::kNotRobust)
        throw InternalError("the fences for any number of threads are not enough for a few");
    }
  }

  ExplicitOptions explicit_options(Model model) const {
    ExplicitOptions search{.model = model};
    search.local_steps = options().robust.local_steps;
    search.values = options().robust.values;
    return search;
  }

  // False if there was no time to see it; then there is no answer either.
  bool require(const Program& fenced, const char* otherwise) {
    const Outcome outcome = check(fenced);
    if (outcome == Outcome::kBad) throw InternalError(otherwise);
    if (outcome == Outcome::kGood) return true;
    result_.answer = {
        .verdict = FenceVerdict::kUnknown,
        .reason = context_.stopped() ? describe(context_.stop_reason()) : "the fences could not be checked",
        .statistics = result_.answer.statistics};
    return false;
  }

  void change_text() {
    if (loaded_.language->fence_edits != nullptr) return change_one_text();
    if (fences().empty()) return;
    if (loaded_.language->compiled()) change_compiled_files();
    result_.no_changes = result_.changes.empty();
  }

  Program changed(const std::vector<FileEdits>& changes) const {
    auto fenced = load_changed(source_, changes, context_);
    if (!fenced)
      throw InternalError("the text with fences cannot be read: " +
                          render(fenced.error().diagnostics.front(), fenced.error().sources));
    if (add_properties(*fenced, question_.properties))
      throw InternalError("the text with fences lacks a place");
    return std::move(*fenced);
  }

  // One of the two fences of a loop is left out where the other will do.
  void change_one_text() {
    const Language& language = *loaded_.language;
    const auto edits = [&](const std::vector<LoopFences>& loops) -> std::vector<FileEdits> {
      return {{source_.files.front(), loaded_.text,
               language.fence_edits(program(), loaded_.text, fences(), loops)}};
    };
    std::vector<LoopFences> loops;
    if (language.loop_fences != nullptr) loops = language.loop_fences(program(), loaded_.text, fences());
    if (!require(changed(edits(loops)), "the fences are not enough in the text that has them")) return;
    for (LoopFences& loop : loops)
      for (bool LoopFences::*const one : {&LoopFences::inside, &LoopFences::before}) {
        loop.*one = false;
        if (check(changed(edits(loops))) == Outcome::kGood) break;
        loop.*one = true;
      }
    result_.changes = edits(loops);
  }

  // The first way to write them that does what it should; tokens and brackets do not tell.
  void change_compiled_files() {
    for (const CFenceForm form : {CFenceForm::kStatement, CFenceForm::kCondition}) {
      const auto edits = c_fence_edits(program(), fences(), form);
      if (!edits) continue;
      std::vector<FileEdits> files;
      for (const auto& [id, changes] : *edits) {
        const SourceFile& file = program().sources.file(id);
        files.push_back({file.path, file.text, changes});
      }
      auto fenced = load_changed(source_, files, context_);
      if (!fenced) continue;
      add_properties(*fenced, question_.properties);
      if (check(*fenced) != Outcome::kGood) continue;
      result_.changes = std::move(files);
      return;
    }
  }

  // A violation that exists under SC is shown there. Otherwise the witness may be one of a program with some
  // fences already in it; without them it is still an execution.
  void explain_impossible() {
    std::optional<Witness>& witness = result_.answer.witness;
    const Program& where = result_.answer.instance;
    if (witness && options().purpose == FencePurpose::kSafety) {
      const Answer sc = check_explicit(where, explicit_options(Model::kSc), context_);
      result_.under_sc = sc.verdict == Verdict::kUnsafe;
      if (result_.under_sc) witness = sc.witness;
    }
    if (!witness) return;
    std::erase_if(witness->steps, [&](const WitnessStep& step) {
      return step.edge && step.edge.index() >= where.edges.size();
    });
    witness = confirmed(where, *witness, context_);
  }

  const Source& source_;
  const Loaded& loaded_;
  const FenceQuestion& question_;
  Context& context_;
  FenceResult result_;
};

}  // namespace

Expected<FenceResult> place_fences(const Source& source, const Loaded& loaded, const FenceQuestion& question,
                                   Context& context) {
  FenceOptions options{.purpose = question.purpose, .robust = question.robust, .model = question.model};
  options.copies = question.copies;
  options.any_number = question.any_number;
  auto costs = fence_costs(loaded, question.cost, options, context);
  if (!costs) return std::move(costs.error());
  options.cost = std::move(costs->per_location);
  options.cost_basis = std::move(costs->basis);
  if (loaded.language->fence_places != nullptr) options.place = loaded.language->fence_places(loaded.program);
  options.alternatives = question.alternatives;
  return Fencing(source, loaded, question, std::move(options), context).run();
}

}  // namespace weir::verify
