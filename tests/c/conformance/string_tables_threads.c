// expect: all safe
// native: 0
// Constant strings and tables read by several threads at once.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static const char* const names[] = {"zero", "one", "two"};
static int lengths[3];

static void* measure(void* argument) {
  int* length = argument;
  *length = (int)strlen(names[length - lengths]);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, measure, &lengths[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  assert(lengths[0] == 4 && lengths[1] == 3 && lengths[2] == 3);
  return 0;
}
