// Global variables and functions: their addresses, the cells they consist of, and what these start with.
//
// Every global gets its address before the first function is lowered, so addresses are numbers everywhere and
// constant expressions over them are numbers, too. Globals are 16-aligned and at least 16 bytes apart, so a
// pointer one past the end meets nothing. Functions and the labels of computed gotos have addresses in ranges
// of their own, where there is no memory. Only what the lowered code mentions becomes a shared object.
//
// A variable of main that other threads may access is a global by now. Where it contains a union, nobody
// knows how its cells will be cut, so it becomes a block, whose cells are as wide as the first access to
// each.
//
// A thread-local variable whose address does not get out is private memory of each thread's outermost
// activation, at the same offset in all of them; the others have one copy per thread, side by side.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/c/layout/layout.hpp"
#include "frontend/c/layout/unions.hpp"
#include "frontend/c/positions.hpp"
#include "program/program.hpp"

namespace weir::c {

// Why a global cannot be used.
enum class GlobalProblem : std::uint8_t { kNone, kUndefined, kTooBig };

struct Global {
  const llvm::GlobalVariable* variable = nullptr;
  llvm::Type* type = nullptr;  // as the program uses it
  TypeLayout layout;
  Value address = 0;  // thread-local: of main's copy, or the offset in the private memory of all threads
  bool is_private = false;  // thread-local, and only the thread itself gets at it
  bool is_block =
      false;  // thread-local, and others get at it: a block of the stack, which ends with the thread
  Value copy_distance = 0;  // thread-local, not private: from one thread's copy to the next one's
  GlobalProblem problem = GlobalProblem::kNone;
  bool used = false;
  const llvm::GlobalVariable* mentioned_by = nullptr;  // the one whose initialiser was the first to use it
};

// The runtime declares this array, and it has an element for every thread.
inline constexpr const char* kThreadTable = "__weir_threads";

// stdin and the like: nobody defines them, but everybody may pass them on.
bool is_standard_stream(const llvm::GlobalVariable& variable);

// Where the addresses of each kind start.
struct Ranges {
  Value variables = 0, functions = 0, labels = 0, streams = 0;
};

class Globals {
 public:
  Globals(const llvm::Module& module, Layouts& layouts, const CellsInUse& in_use, std::uint32_t thread_limit);

  bool has_narrow_pointers() const { return layouts_.data().getPointerSizeInBits() == 32; }

  // Says that the variable is used, too.
  const Global& use(const llvm::GlobalVariable& variable);
  const Global& look_at(const llvm::GlobalVariable& variable) const {
    return globals_.at(index_.at(&variable));
  }
  Value address_of(const llvm::Function& function) const { return functions_.at(&function); }
  // What is wrong with using the variable; empty if nothing is.
  std::string problem_text(const llvm::GlobalVariable& variable) const;
  // Initialisers of what is used so far mention further globals, and those of these further ones.
  void use_initialisers();

  // The number that a constant is, as a value of its `scalar_type`. None for aggregates, for what is
  // undefined and for what is not the same in all threads.
  std::optional<Value> number(const llvm::Constant& constant);

  // Private memory that the outermost activation of every thread needs, and what it starts with.
  std::uint64_t thread_local_bytes() const { return thread_local_bytes_; }
  const std::vector<const Global*>& thread_locals() const { return thread_locals_; }  // the private ones
  // Blocks of the stack, the first ones of thread 0, in this order.
  const std::vector<const Global*>& blocks() const { return blocks_; }
  // The initial value of each cell of a run; kUninitialised where it has none. Uses what the initialiser
  // mentions.
  std::vector<Value> initial_values(const Global& global, const CellRun& run, Type type);

  // The shared objects of all globals that are used, in the order of their addresses. After
  // `use_initialisers`.
  void add_objects(Program& program, Positions& positions);

 private:
  struct Image;

  void place(const llvm::GlobalVariable& variable, const CellsInUse& in_use, Value& next);
  TypeLayout layout_of(Global& global, const CellsInUse& in_use);
  std::optional<Value> expression_number(const llvm::ConstantExpr& expression);
  const Image& image_of(const Global& global);
  void fill(Image& image, const llvm::Constant& constant, std::uint64_t offset);
  std::vector<CellRun> padding_of(const Global& global);
  void add_objects_of(const Global& global, const std::string& name, Value address, Program& program,
                      Positions& positions);

  const llvm::Module& module_;
  Layouts& layouts_;
  std::uint32_t thread_limit_;
  const Ranges ranges_;
  std::vector<Global> globals_;
  std::unordered_map<const llvm::GlobalVariable*, std::size_t> index_;
  std::unordered_map<const llvm::Function*, Value> functions_;
  std::unordered_map<const llvm::BlockAddress*, Value> labels_;
  std::uint64_t thread_local_bytes_ = 0, block_count_ = 0;
  std::vector<const Global*> thread_locals_, blocks_;
  struct Image {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> defined;
  };
  std::unordered_map<const llvm::GlobalVariable*, Image> images_;
  const llvm::GlobalVariable* initialised_ = nullptr;  // the one whose image is being made
};

}  // namespace weir::c
