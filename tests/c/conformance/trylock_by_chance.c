// expect: all unsafe assertion
// mtx_trylock may fail although nobody holds the mutex.
#include <assert.h>
#include <threads.h>

int main(void) {
  mtx_t mutex;
  mtx_init(&mutex, mtx_plain);
  int result = mtx_trylock(&mutex);
  assert(result == thrd_success);
  mtx_unlock(&mutex);
  mtx_destroy(&mutex);
  return 0;
}
