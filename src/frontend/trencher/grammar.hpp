// The grammar of Trencher files, in PEGTL.
//
//   file        = { thread | "memory" INTEGER "=" INTEGER | "name" INTEGER WORD | "memory_size" INTEGER }
//   thread      = "thread" WORD { "initial" WORD | "final" WORD | transition } "end"
//   transition  = "transition" WORD WORD instruction
//   instruction = "write" expression expression | "read" WORD expression | "local" WORD expression
//               | "check" expression | "mfence" | "noop" | "lock" | "unlock"
//   expression  = INTEGER | REGISTER | "!" expression | OPERATOR expression expression
//
// The operators of papers are read besides: ≠ ≤ ≥ ∧ ∨ ¬. Words are separated by blanks; a line break is a blank, as in Trencher itself. To catch a line that lacks
// an operand, a keyword that opens a line is never taken for an operand. A line that starts with # is a
// comment; between threads a comment may also follow on the same line.
//
// An expression is read by a loop, not by recursion: the reader's stack of operands still owed says when it
// is complete. So nesting costs no stack, and the reader can bound it.
#pragma once

#include <tao/pegtl.hpp>

namespace weir::trencher::grammar {

namespace p = tao::pegtl;

struct word : p::plus<p::not_one<' ', '\t', '\n', '\v', '\f', '\r'>> {};
struct word_end : p::at<p::sor<p::space, p::eof>> {};

// Matches `Text` as a whole word and consumes nothing unless it does.
template <class Text>
struct exactly : p::seq<p::at<Text, word_end>, word> {};

// Nothing but blanks stands before this point on its line. Consumes nothing.
struct line_start {
  using rule_t = line_start;
  using subs_t = p::empty_list;

  template <class Input>
  static bool match(Input& in) {
    const char* at = in.current();
    const char* const begin = at - in.byte();
    while (at != begin && (at[-1] == ' ' || at[-1] == '\t' || at[-1] == '\r')) --at;
    return at == begin || at[-1] == '\n';
  }
};

struct comment : p::seq<line_start, p::one<'#'>, p::until<p::eolf>> {};
struct gap : p::star<p::sor<p::plus<p::space>, comment>> {};

struct key_thread : exactly<TAO_PEGTL_STRING("thread")> {};
struct key_initial : exactly<TAO_PEGTL_STRING("initial")> {};
struct key_final : exactly<TAO_PEGTL_STRING("final")> {};
struct key_transition : exactly<TAO_PEGTL_STRING("transition")> {};
struct key_end : exactly<TAO_PEGTL_STRING("end")> {};
struct key_memory : exactly<TAO_PEGTL_STRING("memory")> {};
struct key_memory_size : exactly<TAO_PEGTL_STRING("memory_size")> {};
struct key_name : exactly<TAO_PEGTL_STRING("name")> {};

struct opens_line : p::seq<line_start, p::sor<key_thread, key_initial, key_final, key_transition, key_end>> {
};

struct name : p::seq<p::not_at<opens_line>, word> {};
struct integer_form : p::seq<p::opt<p::one<'-', '+'>>, p::plus<p::digit>, word_end> {};
struct integer : p::seq<p::at<integer_form>, word> {};

// Expressions.
struct unary_operator : exactly<p::sor<p::one<'!'>, TAO_PEGTL_STRING("¬")>> {};
struct binary_form
    : p::sor<TAO_PEGTL_STRING("=="), TAO_PEGTL_STRING("!="), TAO_PEGTL_STRING("<="), TAO_PEGTL_STRING(">="),
             TAO_PEGTL_STRING("&&"), TAO_PEGTL_STRING("||"), TAO_PEGTL_STRING("≠"), TAO_PEGTL_STRING("≤"),
             TAO_PEGTL_STRING("≥"), TAO_PEGTL_STRING("∧"), TAO_PEGTL_STRING("∨"),
             p::one<'<', '>', '+', '-', '*', '&'>> {};
struct binary_operator : exactly<binary_form> {};
struct constant : integer {};
struct starts_number : p::seq<p::opt<p::one<'-', '+'>>, p::digit> {};
struct only_punctuation
    : p::seq<p::plus<p::one<'!', '=', '<', '>', '&', '|', '+', '-', '*', '/', '%', '^', '~'>>, word_end> {};
struct register_value : p::seq<p::not_at<starts_number>, p::not_at<only_punctuation>, name> {};
struct operand
    : p::seq<p::not_at<opens_line>, p::sor<unary_operator, binary_operator, constant, register_value>> {};

// The expression being read still lacks operands. Consumes nothing.
struct operands_owed {
  using rule_t = operands_owed;
  using subs_t = p::empty_list;

  template <p::apply_mode, p::rewind_mode, template <class...> class, template <class...> class, class Input,
            class Reader>
  static bool match(Input&, Reader& reader) {
    return reader.operands_owed();
  }
};
struct rest_of_expression : p::star<operands_owed, p::must<gap, operand>> {};
struct value_operand : operand {};
struct address_operand : operand {};
struct value : p::seq<p::must<gap, value_operand>, rest_of_expression> {};
struct address : p::seq<p::must<gap, address_operand>, rest_of_expression> {};

// Instructions.
struct target_register : p::seq<p::not_at<starts_number>, p::not_at<only_punctuation>, name> {};
struct write : p::if_must<exactly<TAO_PEGTL_STRING("write")>, value, address> {};
struct read : p::if_must<exactly<TAO_PEGTL_STRING("read")>, gap, target_register, address> {};
struct local : p::if_must<exactly<TAO_PEGTL_STRING("local")>, gap, target_register, value> {};
struct check : p::if_must<exactly<TAO_PEGTL_STRING("check")>, value> {};
struct mfence : exactly<TAO_PEGTL_STRING("mfence")> {};
struct noop : exactly<TAO_PEGTL_STRING("noop")> {};
struct lock : exactly<TAO_PEGTL_STRING("lock")> {};
struct unlock : exactly<TAO_PEGTL_STRING("unlock")> {};
struct instruction
    : p::seq<p::not_at<opens_line>, p::sor<write, read, local, check, mfence, noop, lock, unlock>> {};

// Lines of a thread.
struct source_state : name {};
struct target_state : name {};
struct initial_state : name {};
struct final_state : name {};
struct transition : p::if_must<key_transition, gap, source_state, gap, target_state, gap, instruction> {};
struct initial : p::if_must<key_initial, gap, initial_state> {};
struct final : p::if_must<key_final, gap, final_state> {};

struct thread_name : name {};
struct thread_end : key_end {};
struct thread : p::if_must<key_thread, gap, thread_name, gap,
                           p::star<p::sor<transition, initial, final>, gap>, thread_end> {};

// Lines between threads.
struct memory_address : integer {};
struct equals : exactly<p::one<'='>> {};
struct memory_value : integer {};
struct memory : p::if_must<key_memory, gap, memory_address, gap, equals, gap, memory_value> {};
struct named_address : integer {};
struct address_name : name {};
struct name_line : p::if_must<key_name, gap, named_address, gap, address_name> {};
struct size_value : integer {};
struct memory_size : p::if_must<key_memory_size, gap, size_value> {};
struct trailing_comment : p::seq<p::one<'#'>, p::until<p::eolf>> {};

struct file_end : p::eof {};
struct file : p::seq<gap, p::star<p::sor<thread, memory, name_line, memory_size, trailing_comment>, gap>,
                     p::must<file_end>> {};

}  // namespace weir::trencher::grammar
