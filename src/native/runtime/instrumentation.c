// The calls that clang's instrumentation for the thread sanitizer makes.
#include "native.h"

void __tsan_init(void) {}
void __tsan_func_entry(void* pc) { (void)pc; }
void __tsan_func_exit(void) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return;
  weir_drop_stores(self, self->stack_low, *(uintptr_t*)__builtin_frame_address(0) + 16);
}
void __tsan_ignore_thread_begin(void) {}
void __tsan_ignore_thread_end(void) {}
void __tsan_vptr_read(void* address) { access_point(kRead, (uintptr_t)address, 8, CALLER, FRAME); }
void __tsan_vptr_update(void* address, void* value) {
  (void)value;
  access_point(kWrite, (uintptr_t)address, 8, CALLER, FRAME);
}

#define ACCESS(size)                                                                                             \
  void __tsan_read##size(void* a) { access_point(kRead, (uintptr_t)a, size, CALLER, FRAME); }                    \
  void __tsan_write##size(void* a) { access_point(kWrite, (uintptr_t)a, size, CALLER, FRAME); }                  \
  void __tsan_unaligned_read##size(void* a) { access_point(kRead, (uintptr_t)a, size, CALLER, FRAME); }          \
  void __tsan_unaligned_write##size(void* a) { access_point(kWrite, (uintptr_t)a, size, CALLER, FRAME); }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

static int is_release(int order) { return order >= __ATOMIC_RELEASE; }

static int inside(void) { return weir_active && weir_self && !weir_self->entered; }

static void atomic_point(enum event_kind kind, void* address, u32 size, uintptr_t pc, uintptr_t frame) {
  if (!inside()) return;
  weir_self->frame = frame;
  weir_point((struct event){.kind = kind, .pc = pc, .address = (uintptr_t)address, .size = size, .atomic = 1});
  weir_check_atomic_access((uintptr_t)address, size, kind != kRead, pc);
  if (kind == kUpdate) weir_drain(weir_self);
}

static void atomic_store(void* address, u32 size, const void* bytes, int order, uintptr_t pc, uintptr_t frame) {
  if (!inside()) {
    memcpy(address, bytes, size);
    return;
  }
  struct thread* self = weir_self;
  self->frame = frame;
  weir_point((struct event){.kind = kWrite, .pc = pc, .address = (uintptr_t)address, .size = size, .atomic = 1});
  weir_check_atomic_access((uintptr_t)address, size, 1, pc);
  weir_race_store(address, order, 0);
  if (order == __ATOMIC_SEQ_CST || !self->buffer_it) {
    if (order == __ATOMIC_SEQ_CST) weir_drain(self);
    memcpy(address, bytes, size);
  } else {
    weir_push_store(self, (uintptr_t)address, size, bytes, is_release(order));
  }
}

static void updated(const void* address, int order) {
  weir_race_load(address, order);
  weir_race_store(address, order, 1);
}

#define FETCH(bits, type, name, expression)                                                 \
  type __tsan_atomic##bits##_##name(volatile type* a, type v, int order) {                  \
    atomic_point(kUpdate, (void*)a, sizeof(type), CALLER, FRAME);                           \
    const type old = *a;                                                                    \
    updated((void*)a, order);                                                               \
    *a = (type)(expression);                                                                \
    return old;                                                                             \
  }

#define ATOMIC(bits, type)                                                                                       \
  type __tsan_atomic##bits##_load(const volatile type* a, int order) {                                           \
    atomic_point(kRead, (void*)a, sizeof(type), CALLER, FRAME);                                                  \
    weir_race_load((void*)a, order);                                                                             \
    return *a;                                                                                                   \
  }                                                                                                              \
  void __tsan_atomic##bits##_store(volatile type* a, type v, int order) {                                        \
    atomic_store((void*)a, sizeof(type), &v, order, CALLER, FRAME);                                              \
  }                                                                                                              \
  FETCH(bits, type, exchange, v)                                                                                 \
  FETCH(bits, type, fetch_add, old + v)                                                                          \
  FETCH(bits, type, fetch_sub, old - v)                                                                          \
  FETCH(bits, type, fetch_and, old & v)                                                                          \
  FETCH(bits, type, fetch_or, old | v)                                                                           \
  FETCH(bits, type, fetch_xor, old ^ v)                                                                          \
  FETCH(bits, type, fetch_nand, ~(old & v))                                                                      \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type expected, type desired, int order,      \
                                                  int failure) {                                                 \
    atomic_point(kUpdate, (void*)a, sizeof(type), CALLER, FRAME);                                                \
    const type old = *a;                                                                                         \
    if (old == expected) updated((void*)a, order);                                                               \
    else weir_race_load((void*)a, failure);                                                                      \
    if (old == expected) *a = desired;                                                                           \
    return old;                                                                                                  \
  }
ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)
ATOMIC(128, unsigned __int128)

