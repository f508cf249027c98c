// Streett pairs and lists of vertices, as plain numbers.
#include <algorithm>

#include "frontend/fairness/scanner.hpp"
#include "frontend/fairness/systems.hpp"

namespace weir::fairness {

namespace {

void sort_set(std::vector<Vertex>& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

std::vector<Vertex> read_set(Scanner& scanner, std::size_t vertices) {
  std::vector<Vertex> set;
  for (scanner.skip_blanks(); scanner.peek() >= '0' && scanner.peek() <= '9'; scanner.skip_blanks())
    set.push_back(scanner.number("a vertex", vertices));
  sort_set(set);
  return set;
}

// To the first character of the next line with something on it.
bool next_line(Scanner& scanner) {
  for (scanner.skip_space(); scanner.peek() == '#'; scanner.skip_space()) scanner.rest_of_line();
  return !scanner.at_end();
}

void expect_line_end(const Scanner& scanner, const char* expected) {
  if (!scanner.at_line_end()) scanner.fail(expected);
}

}  // namespace

Expected<std::vector<StreettPair>> read_pairs(std::string path, std::string text, std::size_t vertices) {
  return read_text<std::vector<StreettPair>>(std::move(path), std::move(text), [&](Scanner& scanner) {
    std::vector<StreettPair> pairs;
    while (next_line(scanner)) {
      StreettPair pair;
      if (!scanner.accept("L:")) scanner.fail("expected a pair, as in L: 0 3 5 U: 7 9");
      pair.requests = read_set(scanner, vertices);
      if (!scanner.accept("U:")) scanner.fail("expected a vertex, or U: and the grants");
      pair.grants = read_set(scanner, vertices);
      expect_line_end(scanner, "expected a vertex or the end of the line");
      pairs.push_back(std::move(pair));
    }
    return pairs;
  });
}

Expected<std::vector<Vertex>> read_vertices(std::string path, std::string text, std::size_t vertices) {
  return read_text<std::vector<Vertex>>(std::move(path), std::move(text), [&](Scanner& scanner) {
    std::vector<Vertex> set;
    while (next_line(scanner)) {
      set.push_back(scanner.number("a vertex", vertices));
      scanner.skip_blanks();
      expect_line_end(scanner, "expected one vertex per line");
    }
    sort_set(set);
    return set;
  });
}

}  // namespace weir::fairness
