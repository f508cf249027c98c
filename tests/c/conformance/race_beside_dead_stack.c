// expect: all unsafe race
// options: --races
// Two threads race, and a third one, which the execution has not begun, uses a variable that has ended.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>

int* _Atomic p;
int values[3];
int result;
_Thread_local int own = 1;

static void use(int* at) {
  if (at) *at += 1;
}

static void room(void) {
  int* local = alloca(sizeof(int));
  *local = 1;
  p = local;
}

static void* user(void* argument) {
  use(p);
  for (int i = 0; i < 3; i++) values[i] = i;
  return argument;
}

static void* writer(void* argument) {
  room();
  result = own;
  { p = &(int){5}; }
  p = 0;
  return argument;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, user, 0);
  pthread_create(&two, 0, writer, 0);
  assert(result == result);
  return 0;
}
