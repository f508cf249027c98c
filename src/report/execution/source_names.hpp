// What the user calls the things that an execution is about: variables, parts of blocks of the heap, pointers,
// threads, places. From the terms of the source where the front end has them, otherwise from the names in the
// program.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "program/source_terms.hpp"
#include "trace/witness.hpp"

namespace weir {

class SourceNames {
 public:
  SourceNames(const Program& program, const Witness& witness);

  // Does the front end know more than the names in the program?
  bool has_terms() const { return has_terms_; }

  // "q.slots[1]", "node#2.next"
  std::string address(Value address) const;
  // "node#2", of which that is a part; or else as above.
  std::string whole_block(Value address) const;
  // As in the source, "NULL" and "&nodes[1]" included. `address` is that of the cell that holds the value.
  std::string value(Value value, Type type, std::optional<Value> address) const;
  // "t1 (reader)", or "t1" if nobody knows more.
  std::string thread(ThreadId thread) const;
  const std::string& function(ThreadId thread) const { return functions_[thread.index()]; }
  // What an instruction accesses, as it is written there: "o->data"; empty if nobody knows.
  std::string written(EdgeId edge) const;

  // The innermost place in the user's own code.
  SourcePosition place(std::size_t step) const { return places_[step].position; }
  SourcePosition own_position(EdgeId edge) const;
  SourcePosition end_of(ThreadId thread,
                        EdgeId next) const;  // where a thread is that executes that edge next
  const std::string& place_function(std::size_t step) const { return places_[step].function; }
  // All calls that the instruction is deep in, as far as functions were copied into each other; innermost first.
  const std::vector<SourceFrame>& frames(EdgeId edge) const;

  // "line 12", with the file where there are several; empty if the place is not known.
  std::string line(SourcePosition position) const;

  // Does the cell belong to a type of a library that tells the user nothing?
  bool is_internal(Value address) const;
  // Is it a member that a type of a library keeps to itself, such as the pointers of a vector? Atomics are none.
  bool is_hidden_member(Value address) const;
  // The condition variable that the cell is a part of, or the mutex; empty if it is none.
  std::string condition_at(Value address) const;
  std::string mutex_at(Value address) const;

  // One for each block that has a name and is mentioned: "node#2: allocated in push, line 31".
  std::string block_place(Value address) const;
  // A text of an engine, in which blocks have the program's names; those that are not about a part are meant as a whole,
  // or else as what lies at their start.
  std::string reworded(const std::string& text, bool whole_blocks) const;
  // The step that allocates the first block that such a text names, or the block that it ends with after that.
  std::optional<std::size_t> allocation_of(const std::string& text) const;

 private:
  struct Block {
    std::string name;
    std::size_t step = 0;  // that allocates it
    SourceTypeId type;
    std::uint64_t size = 0;
    bool stack = false;
  };
  struct Inside {
    std::string path;                 // without members of types of libraries
    bool hidden = false;              // there are some of these
    std::vector<SourceTypeId> types;  // from the outside in
  };

  void find_places(const Witness& witness);
  std::string outermost_function(EdgeId edge) const;
  SourceFrame place_in(EdgeId edge, const std::vector<EdgeId>& calls) const;
  void find_blocks(const Witness& witness);
  void name_blocks();
  std::string block_name(const Block& block, const Witness& witness) const;
  void learn_type(Block& block, const AccessTerm& term, std::int64_t offset, const Witness& witness) const;
  const Block* block_at(Value address) const;
  const Block* block_named(const std::string& thread, const std::string& kind,
                           const std::string& number) const;
  std::string block_part(const Block& block, std::int64_t offset, SourceTypeId wanted) const;
  const SourceVariable* variable_at(Value address) const;
  Inside inside(SourceTypeId type, std::uint64_t offset, SourceTypeId wanted) const;
  Inside inside_at(Value address) const;
  std::string pointer(Value value, SourceTypeId target) const;
  std::string object_of_type(Value address, const std::vector<std::string_view>& parts_of_names) const;
  bool is_system(SourcePosition position) const;

  const Program& program_;
  std::shared_ptr<const SourceTerms> terms_;  // never null
  bool has_terms_;
  std::vector<SourceFrame> places_;         // of each step
  std::vector<std::vector<EdgeId>> calls_;  // of each thread at the end
  std::vector<std::string> functions_;      // of each thread
  std::map<std::pair<std::uint64_t, std::uint64_t>, Block> blocks_, stack_blocks_;  // by thread and number
  bool several_files_ = false, is_cplusplus_ = false;
};

}  // namespace weir
