// expect: all safe
// native: 0
// Structures on the heap set to zero by memset, then used.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int count;
  struct item* next;
  pthread_mutex_t mutex;
  char name[4];
};

int main(void) {
  struct item* item = malloc(sizeof *item);
  memset(item, 0, sizeof *item);
  pthread_mutex_init(&item->mutex, NULL);
  pthread_mutex_lock(&item->mutex);
  item->count++;
  pthread_mutex_unlock(&item->mutex);
  assert(item->count == 1 && item->next == NULL && item->name[3] == 0);
  free(item);
  return 0;
}
