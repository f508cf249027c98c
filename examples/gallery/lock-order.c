// expect: sc unsafe deadlock, tso unsafe deadlock, pso unsafe deadlock
// Lock order: two transfers in opposite directions take the locks of the same two accounts in opposite orders.
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(struct account* from, struct account* to) {
  pthread_mutex_lock(&from->lock);
  pthread_mutex_lock(&to->lock);
  --from->balance;
  ++to->balance;
  pthread_mutex_unlock(&to->lock);
  pthread_mutex_unlock(&from->lock);
}

static void* there(void* unused) {
  transfer(&accounts[0], &accounts[1]);
  return unused;
}

static void* back(void* unused) {
  transfer(&accounts[1], &accounts[0]);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, there, NULL);
  pthread_create(&two, NULL, back, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
