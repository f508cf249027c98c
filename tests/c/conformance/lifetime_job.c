// expect: all unsafe memory
// message: 'j'
// Each thread gets a pointer to a local of a function that returns at once.
#include <assert.h>
#include <pthread.h>

struct job {
  int id;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void* work(void* argument) {
  const int id = ((struct job*)argument)->id;
  pthread_mutex_lock(&mutex);
  sum += id;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

static void submit(pthread_t* thread, int id) {
  struct job j = {id};
  pthread_create(thread, NULL, work, &j);
}

int main(void) {
  pthread_t a, b;
  submit(&a, 1);
  submit(&b, 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sum == 3);
  return 0;
}
