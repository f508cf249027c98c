// expect: all safe
// A program that brings its own lock functions instead of a library.
extern void abort(void);
void assume_abort_if_not(int cond) {
  if (!cond) abort();
}
void reach_error(void) { abort(); }
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
typedef unsigned long int pthread_t;
union pthread_attr_t {
  char __size[56];
  long int __align;
};
typedef union pthread_attr_t pthread_attr_t;
extern int pthread_create(pthread_t* __newthread, const pthread_attr_t* __attr,
                          void* (*__start_routine)(void*), void* __arg) __attribute__((__nothrow__))
__attribute__((__nonnull__(1, 3)));

int m, busy;
void lock(int* mutex) {
  __VERIFIER_atomic_begin();
  assume_abort_if_not(*mutex == 0);
  *mutex = 1;
  __VERIFIER_atomic_end();
}
void unlock(int* mutex) {
  __VERIFIER_atomic_begin();
  *mutex = 0;
  __VERIFIER_atomic_end();
}
void* worker(void* arg) {
  lock(&m);
  busy = 1;
  if (!busy) {
    extern void __assert_fail(const char*, const char*, unsigned, const char*);
    __assert_fail("busy", "svcomp_own_functions.c", 1, "worker");
  }
  busy = 0;
  unlock(&m);
  return 0;
}

int main() {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  return 0;
}
