// expect: all unsafe assertion
// compiler: -m32
// As verification benchmarks are: preprocessed, with declarations of their own, and no header.
typedef unsigned int size_t;
typedef unsigned long int pthread_t;
typedef union { char __size[36]; long int __align; } pthread_attr_t;
typedef union { struct { int __lock; unsigned int __count; int __owner; int __kind; unsigned int __nusers; int __spins; } __data; char __size[24]; long int __align; } pthread_mutex_t;
extern int pthread_create (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *);
extern int pthread_join (pthread_t, void **);
extern int pthread_mutex_lock (pthread_mutex_t *);
extern int pthread_mutex_unlock (pthread_mutex_t *);
extern void *malloc (size_t);
extern void reach_error (void);
typedef struct { unsigned long count; pthread_mutex_t lock; } shared_t;
shared_t *shared;
void *worker(void *arg) {
  pthread_mutex_lock(&shared->lock);
  shared->count = shared->count + 0x80000000UL;
  pthread_mutex_unlock(&shared->lock);
  return arg;
}
int main(void) {
  pthread_t t1, t2;
  shared = (shared_t *)malloc(sizeof(shared_t));
  shared->count = 0;
  shared->lock = (pthread_mutex_t){ { 0, 0, 0, 0, 0, 0 } };
  pthread_create(&t1, 0, worker, 0);
  pthread_create(&t2, 0, worker, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  if (shared->count == 0) reach_error();
  return 0;
}
