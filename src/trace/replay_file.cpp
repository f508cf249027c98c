#include "trace/replay_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "program/text.hpp"
#include "program/validate.hpp"

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

// --- Writing
// ------------------------------------------------------------------------------------------------

Json step_to_json(const WitnessStep& step) {
  Json out;
  out["thread"] = step.thread.index();
  if (step.kind == WitnessStep::Kind::kFlush) out["flush"] = true;
  if (step.edge) out["edge"] = step.edge.index();
  if (step.address != 0) out["address"] = step.address;
  if (step.value != 0) out["value"] = step.value;
  if (step.stored) out["stored"] = true;
  if (step.written != 0) out["written"] = step.written;
  return out;
}

Json places_to_json(const std::vector<ThreadLocation>& places) {
  Json out = Json::array();
  for (const ThreadLocation& place : places)
    out.push_back({{"thread", place.thread.index()}, {"location", place.location.index()}});
  return out;
}

Json starvation_to_json(const Starvation& starvation) {
  return {{"loop", starvation.loop},
          {"request", places_to_json(starvation.request)},
          {"grant", places_to_json(starvation.grant)},
          {"weak", starvation.weak},
          {"strong", starvation.strong},
          {"flushes", starvation.flushes}};
}

Json violation_to_json(const Violation& violation) {
  Json out;
  out["kind"] = name(violation.kind);
  out["message"] = violation.message;
  out["property"] = violation.property;
  if (violation.position.file) {
    out["file"] = violation.position.file.index();
    out["line"] = violation.position.line;
    out["column"] = violation.position.column;
  }
  return out;
}

Json program_to_json(const Program& program) {
  Json sources = Json::array();
  for (std::size_t i = 0; i < program.sources.size(); ++i) {
    const SourceFile& file = program.sources.file(FileId(i));
    sources.push_back({{"path", file.path}, {"text", file.text}});
  }
  const std::string path = program.sources.size() > 0 ? program.sources.file(FileId(0)).path : program.name;
  return {{"path", path}, {"text", print(program)}, {"sources", std::move(sources)}};
}

// --- Reading
// ------------------------------------------------------------------------------------------------

// What is wrong with the file, caught in `read_replay` and nowhere else.
struct Malformed {
  std::string message;
  std::string hint;
};

class Reader {
 public:
  explicit Reader(const Json& root) : root_(root) {}

  ReplayFile run() {
    check_header();
    read_program();
    if (root_.contains("c")) read_c_sources(root_["c"]);
    read_witness();
    return std::move(result_);
  }

 private:
  static const Json& member(const Json& object, const char* key, const std::string& where) {
    if (!object.is_object() || !object.contains(key))
      throw Malformed{fmt::format("{}\"{}\" is missing", where, key), ""};
    return object[key];
  }

  static std::string string(const Json& object, const char* key, const std::string& where) {
    const Json& found = member(object, key, where);
    if (!found.is_string()) throw Malformed{fmt::format("{}\"{}\" is not a string", where, key), ""};
    return found.get<std::string>();
  }

  static Value integer(const Json& object, const char* key, const std::string& where) {
    if (!object.contains(key)) return 0;
    const Json& found = object[key];
    const bool too_large = found.is_number_unsigned() &&
                           found.get<std::uint64_t>() > std::uint64_t{std::numeric_limits<Value>::max()};
    if (!found.is_number_integer() || too_large)
      throw Malformed{fmt::format("{}\"{}\" is not a 64-bit integer", where, key), ""};
    return found.get<Value>();
  }

  static bool boolean(const Json& object, const char* key, const std::string& where) {
    if (!object.contains(key)) return false;
    if (!object[key].is_boolean())
      throw Malformed{fmt::format("{}\"{}\" is not true or false", where, key), ""};
    return object[key].get<bool>();
  }

  static std::uint32_t index(const Json& object, const char* key, const std::string& where,
                             std::size_t count) {
    static_cast<void>(member(object, key, where));
    const Value found = integer(object, key, where);
    if (found < 0 || static_cast<std::uint64_t>(found) >= count)
      throw Malformed{fmt::format("{}\"{}\" is {}, but the program has only {}", where, key, found, count),
                      ""};
    return static_cast<std::uint32_t>(found);
  }

