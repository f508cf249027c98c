#include "frontend/execution/named_instance.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <map>
#include <set>

#include "frontend/execution/located_json.hpp"
#include "program/ordering.hpp"

namespace weir {

namespace {

using consistency::EventId;
using consistency::EventKind;
using consistency::kInitialWrite;
using consistency::VariableId;
using Kind = LocatedJson::Kind;

constexpr std::string_view kInitialName = "initial";

struct Operation {
  std::string_view name;
  EventKind kind;
};
constexpr std::array kOperations = {
    Operation{"read", EventKind::kRead},   Operation{"write", EventKind::kWrite},
    Operation{"rmw", EventKind::kUpdate},  Operation{"cas", EventKind::kUpdate},
    Operation{"fence", EventKind::kFence}, Operation{"store-fence", EventKind::kStoreFence},
    Operation{"lock", EventKind::kUpdate}, Operation{"unlock", EventKind::kWrite},
};

// A mistake in the file, caught in `read_instance` and nowhere else.
struct Mistake {
  Diagnostic diagnostic;
};

[[noreturn]] void fail(SourcePosition position, std::string message, std::string hint = "") {
  throw Mistake{{Severity::kError, std::move(message), position, std::move(hint)}};
}

void expect(const LocatedJson& json, Kind kind, std::string_view what) {
  if (!json.is(kind))
    fail(json.position, fmt::format("{} is {}, not {}", what, describe(kind), describe(json.kind)));
}

void expect_keys(const LocatedJson& json, std::initializer_list<std::string_view> known,
                 std::string_view what) {
  for (const auto& [key, position] : json.keys)
    if (std::find(known.begin(), known.end(), key) == known.end())
      fail(position, fmt::format("{} has no \"{}\"", what, key),
           fmt::format("possible are {}", fmt::join(known, ", ")));
}

class Reader {
 public:
  explicit Reader(const LocatedJson& root) : root_(root) {}

  NamedInstance run() {
    expect(root_, Kind::kObject, "an instance");
    expect_keys(root_, {"$schema", "name", "initial", "threads"}, "an instance");
    const LocatedJson* threads = root_.find("threads");
    if (threads == nullptr)
      fail(root_.position, "\"threads\" is missing", "see docs/consistency.md for the format");
    expect(*threads, Kind::kObject, "\"threads\"");
    for (std::size_t t = 0; t < threads->children.size(); ++t)
      read_thread(threads->keys[t].first, threads->children[t]);
    read_initial();
    for (const Pending& read : reads_) find_sources(read);
    return std::move(result_);
  }

 private:
  // A read whose source is looked up when all events are known.
  struct Pending {
    EventId event;
    const LocatedJson* json;
    bool lock;
  };

  void read_thread(const std::string& name, const LocatedJson& json) {
    expect(json, Kind::kArray, "a thread");
    result_.threads.push_back(name);
    result_.instance.add_thread();
    for (const LocatedJson& event : json.children) read_event(event);
  }

  const std::string& string(const LocatedJson& object, std::string_view key) {
    const LocatedJson* found = object.find(key);
    if (found == nullptr) fail(object.position, fmt::format("\"{}\" is missing", key));
    expect(*found, Kind::kString, fmt::format("\"{}\"", key));
    return found->string;
  }

  std::optional<std::int64_t> integer(const LocatedJson& object, std::string_view key) {
    const LocatedJson* found = object.find(key);
    if (found == nullptr) return std::nullopt;
    expect(*found, Kind::kInteger, fmt::format("\"{}\"", key));
    return found->integer;
  }

  VariableId variable(const std::string& name) {
    const auto [place, added] = variables_.emplace(name, variables_.size());
    if (added) {
      result_.variables.push_back(name);
      result_.initial.push_back(0);
    }
    return VariableId(place->second);
  }

