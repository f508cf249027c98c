// expect: all safe
// native: 0
// Addresses of locals given to other threads: they write into main's frame.
#include <assert.h>
#include <pthread.h>

struct message {
  int number;
  struct message* answer;
};

static void* worker(void* argument) {
  struct message* question = argument;
  question->answer->number = question->number * 2;
  return NULL;
}
static int ask(int number) {
  struct message answer = {0, NULL};
  struct message question = {number, &answer};
  pthread_t t;
  pthread_create(&t, NULL, worker, &question);
  pthread_join(t, NULL);
  return answer.number;
}

int main(void) {
  assert(ask(4) == 8);
  assert(ask(5) == 10);
  return 0;
}
