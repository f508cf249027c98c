// The heap, and what is known about addresses. Memory that is given back is never used again, so an access to
// it is seen. Variables on the stack live here too (stack.c); what is left on the real stack is seen to be dead
// when its thread has ended, or below what is in use.
#include <sys/mman.h>

#include "native.h"

enum { kMostBlocks = 1 << 20 };
static const u64 kArena = 1ull << 32;
static u8 *arena_begin, *arena_next, *arena_end;
static struct block* blocks;
static u64 block_count;

extern char __executable_start, etext;

static void open_arena(void) {
  arena_begin = arena_next = mmap(NULL, kArena, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  arena_end = arena_begin + kArena;
  blocks = mmap(NULL, sizeof(struct block) * kMostBlocks, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

int weir_in_arena(uintptr_t address) {
  return address >= (uintptr_t)arena_begin && address < (uintptr_t)arena_end;
}

static int is_user_code(uintptr_t pc) {
  return pc >= (uintptr_t)&__executable_start && pc < (uintptr_t)&etext;
}

void* weir_heap_allocate(u64 size, u64 alignment, int zeroed, uintptr_t pc) {
  if (!arena_begin) open_arena();
  if (alignment < 16) alignment = 16;
  const uintptr_t start = ((uintptr_t)arena_next + 16 + alignment - 1) & ~(alignment - 1);
  if (size > kArena || start + size + 16 > (uintptr_t)arena_end || block_count == kMostBlocks) {
    errno = ENOMEM;
    return NULL;
  }
  blocks[block_count++] = (struct block){.address = start, .size = size, .alive = 1, .by_user = is_user_code(pc), .made_by = 'm'};
  arena_next = (u8*)start + size + 16;
  if (!zeroed && is_user_code(pc)) memset((void*)start, kUnwritten, size);
  return (void*)start;
}

// The block with the greatest address that is not above this one.
struct block* weir_block_at(uintptr_t address) {
  u64 low = 0, high = block_count;
  while (low < high) {
    const u64 middle = (low + high) / 2;
    if (blocks[middle].address <= address) low = middle + 1;
    else high = middle;
  }
  return low == 0 ? NULL : &blocks[low - 1];
}

u64 weir_heap_size(uintptr_t address) {
  const struct block* block = weir_block_at(address);
  return block && block->address == address ? block->size : 0;
}

static int freed_by_own_buffer(const struct block* block) {
  const struct thread* self = weir_self;
  for (int i = 0; self && i < self->store_count; i++)
    if (self->stores[i].is_free && self->stores[i].address == block->address) return 1;
  return 0;
}

int weir_heap_free(struct thread* by, uintptr_t address, uintptr_t pc) {
  struct block* block = weir_block_at(address);
  if (!weir_in_arena(address) || !block || block->address != address || block->made_by == kStackVariable)
    weir_violation("invalid-free", pc, "gives back memory that was not allocated");
  if (!block->alive || (pc && freed_by_own_buffer(block)))
    weir_violation("double-free", pc, "gives back memory a second time");
  block->alive = 0;
  block->ended_by = by->number;
  return 1;
}

static void check_variable(const struct block* block, uintptr_t address, u64 size, uintptr_t pc) {
  if (address + size > block->address + block->size)
    weir_violation("bounds", pc, "accesses the stack out of the bounds of '%s'", block->name);
  if (!block->alive) weir_violation("dead-stack", pc, "uses '%s', a variable that has ended", block->name);
}

static void check_block(uintptr_t address, u64 size, uintptr_t pc) {
  const struct block* block = weir_block_at(address);
  if (block && block->made_by == kStackVariable) return check_variable(block, address, size, pc);
  if (!block || address + size > block->address + block->size)
    weir_violation("heap-bounds", pc, "accesses the heap out of the bounds of a block");
  if (!block->alive || freed_by_own_buffer(block))
    weir_violation("use-after-free", pc, "uses memory that was given back");
}

// A store that was executed in time may come to memory after another thread has given that back, or left the variable
// that was there. What is wrong then belongs to the thread of the store, whoever runs. (A thread's own buffered stores
// come before what it gives back, and to its own variables nobody else may look when they have ended.)
void weir_check_flush(struct thread* thread, const struct store* store) {
  const struct block* block = weir_in_arena(store->address) ? weir_block_at(store->address) : NULL;
  if (!weir_active || !block || block->alive || (weir_guided && weir_model != kPso)) return;
  if (block->ended_by == thread->number) return;
  weir_self = thread;
  if (block->made_by == kStackVariable)
    weir_violation("dead-stack", store->pc, "stores to '%s', a variable that has ended", block->name);
  weir_violation("use-after-free", store->pc, "stores to memory that was given back");
}

static void check_stack(uintptr_t address, uintptr_t pc) {
  for (int i = 0; i < weir_thread_count; i++) {
    const struct thread* owner = &weir_threads[i];
    if (address < owner->stack_low || address >= (owner->top ? owner->top : owner->stack_high)) continue;
    if (owner->ended && !(i == 0 && weir_exiting))
      weir_violation("dead-stack", pc, "uses a variable of a thread that has ended");
    if (address < owner->frame)
      weir_violation("dead-stack", pc, "uses a variable of a function that has returned");
  }
}

static void check_access(uintptr_t address, u64 size, int writes, int atomic, uintptr_t pc) {
  if (size == 0 || !weir_active || !weir_self || weir_self->entered) return;
  if (address < 65536) weir_violation("null", pc, "accesses memory through a null pointer");
  if (weir_in_arena(address)) check_block(address, size, pc);
  else check_stack(address, pc);
  weir_race_access(address, (u32)size, writes, atomic, pc);
}

void weir_check_access(uintptr_t address, u64 size, int writes, uintptr_t pc) {
  check_access(address, size, writes, 0, pc);
}

void weir_check_atomic_access(uintptr_t address, u64 size, int writes, uintptr_t pc) {
  check_access(address, size, writes, 1, pc);
}

int weir_user_leaks(void) {
  int count = 0;
  for (u64 i = 0; i < block_count; i++) count += blocks[i].alive && blocks[i].by_user;
  return count;
}

// --- The allocation functions

static void* made_by(void* address, char maker) {
  struct block* block = address ? weir_block_at((uintptr_t)address) : NULL;
  if (block) block->made_by = maker;
  return address;
}

static void free_point(void* address, char maker, uintptr_t pc, uintptr_t frame) {
  struct thread* self = weir_self;
  if (!address) return;
  if (!weir_active || !self || self->entered || !is_user_code(pc)) {
    struct block* block = weir_block_at((uintptr_t)address);
    if (block && block->address == (uintptr_t)address && block->made_by != kStackVariable) block->alive = 0;
    return;
  }
  weir_call_point("free", pc, frame, NULL, NULL);
  struct block* block = weir_block_at((uintptr_t)address);
  if (block && block->address == (uintptr_t)address) weir_check_unlocked(block->address, block->size, pc);
  if (block && block->address == (uintptr_t)address && block->alive && block->made_by != maker)
    weir_violation("invalid-free", pc, "gives back memory in another way than it was allocated");
  if (self->buffer_it == 2 && block && block->address == (uintptr_t)address && block->alive &&
      !freed_by_own_buffer(block))
    weir_push_store(self, (uintptr_t)address, 1, NULL, 0);
  else
    weir_heap_free(self, (uintptr_t)address, pc);
}

static void* out_of_memory(void) {
  errno = ENOMEM;
  return NULL;
}

// Only an execution that was searched for with --failing-malloc says so.
static int has_no_memory(uintptr_t pc, uintptr_t frame) {
  return weir_guided && weir_active && is_user_code(pc) && weir_fails_at(pc, frame);
}

void* malloc(size_t size) {
  return has_no_memory(CALLER, FRAME) ? out_of_memory() : weir_heap_allocate(size, 16, 0, CALLER);
}
void* calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total) || has_no_memory(CALLER, FRAME)) return out_of_memory();
  return weir_heap_allocate(total, 16, 1, CALLER);
}
void free(void* address) { free_point(address, 'm', CALLER, FRAME); }
void* realloc(void* old, size_t size) {
  if (has_no_memory(CALLER, FRAME)) return out_of_memory();
  if (!old) return weir_heap_allocate(size, 16, 0, CALLER);
  const u64 had = weir_heap_size((uintptr_t)old);
  void* moved = size ? weir_heap_allocate(size, 16, 0, CALLER) : NULL;
  if (moved) memcpy(moved, old, had < size ? had : size);
  if (moved || !size) free_point(old, 'm', CALLER, FRAME);
  return moved;
}
void* reallocarray(void* old, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return out_of_memory();
  return realloc(old, total);
}
void* aligned_alloc(size_t alignment, size_t size) {
  if (alignment & (alignment - 1))
    weir_violation("misuse", CALLER, "aligned_alloc with an alignment that is no power of two");
  return weir_heap_allocate(size, alignment, 0, CALLER);
}
void* memalign(size_t alignment, size_t size) { return weir_heap_allocate(size, alignment, 0, CALLER); }
int posix_memalign(void** result, size_t alignment, size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1))) return EINVAL;
  void* block = weir_heap_allocate(size, alignment, 0, CALLER);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}
