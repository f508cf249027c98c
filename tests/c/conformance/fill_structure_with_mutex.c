// A structure with a mutex is filled with zeros before it is used, and with ones afterwards.
// expect: all safe
// native: 0
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct s {
  char name[5];
  pthread_mutex_t m;
  pthread_cond_t c;
  int n;
  char pad;
};
struct s* s;
static void* w(void* x) {
  pthread_mutex_lock(&s->m);
  s->n++;
  pthread_cond_signal(&s->c);
  pthread_mutex_unlock(&s->m);
  return x;
}
int main(void) {
  s = malloc(sizeof *s);
  memset(s, 0, sizeof *s);
  pthread_mutex_init(&s->m, 0);
  pthread_cond_init(&s->c, 0);
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  pthread_mutex_lock(&s->m);
  while (!s->n) pthread_cond_wait(&s->c, &s->m);
  pthread_mutex_unlock(&s->m);
  pthread_join(t, 0);
  pthread_mutex_destroy(&s->m);
  pthread_cond_destroy(&s->c);
  memset(s, 0xff, sizeof *s);
  assert(s->n == -1 && s->name[4] == -1);
  free(s);
  return 0;
}
