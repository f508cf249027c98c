// Types of POSIX threads that the program declares itself, smaller than those of the system.
// expect: all safe
typedef int pthread_t;
typedef struct {
  int word;
} pthread_mutex_t;

int pthread_create(pthread_t *thread, const void *attributes, void *(*start)(void *), void *argument);
int pthread_join(pthread_t thread, void **result);
pthread_t pthread_self(void);
int pthread_mutex_init(pthread_mutex_t *mutex, const void *attributes);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
void reach_error(void);

static struct {
  pthread_t threads[2];
  int guard;
  pthread_mutex_t mutex;
  int behind;
} shared;
static int count;

static void *work(void *argument) {
  if (pthread_self() != shared.threads[0] && pthread_self() != shared.threads[1]) reach_error();
  pthread_mutex_lock(&shared.mutex);
  count++;
  pthread_mutex_unlock(&shared.mutex);
  return argument;
}

int main(void) {
  pthread_mutex_init(&shared.mutex, 0);
  pthread_create(&shared.threads[0], 0, work, 0);
  pthread_create(&shared.threads[1], 0, work, 0);
  pthread_join(shared.threads[0], 0);
  pthread_join(shared.threads[1], 0);
  pthread_mutex_destroy(&shared.mutex);
  if (count != 2 || shared.guard || shared.behind) reach_error();
}