  void check_header() {
    constexpr const char* hint = "a replay file is written by 'weir check PROGRAM --witness FILE'";
    if (!root_.is_object() || !root_.contains("tool") || root_["tool"] != "weir" || !root_.contains("steps"))
      throw Malformed{"this is JSON, but not a replay file of Weir", hint};
    const Json& schema = member(root_, "schema", "");
    if (schema != 1)
      throw Malformed{
          fmt::format("the file has schema {}; this version of Weir reads schema 1", schema.dump()), ""};
    result_.version = string(root_, "version", "");
  }

  void read_program() {
    const Json& program = member(root_, "program", "");
    const std::string where = "program: ";
    result_.program_path = string(program, "path", where);
    auto parsed = parse_program_text("the program in the replay file", string(program, "text", where));
    if (!parsed) throw Malformed{where + first_message(parsed.error()), ""};
    result_.program = std::move(*parsed);
    if (const auto mistakes = validate(result_.program); !mistakes.empty())
      throw Malformed{where + mistakes[0].message, mistakes[0].hint};
    if (program.contains("sources")) read_sources(program["sources"]);
  }

  static std::string first_message(const InputError& error) {
    const Diagnostic& diagnostic = error.diagnostics.front();
    return fmt::format("line {}, column {} of its text: {}", diagnostic.position.line,
                       diagnostic.position.column, diagnostic.message);
  }

  // Gives the program's sources their texts back; a list that does not match is ignored.
  void read_sources(const Json& sources) {
    if (!sources.is_array() || sources.size() != result_.program.sources.size()) return;
    SourceMap map;
    for (std::size_t i = 0; i < sources.size(); ++i)
      map.add(result_.program.sources.file(FileId(i)).path, string(sources[i], "text", "sources: "));
    result_.program.sources = std::move(map);
  }

  void read_c_sources(const Json& json) {
    const std::string where = "c: ";
    result_.c_sources.directory = string(json, "directory", where);
    result_.c_sources.files = strings(json, "files", where);
    result_.c_sources.arguments = strings(json, "arguments", where);
  }

  static std::vector<std::string> strings(const Json& object, const char* key, const std::string& where) {
    const Json& found = member(object, key, where);
    if (!found.is_array()) throw Malformed{fmt::format("{}\"{}\" is not a list", where, key), ""};
    std::vector<std::string> result;
    for (const Json& entry : found) {
      if (!entry.is_string())
        throw Malformed{fmt::format("{}\"{}\" has something else than strings", where, key), ""};
      result.push_back(entry.get<std::string>());
    }
    return result;
  }

  void read_witness() {
    const auto model = parse_model(string(root_, "model", ""));
    if (!model) throw Malformed{"\"model\" is not one of sc, tso, pso", ""};
    result_.witness.model = *model;
    const Json& steps = root_["steps"];
    if (!steps.is_array()) throw Malformed{"\"steps\" is not a list", ""};
    for (std::size_t i = 0; i < steps.size(); ++i)
      result_.witness.steps.push_back(read_step(steps[i], fmt::format("steps[{}]: ", i)));
    read_violation(member(root_, "violation", ""));
    if (result_.witness.violation.kind == ViolationKind::kStarvation)
      read_starvation(member(root_, "starvation", ""));
  }

  void read_starvation(const Json& json) {
    const std::string where = "starvation: ";
    Starvation& starvation = result_.witness.starvation.emplace();
    starvation.loop = index(json, "loop", where, result_.witness.steps.size() + 1);
    starvation.request = read_places(member(json, "request", where), where);
    starvation.grant = read_places(member(json, "grant", where), where);
    starvation.weak = boolean(json, "weak", where);
    starvation.strong = boolean(json, "strong", where);
    starvation.flushes = boolean(json, "flushes", where);
  }

  std::vector<ThreadLocation> read_places(const Json& json, const std::string& where) const {
    if (!json.is_array()) throw Malformed{where + "places are not a list", ""};
    std::vector<ThreadLocation> places;
    for (const Json& place : json)
      places.push_back({ThreadId(index(place, "thread", where, result_.program.threads.size())),
                        LocationId(index(place, "location", where, result_.program.locations.size()))});
    return places;
  }

