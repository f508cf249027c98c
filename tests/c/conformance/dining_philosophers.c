// expect: sc unsafe deadlock, tso unsafe deadlock
// Three philosophers who all take the left fork first.
#include <pthread.h>

enum { kSeats = 3 };
static pthread_mutex_t forks[kSeats];

static void* philosopher(void* argument) {
  const int seat = *(int*)argument;
  pthread_mutex_lock(&forks[seat]);
  pthread_mutex_lock(&forks[(seat + 1) % kSeats]);
  pthread_mutex_unlock(&forks[(seat + 1) % kSeats]);
  pthread_mutex_unlock(&forks[seat]);
  return NULL;
}

int main(void) {
  static int seats[kSeats];
  pthread_t t[kSeats];
  for (int i = 0; i < kSeats; i++) pthread_mutex_init(&forks[i], NULL);
  for (int i = 0; i < kSeats; i++) {
    seats[i] = i;
    pthread_create(&t[i], NULL, philosopher, &seats[i]);
  }
  for (int i = 0; i < kSeats; i++) pthread_join(t[i], NULL);
  return 0;
}
