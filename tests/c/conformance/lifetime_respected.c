// expect: all safe
// native: 0
// Locals, parameters, literals and arrays that others use while they live.
#include <assert.h>
#include <pthread.h>

static void* increment(void* argument) {
  ++*(int*)argument;
  return NULL;
}

static int run(int number) {
  pthread_t t;
  pthread_create(&t, NULL, increment, &number);
  pthread_join(t, NULL);
  return number;
}

static int* pick(int* a, int* b, int first) { return first ? a : b; }

int main(void) {
  int* p;
  for (int i = 0; i < 3; i++) {
    int own = i;
    p = &own;
    assert(run(*p) == i + 1);
    p = &(int){i};
    assert(*p == i);
    for (int k = 0; k < 2; k++) {
      int inner = k;
      p = pick(&own, &inner, k);
      assert(*p == (k ? i : 0));
      if (k) break;
    }
    {
      int array[2] = {1, 2};
      p = array + 1;
      assert(*p == 2);
    }
  }
  p = (int[]){4, 5};
  goto check;
check:
  assert(p[1] == 5);
  return 0;
}
