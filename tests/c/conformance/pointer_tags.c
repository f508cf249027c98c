// A version number in the 16 highest bits of a pointer to the heap or to a variable: those of real pointers
// are 0.
// expect: all safe
// native: 0
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

static uint64_t pack(void *pointer, uint64_t tag) { return (uint64_t)(uintptr_t)pointer | tag << 48; }
static void *pointer_of(uint64_t packed) { return (void *)(uintptr_t)((int64_t)(packed << 16) >> 16); }

static _Atomic uint64_t top;

static void push(struct node *node) {
  uint64_t old = atomic_load(&top);
  do node->next = pointer_of(old);
  while (!atomic_compare_exchange_weak(&top, &old, pack(node, (old >> 48) + 1)));
}

int main(void) {
  struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  first->value = 1, second->value = 2;
  push(first);
  push(second);
  assert(atomic_load(&top) >> 48 == 2);
  struct node *found = pointer_of(atomic_load(&top));
  assert(found == second && found->value == 2 && found->next->value == 1);

  int local = 7;
  int *same = pointer_of(pack(&local, 0xFFFF));
  assert(same == &local && *same == 7);
  free(first);
  free(second);
}
