// What is given to a macro is expanded before it takes the place of a parameter, so that a macro may be given to itself; a macro
// whose words use it again would never end and is refused. Macros of macros can be exponentially long, so the result is bounded.
#include "frontend/rmm/macros.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "base/syntax_error.hpp"

namespace weir::rmm {

namespace {

using text::Name;
using text::Token;
using Words = std::vector<Token>;

constexpr std::size_t kMostWords = 1'000'000;
constexpr std::string_view kBegin = "macro", kEnd = "endmacro";

struct Macro {
  std::vector<Name> parameters;
  Words body;
};

class Expander {
 public:
  explicit Expander(text::TokenReader& tokens) : tokens_(tokens) {}

  Words run() {
    Words whole;
    while (!tokens_.at_end()) {
      if (tokens_.at_name(kBegin)) {
        define();
        continue;
      }
      const Token word = tokens_.take();
      if (word.kind != Token::Kind::kName || !macros_.contains(word.text)) {
        whole.push_back(word);
        continue;
      }
      Words use{word};
      take_arguments(use);
      append_expanded(use, {}, whole);
    }
    whole.push_back(tokens_.peek());  // the end
    return whole;
  }

 private:
  using Active = std::vector<std::string_view>;  // the macros that are being expanded

  void define() {
    tokens_.take();
    const Name name = tokens_.expect_name("the name of a macro");
    Macro macro;
    tokens_.expect("(", "behind the name of a macro");
    while (!tokens_.accept(")")) {
      macro.parameters.push_back(tokens_.expect_name("a parameter or ')'"));
      const Name& added = macro.parameters.back();
      if (std::ranges::count(macro.parameters, added.text, &Name::text) > 1)
        fail(added.position, fmt::format("a second parameter named '{}'", text::shortened(added.text)));
      if (!tokens_.accept(",") && !tokens_.at(")")) tokens_.fail_expected("',' or ')' behind a parameter");
    }
    while (!tokens_.at_name(kEnd)) {
      if (tokens_.at_name(kBegin)) fail(tokens_.here(), "a macro in a macro");
      if (tokens_.at_end())
        fail(tokens_.here(), fmt::format("expected 'endmacro' of the macro '{}', found the end of the text",
                                         text::shortened(name.text)));
      macro.body.push_back(tokens_.take());
    }
    tokens_.take();
    if (!macros_.emplace(name.text, std::move(macro)).second)
      fail(name.position, fmt::format("a second macro named '{}'", text::shortened(name.text)));
  }

  // Adds the words of the parentheses behind the name of a macro.
  void take_arguments(Words& use) {
    if (!tokens_.at("(")) tokens_.fail_expected("'(' behind the name of a macro");
    std::size_t depth = 0;
    do {
      if (tokens_.at_end() || tokens_.at_name(kBegin))
        tokens_.fail_expected("')' behind what is given to a macro");
      const Token word = tokens_.take();
      depth += word.is("(") ? 1 : 0;
      depth -= word.is(")") ? 1 : 0;
      use.push_back(word);
    } while (depth > 0);
  }

  void append_expanded(const Words& words, const Active& active, Words& whole) {
    for (std::size_t at = 0; at < words.size(); ++at) {
      const auto macro = words[at].kind == Token::Kind::kName ? macros_.find(words[at].text) : macros_.end();
      if (macro == macros_.end()) {
        if (whole.size() >= kMostWords)
          fail(words[at].position,
               fmt::format("macros make this too long; the limit is {} words", kMostWords));
        whole.push_back(words[at]);
        continue;
      }
      append_use(macro->first, macro->second, words, at, active, whole);
    }
  }

  // At the name of the macro; goes to the ')' behind what is given to it.
  void append_use(std::string_view name, const Macro& macro, const Words& words, std::size_t& at,
                  const Active& active, Words& whole) {
    const Token& use = words[at];
    if (std::ranges::find(active, name) != active.end())
      fail(use.position, fmt::format("the macro '{}' uses itself", text::shortened(use.text)));
    const std::vector<Words> given = arguments(words, at, active);
    if (given.size() != macro.parameters.size())
      fail(use.position,
           fmt::format("the macro '{}' has {} parameter{}, but {} given here", text::shortened(use.text),
                       macro.parameters.size(), macro.parameters.size() == 1 ? "" : "s",
                       given.size() == 1 ? "1 is" : fmt::format("{} are", given.size())));
    Words body;
    for (const Token& word : macro.body) {
      const auto parameter = std::ranges::find(macro.parameters, word.text, &Name::text);
      if (word.kind != Token::Kind::kName || parameter == macro.parameters.end()) {
        body.push_back(word);
        continue;
      }
      const Words& words_given = given[static_cast<std::size_t>(parameter - macro.parameters.begin())];
      body.insert(body.end(), words_given.begin(), words_given.end());
    }
    Active inner = active;
    inner.push_back(name);
    append_expanded(body, inner, whole);
  }

  // What stands between the parentheses behind `at`, which goes to the last of them.
  std::vector<Words> arguments(const Words& words, std::size_t& at, const Active& active) {
    if (at + 1 == words.size() || !words[at + 1].is("("))
      fail(words[at].position,
           fmt::format("expected '(' behind the macro '{}'", text::shortened(words[at].text)));
    std::vector<Words> raw;
    std::size_t depth = 0;
    for (++at; at < words.size(); ++at) {
      const Token& word = words[at];
      if (word.is(")") && --depth == 0) break;
      const bool outside = depth == 0 || (depth == 1 && word.is(","));
      depth += word.is("(") ? 1 : 0;
      if (word.is(",") && outside && raw.empty()) fail(word.position, "nothing is given to a macro here");
      if (word.is(",") && outside) raw.emplace_back();
      if (outside) continue;
      if (raw.empty()) raw.emplace_back();
      raw.back().push_back(word);
    }
    if (at == words.size()) fail(words.back().position, "expected ')' behind what is given to a macro");
    std::vector<Words> result;
    for (const Words& one : raw) {
      if (one.empty()) fail(words[at].position, "nothing is given to a macro here");
      append_expanded(one, active, result.emplace_back());
    }
    return result;
  }

  text::TokenReader& tokens_;
  std::map<std::string, Macro, std::less<>> macros_;
};

}  // namespace

std::vector<Token> expanded(text::TokenReader& tokens) { return Expander(tokens).run(); }

}  // namespace weir::rmm
