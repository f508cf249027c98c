// expect: all safe
// native: 0
// options: --leaks
// Mutexes made by pthread_mutex_init, in structures on the heap, destroyed at the end.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account* make(int balance) {
  struct account* a = malloc(sizeof *a);
  pthread_mutex_init(&a->lock, NULL);
  a->balance = balance;
  return a;
}
static void deposit(struct account* a, int amount) {
  pthread_mutex_lock(&a->lock);
  a->balance += amount;
  pthread_mutex_unlock(&a->lock);
}
static void* worker(void* argument) {
  deposit(argument, 5);
  return NULL;
}

int main(void) {
  struct account* account = make(10);
  pthread_t t;
  pthread_create(&t, NULL, worker, account);
  deposit(account, -3);
  pthread_join(t, NULL);
  assert(account->balance == 12);
  assert(pthread_mutex_destroy(&account->lock) == 0);
  free(account);
  return 0;
}
