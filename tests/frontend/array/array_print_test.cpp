// A printed array system parses back to the same system: shown by printing it again.
#include <filesystem>
#include <fmt/format.h>
#include <numeric>
#include <random>

#include "frontend/array/array.hpp"
#include "frontend/frontend_checks.hpp"
#include "program/array/text.hpp"

namespace weir::array_print_test {

using namespace array;

void expect_fixpoint(const std::string& printed) {
  const auto again = parse_array_system("again.cub", printed);
  ASSERT_TRUE(again.ok()) << test::rendered(again) << printed;
  EXPECT_EQ(print_array_system(again.value()), printed);
}

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> result;
  for (const char* folder : {"/examples/array", "/bench/array"})
    for (const auto& entry : std::filesystem::directory_iterator(std::string(WEIR_SOURCE_DIR) + folder))
      if (entry.path().extension() == ".cub") result.push_back(entry.path());
  return result;
}

TEST(ArrayPrint, EveryExamplePrintsToItself) {
  EXPECT_GE(examples().size(), 60u);
  for (const auto& path : examples()) {
    SCOPED_TRACE(path.string());
    const auto system = parse_array_system(path.string(), test::read_file(path.string()));
    ASSERT_TRUE(system.ok()) << test::rendered(system);
    expect_fixpoint(print_array_system(system.value()));
  }
}

// Whoever runs the examples reads there what must come out.
TEST(ArrayPrint, EveryExampleSaysWhatIsTrueOfIt) {
  for (const auto& path : examples()) {
    const std::string text = test::read_file(path.string());
    EXPECT_TRUE(text.starts_with("(* expect: safe *)\n") || text.starts_with("(* expect: unsafe *)\n"))
        << path;
  }
}

// Random systems, not all of which the parser could have made: quantifiers with any exceptions, conjunctions
// of one or no operand, odd numbers.
class SystemGenerator {
 public:
  explicit SystemGenerator(std::uint64_t seed) : random_(seed) {
    system_.sorts = {{"proc", SortKind::kProcess, {}},
                     {"bool", SortKind::kBoolean, {"False", "True"}},
                     {"int", SortKind::kInteger, {}},
                     {"real", SortKind::kReal, {}},
                     {"loc", SortKind::kEnumeration, {"A1", "B1", "C1"}},
                     {"data", SortKind::kAbstract, {}}};
    system_.number_of_processes = 3;
    for (std::uint32_t sort = 0; sort < 6; ++sort)
      for (std::uint32_t dimensions = 0; dimensions < 3; ++dimensions)
        system_.symbols.push_back({.name = fmt::format("S{}_{}", sort, dimensions),
                                   .sort = SortId(sort),
                                   .dimensions = dimensions,
                                   .weak = pick(3) == 0});
    system_.symbols[pick(18)].constant = true;
    for (Symbol& symbol : system_.symbols)
      if (symbol.constant) symbol.weak = false;
  }

  ArraySystem generate() {
    begin(pick(3), false);
    system_.initial = {parameters(), formula(3)};
    begin(1 + pick(2), true);
    system_.unsafe.push_back({"bad", parameters(), literals()});
    begin(1 + pick(2), true);
    system_.invariants.push_back({"", parameters(), literals()});
    for (std::size_t i = 0; i < 3; ++i) system_.transitions.push_back(transition(i));
    return system_;
  }

 private:
  std::uint32_t pick(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }

  void begin(std::uint32_t processes, bool cube) {
    processes_ = processes;
    cube_ = cube;
  }
  std::vector<std::string> parameters() const {
    static const std::vector<std::string> names{"p", "j2", "z"};  // j2: a name the printer would like to use
    return {names.begin(), names.begin() + processes_};
  }

  Process process() {
    const std::uint32_t chosen = pick(processes_ + 1);
    if (chosen == processes_) return {.constant = true, .index = pick(3)};
    return {.index = chosen};
  }

  Access access(SymbolId symbol) {
    Access result{.symbol = symbol};
    for (std::uint32_t i = 0; i < system_.symbol(symbol).dimensions; ++i)
      result.arguments.push_back(process());
    if (cube_ && system_.symbol(symbol).weak) result.viewer = process();
    return result;
  }

  Rational number(bool real) {
    static constexpr std::int64_t kDenominators[] = {1, 2, 3, 10, 8, 7};
    const std::int64_t denominator = real ? kDenominators[pick(6)] : 1;
    std::int64_t numerator = static_cast<std::int64_t>(pick(20)) - 10;
    while (std::gcd(numerator, denominator) != 1) ++numerator;
    return {numerator, denominator};
  }