void __tsan_atomic_thread_fence(int order) {
  if (!inside()) return;
  weir_self->frame = FRAME;
  weir_point((struct event){.kind = kFence, .pc = CALLER});
  weir_race_fence(order);
  if (order == __ATOMIC_SEQ_CST) weir_drain(weir_self);
  if (is_release(order)) weir_self->fences++;
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

// Before inline assembly that drains the store buffer.
void weir_assembly_fence(void) {
  if (!inside()) return;
  weir_self->frame = FRAME;
  weir_point((struct event){.kind = kFence, .pc = CALLER});
  weir_drain(weir_self);
}

// Copies happen in pieces between which other threads can go on: as the schedule says, otherwise as large as
// their addresses are aligned.
struct copy {
  u8* to;
  const u8* from;  // null: memory is filled with `bytes`
  u8* bytes;
  u64 size, read, written;
};

static u32 natural_piece(const struct copy* copy, u64 done) {
  u32 piece = 8;
  while (((uintptr_t)copy->to + done) % piece != 0 || piece > copy->size - done) piece /= 2;
  return piece;
}

static void read_piece(struct copy* copy, u64 size) {
  if (size > copy->size - copy->read) size = copy->size - copy->read;
  if (copy->from) memcpy(copy->bytes + copy->read, copy->from + copy->read, size);
  copy->read += size;
}

static void write_piece(struct copy* copy, u64 size) {
  struct thread* self = weir_self;
  if (size > copy->size - copy->written) size = copy->size - copy->written;
  if (copy->written + size > copy->read) read_piece(copy, copy->written + size - copy->read);
  for (u64 end = copy->written + size; copy->written < end;) {
    u32 piece = natural_piece(copy, copy->written);
    while (piece > end - copy->written) piece /= 2;
    if (self->buffer_it)
      weir_push_store(self, (uintptr_t)copy->to + copy->written, piece, copy->bytes + copy->written, 0);
    else
      memcpy(copy->to + copy->written, copy->bytes + copy->written, piece);
    copy->written += piece;
  }
}

static void copy_point(struct copy* copy, uintptr_t pc, uintptr_t frame) {
  struct thread* self = weir_self;
  self->frame = frame;
  const int reads = copy->from && copy->read == copy->written;
  const uintptr_t address = reads ? (uintptr_t)copy->from + copy->read : (uintptr_t)copy->to + copy->written;
  weir_point((struct event){.kind = kRange, .pc = pc, .address = address, .size = (u32)(copy->size - copy->written)});
  if (copy->read == 0 && copy->from) weir_check_access((uintptr_t)copy->from, copy->size, 0, pc);
  if (copy->written == 0) weir_check_access((uintptr_t)copy->to, copy->size, 1, pc);
  if (!weir_guided) {
    if (reads) read_piece(copy, natural_piece(copy, copy->written));
    else write_piece(copy, natural_piece(copy, copy->written));
  } else if (!self->piece_kind) {
    write_piece(copy, copy->size);
  } else if (self->piece_kind == 'R') {
    read_piece(copy, self->piece_size);
  } else {
    write_piece(copy, self->piece_size);
  }
}

static void access_range(const void* from, u64 size, uintptr_t pc, uintptr_t frame) {
  weir_self->frame = frame;
  weir_point((struct event){.kind = kRange, .pc = pc, .address = (uintptr_t)from, .size = (u32)size});
  weir_check_access((uintptr_t)from, size, 0, pc);
}

enum { kLargestCopy = 65536 };

static void* run_copy(void* to, const void* from, u8* bytes, u64 size, uintptr_t pc, uintptr_t frame) {
  struct copy copy = {.to = to, .from = from, .bytes = bytes, .size = size, .read = from ? 0 : size};
  while (copy.written < size) copy_point(&copy, pc, frame);
  return to;
}

// The copy of a structure to itself is none that overlaps.
static int overlaps(const u8* to, const u8* from, u64 size) {
  return to != from && to < from + size && from < to + size;
}

void* __tsan_memcpy(void* to, const void* from, u64 size) {
  if (!inside() || size > kLargestCopy) return memmove(to, from, size);
  if (overlaps(to, from, size)) weir_violation("overlap", CALLER, "copies memory to memory that overlaps it");
  return run_copy(to, from, __builtin_alloca(size + 1), size, CALLER, FRAME);
}

void* __tsan_memmove(void* to, const void* from, u64 size) {
  if (!inside() || size > kLargestCopy) return memmove(to, from, size);
  u8* bytes = __builtin_alloca(size + 1);
  if (!overlaps(to, from, size)) return run_copy(to, from, bytes, size, CALLER, FRAME);
  access_range(from, size, CALLER, FRAME);
  memcpy(bytes, from, size);  // all is read before anything is written
  return run_copy(to, NULL, bytes, size, CALLER, FRAME);
}

void* __tsan_memset(void* to, int value, u64 size) {
  if (!inside() || size > kLargestCopy) return memset(to, value, size);
  u8* bytes = __builtin_alloca(size + 1);
  memset(bytes, value, size);
  return run_copy(to, NULL, bytes, size, CALLER, FRAME);
}
