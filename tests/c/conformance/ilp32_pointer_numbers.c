// expect: all safe
// compiler: -m32
// Pointers as numbers of 32 bits: tags, differences, rounding, exclusive or, and back.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct item {
  uintptr_t link;  // both neighbours
  long long value;
};
static struct item ends[2];
static int global;
static _Thread_local long long own[2];

static uintptr_t both(struct item *a, struct item *b) { return (uintptr_t)a ^ (uintptr_t)b; }

static void tags(void) {
  int *number = malloc(sizeof *number);
  uintptr_t tagged = (uintptr_t)number | 3;
  *(int *)(tagged & ~(uintptr_t)3) = 5;
  assert(*number == 5 && tagged - (uintptr_t)number == 3 && (uintptr_t)number % 16 == 0);
  free((void *)(tagged - 3));
}

static void list(void) {
  struct item *middle = calloc(1, sizeof *middle);
  middle->value = 1ll << 50;
  ends[0].link = both(NULL, middle);
  middle->link = both(&ends[0], &ends[1]);
  struct item *at = (struct item *)ends[0].link;
  assert(at == middle && at->value == 1ll << 50);
  assert((struct item *)(at->link ^ (uintptr_t)&ends[0]) == &ends[1]);
  free(at);
}

static void bytes(void) {
  char *text = malloc(100), *copy;
  char *aligned = (char *)(((uintptr_t)text + 63) & ~(uintptr_t)63);
  assert(aligned >= text && aligned < text + 64 && (uintptr_t)aligned % 64 == 0);
  aligned[0] = 'x';
  memcpy(&copy, &aligned, sizeof copy);
  assert(*copy == 'x' && copy - text == (long)((uintptr_t)copy - (uintptr_t)text));
  free(text);
}

int main(void) {
  int local = 2, *volatile kept = &local;
  assert(*(int *)(uintptr_t)kept == 2);
  assert((int *)(unsigned long long)(uintptr_t)&global == &global);
  void *none = (void *)-1, *volatile odd = (void *)0x80000010u;
  assert((long)none == -1 && (uintptr_t)none == 0xffffffffu && (uintptr_t)odd == 0x80000010u);
  long long *volatile own_second = &own[1];
  own[1] = 7;
  assert(*(long long *)(uintptr_t)own_second == 7 && own_second - own == 1);
  tags();
  list();
  bytes();
  return 0;
}
