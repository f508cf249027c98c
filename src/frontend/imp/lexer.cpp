// The tokens of IMP as a PEGTL grammar. Comments are //, /* */ and (* *). PEGTL counts lines as it goes, so
// positions cost nothing extra.
#include "frontend/imp/lexer.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <tao/pegtl.hpp>

#include "frontend/imp/syntax.hpp"

namespace weir::imp {

namespace {

namespace p = tao::pegtl;

template <class Open, class Close>
struct block_comment : p::seq<Open, p::until<Close>> {};

struct line_comment : p::seq<TAO_PEGTL_STRING("//"), p::until<p::eolf>> {};
struct star_comment : block_comment<TAO_PEGTL_STRING("/*"), TAO_PEGTL_STRING("*/")> {};
struct pascal_comment : block_comment<TAO_PEGTL_STRING("(*"), TAO_PEGTL_STRING("*)")> {};
struct gap : p::star<p::sor<p::plus<p::space>, line_comment, star_comment, pascal_comment>> {};

struct word : p::identifier {};
struct number : p::seq<p::plus<p::digit>, p::not_at<p::identifier_other>> {};
struct open_comment : p::sor<TAO_PEGTL_STRING("/*"), TAO_PEGTL_STRING("(*")> {};
struct long_symbol
    : p::sor<TAO_PEGTL_STRING(":="), TAO_PEGTL_STRING("=="), TAO_PEGTL_STRING("!="), TAO_PEGTL_STRING("<>"),
             TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="), TAO_PEGTL_STRING("<<"), TAO_PEGTL_STRING(">>"),
             TAO_PEGTL_STRING("&&"), TAO_PEGTL_STRING("||")> {};
struct symbol : p::sor<long_symbol, p::one<':', ';', ',', '.', '=', '<', '>', '+', '-', '*', '/', '%', '!',
                                           '&', '|', '^', '~', '(', ')', '[', ']', '{', '}'>> {};
struct token : p::seq<p::not_at<open_comment>, p::sor<word, number, symbol>> {};

template <class Rule>
struct Action : p::nothing<Rule> {};

template <Token::Kind kind>
struct SetKind {
  static void apply0(Token& token) { token.kind = kind; }
};
template <>
struct Action<word> : SetKind<Token::Kind::kName> {};
template <>
struct Action<number> : SetKind<Token::Kind::kNumber> {};
template <>
struct Action<symbol> : SetKind<Token::Kind::kSymbol> {};

constexpr std::string_view kKeywords[] = {
    "and",     "assert",  "assume", "atomic", "begin", "do",        "else", "end", "exclusive",
    "false",   "fence",   "fi",     "if",     "local", "not",       "od",   "or",  "proc",
    "process", "program", "skip",   "then",   "true",  "variables", "while"};

[[noreturn]] void refuse(SourcePosition position, std::string_view rest) {
  if (rest.starts_with("/*") || rest.starts_with("(*"))
    fail(position, "this comment does not end", fmt::format("expected '{}'", rest[0] == '/' ? "*/" : "*)"));
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (byte >= '0' && byte <= '9') {
    constexpr std::size_t kShown = 40;
    const auto stops = [](char c) { return c != '_' && !std::isalnum(static_cast<unsigned char>(c)); };
    const std::string_view shown = rest.substr(0, kShown);
    const auto end = std::find_if(shown.begin(), shown.end(), stops);
    fail(position, fmt::format("'{}' is neither a number nor a name", std::string_view(shown.begin(), end)));
  }
  if (byte < 0x20 || byte >= 0x7f) fail(position, fmt::format("unexpected byte 0x{:02x}", byte));
  fail(position, fmt::format("unexpected character '{}'", rest[0]));
}

}  // namespace

struct Lexer::Input {
  explicit Input(std::string_view text) : in(text.data(), text.data() + text.size(), "") {}

  p::memory_input<> in;
};

Lexer::Lexer(FileId file, std::string_view text) : file_(file), input_(std::make_unique<Input>(text)) {}
Lexer::~Lexer() = default;

Token Lexer::next() {
  auto& in = input_->in;
  p::parse<gap>(in);
  const char* const begin = in.current();
  Token result;
  result.position = {file_, static_cast<std::uint32_t>(in.iterator().line),
                     static_cast<std::uint32_t>(in.iterator().column)};
  if (in.empty()) return result;
  if (!p::parse<token, Action>(in, result))
    refuse(result.position, {begin, static_cast<std::size_t>(in.end() - begin)});
  result.text = {begin, static_cast<std::size_t>(in.current() - begin)};
  if (result.kind == Token::Kind::kName && is_keyword(result.text)) result.kind = Token::Kind::kKeyword;
  return result;
}

bool is_keyword(std::string_view text) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), text) != std::end(kKeywords);
}

bool is_name(std::string_view text) {
  p::memory_input<> in(text.data(), text.data() + text.size(), "");
  return p::parse<p::seq<p::identifier, p::eof>>(in) && !is_keyword(text);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string describe(const Token& token) {
  constexpr std::size_t kShown = 40;
  if (token.kind == Token::Kind::kEnd) return "the end of the text";
  return fmt::format("'{}{}'", token.text.substr(0, kShown), token.text.size() > kShown ? "..." : "");
}

}  // namespace weir::imp
