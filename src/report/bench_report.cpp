#include "report/bench_report.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "report/json/parts.hpp"
#include "report/plot/plot.hpp"

namespace weir {

namespace {

constexpr double kShortest = 1e-3;  // seconds; less cannot be measured

using TableRow = std::pair<std::string, std::string>;  // program and model

std::vector<TableRow> rows(const BenchReport& report) {
  std::vector<TableRow> result;
  for (const BenchRun& run : report.runs)
    if (TableRow row{run.file, run.model}; std::ranges::find(result, row) == result.end())
      result.push_back(std::move(row));
  return result;
}

const BenchRun* run_of(const BenchReport& report, const TableRow& row, const std::string& engine) {
  for (const BenchRun& run : report.runs)
    if (run.file == row.first && run.model == row.second && run.engine == engine) return &run;
  return nullptr;
}

std::string cell(const BenchRun* run) {
  if (run == nullptr) return "-";
  return run->verdict == "error" ? "error" : fmt::format("{} {:.2f} s", run->verdict, run->seconds);
}

std::string table(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string out;
  for (const auto& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) text += fmt::format("{:<{}}  ", line[i], widths[i]);
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  }
  return out;
}

// The times of an engine for what it decided, shortest first.
std::vector<double> times_of(const BenchReport& report, const std::string& engine) {
  std::vector<double> times;
  for (const BenchRun& run : report.runs)
    if (run.engine == engine && run.decided()) times.push_back(run.seconds);
  std::ranges::sort(times);
  return times;
}

std::string summary(const BenchReport& report) {
  std::string out;
  for (const std::string& engine : report.engines) {
    const std::vector<double> times = times_of(report, engine);
    double sum = 0;
    for (const double time : times) sum += time;
    const auto given = std::ranges::count(report.runs, engine, &BenchRun::engine);
    out += fmt::format("{}: {} of {} decided, in {:.2f} s{}\n", engine, times.size(), given, sum,
                       times.empty() ? "" : fmt::format(", the median {:.2f} s", times[times.size() / 2]));
  }
  return out;
}

bool is_auto(std::string_view column) { return column.starts_with("auto"); }

// Of the engines that decided the same.
std::optional<double> best_time(const BenchReport& report, const BenchRun& same) {
  std::optional<double> best;
  for (const BenchRun& run : report.runs)
    if (run.file == same.file && run.model == same.model && !is_auto(run.engine) && run.decided())
      best = std::min(best.value_or(run.seconds), run.seconds);
  return best;
}

std::string distances(const BenchReport& report) {
  std::string out;
  for (const std::string& column : report.engines) {
    if (!is_auto(column)) continue;
    const Distance distance = distance_from_best(report, column);
    if (distance.decided_by_some == 0) continue;
    const auto percent = [&](std::size_t part) { return 100.0 * part / distance.decided_by_some; };
    out += fmt::format(
        "{}: decided {} of {} that an engine decided; {:.1f} % in 1.5 times the best engine's time, {:.1f} % "
        "in 3 times\n",
        column, distance.decided, distance.decided_by_some, percent(distance.near), percent(distance.close));
    for (const BenchRun* run : distance.far)
      out += fmt::format("  far from the best: {} under {}, {} in {:.2f} s, not {:.2f} s\n", run->file,
                         run->model, run->verdict, run->seconds, *best_time(report, *run));
  }
  return out.empty() ? out : "\n" + out;
}

std::string why_not(const BenchReport& report) {
  std::map<std::string, std::string> first;  // of each reason
  for (const BenchRun& run : report.runs)
    if (!run.decided() && !run.detail.empty())
      first.emplace(run.detail, fmt::format("{} on {} under {}", run.engine, run.file, run.model));
  std::string out;
  for (const auto& [detail, where] : first) out += fmt::format("{}: {}\n", where, detail);
  return out;
}

PlotSeries marks(const BenchReport& report) {
  PlotSeries series{.name = "programs", .points = {}, .connected = false};
  for (const TableRow& row : rows(report)) {
    const BenchRun* first = run_of(report, row, report.engines[0]);
    const BenchRun* second = run_of(report, row, report.engines[1]);
    if (first != nullptr && second != nullptr)
      series.points.emplace_back(std::max(first->seconds, kShortest), std::max(second->seconds, kShortest));
  }
  return series;
}

}  // namespace

