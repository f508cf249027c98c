#include "verify/fair/starvation.hpp"

#include <fmt/format.h>

#include "verify/confirmation.hpp"
#include "verify/properties.hpp"

namespace weir::verify {

namespace {

using Places = std::vector<ThreadLocation>;

Expected<Places, Diagnostic> all_places(const Program& program, const std::vector<std::string>& texts,
                                        std::string_view what) {
  Places result;
  for (const std::string& text : texts) {
    const auto found = find_places(program, text);
    if (!found)
      return Diagnostic{Severity::kError,
                        fmt::format("{} {}: {}", what, text, found.error().message),
                        {},
                        found.error().hint};
    result.insert(result.end(), found.value().begin(), found.value().end());
  }
  return result;
}

Places places_of(ThreadId thread, const Places& all) {
  Places found;
  for (const ThreadLocation& place : all)
    if (place.thread == thread) found.push_back(place);
  return found;
}

std::string place_names(const Program& program, const Places& places) {
  std::string out;
  for (const ThreadLocation& place : places)
    out += fmt::format("{}{}:{}", out.empty() ? "" : ", ", program.thread(place.thread).name,
                       program.location_name(place.location));
  return out;
}

}  // namespace

Expected<std::vector<fairness::Response>, Diagnostic> find_responses(const Program& program,
                                                                     const std::vector<std::string>& requests,
                                                                     const std::vector<std::string>& grants) {
  const auto requested = all_places(program, requests, "request");
  if (!requested) return requested.error();
  const auto granted = all_places(program, grants, "grant");
  if (!granted) return granted.error();
  std::vector<fairness::Response> result;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    fairness::Response response{places_of(ThreadId(t), requested.value()),
                                places_of(ThreadId(t), granted.value()), ""};
    if (response.request.empty()) continue;
    if (response.grant.empty()) response.grant = granted.value();
    response.name = fmt::format("{} leads to {}", place_names(program, response.request),
                                place_names(program, response.grant));
    result.push_back(std::move(response));
  }
  return result;
}

Answer check_starvation(const Program& program, const std::vector<fairness::Response>& responses,
                        const fairness::StarvationOptions& options, Context& context) {
  Answer answer = fairness::check_starvation(program, responses, options, context);
  if (answer.witness) confirm(program, *answer.witness);
  return answer;
}

}  // namespace weir::verify