  Term term(SortId sort) {
    Term result{.sort = sort};
    const SymbolId symbol(sort.index() * 3 + pick(3));
    if (system_.sort(sort).numeric()) return sum(result);
    const std::uint32_t constructors = static_cast<std::uint32_t>(system_.sort(sort).constructors.size());
    if (sort.index() == 0 && pick(2) == 0) {
      result.kind = TermKind::kProcess;
      result.process = process();
    } else if (constructors > 0 && pick(2) == 0) {
      result.kind = TermKind::kConstructor;
      result.constructor = pick(constructors);
    } else {
      result.kind = TermKind::kAccess;
      result.access = access(symbol);
    }
    return result;
  }

  Term sum(Term result) {
    const bool real = system_.sort(result.sort).kind == SortKind::kReal;
    result.number = number(real);
    for (std::uint32_t i = 0; i < 3; ++i) {
      if (pick(2) == 0) continue;
      Rational factor = number(real);
      if (factor.numerator == 0) factor = {1, 1};
      result.summands.push_back({factor, access(SymbolId(result.sort.index() * 3 + i))});
    }
    return result;
  }

  Formula comparison() {
    const SortId sort(pick(6));
    Formula result{.kind = FormulaKind::kCompare,
                   .comparison = static_cast<Comparison>(pick(system_.sort(sort).numeric() ? 4 : 2))};
    result.terms = {term(sort), term(sort)};
    // At least one side must tell the sort of two plain numbers.
    if (system_.sort(sort).kind == SortKind::kReal && result.terms[0].summands.empty())
      result.terms[0].summands.push_back({{1, 2}, access(SymbolId(9))});
    return result;
  }

  std::vector<Formula> literals() {
    std::vector<Formula> result;
    for (std::uint32_t i = pick(4); i > 0; --i) result.push_back(comparison());
    return result;
  }

  Formula formula(std::uint32_t depth) {
    if (depth == 0) return comparison();
    Formula result{.kind = static_cast<FormulaKind>(pick(9))};
    switch (result.kind) {
      case FormulaKind::kCompare:
      case FormulaKind::kFence: return comparison();
      case FormulaKind::kNot: result.operands.push_back(formula(depth - 1)); break;
      case FormulaKind::kAnd:
      case FormulaKind::kOr:
        for (std::uint32_t i = pick(4); i > 0; --i) result.operands.push_back(formula(depth - 1));
        break;
      case FormulaKind::kForAll:
      case FormulaKind::kExists:
        for (std::uint32_t i = 0; i < processes_; ++i)
          if (pick(2) == 0) result.others.push_back({.index = i});
        result.bound = processes_++;
        result.operands.push_back(formula(depth - 1));
        --processes_;
        break;
      default: break;
    }
    return result;
  }

  Transition transition(std::size_t number) {
    begin(1 + pick(3), false);
    Transition result{
        .name = fmt::format("t{}", number), .parameters = parameters(), .performer = pick(processes_)};
    result.guard = formula(3);
    const std::uint32_t start = pick(18);
    for (std::uint32_t i = start; i < 18; i += 1 + pick(6))
      if (!system_.symbols[i].constant) result.updates.push_back(update(SymbolId(i)));
    return result;
  }

  Update update(SymbolId symbol) {
    const std::uint32_t before = processes_;
    Update result{.symbol = symbol};
    result.everywhere = system_.symbol(symbol).dimensions > 0 && pick(2) == 0;
    if (!result.everywhere) result.arguments = access(symbol).arguments;
    for (std::uint32_t i = 0; result.everywhere && i < system_.symbol(symbol).dimensions; ++i)
      result.bound.push_back(processes_++);
    for (std::uint32_t i = pick(3); i > 0; --i) result.cases.push_back({formula(2), value(symbol)});
    result.cases.push_back({{}, value(symbol)});
    processes_ = before;
    return result;
  }

  std::optional<Term> value(SymbolId symbol) {
    if (pick(4) == 0) return std::nullopt;
    return term(system_.symbol(symbol).sort);
  }

  std::mt19937_64 random_;
  ArraySystem system_;
  std::uint32_t processes_ = 0;  // in scope
  bool cube_ = false;
};

TEST(ArrayPrint, GeneratedSystemsPrintToThemselves) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    expect_fixpoint(print_array_system(SystemGenerator(seed).generate()));
  }
}

}  // namespace weir::array_print_test
