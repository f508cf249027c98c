// expect: tso safe
// A queue for one writer and one reader whose items lie in blocks on the heap: the writer appends a block when the last one
// is full, the reader releases a block that it has emptied. Each keeps what it knows of the other in its own block
// header, which it stores to while it waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#ifndef ITEMS
#define ITEMS 4
#endif
enum { kBlockSize = 2 };

struct Block {
  atomic_uint filled;
  unsigned seen_filled;  // the reader's
  unsigned emptied;      // the reader's
  _Atomic(struct Block*) next;
  int items[kBlockSize];
};

static struct Block *first, *last;  // the reader's, the writer's

static struct Block* new_block(void) {
  struct Block* block = malloc(sizeof *block);
  atomic_init(&block->filled, 0);
  atomic_init(&block->next, NULL);
  block->seen_filled = block->emptied = 0;
  return block;
}

static void enqueue(int item) {
  const unsigned n = atomic_load_explicit(&last->filled, memory_order_relaxed);
  if (n < kBlockSize) {
    last->items[n] = item;
    atomic_store_explicit(&last->filled, n + 1, memory_order_release);
    return;
  }
  struct Block* block = new_block();
  block->items[0] = item;
  atomic_store_explicit(&block->filled, 1, memory_order_relaxed);
  atomic_store_explicit(&last->next, block, memory_order_release);
  last = block;
}

static bool try_dequeue(int* item) {
  if (first->emptied == kBlockSize) {
    struct Block* next = atomic_load_explicit(&first->next, memory_order_acquire);
    if (next == NULL) return false;
    free(first);
    first = next;
  }
  if (first->emptied == first->seen_filled) {
    first->seen_filled = atomic_load_explicit(&first->filled, memory_order_acquire);
    if (first->emptied == first->seen_filled) return false;
  }
  *item = first->items[first->emptied++];
  return true;
}

static void* writer(void* unused) {
  for (int i = 1; i <= ITEMS; i++) enqueue(i);
  return unused;
}

int main(void) {
  first = last = new_block();
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  for (int i = 1; i <= ITEMS; i++) {
    int item = 0;
    while (!try_dequeue(&item)) {
    }
    assert(item == i);
  }
  pthread_join(t, NULL);
  return 0;
}
