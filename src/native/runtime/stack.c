// Variables on the stack. The pass in src/native/instrumentation gives each one whose address is known elsewhere a
// block of memory of its own, and calls these functions where the variable begins and ends.
#include "native.h"

#define USER_FRAME (*(uintptr_t*)__builtin_frame_address(0))  // of the function that calls the runtime

static struct block* new_variable(u64 size, u64 alignment, const char* name, uintptr_t frame) {
  void* address = weir_heap_allocate(size, alignment, 1, 0);
  if (!address) weir_finish("unavailable", "too many variables on the stack");
  memset(address, kUnwritten, size);
  struct block* block = weir_block_at((uintptr_t)address);
  block->made_by = kStackVariable;
  block->ended_by = weir_self ? weir_self->number : 0;
  block->alignment = (u32)alignment;
  block->name = name;
  block->frame = frame;
  block->older = weir_self ? weir_self->newest : NULL;
  if (weir_self) weir_self->newest = block;
  return block;
}

// Buffered stores of its own thread to a variable that ends are seen by nobody who may look.
static void end_variable(struct block* block, uintptr_t pc) {
  if (!block->alive) return;
  weir_check_unlocked(block->address, block->size, pc);
  block->alive = 0;
  if (weir_active && weir_self) weir_drop_stores(weir_self, block->address, block->address + block->size);
}

// Where the end of variables stands in the order of a given schedule; those of one place end at once.
static void end_point(uintptr_t pc, uintptr_t frame) {
  struct thread* self = weir_self;
  if (!weir_guided || !weir_active || !self || self->entered) return;
  if (self->left_at && weir_guide_same_place(self->left_at, pc)) return;
  self->frame = frame;
  weir_point((struct event){.kind = kLeave, .pc = pc});
  self->left_at = pc;
}

void* weir_stack_variable(u64 size, u64 alignment, const char* name) {
  return (void*)new_variable(size, alignment, name, USER_FRAME)->address;
}

void* weir_stack_copy(u64 size, u64 alignment, const char* name, const void* from) {
  return memcpy((void*)new_variable(size, alignment, name, USER_FRAME)->address, from, size);
}

// The scope of the variable is entered: the first time with the block that is there, then with another.
void* weir_stack_starts(void* address) {
  struct block* block = weir_block_at((uintptr_t)address);
  if (!block->started) {
    block->started = 1;
    return address;
  }
  end_variable(block, CALLER);
  struct block* again = new_variable(block->size, block->alignment, block->name, block->frame);
  again->started = 1;
  return (void*)again->address;
}

// A compound literal is evaluated: the same object as before, unless its block was left since.
void* weir_stack_again(void* address) {
  struct block* block = weir_block_at((uintptr_t)address);
  return block->alive && block->started ? address : weir_stack_starts(address);
}

void weir_stack_ends(void* address) {
  struct block* block = weir_block_at((uintptr_t)address);
  if (!block->started) return;
  end_point(CALLER, FRAME);
  end_variable(block, CALLER);
}

static int lives_here(const struct thread* self, uintptr_t frame) {
  for (const struct block* block = self->newest; block && block->frame <= frame; block = block->older)
    if (block->alive) return 1;
  return 0;
}

// A function returns. Frames below it were left, if not by returning, then by longjmp.
void weir_stack_leave(void) {
  struct thread* self = weir_self;
  const uintptr_t frame = USER_FRAME;
  if (!self) return;
  if (lives_here(self, frame)) end_point(CALLER, FRAME);
  for (; self->newest && self->newest->frame <= frame; self->newest = self->newest->older)
    end_variable(self->newest, CALLER);
}

// Functions were left by an exception, all below this one.
void weir_stack_unwound(void) {
  struct thread* self = weir_self;
  const uintptr_t frame = USER_FRAME - 1;
  if (!self) return;
  if (lives_here(self, frame)) end_point(CALLER, FRAME);
  for (; self->newest && self->newest->frame <= frame; self->newest = self->newest->older)
    end_variable(self->newest, CALLER);
}

// Arrays of variable length, and what alloca gave in their scope, end with that scope.
void* weir_stack_save(void) { return weir_self ? weir_self->newest : NULL; }

void weir_stack_restore(const struct block* mark) {
  const uintptr_t frame = USER_FRAME;
  if (!weir_self) return;
  end_point(CALLER, FRAME);
  for (struct block* block = weir_self->newest; block && block != mark && block->frame == frame; block = block->older)
    if (!block->started) end_variable(block, CALLER);
}

// The thread has ended.
void weir_stack_end_all(struct thread* thread) {
  for (; thread->newest; thread->newest = thread->newest->older) thread->newest->alive = 0;
}
