// How the source speaks of what a program does: types of variables and of what pointers point to, the words in
// which an access is written, the place in the user's own code that led to an instruction of a library. Only
// front ends that have debug information know that, and only reports ask for it: no answer depends on it.
//
// The terms travel as a text among the sources of a program, which has a name that no file has. So they are in replay
// files, and whoever does not know them loses nothing but words.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"

namespace weir {

using SourceTypeId = Id<struct SourceTypeTag>;

struct SourceMember {
  std::string name;  // empty: of a base class, or without a name
  std::uint64_t offset = 0;
  SourceTypeId type;
};

struct SourceEnumerator {
  std::string name;
  Value value = 0;
};

struct SourceType {
  enum class Kind : std::uint8_t {
    kNumber,
    kBoolean,
    kCharacter,
    kEnumeration,
    kPointer,
    kArray,
    kRecord,  // a structure, class or union
  };

  Kind kind = Kind::kNumber;
  std::string name;         // "node", "std::mutex"; may be empty
  std::uint64_t bytes = 0;  // 0: not known
  SourceTypeId target;      // pointer: what it points to, if that is known; array: its elements
  std::vector<SourceMember> members;
  std::vector<SourceEnumerator> enumerators;
};

// A variable, or a function, which has an address too.
struct SourceVariable {
  std::string name;
  Value address = 0;
  std::uint64_t bytes = 0;
  SourceTypeId type;  // none: a function
};

// What an instruction accesses or allocates.
struct AccessTerm {
  std::string text;           // as it is written: "o->data"; may be empty
  SourceTypeId type;          // of what lies there, if known; allocate: of what the block is for
  SourceTypeId whole;         // the structure that a pointer leads to and that this is a part of, if known …
  std::uint64_t offset = 0;   // … and how far inside it that is
};

// One call deep in others.
struct SourceFrame {
  std::string function;
  SourcePosition position;
  bool foreign = false;  // in a header of the system or a library, or a mere wrapper
};

struct SourceTerms {
  std::vector<SourceType> types;
  std::vector<SourceVariable> variables;         // by address
  std::map<EdgeId, AccessTerm> accesses;         // loads, stores, read-modify-writes and allocations
  std::vector<std::vector<SourceFrame>> chains;  // innermost call first
  std::map<EdgeId, std::uint32_t> chain_of;      // of instructions from functions that were copied into others

  const SourceType* type(SourceTypeId id) const { return id ? &types[id.index()] : nullptr; }
};

inline constexpr std::string_view kTermsPath = "(terms of the source)";

std::string print(const SourceTerms& terms);
// Null if the program has none.
std::shared_ptr<const SourceTerms> terms_of(const Program& program);

// ".lock.__data.__kind" is ".lock" to the user, and "creation._M_mutex" is "creation": members whose names are
// reserved belong to the library that made the type.
std::string without_reserved_members(const std::string& path);
bool is_reserved(std::string_view name);

// The innermost place of an instruction that is in the user's own code, or else where it stands.
SourcePosition own_position(const Program& program, const SourceTerms* terms, EdgeId edge);

}  // namespace weir
