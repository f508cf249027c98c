// expect: all safe
// native: 0
// An array and a structure in a thread's frame, filled by another thread.
#include <assert.h>
#include <pthread.h>

struct box {
  int numbers[3];
  struct {
    short tag;
    char name[4];
  } label;
};

static void* fill(void* argument) {
  struct box* box = argument;
  for (int i = 0; i < 3; i++) box->numbers[i] = i * i;
  box->label.tag = -1;
  box->label.name[2] = 'z';
  return NULL;
}
static void* parent(void* sum) {
  struct box box;
  pthread_t t;
  pthread_create(&t, NULL, fill, &box);
  pthread_join(t, NULL);
  struct box copy = box;
  *(int*)sum =
      copy.numbers[0] + copy.numbers[1] + copy.numbers[2] + copy.label.tag + (copy.label.name[2] == 'z');
  return NULL;
}

int main(void) {
  int sum = 0;
  pthread_t t;
  pthread_create(&t, NULL, parent, &sum);
  pthread_join(t, NULL);
  assert(sum == 5);
  return 0;
}
