// Protects the plots: ticks at round numbers that cover the data, and every point in the picture.
#include "report/plot/plot.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::plot_test {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Plot, TicksAreRoundAndCoverTheRange) {
  EXPECT_THAT(plot_ticks(0, 10, false), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(plot_ticks(1, 1000, true), ElementsAre(1, 10, 100, 1000));
  for (const double high : {0.003, 0.7, 1.0, 3.0, 19.0, 42.0, 99.0, 1234.5, 8e9}) {
    const std::vector<double> ticks = plot_ticks(0, high, false);
    EXPECT_GE(ticks.size(), 4u) << high;
    EXPECT_LE(ticks.size(), 11u) << high;
    EXPECT_EQ(ticks.front(), 0);
    EXPECT_GE(ticks.back(), high * (1 - 1e-9));
    EXPECT_LT(ticks[ticks.size() - 2], high);
  }
}

TEST(Plot, LogarithmicTicksArePowersOfTen) {
  for (const auto& [low, high] : {std::pair{0.02, 0.03}, {1.0, 1.0}, {3.0, 5e6}, {1e-12, 1e12}}) {
    const std::vector<double> ticks = plot_ticks(low, high, true);
    EXPECT_LE(ticks.front(), low * (1 + 1e-6));
    EXPECT_GE(ticks.back(), high * (1 - 1e-6));
    EXPECT_LE(ticks.size(), 10u);
    for (const double tick : ticks) EXPECT_NEAR(std::log10(tick), std::round(std::log10(tick)), 1e-9);
  }
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Plot, DrawsEveryPointAndCurve) {
  Plot plot{"a < b", {"n", false}, {"seconds", true}, {{"first", {{1, 0.1}, {2, 10}, {3, 0}}, true}}};
  const std::string svg = svg_plot(plot);
  EXPECT_THAT(svg, HasSubstr("a &lt; b"));
  EXPECT_EQ(count(svg, "<circle"), 4u);  // three points, and one in the legend
  EXPECT_EQ(count(svg, "stroke-width=\"2\""), 1u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(Plot, DiagonalIsWhereBothAxesAgree) {
  Plot plot{"times", {"one", true}, {"other", true}, {{"", {{0.1, 1}, {10, 100}}, false}}};
  const std::size_t lines = count(svg_plot(plot), "<line");
  plot.diagonal = true;
  EXPECT_EQ(count(svg_plot(plot), "<line"), lines + 1);
  plot.series[0].points = {{0.1, 100}, {0.5, 300}};  // no value is on both axes
  EXPECT_EQ(svg_plot(plot).find("nan"), std::string::npos);
}

TEST(Plot, OfNothingIsAnEmptyFrame) {
  const std::string svg = svg_plot({"nothing", {"x", true}, {"y", false}, {}});
  EXPECT_THAT(svg, HasSubstr("class=\"axis\""));
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

}  // namespace weir::plot_test
