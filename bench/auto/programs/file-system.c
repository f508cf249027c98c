// expect: sc safe
// The file system of Flanagan and Godefroid: each thread takes an inode's mutex and, if it has no block yet, looks for
// a free one under the mutexes of the blocks. Up to 13 threads never meet.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 18
#endif
enum { kBlocks = 26, kInodes = 32 };

static pthread_mutex_t inode_lock[kInodes], block_lock[kBlocks];
static int inode[kInodes], busy[kBlocks];
static int numbers[THREADS];

static void* create(void* argument) {
  const int i = *(int*)argument % kInodes;
  pthread_mutex_lock(&inode_lock[i]);
  if (inode[i] == 0) {
    int b = i * 2 % kBlocks;
    for (;;) {
      pthread_mutex_lock(&block_lock[b]);
      if (!busy[b]) {
        busy[b] = 1;
        inode[i] = b + 1;
        pthread_mutex_unlock(&block_lock[b]);
        break;
      }
      pthread_mutex_unlock(&block_lock[b]);
      b = (b + 1) % kBlocks;
    }
  }
  assert(inode[i] != 0);
  pthread_mutex_unlock(&inode_lock[i]);
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < kInodes; i++) pthread_mutex_init(&inode_lock[i], NULL);
  for (int i = 0; i < kBlocks; i++) pthread_mutex_init(&block_lock[i], NULL);
  for (int i = 0; i < THREADS; i++) numbers[i] = i;
  for (int i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, create, &numbers[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  return 0;
}
