// The calls that clang's instrumentation for the thread sanitizer makes.
#include "native.h"

void __tsan_init(void) {}
void __tsan_func_entry(void* pc) { (void)pc; }
void __tsan_func_exit(void) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return;
  weir_drop_stores_below(self, *(uintptr_t*)__builtin_frame_address(0) + 16);
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
  weir_point((struct event){.kind = kind, .pc = pc, .address = (uintptr_t)address, .size = size});
  weir_check_access((uintptr_t)address, size, kind != kRead, pc);
  if (kind == kUpdate) weir_drain(weir_self);
}

static void atomic_store(void* address, u32 size, const void* bytes, int order, uintptr_t pc, uintptr_t frame) {
  if (!inside()) {
    memcpy(address, bytes, size);
    return;
  }
  struct thread* self = weir_self;
  self->frame = frame;
  weir_point((struct event){.kind = kWrite, .pc = pc, .address = (uintptr_t)address, .size = size});
  weir_check_access((uintptr_t)address, size, 1, pc);
  if (order == __ATOMIC_SEQ_CST || !self->buffer_it) {
    if (order == __ATOMIC_SEQ_CST) weir_drain(self);
    memcpy(address, bytes, size);
  } else {
    weir_push_store(self, (uintptr_t)address, size, bytes, is_release(order));
  }
}

#define FETCH(bits, type, name, expression)                                                 \
  type __tsan_atomic##bits##_##name(volatile type* a, type v, int order) {                  \
    (void)order;                                                                            \
    atomic_point(kUpdate, (void*)a, sizeof(type), CALLER, FRAME);                           \
    const type old = *a;                                                                    \
    *a = (type)(expression);                                                                \
    return old;                                                                             \
  }

#define ATOMIC(bits, type)                                                                                       \
  type __tsan_atomic##bits##_load(const volatile type* a, int order) {                                           \
    (void)order;                                                                                                 \
    atomic_point(kRead, (void*)a, sizeof(type), CALLER, FRAME);                                                  \
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
    (void)order;                                                                                                 \
    (void)failure;                                                                                               \
    atomic_point(kUpdate, (void*)a, sizeof(type), CALLER, FRAME);                                                \
    const type old = *a;                                                                                         \
    if (old == expected) *a = desired;                                                                           \
    return old;                                                                                                  \
  }
ATOMIC(8, u8)
ATOMIC(16, u16)
ATOMIC(32, u32)
ATOMIC(64, u64)

void __tsan_atomic_thread_fence(int order) {
  if (!inside()) return;
  weir_self->frame = FRAME;
  weir_point((struct event){.kind = kFence, .pc = CALLER});
  if (order == __ATOMIC_SEQ_CST) weir_drain(weir_self);
  if (is_release(order)) weir_self->fences++;
}
void __tsan_atomic_signal_fence(int order) { (void)order; }

// Copies happen in pieces that threads may see, as large as both sides are aligned.
static void range_point(uintptr_t address, u64 size, int writes, uintptr_t pc, uintptr_t frame) {
  if (!inside() || size == 0) return;
  weir_self->frame = frame;
  weir_point((struct event){.kind = kRange, .pc = pc, .address = address, .size = (u32)size});
  weir_check_access(address, size, writes, pc);
}

static void store_range(u8* to, const u8* bytes, u64 size) {
  struct thread* self = weir_self;
  if (!inside() || !self->buffer_it || size > 4096) {
    if (inside()) weir_drain(self);
    memcpy(to, bytes, size);
    return;
  }
  for (u64 done = 0; done < size;) {
    u32 piece = 8;
    while (((uintptr_t)to + done) % piece != 0 || piece > size - done) piece /= 2;
    weir_push_store(self, (uintptr_t)to + done, piece, bytes + done, 0);
    done += piece;
  }
}

void* __tsan_memcpy(void* to, const void* from, u64 size) {
  range_point((uintptr_t)from, size, 0, CALLER, FRAME);
  if (inside() && size) weir_check_access((uintptr_t)to, size, 1, CALLER);
  u8* copy = size > 65536 ? NULL : __builtin_alloca(size ? size : 1);
  if (!copy) return memmove(to, from, size);
  memcpy(copy, from, size);
  store_range(to, copy, size);
  return to;
}

void* __tsan_memmove(void* to, const void* from, u64 size) {
  range_point((uintptr_t)from, size, 0, CALLER, FRAME);
  if (inside() && size) weir_check_access((uintptr_t)to, size, 1, CALLER);
  u8* copy = size > 65536 ? NULL : __builtin_alloca(size ? size : 1);
  if (!copy) return memmove(to, from, size);
  memcpy(copy, from, size);
  store_range(to, copy, size);
  return to;
}

void* __tsan_memset(void* to, int value, u64 size) {
  range_point((uintptr_t)to, size, 1, CALLER, FRAME);
  u8* copy = size > 65536 ? NULL : __builtin_alloca(size ? size : 1);
  if (!copy) return memset(to, value, size);
  memset(copy, value, size);
  store_range(to, copy, size);
  return to;
}