  void read_event(const LocatedJson& json) {
    expect(json, Kind::kObject, "an event");
    const std::string& name = string(json, "op");
    const auto operation = std::ranges::find(kOperations, name, &Operation::name);
    if (operation == kOperations.end())
      fail(json.find("op")->position, fmt::format("there is no operation \"{}\"", name),
           "possible are read, write, rmw, cas, fence, store-fence, lock, unlock");
    if (name == "fence" || name == "store-fence") {
      expect_keys(json, {"op", "id"}, fmt::format("a {}", name));
      add(json, operation->kind, VariableId::none());
      return;
    }
    if (name == "lock")
      expect_keys(json, {"op", "id", "variable", "from"}, "a lock");
    else if (name == "unlock")
      expect_keys(json, {"op", "id", "variable"}, "an unlock");
    else if (name == "write")
      expect_keys(json, {"op", "id", "variable", "value"}, "a write");
    else if (name == "read")
      expect_keys(json, {"op", "id", "variable", "value", "from"}, "a read");
    else if (name == "rmw")
      expect_keys(json, {"op", "id", "variable", "value", "new", "from"}, "an rmw");
    else
      expect_keys(json, {"op", "id", "variable", "value", "new", "from", "success"}, "a cas");
    const VariableId accessed = variable(string(json, "variable"));
    check_mutex(json, accessed, name == "lock" || name == "unlock");
    EventKind kind = operation->kind;
    if (name == "cas" && failed(json)) {
      add_hidden(json, EventKind::kFence);
      kind = EventKind::kRead;
    }
    if (name == "unlock") add_hidden(json, EventKind::kStoreFence);
    add_access(json, kind, accessed, name == "lock");
  }

  bool failed(const LocatedJson& json) {
    const LocatedJson* success = json.find("success");
    if (success == nullptr) return false;
    expect(*success, Kind::kBoolean, "\"success\"");
    if (!success->boolean && json.find("new") != nullptr)
      fail(json.find("new")->position, "a compare-and-swap that failed writes nothing");
    return !success->boolean;
  }

  // A variable is a mutex in all its events or in none.
  void check_mutex(const LocatedJson& json, VariableId accessed, bool mutex) {
    const auto [place, added] = mutexes_.emplace(accessed, mutex);
    if (added || place->second == mutex) return;
    fail(json.find("variable")->position,
         fmt::format("\"{}\" is used as a mutex and as a variable", result_.variables[accessed.index()]));
  }

  void add_hidden(const LocatedJson& json, EventKind fence) {
    result_.instance.add(fence);
    result_.events.push_back({"fence", "", {}, {}, json.position, true});
  }

  EventId add(const LocatedJson& json, EventKind kind, VariableId accessed) {
    const EventId event = result_.instance.add(kind, accessed);
    NamedEvent& named = result_.events.emplace_back();
    named.operation = json.find("op")->string;
    named.position = json.position;
    if (json.find("id") == nullptr) return event;
    named.name = string(json, "id");
    const SourcePosition position = json.find("id")->position;
    if (named.name == kInitialName) fail(position, "the id \"initial\" stands for the initial writes");
    if (!ids_.emplace(named.name, event).second)
      fail(position, fmt::format("two events have the id \"{}\"", named.name));
    return event;
  }

  void add_access(const LocatedJson& json, EventKind kind, VariableId accessed, bool lock) {
    const EventId event = add(json, kind, accessed);
    NamedEvent& named = result_.events.back();
    if (lock) named.read = 0, named.written = 1;
    if (named.operation == "unlock") named.written = 0;
    if (kind == EventKind::kWrite && named.operation == "write") named.written = integer(json, "value");
    if (!lock && consistency::reads(kind)) named.read = integer(json, "value");
    if (!lock && kind == EventKind::kUpdate) named.written = integer(json, "new");
    if (consistency::reads(kind)) reads_.push_back({event, &json, lock});
  }

  void read_initial() {
    const LocatedJson* initial = root_.find("initial");
    if (initial == nullptr) return;
    expect(*initial, Kind::kObject, "\"initial\"");
    for (std::size_t i = 0; i < initial->children.size(); ++i) {
      const auto& [name, position] = initial->keys[i];
      const auto found = variables_.find(name);
      if (found == variables_.end()) fail(position, fmt::format("no event accesses \"{}\"", name));
      if (mutexes_.at(VariableId(found->second))) fail(position, "a mutex is free at first");
      expect(initial->children[i], Kind::kInteger, "an initial value");
      result_.initial[found->second] = initial->children[i].integer;
    }
  }

