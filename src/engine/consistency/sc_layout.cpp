#include "engine/consistency/sc_layout.hpp"

namespace weir::consistency {

void ScLayout::build(const Instance& instance) {
  threads = static_cast<Index>(instance.threads());
  variables = static_cast<Index>(instance.variables());
  events = static_cast<Index>(instance.events());
  kind.resize(events);
  variable.resize(events);
  thread.resize(events);
  first_event.resize(threads + 1);
  for (Index t = 0; t < threads; ++t) first_event[t] = instance.begin(t);
  first_event[threads] = events;
  source.clear();
  first_source.assign(events + 1, 0);
  first_reader.assign(variables + events + 1, 0);
  for (Index e = 0; e < events; ++e) {
    const Instance::Event& event = instance.event(EventId(e));
    kind[e] = event.kind;
    variable[e] = event.variable.index();
    thread[e] = event.thread;
    first_source[e] = static_cast<Index>(source.size());
    instance.for_each_source(EventId(e), [&](EventId write) {
      source.push_back(write == kInitialWrite ? variable[e] : write_of(write.index()));
      ++first_reader[source.back()];
    });
  }
  first_source[events] = static_cast<Index>(source.size());
  Index sum = 0;
  for (Index& first : first_reader) sum += std::exchange(first, sum);
  reader.resize(source.size());
  for (Index e = 0; e < events; ++e)
    for (const Index write : sources(e)) reader[first_reader[write]++] = e;
  for (Index w = variables + events; w > 0; --w) first_reader[w] = first_reader[w - 1];
  first_reader[0] = 0;
  require({});
}

void ScLayout::require(std::span<const std::pair<Index, Requirement>> order) {
  group_by_item(order, events, first_requirement, requirement);
}

}  // namespace weir::consistency
