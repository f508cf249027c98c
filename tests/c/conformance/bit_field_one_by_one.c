// expect: all safe
// Fields that are assigned one after the other, and read afterwards; what lies between them is nobody's.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct packet {
  unsigned kind : 3;
  unsigned : 2;
  int offset : 6;
  _Bool last : 1;
};

static void* fill(void* argument) {
  struct packet* packet = argument;
  packet->kind = 5;
  packet->offset = -20;
  packet->last = 1;
  return NULL;
}

int main(void) {
  struct packet* packet = malloc(sizeof *packet);
  pthread_t thread;
  pthread_create(&thread, NULL, fill, packet);
  pthread_join(thread, NULL);
  assert(packet->kind == 5 && packet->offset == -20 && packet->last);
  struct packet copy;
  fill(&copy);
  assert(copy.kind == 5 && copy.offset == -20 && copy.last);
  free(packet);
  return 0;
}
