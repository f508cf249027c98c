#include "engine/consistency/support/generator.hpp"

#include <fmt/format.h>

#include "engine/consistency/support/buffer_machine.hpp"

namespace weir::consistency::test {

namespace {

using Random = std::mt19937_64;

unsigned below(Random& random, unsigned bound) { return static_cast<unsigned>(random() % bound); }
bool chance(Random& random, unsigned percent) { return below(random, 100) < percent; }

struct RandomEvent {
  EventKind kind;
  unsigned variable;
};
using RandomProgram = std::vector<std::vector<RandomEvent>>;

EventKind random_kind(Random& random, const Shape& shape) {
  unsigned roll = below(random, 100);
  const std::pair<unsigned, EventKind> parts[] = {{shape.updates, EventKind::kUpdate},
                                                  {shape.fences, EventKind::kFence},
                                                  {shape.store_fences, EventKind::kStoreFence},
                                                  {shape.writes, EventKind::kWrite}};
  for (const auto& [share, kind] : parts) {
    if (roll < share) return kind;
    roll -= share;
  }
  return EventKind::kRead;
}

RandomProgram random_program(Random& random, const Shape& shape) {
  RandomProgram program(shape.threads);
  for (auto& thread : program) {
    const unsigned length = 1 + (chance(random, 70) ? shape.events - 1 : below(random, shape.events));
    for (unsigned i = 0; i < length; ++i)
      thread.push_back({random_kind(random, shape), below(random, shape.variables)});
  }
  return program;
}

Instance build(const RandomProgram& program) {
  Instance instance;
  for (const auto& thread : program) {
    instance.add_thread();
    for (const auto& [kind, variable] : thread)
      instance.add(kind, reads(kind) || writes(kind) ? VariableId(variable) : VariableId::none());
  }
  return instance;
}

// The event that each read saw in a random run.
std::vector<int> run(Random& random, const Instance& instance, const Shape& shape, Model model) {
  std::vector<int> seen(instance.events(), -1);
  MachineState state = initial_state(instance);
  while (true) {
    auto steps = possible_steps(instance, model, state);
    if (steps.empty()) return seen;
    const bool commit = chance(random, shape.early_commits);
    std::vector<MachineStep*> wanted;
    for (MachineStep& step : steps)
      if (step.step.commit == commit) wanted.push_back(&step);
    MachineStep& step = wanted.empty() ? steps[below(random, static_cast<unsigned>(steps.size()))]
                                       : *wanted[below(random, static_cast<unsigned>(wanted.size()))];
    if (step.read) seen[step.step.event.index()] = *step.read;
    state = std::move(step.after);
  }
}

// Any write to the variable, or the initial one.
int random_source(Random& random, const Instance& instance, std::size_t read) {
  std::vector<int> candidates{-1};
  for (std::size_t e = 0; e < instance.events(); ++e)
    if (e != read && writes(instance.event(EventId(e)).kind) &&
        instance.event(EventId(e)).variable == instance.event(EventId(read)).variable)
      candidates.push_back(static_cast<int>(e));
  return candidates[below(random, static_cast<unsigned>(candidates.size()))];
}

EventId as_source(int event) { return event < 0 ? kInitialWrite : EventId(static_cast<std::size_t>(event)); }

}  // namespace

Shape shape_for(std::uint64_t seed) {
  Random random(seed * 77 + 5);
  Shape shape;
  shape.threads = 2 + below(random, 3);
  shape.variables = 1 + below(random, 3);
  shape.events = shape.threads == 4   ? 3 + below(random, 2)
                 : shape.threads == 3 ? 3 + below(random, 3)
                                      : 4 + below(random, 4);
  shape.updates = chance(random, 50) ? below(random, 30) : 0;
  shape.fences = chance(random, 60) ? below(random, 25) : 0;
  shape.store_fences = chance(random, 40) ? below(random, 30) : 0;
  shape.writes = 25 + below(random, 20);
  shape.early_commits = below(random, 100);
  shape.redirected = chance(random, 60) ? 1 + below(random, 2) : 0;
  return shape;
}

Instance random_instance(std::uint64_t seed, const Shape& shape, Model model) {
  Random random(seed);
  Instance instance = build(random_program(random, shape));
  std::vector<int> sources = run(random, instance, shape, model);
  std::vector<std::size_t> all_reads;
  for (std::size_t e = 0; e < instance.events(); ++e)
    if (reads(instance.event(EventId(e)).kind)) all_reads.push_back(e);
  for (unsigned i = 0; i < shape.redirected && !all_reads.empty(); ++i) {
    const std::size_t read = all_reads[below(random, static_cast<unsigned>(all_reads.size()))];
    sources[read] = random_source(random, instance, read);
  }
  for (const std::size_t read : all_reads) {
    instance.add_source(EventId(read), as_source(sources[read]));
    while (chance(random, shape.more_sources))
      instance.add_source(EventId(read), as_source(random_source(random, instance, read)));
  }
  return instance;
}

std::string describe(const Instance& instance) {
  std::string out;
  for (std::size_t t = 0; t < instance.threads(); ++t) {
    out += fmt::format("  thread {}:", t);
    for (std::uint32_t e = instance.begin(t); e < instance.end(t); ++e) {
      const auto& event = instance.event(EventId(e));
      constexpr const char* kNames[] = {"read", "write", "update", "fence", "store-fence"};
      out += fmt::format("  {}:{}", e, kNames[static_cast<int>(event.kind)]);
      if (event.variable) out += fmt::format("({})", event.variable.index());
      if (!reads(event.kind)) continue;
      out += "<-";
      instance.for_each_source(EventId(e), [&](EventId write) {
        out += write == kInitialWrite ? "init " : fmt::format("{} ", write.index());
      });
    }
    out += "\n";
  }
  return out;
}

bool without(const Instance& instance, EventId removed, Instance& smaller) {
  smaller.clear();
  const auto renamed = [&](EventId id) {
    return id == kInitialWrite || id.index() < removed.index() ? id : EventId(id.index() - 1u);
  };
  for (std::size_t t = 0; t < instance.threads(); ++t) {
    smaller.add_thread();
    for (std::uint32_t e = instance.begin(t); e < instance.end(t); ++e)
      if (EventId(e) != removed)
        smaller.add(instance.event(EventId(e)).kind, instance.event(EventId(e)).variable);
  }
  bool read = false;
  for (std::size_t e = 0; e < instance.events(); ++e) {
    if (EventId(e) == removed || !reads(instance.event(EventId(e)).kind)) continue;
    instance.for_each_source(EventId(e), [&](EventId write) {
      if (write == removed)
        read = true;
      else
        smaller.add_source(renamed(EventId(e)), renamed(write));
    });
  }
  return !read;
}

}  // namespace weir::consistency::test
