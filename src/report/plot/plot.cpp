#include "report/plot/plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "report/svcomp/xml.hpp"

namespace weir {

namespace {

constexpr double kWidth = 720, kHeight = 440;
constexpr double kLeft = 84, kRight = 200, kTop = 48, kBottom = 64;  // margins; the legend is on the right

// Okabe and Ito's colours, in the order in which neighbours differ most.
constexpr std::array<const char*, 7> kColours = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#888888"};

// From values to places on the picture.
class Scale {
 public:
  Scale(const PlotAxis& axis, std::vector<double> values, double from, double to)
      : logarithmic_(axis.logarithmic), from_(from), to_(to) {
    std::erase_if(values,
                  [&](double value) { return !std::isfinite(value) || (logarithmic_ && value <= 0); });
    if (values.empty()) values = {1, 10};
    low_ = *std::ranges::min_element(values);
    high_ = *std::ranges::max_element(values);
    if (!logarithmic_) low_ = std::min(low_, 0.0);
    const std::vector<double> ticks = plot_ticks(low_, high_, logarithmic_);
    low_ = std::min(low_, ticks.front());
    high_ = std::max(high_, ticks.back());
  }

  double operator()(double value) const {
    if (logarithmic_ && value <= 0) value = low_;
    const double share = logarithmic_
                             ? (std::log10(value) - std::log10(low_)) / (std::log10(high_) - std::log10(low_))
                             : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
  }

  std::vector<double> ticks() const { return plot_ticks(low_, high_, logarithmic_); }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  bool logarithmic_;
  double from_, to_, low_ = 0, high_ = 1;
};

std::string tick_text(double value) {
  if (value == 0) return "0";
  if (std::abs(value) >= 1e5 || std::abs(value) < 1e-3) return fmt::format("{:.0e}", value);
  return fmt::format("{:g}", value);
}

std::string mark(std::size_t series, double x, double y) {
  const char* const colour = kColours[series % kColours.size()];
  switch (series % 4) {
    case 0: return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"{}\"/>\n", x, y, colour);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"9\" height=\"9\" fill=\"{}\"/>\n", x - 4.5,
                         y - 4.5, colour);
    case 2: return fmt::format("<path d=\"M{:.1f} {:.1f}l6 10h-12z\" fill=\"{}\"/>\n", x, y - 6, colour);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l6 6l-6 6l-6 -6z\" fill=\"{}\"/>\n", x, y - 6, colour);
  }
}

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot),
        x_(plot.x, values(true), kLeft, kWidth - kRight),
        y_(plot.y, values(false), kHeight - kBottom, kTop) {}

  std::string run() {
    out_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
        "font-family=\"sans-serif\" font-size=\"13\" role=\"img\">\n<title>{2}</title>\n"
        "<style>text{{fill:#555}} .axis{{stroke:#777}} .grid{{stroke:#999;stroke-opacity:.3}}\n"
        "@media (prefers-color-scheme: dark){{text{{fill:#bbb}}}}</style>\n",
        kWidth, kHeight, xml_text(plot_.title));
    text(kLeft, 26, plot_.title, "start", " font-size=\"16\"");
    axes();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) series(i);
    return std::move(out_) + "</svg>\n";
  }

 private:
  std::vector<double> values(bool of_x) const {
    std::vector<double> found;
    for (const PlotSeries& each : plot_.series)
      for (const auto& [x, y] : each.points) found.push_back(of_x ? x : y);
    return found;
  }

  void text(double x, double y, std::string_view words, const char* anchor, std::string_view more = {}) {
    out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor,
                        more, xml_text(words));
  }

  void line(double x1, double y1, double x2, double y2, const char* kind) {
    out_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n", x1,
                        y1, x2, y2, kind);
  }

  void axes() {
    const double bottom = kHeight - kBottom, right = kWidth - kRight;
    for (const double tick : x_.ticks()) {
      line(x_(tick), kTop, x_(tick), bottom, "grid");
      text(x_(tick), bottom + 20, tick_text(tick), "middle");
    }
    for (const double tick : y_.ticks()) {
      line(kLeft, y_(tick), right, y_(tick), "grid");
      text(kLeft - 8, y_(tick) + 4, tick_text(tick), "end");
    }
    const double low = std::max(x_.low(), y_.low()), high = std::min(x_.high(), y_.high());
    if (plot_.diagonal && low < high) line(x_(low), y_(low), x_(high), y_(high), "grid");
    line(kLeft, bottom, right, bottom, "axis");
    line(kLeft, kTop, kLeft, bottom, "axis");
    text((kLeft + right) / 2, kHeight - 18, plot_.x.title, "middle");
    text(0, 0, plot_.y.title, "middle",
         fmt::format(" transform=\"translate(20 {:.1f}) rotate(-90)\"", (kTop + bottom) / 2));
  }

  void series(std::size_t index) {
    const PlotSeries& each = plot_.series[index];
    if (each.connected && each.points.size() > 1) {
      std::string path;
      for (const auto& [x, y] : each.points)
        path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_(x), y_(y));
      out_ += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", path,
                          kColours[index % kColours.size()]);
    }
    for (const auto& [x, y] : each.points) out_ += mark(index, x_(x), y_(y));
    const double place = kTop + 12 + 22 * static_cast<double>(index);
    out_ += mark(index, kWidth - kRight + 24, place);
    text(kWidth - kRight + 38, place + 4, each.name, "start");
  }

  const Plot& plot_;
  const Scale x_, y_;
  std::string out_;
};

}  // namespace

std::vector<double> plot_ticks(double low, double high, bool logarithmic) {
  std::vector<double> ticks;
  if (logarithmic) {
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
    const int last = std::max(static_cast<int>(std::ceil(std::log10(high) - 1e-9)), first + 1);
    const int stride = (last - first + 7) / 8;
    for (int power = first; power < last + stride; power += stride) ticks.push_back(std::pow(10, power));
    return ticks;
  }
  const double range = high > low ? high - low : 1;
  double step = std::pow(10, std::floor(std::log10(range)));
  if (range / step < 2) step /= 5;
  if (range / step < 4) step /= 2;
  if (range / step > 8) step *= 2;
  for (double tick = std::floor(low / step) * step; ticks.empty() || ticks.back() < high - step * 1e-9;
       tick += step)
    ticks.push_back(std::abs(tick) < step * 1e-9 ? 0 : tick);
  if (ticks.size() < 2) ticks.push_back(ticks.back() + step);
  return ticks;
}

std::string svg_plot(const Plot& plot) { return Drawing(plot).run(); }

}  // namespace weir
