// expect: all safe
// compiler: -m32
// 64-bit members behind 32-bit ones, which threads share.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct account {
  char name[3];
  long long balance;
  struct account *other;
  _Atomic long long moves;
  pthread_mutex_t lock;
};

static void *move(void *argument) {
  struct account *from = argument;
  pthread_mutex_lock(&from->lock);
  from->balance -= 5000000000;
  from->other->balance += 5000000000;
  pthread_mutex_unlock(&from->lock);
  from->moves += 1ll << 33;
  return &from->balance;
}

int main(void) {
  static struct account second = {"b", 1};
  struct account *first = malloc(sizeof *first);
  *first = (struct account){"a", 20000000000, &second, 1, PTHREAD_MUTEX_INITIALIZER};
  pthread_t threads[2];
  void *result;
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, move, first);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], &result);
  assert(first->balance == 10000000000 && second.balance == 10000000001);
  assert(first->moves == 1 + (1ll << 34) && result == &first->balance);
  free(first);
  return 0;
}
