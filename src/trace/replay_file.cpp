#include "trace/replay_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/sha256.hpp"
#include "program/text/text.hpp"
#include "program/validate.hpp"

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

// --- Writing
// ------------------------------------------------------------------------------------------------

// Of all members but the digest itself, however they are ordered and spaced.
std::string digest_of(const Json& file) {
  nlohmann::json rest = nlohmann::json::parse(file.dump());
  rest.erase("sha256");
  return sha256(rest.dump());
}

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
    allow_only(root_,
               {"schema", "tool", "version", "kind", "model", "program", "c", "violation", "starvation",
                "steps", "sha256"},
               "");
    read_program();
    if (root_.contains("c")) read_c_sources(root_["c"]);
    read_witness();
    if (root_.contains("sha256")) result_.changed = string(root_, "sha256", "") != digest_of(root_);
    return std::move(result_);
  }

 private:
  static const Json& member(const Json& object, const char* key, const std::string& where) {
    if (!object.is_object() || !object.contains(key))
      throw Malformed{fmt::format("{}\"{}\" is missing", where, key), ""};
    return object[key];
  }

  static void allow_only(const Json& object, std::initializer_list<std::string_view> names,
                         const std::string& where) {
    if (!object.is_object()) throw Malformed{where + "this is not an object", ""};
    for (const auto& [name, value] : object.items())
      if (std::ranges::find(names, name) == names.end())
        throw Malformed{fmt::format("{}there is no \"{}\" in replay files", where, name), ""};
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
    if (string(root_, "kind", "") != "replay") throw Malformed{"\"kind\" is not \"replay\"", hint};
  }

  void read_program() {
    const Json& program = member(root_, "program", "");
    const std::string where = "program: ";
    allow_only(program, {"path", "text", "sources"}, where);
    result_.program_path = string(program, "path", where);
    auto parsed = parse_program_text("the program in the replay file", string(program, "text", where));
    if (!parsed) throw Malformed{where + first_message(parsed.error()), ""};
    result_.program = std::move(*parsed);
    if (const auto mistakes = validate(result_.program); !mistakes.empty())
      throw Malformed{where + mistakes[0].message, mistakes[0].hint};
    read_sources(member(program, "sources", where));
  }

  static std::string first_message(const InputError& error) {
    const Diagnostic& diagnostic = error.diagnostics.front();
    return fmt::format("line {}, column {} of its text: {}", diagnostic.position.line,
                       diagnostic.position.column, diagnostic.message);
  }

  // Gives the program's sources their texts back.
  void read_sources(const Json& sources) {
    const SourceMap& named = result_.program.sources;
    if (!sources.is_array() || sources.size() != named.size())
      throw Malformed{"sources: this is no list of the files that the program names", ""};
    SourceMap map;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const std::string where = fmt::format("sources[{}]: ", i);
      allow_only(sources[i], {"path", "text"}, where);
      static_cast<void>(string(sources[i], "path", where));
      map.add(named.file(FileId(i)).path, string(sources[i], "text", where));
    }
    result_.program.sources = std::move(map);
  }

  void read_c_sources(const Json& json) {
    const std::string where = "c: ";
    allow_only(json, {"directory", "files", "arguments"}, where);
    result_.c_sources.directory = string(json, "directory", where);
    result_.c_sources.files = strings(json, "files", where);
    result_.c_sources.arguments = strings(json, "arguments", where);
    if (result_.c_sources.files.empty()) throw Malformed{where + "\"files\" is empty", ""};
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
    if (!model) throw Malformed{fmt::format("\"model\" is not one of {}", model_names(", ")), ""};
    result_.witness.model = *model;
    const Json& steps = root_["steps"];
    if (!steps.is_array()) throw Malformed{"\"steps\" is not a list", ""};
    for (std::size_t i = 0; i < steps.size(); ++i)
      result_.witness.steps.push_back(read_step(steps[i], fmt::format("steps[{}]: ", i)));
    read_violation(member(root_, "violation", ""));
    if (result_.witness.violation.kind == ViolationKind::kStarvation)
      read_starvation(member(root_, "starvation", ""));
    else if (root_.contains("starvation"))
      throw Malformed{"\"starvation\" is for violations of that kind", ""};
  }

  void read_starvation(const Json& json) {
    const std::string where = "starvation: ";
    allow_only(json, {"loop", "request", "grant", "weak", "strong", "flushes"}, where);
    for (const char* const flag : {"weak", "strong", "flushes"}) static_cast<void>(member(json, flag, where));
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
    for (const Json& place : json) {
      allow_only(place, {"thread", "location"}, where);
      places.push_back({ThreadId(index(place, "thread", where, result_.program.threads.size())),
                        LocationId(index(place, "location", where, result_.program.locations.size()))});
    }
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
    allow_only(json, {"thread", "flush", "edge", "address", "value", "stored", "written"}, where);
    return step;
  }

  void read_violation(const Json& json) {
    const std::string where = "violation: ";
    allow_only(json, {"kind", "message", "property", "file", "line", "column"}, where);
    Violation& violation = result_.witness.violation;
    const auto kind = parse_violation_kind(string(json, "kind", where));
    if (!kind) throw Malformed{"violation: \"kind\" is unknown", ""};
    violation.kind = *kind;
    violation.message = string(json, "message", where);
    if (integer(json, "property", where) < 0) throw Malformed{where + "\"property\" is negative", ""};
    read_property(json, where);
    if (!json.contains("file")) {
      if (json.contains("line") || json.contains("column"))
        throw Malformed{where + "there is a place, but no \"file\"", ""};
      return;
    }
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
      case ViolationKind::kDeadlock:
        property = boolean_number(json, "property", where) ? kPartial : 0;
        return;
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
    static_cast<void>(member(json, key, where));
    const Value found = integer(json, key, where);
    if (found < 0 || found > std::numeric_limits<std::int32_t>::max())
      throw Malformed{fmt::format("{}\"{}\" is no place in a text", where, key), ""};
    return static_cast<std::uint32_t>(found);
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
  out = Json::parse(out.dump(-1, ' ', false, Json::error_handler_t::replace));
  out["sha256"] = digest_of(out);
  return out.dump(1, ' ') + "\n";
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
