#include "engine/consistency/support/notation.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace weir::consistency::test {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

EventKind kind_of(const std::string& word) {
  if (word == "r") return EventKind::kRead;
  if (word == "w") return EventKind::kWrite;
  if (word == "u") return EventKind::kUpdate;
  if (word == "f") return EventKind::kFence;
  WEIR_CHECK(word == "sf", "the notation of tests has r, w, u, f and sf");
  return EventKind::kStoreFence;
}

EventId source_of(const Instance& instance, const std::string& text) {
  if (text == "i") return kInitialWrite;
  const auto parts = split(text, '.');
  return EventId(instance.begin(std::stoul(parts.at(0))) + std::stoul(parts.at(1)));
}

}  // namespace

Instance instance_of(std::initializer_list<std::string_view> threads) {
  Instance instance;
  std::map<std::string, std::size_t> variables;
  std::vector<std::pair<EventId, std::string>> sources;
  for (const std::string_view thread : threads) {
    instance.add_thread();
    for (const std::string& text : split(std::string(thread), ';')) {
      std::istringstream in(text);
      std::string word, access;
      in >> word >> access;
      const auto parts = split(access, '=');
      if (parts.empty()) {
        instance.add(kind_of(word));
        continue;
      }
      const std::size_t variable = variables.emplace(parts[0], variables.size()).first->second;
      const EventId event = instance.add(kind_of(word), VariableId(variable));
      if (parts.size() > 1) sources.emplace_back(event, parts[1]);
    }
  }
  for (const auto& [event, text] : sources)
    for (const std::string& source : split(text, '|'))
      instance.add_source(event, source_of(instance, source));
  WEIR_CHECK(instance.complete(), "an instance of a test is complete");
  return instance;
}

}  // namespace weir::consistency::test
