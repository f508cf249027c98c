#include "fuzz/c_fuzz_sources.hpp"

#include <algorithm>
#include <cctype>

namespace weir::fuzz {

namespace {

using Pieces = std::vector<std::string>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Words, numbers, strings, lines of the preprocessor, and single other characters.
Pieces tokens_of(const std::string& text) {
  Pieces tokens;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (text[i] == '#') {
      end = std::min(text.find('\n', i), text.size());
    } else if (is_word(text[i])) {
      while (end < text.size() && is_word(text[end])) ++end;
    } else if (text[i] == '"') {
      while (end < text.size() && text[end] != '"' && text[end] != '\n') ++end;
      end = std::min(end + 1, text.size());
    }
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

Pieces lines_of(const std::string& text) {
  Pieces lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size() - 1) + 1;
    lines.push_back(text.substr(i, end - i));
    i = end;
  }
  return lines;
}

std::string joined(const Pieces& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

constexpr const char* kWords[] = {"int",
                                  "char",
                                  "short",
                                  "long",
                                  "unsigned",
                                  "signed",
                                  "float",
                                  "double",
                                  "long double",
                                  "_Bool",
                                  "void",
                                  "__int128",
                                  "_Atomic",
                                  "volatile",
                                  "const",
                                  "static",
                                  "extern",
                                  "_Thread_local",
                                  "struct",
                                  "union",
                                  "enum",
                                  "if",
                                  "else",
                                  "while",
                                  "for",
                                  "do",
                                  "switch",
                                  "case 1:",
                                  "default:",
                                  "break",
                                  "continue",
                                  "return",
                                  "goto",
                                  "sizeof",
                                  "_Alignas(16)",
                                  "__attribute__((packed))",
                                  "__attribute__((vector_size(16)))",
                                  "*",
                                  "&",
                                  "[3]",
                                  "[n]",
                                  "()",
                                  "->",
                                  ".",
                                  "++",
                                  "--",
                                  "+",
                                  "-",
                                  "/",
                                  "%",
                                  "<<",
                                  ">>",
                                  "<",
                                  ">=",
                                  "==",
                                  "!=",
                                  "&&",
                                  "||",
                                  "^",
                                  "~",
                                  "!",
                                  "?",
                                  ":",
                                  "=",
                                  "+=",
                                  ";",
                                  ",",
                                  "(",
                                  ")",
                                  "{",
                                  "}",
                                  "0",
                                  "1",
                                  "-1",
                                  "7",
                                  "255",
                                  "2147483647",
                                  "0x8000000000000000",
                                  "1.5",
                                  "1e300",
                                  "'a'",
                                  "\"text\"",
                                  "malloc(8)",
                                  "free",
                                  "memcpy",
                                  "memset",
                                  "strlen",
                                  "printf",
                                  "assert",
                                  "exit",
                                  "abort",
                                  "setjmp",
                                  "alloca(4)",
                                  "rand()",
                                  "pthread_create",
                                  "pthread_join",
                                  "pthread_mutex_lock",
                                  "pthread_mutex_unlock",
                                  "pthread_cond_wait",
                                  "pthread_exit",
                                  "atomic_load",
                                  "atomic_store",
                                  "atomic_fetch_add",
                                  "__atomic_thread_fence(5)",
                                  "__sync_synchronize()",
                                  "__builtin_expect(1, 0)",
                                  "__builtin_trap()",
                                  "__builtin_unreachable()",
                                  "__builtin_va_arg",
                                  "__VERIFIER_nondet_int()",
                                  "__VERIFIER_atomic_begin()",
                                  "__VERIFIER_atomic_end()",
                                  "reach_error()",
                                  "asm volatile(\"mfence\" ::: \"memory\")",
                                  "asm(\"cpuid\")",
                                  "memory_order_relaxed",
                                  "NULL",
                                  "main"};

class TextChange {
 public:
  TextChange(const std::vector<SourceSeed>& seeds, Random& random) : seeds_(seeds), random_(random) {}

  std::string make() {
    std::string text = random_.any(seeds_).text;
    for (std::size_t changes = 1 + random_.below(2); changes > 0; --changes)
      text =
          random_.one_in(4) ? joined(change_lines(lines_of(text))) : joined(change_tokens(tokens_of(text)));
    return text;
  }

 private:
  Pieces change_lines(Pieces lines) {
    if (lines.empty()) return lines;
    const std::size_t at = random_.below(lines.size());
    switch (random_.below(4)) {
      case 0: lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 1:
        lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), std::string(random_.any(lines)));
        break;
      case 2: std::swap(lines[at], random_.any(lines)); break;
      default: splice(lines, at); break;
    }
    return lines;
  }

  // Some lines of another program.
  void splice(Pieces& lines, std::size_t at) {
    const Pieces others = lines_of(random_.any(seeds_).text);
    if (others.empty()) return;
    const std::size_t from = random_.below(others.size());
    const std::size_t to = std::min(others.size(), from + 1 + random_.below(10));
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at),
                 others.begin() + static_cast<std::ptrdiff_t>(from),
                 others.begin() + static_cast<std::ptrdiff_t>(to));
  }

  Pieces change_tokens(Pieces tokens) {
    if (tokens.empty()) return tokens;
    const std::size_t at = visible(tokens);
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random_.below(16)) {
      case 0: tokens.erase(place); break;
      case 1: tokens.insert(place, std::string(tokens[at])); break;
      case 2: std::swap(tokens[at], tokens[visible(tokens)]); break;
      case 3: tokens.insert(place, " " + std::string(random_.any(kWords)) + " "); break;
      case 4: tokens[at] = random_.any(kWords); break;
      default: replace_by_like(tokens, at); break;
    }
    return tokens;
  }

  // Anything but white space, if there is something.
  std::size_t visible(const Pieces& tokens) {
    std::size_t at = random_.below(tokens.size());
    for (int tries = 0; tries < 20 && std::isspace(static_cast<unsigned char>(tokens[at][0])) != 0; ++tries)
      at = random_.below(tokens.size());
    return at;
  }

  // A word for a word, a number for a number, a sign for a sign: most results compile.
  void replace_by_like(Pieces& tokens, std::size_t at) {
    const auto kind = [](const std::string& token) {
      const auto first = static_cast<unsigned char>(token[0]);
      return std::isdigit(first)   ? 1
             : is_word(token[0])   ? 2
             : std::isspace(first) ? 3
             : token[0] == '#'     ? 4
                                   : 5;
    };
    for (int tries = 0; tries < 50; ++tries) {
      const std::string& other = tokens[random_.below(tokens.size())];
      if (kind(other) != kind(tokens[at]) || other == tokens[at]) continue;
      tokens[at] = std::string(other);
      return;
    }
  }

  const std::vector<SourceSeed>& seeds_;
  Random& random_;
};

}  // namespace

std::string mutated_source(const std::vector<SourceSeed>& seeds, Random& random) {
  return TextChange(seeds, random).make();
}

}  // namespace weir::fuzz
