// expect: all unsafe race
// options: --races
// message: data race on second
// pthread_create writes the id of the thread, while another thread reads it.
#include <pthread.h>

static pthread_t second;
static int is_known;

static void* reader(void* unused) {
  is_known = second != 0;
  return unused;
}

static void* nothing(void* unused) { return unused; }

int main(void) {
  pthread_t first;
  pthread_create(&first, NULL, reader, NULL);
  pthread_create(&second, NULL, nothing, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
