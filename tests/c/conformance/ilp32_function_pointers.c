// expect: all safe
// compiler: -m32
// Functions in tables, structures on the heap, and as arguments; a structure by value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
  long long wide;
  int *pointer;
};
typedef struct pair (*step)(struct pair);

static struct pair twice(struct pair p) {
  p.wide *= 2;
  *p.pointer += 1;
  return p;
}
static struct pair negated(struct pair p) { return (struct pair){-p.wide, p.pointer}; }
static const step steps[] = {twice, negated};

struct job {
  step *_Atomic next_step;
  void (*done)(struct job *);
  struct pair data;
};
static void finish(struct job *job) { job->data.wide++; }

static void *worker(void *argument) {
  struct job *job = argument;
  job->data = (*job->next_step)(job->data);
  job->done(job);
  return (void *)job->done;
}

int main(void) {
  int count = 0;
  void *result;
  pthread_t thread;
  struct job *job = malloc(sizeof *job);
  *job = (struct job){(step *)&steps[0], finish, {1ll << 33, &count}};
  pthread_create(&thread, NULL, worker, job);
  pthread_join(thread, &result);
  assert(job->data.wide == (1ll << 34) + 1 && count == 1 && result == (void *)finish);
  job->next_step++;
  worker(job);
  assert(job->data.wide == -(1ll << 34) && job->data.pointer == &count);
  free(job);
  return 0;
}
