// expect: all unsafe assertion
// message: semaphore that was destroyed
// Posting a semaphore after it was destroyed.
#include <semaphore.h>

static sem_t semaphore;

int main(void) {
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_post(&semaphore);
  return 0;
}
