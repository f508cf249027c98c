#include "program/source_terms.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

constexpr std::array<std::string_view, 7> kKinds = {"number",  "boolean", "character", "enumeration",
                                                    "pointer", "array",   "record"};

Json type_to_json(const SourceType& type) {
  Json out{{"kind", kKinds.at(static_cast<std::size_t>(type.kind))}, {"name", type.name}, {"bytes", type.bytes}};
  if (type.target) out["target"] = type.target.index();
  for (const SourceMember& member : type.members) {
    Json each{{"name", member.name}, {"offset", member.offset}};
    if (member.type) each["type"] = member.type.index();
    out["members"].push_back(std::move(each));
  }
  for (const SourceEnumerator& value : type.enumerators)
    out["values"].push_back({{"name", value.name}, {"value", value.value}});
  return out;
}

Json chain_to_json(const std::vector<SourceFrame>& chain) {
  Json out = Json::array();
  for (const SourceFrame& frame : chain) {
    Json each{{"function", frame.function}};
    if (frame.position.file) {
      each["file"] = frame.position.file.index();
      each["line"] = frame.position.line;
      each["column"] = frame.position.column;
    }
    if (frame.foreign) each["foreign"] = true;
    out.push_back(std::move(each));
  }
  return out;
}

Json edge_to_json(const SourceTerms& terms, EdgeId edge) {
  Json out;
  if (const auto access = terms.accesses.find(edge); access != terms.accesses.end()) {
    out["text"] = access->second.text;
    if (access->second.type) out["type"] = access->second.type.index();
    if (access->second.whole) {
      out["whole"] = access->second.whole.index();
      out["offset"] = access->second.offset;
    }
  }
  if (const auto chain = terms.chain_of.find(edge); chain != terms.chain_of.end())
    out["calls"] = chain->second;
  return out;
}

// What is wrong is told by an exception of the library or by this one; both are caught below.
struct OutOfRange {};

class Reader {
 public:
  explicit Reader(const Program& program) : program_(program) {}

  SourceTerms run(const Json& json) {
    type_count_ = json.at("types").size();
    for (const Json& type : json.at("types")) terms_.types.push_back(read_type(type));
    for (const Json& each : json.at("variables"))
      terms_.variables.push_back({each.at("name").get<std::string>(), each.at("address").get<Value>(),
                                  each.at("bytes").get<std::uint64_t>(), type_id(each, "type")});
    for (const Json& chain : json.value("chains", Json::array())) read_chain(chain);
    for (const Json& each : json.at("edges")) read_edge(each);
    return std::move(terms_);
  }

 private:
  template <class Id>
  static Id id_below(const Json& number, std::size_t count) {
    const auto index = number.get<std::uint64_t>();
    if (index >= count) throw OutOfRange{};
    return Id(index);
  }

  SourceTypeId type_id(const Json& json, const char* key) const {
    return json.contains(key) ? id_below<SourceTypeId>(json.at(key), type_count_) : SourceTypeId();
  }

  SourceType read_type(const Json& json) const {
    SourceType type{.name = json.at("name").get<std::string>(), .bytes = json.at("bytes").get<std::uint64_t>()};
    const auto kind = std::ranges::find(kKinds, json.at("kind").get<std::string>());
    if (kind == kKinds.end()) throw OutOfRange{};
    type.kind = static_cast<SourceType::Kind>(kind - kKinds.begin());
    type.target = type_id(json, "target");
    for (const Json& each : json.value("members", Json::array()))
      type.members.push_back({each.at("name").get<std::string>(), each.at("offset").get<std::uint64_t>(),
                              type_id(each, "type")});
    for (const Json& each : json.value("values", Json::array()))
      type.enumerators.push_back({each.at("name").get<std::string>(), each.at("value").get<Value>()});
    return type;
  }

  void read_edge(const Json& json) {
    const auto edge = id_below<EdgeId>(json.at("edge"), program_.edges.size());
    if (json.contains("text"))
      terms_.accesses[edge] = {json.at("text").get<std::string>(), type_id(json, "type"), type_id(json, "whole"),
                               json.value("offset", std::uint64_t{0})};
    if (!json.contains("calls")) return;
    if (json.at("calls").get<std::uint64_t>() >= terms_.chains.size()) throw OutOfRange{};
    terms_.chain_of[edge] = json.at("calls").get<std::uint32_t>();
  }

  void read_chain(const Json& json) {
    auto& chain = terms_.chains.emplace_back();
    for (const Json& frame : json) {
      SourcePosition position;
      if (frame.contains("file"))
        position = {id_below<FileId>(frame.at("file"), program_.sources.size()),
                    frame.at("line").get<std::uint32_t>(), frame.at("column").get<std::uint32_t>()};
      chain.push_back({frame.at("function").get<std::string>(), position, frame.value("foreign", false)});
    }
  }

  const Program& program_;
  std::size_t type_count_ = 0;
  SourceTerms terms_;
};

}  // namespace

std::string print(const SourceTerms& terms) {
  Json out{{"types", Json::array()}, {"variables", Json::array()}, {"edges", Json::array()}};
  for (const SourceType& type : terms.types) out["types"].push_back(type_to_json(type));
  for (const SourceVariable& variable : terms.variables) {
    Json each{{"name", variable.name}, {"address", variable.address}, {"bytes", variable.bytes}};
    if (variable.type) each["type"] = variable.type.index();
    out["variables"].push_back(std::move(each));
  }
  for (const auto& chain : terms.chains) out["chains"].push_back(chain_to_json(chain));
  std::set<EdgeId> edges;
  for (const auto& [edge, access] : terms.accesses) edges.insert(edge);
  for (const auto& [edge, chain] : terms.chain_of) edges.insert(edge);
  for (const EdgeId edge : edges) {
    Json each = edge_to_json(terms, edge);
    each["edge"] = edge.index();
    out["edges"].push_back(std::move(each));
  }
  return out.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::shared_ptr<const SourceTerms> terms_of(const Program& program) {
  for (std::size_t i = program.sources.size(); i-- > 0;) {
    const SourceFile& file = program.sources.file(FileId(i));
    if (file.path != kTermsPath) continue;
    try {
      return std::make_shared<const SourceTerms>(Reader(program).run(Json::parse(file.text)));
    } catch (const Json::exception&) {
      return nullptr;
    } catch (const OutOfRange&) {
      return nullptr;
    }
  }
  return nullptr;
}

bool is_reserved(std::string_view name) {
  return name.size() >= 2 && name[0] == '_' && (name[1] == '_' || is_upper(name[1]));
}

std::string without_reserved_members(const std::string& path) {
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', dot + 1))
    if (is_reserved(std::string_view(path).substr(dot + 1))) return path.substr(0, dot);
  return path;
}

SourcePosition own_position(const Program& program, const SourceTerms* terms, EdgeId edge) {
  const SourcePosition exact = program.edge(edge).position;
  if (terms == nullptr) return exact;
  const auto chain = terms->chain_of.find(edge);
  if (chain == terms->chain_of.end()) return exact;
  for (const SourceFrame& frame : terms->chains[chain->second])
    if (!frame.foreign && frame.position.known()) return frame.position;
  return exact;
}

}  // namespace weir
