#include "report/text/consistency_wording.hpp"

#include <fmt/format.h>

#include "program/ordering.hpp"
#include "report/text/terminal.hpp"

namespace weir {

using consistency::Contradiction;
using consistency::ContradictionKind;
using consistency::CycleEdge;
using consistency::EventId;
using consistency::kInitialWrite;
using consistency::Reason;
using consistency::Step;

std::string ConsistencyWording::thread(EventId event) const {
  return printable(named_.threads[named_.instance.event(event).thread]);
}

std::string ConsistencyWording::variable(EventId event) const {
  return printable(named_.variables[named_.instance.event(event).variable.index()]);
}

std::string ConsistencyWording::action(EventId id) const {
  const NamedEvent& event = named_.events[id.index()];
  if (!named_.instance.event(id).variable) return event.operation;
  std::string out = fmt::format("{} {}", event.operation, variable(id));
  if (event.operation == "lock" || event.operation == "unlock") return out;
  if (event.operation == "rmw" || event.operation == "cas") {
    if (event.read) out += fmt::format(": {}", *event.read);
    if (event.written) out += fmt::format("{} to {}", event.read ? "" : ":", *event.written);
    return out;
  }
  if (const auto value = event.read ? event.read : event.written) out += fmt::format(" = {}", *value);
  return out;
}

std::string ConsistencyWording::event(EventId id) const {
  if (id == kInitialWrite) return "the initial write";
  const NamedEvent& named = named_.events[id.index()];
  const std::string name = named.name.empty() ? "" : fmt::format(" ({})", printable(named.name));
  return fmt::format("{}: {}{}", thread(id), action(id), name);
}

std::string ConsistencyWording::step(const Step& step) const {
  return event(step.event) + (step.commit ? ", reaching memory" : "");
}

std::string ConsistencyWording::note(const Step& step) const {
  const NamedEvent& event = named_.events[step.event.index()];
  if (step.commit) return "reaches memory";
  if (event.operation == "write" || event.operation == "unlock")
    return buffers_stores(model_) ? "enters the buffer" : "";
  const std::string read = source(step.event);
  return read.empty() ? "" : "reads " + read;
}

std::string ConsistencyWording::source(EventId read) const {
  std::string out;
  std::size_t count = 0;
  named_.instance.for_each_source(read, [&](EventId write) {
    out = event(write);
    ++count;
  });
  return count == 1 ? out : "";
}

std::string ConsistencyWording::why(const CycleEdge& edge) const {
  switch (edge.reason) {
    case Reason::kProgramOrder: return "it is earlier in its thread";
    case Reason::kBuffered: return "a store is executed before it reaches memory";
    case Reason::kBufferOrder: return "the stores of a buffer reach memory in order";
    case Reason::kDrained: return "that waits until the buffer is empty";
    case Reason::kStoreFence: return "a store fence is between them";
    case Reason::kReadsFrom: return "that reads it";
    case Reason::kHidden:
      return fmt::format("{} reads the latter, which its own thread's older store would hide",
                         event(edge.read));
    case Reason::kOlder:
      return fmt::format("it is in memory before {}, which reads the latter", event(edge.read));
    case Reason::kNewer:
      return fmt::format("it reads {}, which the latter overwrites", source_or(edge.read, "what was there"));
  }
  return "";
}

std::string ConsistencyWording::contradiction(const Contradiction& found) const {
  if (found.kind == ContradictionKind::kReadsLater)
    return fmt::format("{} cannot read {}, which is later in its own thread", event(found.read),
                       event(found.source));
  return fmt::format("{} cannot read {}, because its own thread has written {} in between", event(found.read),
                     event(found.source), event(found.between));
}

std::string ConsistencyWording::source_or(EventId read, const char* otherwise) const {
  const std::string found = source(read);
  return found.empty() ? otherwise : found;
}

const char* name(Reason reason) {
  switch (reason) {
    case Reason::kProgramOrder: return "program-order";
    case Reason::kBuffered: return "buffered";
    case Reason::kBufferOrder: return "buffer-order";
    case Reason::kDrained: return "drained";
    case Reason::kStoreFence: return "store-fence";
    case Reason::kReadsFrom: return "reads-from";
    case Reason::kHidden: return "hidden";
    case Reason::kOlder: return "older";
    case Reason::kNewer: return "newer";
  }
  return "?";
}

std::string json_action(const NamedEvent& event, bool commit) {
  if (commit) return "flush";
  if (event.operation == "read") return "load";
  if (event.operation == "write") return "store";
  return event.operation;
}

std::vector<CycleEdge> shortened(const std::vector<CycleEdge>& cycle) {
  std::vector<CycleEdge> result;
  // Starts behind an edge that is no program order, so that no run of them is cut in two.
  std::size_t start = 0;
  while (start < cycle.size() && cycle[start].reason == Reason::kProgramOrder) ++start;
  for (std::size_t i = 1; i <= cycle.size(); ++i) {
    const CycleEdge& edge = cycle[(start + i) % cycle.size()];
    if (edge.reason == Reason::kProgramOrder && !result.empty() &&
        result.back().reason == Reason::kProgramOrder)
      result.back().to = edge.to;
    else
      result.push_back(edge);
  }
  return result;
}

}  // namespace weir