std::string contradiction(const BenchReport& report) {
  std::map<TableRow, const BenchRun*> said;
  for (const BenchRun& run : report.runs) {
    if (!run.decided()) continue;
    const BenchRun* const other = said.emplace(TableRow{run.file, run.model}, &run).first->second;
    if (other->verdict != run.verdict)
      return fmt::format("{} under {}: {} says {}, {} says {}", run.file, run.model, other->engine,
                         other->verdict, run.engine, run.verdict);
  }
  return "";
}

Distance distance_from_best(const BenchReport& report, std::string_view column) {
  constexpr double kNear = 1.5, kClose = 3, kMore = 0.1;
  Distance distance;
  for (const BenchRun& run : report.runs) {
    if (run.engine != column) continue;
    const std::optional<double> best = best_time(report, run);
    if (!best) continue;
    ++distance.decided_by_some;
    distance.decided += run.decided() ? 1 : 0;
    const bool close = run.decided() && run.seconds <= kClose * *best + kMore;
    distance.close += close ? 1 : 0;
    distance.near += run.decided() && run.seconds <= kNear * *best + kMore ? 1 : 0;
    if (!close) distance.far.push_back(&run);
  }
  return distance;
}

std::string bench_text(const BenchReport& report) {
  std::vector<std::vector<std::string>> lines{{"program", "model"}};
  lines.front().insert(lines.front().end(), report.engines.begin(), report.engines.end());
  for (const TableRow& row : rows(report)) {
    std::vector<std::string>& line = lines.emplace_back(std::vector<std::string>{row.first, row.second});
    for (const std::string& engine : report.engines) line.push_back(cell(run_of(report, row, engine)));
  }
  const std::string reasons = why_not(report);
  return table(lines) + "\n" + summary(report) + distances(report) + (reasons.empty() ? "" : "\n" + reasons);
}

std::string bench_json(const BenchReport& report, const RunInfo& run) {
  const std::string problem = contradiction(report);
  const std::string reason = problem.empty() ? "all engines that answer agree" : problem;
  Json out = answer_json({"bench", problem.empty() ? "done" : "disagreement", reason, {}, {}}, run);
  out.erase("model");
  out["runs"] = Json::array();
  for (const BenchRun& one : report.runs)
    out["runs"].push_back({{"file", one.file},
                           {"model", one.model},
                           {"engine", one.engine},
                           {"verdict", one.verdict},
                           {"detail", one.detail},
                           {"seconds", one.seconds},
                           {"processor_seconds", one.processor_seconds}});
  return dump(out);
}

std::string bench_svg(const BenchReport& report) {
  Plot plot;
  if (report.engines.size() == 2) {
    plot.title = fmt::format("{} and {}", report.engines[0], report.engines[1]);
    plot.x = {.title = report.engines[0] + ", seconds", .logarithmic = true};
    plot.y = {.title = report.engines[1] + ", seconds", .logarithmic = true};
    plot.diagonal = true;
    plot.series.push_back(marks(report));
    return svg_plot(plot);
  }
  plot.title = "programs decided, each within a time";
  plot.x = {.title = "programs"};
  plot.y = {.title = "seconds", .logarithmic = true};
  for (const std::string& engine : report.engines) {
    PlotSeries& series = plot.series.emplace_back(PlotSeries{.name = engine, .points = {}});
    double count = 0;
    for (const double time : times_of(report, engine))
      series.points.emplace_back(++count, std::max(time, kShortest));
    if (series.points.empty()) series.name += ": none";
  }
  return svg_plot(plot);
}

}  // namespace weir
