// A small mutex of the program's own that is used after it was destroyed.
// expect: all unsafe assertion
// message: uses a mutex that was destroyed
typedef int pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_destroy(pthread_mutex_t *mutex);

static pthread_mutex_t mutex;

int main(void) {
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);
}
