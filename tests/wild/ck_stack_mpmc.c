// expect: sc safe, tso safe
// package: libck-dev
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

static ck_stack_t stack = CK_STACK_INITIALIZER;
static struct ck_stack_entry entries[2];

static void *push(void *me) {
  ck_stack_push_mpmc(&stack, &entries[(long)me]);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, push, (void *)i);
  struct ck_stack_entry *early = ck_stack_pop_mpmc(&stack);
  for (long i = 0; i < 2; i++) pthread_join(threads[i], 0);
  int found = early != 0;
  for (int i = 0; i < 2; i++) {
    struct ck_stack_entry *entry = ck_stack_pop_mpmc(&stack);
    assert(!entry || entry != early);
    found += entry != 0;
  }
  assert(found == 2);
  return 0;
}
