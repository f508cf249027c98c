// expect: all unsafe race
// options: --races
// message: balance
// compiler: -m32
#include <pthread.h>

static struct {
  int id;
  long long balance;
} account;

static void *deposit(void *unused) {
  account.balance += 5000000000;
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, deposit, NULL);
  deposit(NULL);
  pthread_join(other, NULL);
  return 0;
}