  WitnessStep read_step(const Json& json, const std::string& where) const {
    WitnessStep step;
    step.thread = ThreadId(index(json, "thread", where, result_.program.threads.size()));
    if (boolean(json, "flush", where)) step.kind = WitnessStep::Kind::kFlush;
    if (step.kind == WitnessStep::Kind::kInstruction || json.contains("edge"))
      step.edge = EdgeId(index(json, "edge", where, result_.program.edges.size()));
    step.address = integer(json, "address", where);
    step.value = integer(json, "value", where);
    step.stored = boolean(json, "stored", where);
    step.written = integer(json, "written", where);
    return step;
  }

  void read_violation(const Json& json) {
    const std::string where = "violation: ";
    Violation& violation = result_.witness.violation;
    const auto kind = parse_violation_kind(string(json, "kind", where));
    if (!kind) throw Malformed{"violation: \"kind\" is unknown", ""};
    violation.kind = *kind;
    violation.message = string(json, "message", where);
    read_property(json, where);
    if (!json.contains("file")) return;
    violation.position.file = FileId(index(json, "file", where, result_.program.sources.size()));
    violation.position.line = small(json, "line", where);
    violation.position.column = small(json, "column", where);
  }

  void read_property(const Json& json, const std::string& where) {
    const Properties& properties = result_.program.properties;
    std::uint32_t& property = result_.witness.violation.property;
    switch (result_.witness.violation.kind) {
      case ViolationKind::kGoal: property = index(json, "property", where, properties.goals.size()); return;
      case ViolationKind::kForbidden:
        property = index(json, "property", where, properties.exclusive.size());
        return;
      case ViolationKind::kUnsafe:
        property = index(json, "property", where, properties.invariants.size());
        return;
      case ViolationKind::kMemory: property = boolean_number(json, "property", where) ? kLeak : 0; return;
      case ViolationKind::kDeadlock: property = boolean_number(json, "property", where) ? kPartial : 0; return;
      case ViolationKind::kRace: property = boolean_number(json, "property", where) ? kUnordered : 0; return;
      default: return;
    }
  }

  // 0, which may be left out, or 1.
  static bool boolean_number(const Json& json, const char* key, const std::string& where) {
    const Value found = integer(json, key, where);
    if (found != 0 && found != 1) throw Malformed{fmt::format("{}\"{}\" is neither 0 nor 1", where, key), ""};
    return found == 1;
  }

  static std::uint32_t small(const Json& json, const char* key, const std::string& where) {
    const Value found = integer(json, key, where);
    return static_cast<std::uint32_t>(std::clamp<Value>(found, 0, std::numeric_limits<std::int32_t>::max()));
  }

  const Json& root_;
  ReplayFile result_;
};

SourcePosition position_of_byte(FileId file, std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') + 1;  // npos + 1 is 0: the first line
  return {file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(before.size() - line_begin + 1)};
}

}  // namespace

std::string write_replay(const Program& program, const Witness& witness, std::string_view version,
                         const CSources& c_sources) {
  Json out;
  out["schema"] = 1;
  out["tool"] = "weir";
  out["version"] = version;
  out["kind"] = "replay";
  out["model"] = name(witness.model);
  out["program"] = program_to_json(program);
  if (!c_sources.files.empty())
    out["c"] = {
        {"directory", c_sources.directory}, {"files", c_sources.files}, {"arguments", c_sources.arguments}};
  out["violation"] = violation_to_json(witness.violation);
  if (witness.starvation) out["starvation"] = starvation_to_json(*witness.starvation);
  Json steps = Json::array();
  for (const WitnessStep& step : witness.steps) steps.push_back(step_to_json(step));
  out["steps"] = std::move(steps);
  // Names and sources may hold bytes that are not UTF-8; those are replaced, here where only people read
  // them.
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Expected<ReplayFile> read_replay(std::string path, std::string text) {
  SourceMap sources;
  const FileId file = sources.add(std::move(path), std::move(text));
  SourcePosition position{file};
  const auto bad = [&](std::string message, std::string hint) {
    Diagnostic diagnostic{Severity::kError, std::move(message), position, std::move(hint)};
    return InputError{std::move(sources), {std::move(diagnostic)}};
  };
  try {
    return Reader(Json::parse(sources.file(file).text)).run();
  } catch (const Json::parse_error& error) {
    position = position_of_byte(file, sources.file(file).text, error.byte);
    return bad("this is not JSON: something else was expected here", "");
  } catch (Malformed& malformed) {
    return bad(std::move(malformed.message), std::move(malformed.hint));
  }
}

}  // namespace weir
