// The file system of [FlanaganGodefroid05]: each of N threads takes the inode of its number and, if that has no
// block yet, the first free block from a place that depends on the inode. One mutex for each inode and block.
// Up to 13 threads never meet.
#include "threads.h"

enum { INODES = 32, BLOCKS = 26 };

static pthread_mutex_t inode_locks[INODES], block_locks[BLOCKS];
static int inodes[INODES], busy[BLOCKS];

static void give_block_to(int inode) {
  for (int block = inode * 2 % BLOCKS;; block = (block + 1) % BLOCKS) {
    pthread_mutex_lock(&block_locks[block]);
    if (!busy[block]) {
      busy[block] = 1;
      inodes[inode] = block + 1;
      pthread_mutex_unlock(&block_locks[block]);
      return;
    }
    pthread_mutex_unlock(&block_locks[block]);
  }
}

static void* creator(void* number) {
  int inode = number_of(number) % INODES;
  pthread_mutex_lock(&inode_locks[inode]);
  if (inodes[inode] == 0) give_block_to(inode);
  pthread_mutex_unlock(&inode_locks[inode]);
  return NULL;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < INODES; i++) pthread_mutex_init(&inode_locks[i], NULL);
  for (int i = 0; i < BLOCKS; i++) pthread_mutex_init(&block_locks[i], NULL);
  create_all(threads, N, creator);
  join_all(threads, N);
  return 0;
}
