// Small plots as SVG, without help from other programs: points and curves over two axes, each linear or
// logarithmic, with ticks at round numbers and a legend. Colours are told apart without colour vision by the
// shape of the marks, and are readable on light and on dark ground; the ground itself is left transparent.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace weir {

struct PlotAxis {
  std::string title;
  bool logarithmic = false;  // needs values above 0; others are drawn at the lower end
};

struct PlotSeries {
  std::string name;  // in the legend
  std::vector<std::pair<double, double>> points;
  bool connected = true;  // a curve, not only marks
};

struct Plot {
  std::string title;
  PlotAxis x, y;
  std::vector<PlotSeries> series;
  bool diagonal = false;  // a line where both axes have the same value
};

std::string svg_plot(const Plot& plot);

// Where an axis from `low` to `high` has its ticks: round numbers, four to eight where there is room; powers
// of ten on a logarithmic one.
std::vector<double> plot_ticks(double low, double high, bool logarithmic);

}  // namespace weir