  void find_sources(const Pending& read) {
    const LocatedJson* from = read.json->find("from");
    if (from == nullptr) return find_sources_by_value(read);
    if (from->is(Kind::kArray)) {
      if (from->children.empty()) fail(from->position, "a read needs a write to read from");
      for (const LocatedJson& source : from->children) add_source(read, source);
    } else {
      add_source(read, *from);
    }
  }

  void add_source(const Pending& read, const LocatedJson& json) {
    expect(json, Kind::kString, "what a read reads from");
    const NamedEvent& reader = result_.events[read.event.index()];
    const VariableId accessed = result_.instance.event(read.event).variable;
    const std::string& variable = result_.variables[accessed.index()];
    EventId write = kInitialWrite;
    std::optional<std::int64_t> value = result_.initial[accessed.index()];
    if (json.string != kInitialName) {
      const auto found = ids_.find(json.string);
      if (found == ids_.end())
        fail(json.position, fmt::format("no event has the id \"{}\"", json.string),
             "\"initial\" is the initial write");
      write = found->second;
      value = result_.events[write.index()].written;
      const auto& event = result_.instance.event(write);
      if (!consistency::writes(event.kind))
        fail(json.position, fmt::format("\"{}\" writes nothing", json.string));
      if (event.variable != accessed)
        fail(json.position, fmt::format("\"{}\" writes {}, but {} is read", json.string,
                                        result_.variables[event.variable.index()], variable));
      if (write == read.event) fail(json.position, "an event does not read what it writes itself");
    }
    if (reader.read && value && *reader.read != *value)
      fail(json.position,
           read.lock
               ? fmt::format("a lock waits for an unlock, and \"{}\" is none", json.string)
               : fmt::format("the read returns {}, but \"{}\" writes {}", *reader.read, json.string, *value));
    result_.instance.add_source(read.event, write);
  }

  // Without "from", every write of the value will do.
  void find_sources_by_value(const Pending& read) {
    const NamedEvent& reader = result_.events[read.event.index()];
    if (!reader.read)
      fail(read.json->position, "what does it read? \"from\" names a write, \"value\" what it returned");
    const VariableId accessed = result_.instance.event(read.event).variable;
    bool found = result_.initial[accessed.index()] == *reader.read;
    if (found) result_.instance.add_source(read.event, kInitialWrite);
    for (std::size_t e = 0; e < result_.events.size(); ++e) {
      const auto& event = result_.instance.event(EventId(e));
      if (EventId(e) == read.event || !consistency::writes(event.kind) || event.variable != accessed)
        continue;
      if (result_.events[e].written != reader.read) continue;
      result_.instance.add_source(read.event, EventId(e));
      found = true;
    }
    if (!found)
      fail(read.json->find("value")->position,
           fmt::format("nobody writes {} to {}", *reader.read, result_.variables[accessed.index()]));
  }

  const LocatedJson& root_;
  NamedInstance result_;
  std::map<std::string, std::size_t> variables_;
  std::map<VariableId, bool> mutexes_;
  std::map<std::string, EventId> ids_;
  std::vector<Pending> reads_;
};

}  // namespace

Expected<NamedInstance> read_instance(std::string path, std::string text) {
  SourceMap sources;
  const FileId file = sources.add(std::move(path), std::move(text));
  auto json = parse_located_json(sources, file);
  if (!json) return InputError{std::move(sources), {std::move(json.error())}, ""};
  try {
    NamedInstance result = Reader(*json).run();
    result.sources = std::move(sources);
    WEIR_CHECK(result.instance.complete(), "an instance that was read is complete");
    return result;
  } catch (Mistake& mistake) {
    return InputError{std::move(sources), {std::move(mistake.diagnostic)}, ""};
  }
}

std::optional<Diagnostic> check_sources(const NamedInstance& named, Model model) {
  if (!buffers_stores(model) || named.instance.is_reads_from()) return std::nullopt;
  for (std::size_t e = 0; e < named.events.size(); ++e) {
    std::size_t sources = 0;
    named.instance.for_each_source(EventId(e), [&](EventId) { ++sources; });
    if (sources > 1)
      return Diagnostic{Severity::kError,
                        fmt::format("under {} every read needs exactly one source, and this one has {}",
                                    name(model), sources),
                        named.events[e].position, "\"from\" says which; --model sc takes several"};
  }
  return std::nullopt;
}

}  // namespace weir