size_t malloc_usable_size(void* address) { return weir_heap_size((uintptr_t)address); }
char* strdup(const char* text) {
  const size_t size = __builtin_strlen(text) + 1;
  weir_check_access((uintptr_t)text, size, 0, CALLER);
  char* copy = weir_heap_allocate(size, 16, 0, CALLER);
  return copy ? memcpy(copy, text, size) : NULL;
}

// C++: operator new and delete, by their names in objects.
__attribute__((weak)) void _ZSt17__throw_bad_allocv(void);
#define NEW(name, maker, fails, ...)                                        \
  void* name(size_t size, ##__VA_ARGS__) {                                  \
    if (size > PTRDIFF_MAX || has_no_memory(CALLER, FRAME)) fails;          \
    return made_by(weir_heap_allocate(size, 16, 0, CALLER), maker);         \
  }
NEW(_Znwm, 'n', _ZSt17__throw_bad_allocv())
NEW(_Znam, 'a', _ZSt17__throw_bad_allocv())
NEW(_ZnwmRKSt9nothrow_t, 'n', return NULL, const void* nothrow)
NEW(_ZnamRKSt9nothrow_t, 'a', return NULL, const void* nothrow)
void* _ZnwmSt11align_val_t(size_t size, size_t alignment) {
  return made_by(weir_heap_allocate(size, alignment, 0, CALLER), 'n');
}
void* _ZnamSt11align_val_t(size_t size, size_t alignment) {
  return made_by(weir_heap_allocate(size, alignment, 0, CALLER), 'a');
}
#define DELETE(name, maker, ...) \
  void name(void* address, ##__VA_ARGS__) { free_point(address, maker, CALLER, FRAME); }
DELETE(_ZdlPv, 'n')
DELETE(_ZdaPv, 'a')
DELETE(_ZdlPvm, 'n', size_t size)
DELETE(_ZdaPvm, 'a', size_t size)
DELETE(_ZdlPvSt11align_val_t, 'n', size_t alignment)
DELETE(_ZdaPvSt11align_val_t, 'a', size_t alignment)
DELETE(_ZdlPvmSt11align_val_t, 'n', size_t size, size_t alignment)
DELETE(_ZdaPvmSt11align_val_t, 'a', size_t size, size_t alignment)
