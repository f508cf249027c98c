#include "verify/properties.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "base/nearest_word.hpp"
#include "frontend/imp/invariant.hpp"
#include "program/validate.hpp"

namespace weir::verify {

namespace {

using Places = std::vector<ThreadLocation>;

Diagnostic wrong(std::string message, std::string hint) {
  return {Severity::kError, std::move(message), {}, std::move(hint)};
}

std::string guess_for(std::string_view word, const std::vector<std::string>& candidates) {
  const auto found = nearest_word(word, candidates);
  return found ? fmt::format("did you mean {}?", *found) : "";
}

std::vector<std::string> thread_names(const Program& program) {
  std::vector<std::string> names;
  for (const Thread& thread : program.threads) names.push_back(thread.name);
  return names;
}

std::vector<std::string> labels_of(const Program& program, FunctionId function) {
  std::vector<std::string> labels;
  for (const Location& location : program.locations)
    if (location.function == function && !location.label.empty()) labels.push_back(location.label);
  return labels;
}

Places places_at(const Program& program, ThreadId thread, std::string_view label) {
  Places result;
  for (std::size_t i = 0; i < program.locations.size(); ++i)
    if (program.locations[i].function == program.thread(thread).function &&
        program.locations[i].label == label)
      result.push_back({thread, LocationId(i)});
  return result;
}

// "P0:cs". Names may contain colons themselves, so every colon is tried.
Expected<Places, Diagnostic> thread_places(const Program& program, std::string_view text) {
  std::optional<Diagnostic> closest;
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    const std::string_view label = text.substr(colon + 1);
    const auto thread = program.find_thread(text.substr(0, colon));
    if (!thread) continue;
    Places found = places_at(program, *thread, label);
    if (!found.empty()) return found;
    closest = wrong(fmt::format("thread {} has no state '{}'", program.thread(*thread).name, label),
                    guess_for(label, labels_of(program, program.thread(*thread).function)));
  }
  if (closest) return *closest;
  const std::string_view thread = text.substr(0, text.find(':'));
  return wrong(fmt::format("there is no thread '{}'", thread), guess_for(thread, thread_names(program)));
}

// "cs": that label in every thread that has it.
Expected<Places, Diagnostic> places_everywhere(const Program& program, std::string_view label) {
  Places result;
  std::vector<std::string> labels;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    const Places found = places_at(program, ThreadId(t), label);
    result.insert(result.end(), found.begin(), found.end());
    const auto own = labels_of(program, program.threads[t].function);
    labels.insert(labels.end(), own.begin(), own.end());
  }
  if (!result.empty()) return result;
  return wrong(fmt::format("no thread has a label '{}'", label), guess_for(label, labels));
}

std::optional<Diagnostic> add_to_goal(const Program& program, const std::string& text, Places& goal) {
  if (text.find(':') == std::string::npos)
    return wrong(fmt::format("goal {}: a goal has the form THREAD:STATE", text), "");
  auto places = thread_places(program, text);
  if (!places) return wrong(fmt::format("goal {}: {}", text, places.error().message), places.error().hint);
  goal.insert(goal.end(), places->begin(), places->end());
  return std::nullopt;
}

std::optional<Diagnostic> add_exclusive(Program& program, const std::string& text) {
  Places list;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    std::string_view place = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    while (place.starts_with(' ')) place.remove_prefix(1);
    while (place.ends_with(' ')) place.remove_suffix(1);
    auto found = find_places(program, place);
    if (!found)
      return wrong(fmt::format("exclusive {}: {}", text, found.error().message), found.error().hint);
    list.insert(list.end(), found->begin(), found->end());
  }
  const bool several =
      std::any_of(list.begin(), list.end(), [&](const auto& p) { return p.thread != list[0].thread; });
  if (!several)
    return wrong(fmt::format("exclusive {}: only one thread can be there, so nothing is excluded", text), "");
  program.properties.exclusive.push_back(std::move(list));
  return std::nullopt;
}

std::optional<Diagnostic> add_invariant_text(Program& program, const std::string& text) {
  if (const auto problem = add_invariant(program, text)) {
    std::string shown = render(*problem, program.sources);
    while (shown.ends_with('\n')) shown.pop_back();
    return wrong(fmt::format("invariant \"{}\":\n{}", text, shown), "");
  }
  const auto mistakes = validate(program);
  if (mistakes.empty()) return std::nullopt;
  return wrong(fmt::format("invariant \"{}\": {}", text, mistakes[0].message), mistakes[0].hint);
}

}  // namespace

std::optional<Diagnostic> add_properties(Program& program, const PropertyRequest& request) {
  Places goal;
  for (const std::string& text : request.goal)
    if (auto error = add_to_goal(program, text, goal)) return error;
  if (!goal.empty()) program.properties.goals.push_back(std::move(goal));
  for (const std::string& text : request.exclusive)
    if (auto error = add_exclusive(program, text)) return error;
  for (const std::string& text : request.invariants)
    if (auto error = add_invariant_text(program, text)) return error;
  if (request.deadlock == true) program.properties.deadlock = true;
  if (request.deadlock == false) program.properties.deadlock = program.properties.partial_deadlock = false;
  if (request.races) program.properties.races = true;
  if (request.leaks) program.properties.leaks = true;
  return std::nullopt;
}

Expected<std::vector<ThreadLocation>, Diagnostic> find_places(const Program& program, std::string_view text) {
  const bool names_thread = text.find(':') != std::string_view::npos;
  return names_thread ? thread_places(program, text) : places_everywhere(program, text);
}

bool states_a_property(const Program& program) {
  const Properties& properties = program.properties;
  return !properties.goals.empty() || !properties.exclusive.empty() || !properties.invariants.empty() ||
         properties.deadlock || properties.races || properties.leaks ||
         std::any_of(program.edges.begin(), program.edges.end(),
                     [](const Edge& edge) { return edge.instruction.op == Opcode::kAssert; });
}

}  // namespace weir::verify
