// Functions that are left by an exception, or because their thread calls pthread_exit.
//
// LLVM's `invoke` says where its function goes on when the callee is left in this way: at a landing pad,
// which runs destructors, enters a handler, or resumes. This is kept until everything is inlined, and then is
// nothing but jumps: a throw is a jump to the landing pad around it. Functions that were not inlined
// (recursive ones, and those called through pointers) return instead and say that they were left, which every
// call of them that may be left looks up.
//
// Unwinding has two phases on every platform: first a handler is searched, and if there is none the program
// is terminated where it throws, with all its objects alive; then functions are left one after the other. The
// first phase is computed here: when a function is inlined, its landing pads inherit the handlers around it,
// so in the end a throw knows all that its thread can have, by type. Across functions that were not inlined
// these are the handlers of all callers that it may have.
//
// Calls that cannot be left, by the calls that they make in turn, are not `invoke`s any more from the start.
// So a program that throws nothing has no code for it.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ValueHandle.h>
#include <vector>

namespace weir::c {

// Before linking: of the C library, few functions can be left.
void drop_needless_invokes(llvm::Module& module);
// What the code for landing pads calls: it is declared to be linked, and kept until it is known what is
// called.
void declare_unwinding(llvm::Module& module);
llvm::ArrayRef<const char*> unwinding_functions();

using ThrownTypes = std::vector<llvm::WeakVH>;  // null where the type was not used any more

// After linking: landing pads find out by themselves which handler is the right one, and every call that may
// be left is an `invoke`. Returns the types that exceptions can have.
ThrownTypes prepare_unwinding(llvm::Module& module, bool new_fails);

// After inlining: no `invoke` remains. Returns whether there were any; then there are new calls to be
// inlined.
bool settle_unwinding(llvm::Module& module, const ThrownTypes& thrown);

// LLVM wants a function with landing pads to name one that interprets them.
void ensure_personality(llvm::Function& function);

// Lets `from`, which has no terminator, go on behind the landing pad as if it were `incoming`, which is one
// of the blocks that lead there.
void land(llvm::BasicBlock& from, llvm::BasicBlock& pad, const llvm::BasicBlock& incoming);

// The landing pads of an inlined function inherit the handlers around it.
void inherit_handlers(llvm::LandingPadInst& inner, const llvm::LandingPadInst& outer);

}  // namespace weir::c
