// expect: all safe
// A queue lock whose nodes live in the rounds of a loop without end: finitely many states, nothing out of date.
// options: --no-deadlock
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct node {
  struct node* _Atomic next;
  atomic_int locked;
};

static struct node* _Atomic tail;
static int inside;

static void lock(struct node* me) {
  atomic_store(&me->next, NULL);
  atomic_store(&me->locked, 1);
  struct node* before = atomic_exchange(&tail, me);
  if (!before) return;
  atomic_store(&before->next, me);
  while (atomic_load(&me->locked)) {
  }
}

static void unlock(struct node* me) {
  struct node* expected = me;
  if (atomic_load(&me->next) == NULL) {
    if (atomic_compare_exchange_strong(&tail, &expected, NULL)) return;
    while (atomic_load(&me->next) == NULL) {
    }
  }
  atomic_store(&atomic_load(&me->next)->locked, 0);
}

static void* worker(void* unused) {
  for (;;) {
    struct node me;
    lock(&me);
    assert(++inside == 1);
    --inside;
    unlock(&me);
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  struct node me;
  lock(&me);
  assert(++inside == 1);
  --inside;
  unlock(&me);
  pthread_join(t, NULL);
  return 0;
}
