// The recursive-descent parser of the `.weir` text form; see text.hpp for the language. Objects, functions,
// threads and properties come in any order as long as each is declared before it is used; only labels and
// called functions may be used ahead of their declaration, and are resolved at the end of the function and of
// the text.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/program.hpp"
#include "program/text/lexer.hpp"

namespace weir::text_form {

class Parser {
 public:
  // `file`: where positions point as long as the text does not name `sources` of its own.
  Parser(std::string_view text, FileId file) : lexer_(text), own_file_(file) {
    current_ = lexer_.next();
    ahead_ = lexer_.next();
  }

  Program run();  // throws SyntaxError
  bool is_its_own_source() const { return own_positions_; }

 private:
  // Something referred to by name or by `#number` before it can be looked up.
  struct Reference {
    Token token;
    std::optional<std::uint32_t> number;
  };
  struct EdgeDraft {
    std::uint32_t id = 0;
    Edge edge;
    std::optional<Reference> target;  // none: a return without one
    Token token;                      // the id or the start of the edge, for messages
  };
  struct LocationDraft {
    std::uint32_t id = 0;
    Location location;
    Token token;
  };
  struct CallDraft {
    std::size_t edge_draft;
    Reference callee;
  };

  // Tokens.
  Token take();
  bool accept(std::string_view symbol_or_word);
  Token expect(std::string_view symbol_or_word);
  void expect_line_end();
  void skip_line_ends();
  [[noreturn]] void fail(const Token& token, std::string message, std::string hint = {}) const;
  [[noreturn]] void fail_expected(const Token& token, std::string_view wanted) const;

  // Names, numbers, types, positions.
  bool at_name() const;
  std::string name(std::string_view what);
  Reference reference(std::string_view what);
  std::uint32_t plain_number(std::string_view what);
  Value signed_number();
  Value typed_value(Type type);
  std::uint64_t count(std::string_view what);
  Value magnitude(const Token& token, std::string_view digits, bool negative, Type type) const;
  Type type();
  Type optional_colon_type();
  SourcePosition position_after(const Token& token);

  // Declarations.
  void header();
  void declaration();
  void shared_object();
  void cells(SharedObject& object);
  void function();
  void parameters();
  void local_declarations();
  Register register_declaration();
  PrivateObject private_declaration(std::uint64_t next_offset);
  void location();
  void edge();
  void finish_function(const Token& opening, const std::optional<Reference>& entry);
  void thread();
  void goal();
  void another_goal();
  void exclusive();
  void invariant();
  ThreadLocation thread_location();
  void resolve_calls();
  void place_locations();
  void place_edges();

  // Instructions.
  Instruction instruction();
  Instruction bare(Opcode op);
  Instruction with_result();
  Instruction load(RegisterId result);
  Instruction store();
  Instruction rmw(RegisterId result);
  Instruction choose(RegisterId result);
  Instruction call(RegisterId result);
  Instruction fence();
  Instruction allocate(RegisterId result);
  Instruction free_block();
  Instruction renew_block();
  BlockKind block_kind();
  std::string message();
  Order order();
  void access(Instruction& instruction);
  ExprId address();
  ExprId element_address(const SharedObject& object, ExprId index);
  RegisterId register_reference(FunctionId function);
  ObjectId object_reference(const Token& token) const;
  ThreadId thread_reference();

  // Expressions.
  ExprId expression();
  ExprId select_expression();
  ExprId binary_expression(int minimal_precedence);
  ExprId cast_expression();
  ExprId unary_expression();
  ExprId primary_expression();
  ExprId float_binary(ExprOp op);
  ExprId float_conversion(ExprOp op);
  ExprId frame();
  ExprId parenthesised();
  ExprId number_expression(bool negative);
  ExprId named_value();
  ExprId shared_cell(Value address);
  Type type_of(ExprId id) const { return program_.expression(id).type; }

  template <class Declared>
  std::uint32_t resolve(const Reference& wanted, const Declared& declared, std::string_view what) const;
  std::uint32_t resolve_location(const Reference& wanted, FunctionId function) const;

  Lexer lexer_;
  Token current_, ahead_;
  FileId own_file_;
  bool own_positions_ = true;
  Program program_;
  FunctionId function_;    // being parsed; none in invariants
  std::size_t depth_ = 0;  // of the expression being parsed
  std::uint32_t next_location_ = 0, next_edge_ = 0;
  Value next_address_ = 0;
  std::size_t cell_count_ = 0;
  std::vector<LocationDraft> locations_;
  std::vector<EdgeDraft> edges_;
  std::size_t function_first_location_ = 0, function_first_edge_ = 0;
  std::vector<CallDraft> calls_;
  // Labels per function, to locations; nothing where a label is ambiguous.
  std::map<std::pair<FunctionId, std::string>, std::optional<std::uint32_t>> labels_;
  std::map<std::uint32_t, FunctionId> location_function_;
};

}  // namespace weir::text_form
