// expect: sc safe, tso unsafe assertion, pso unsafe assertion
// The THE protocol of Cilk-5 (Frigo, Leiserson and Randall, 1998): a worker pops from the tail of its queue
// without a lock as long as no thief is near; thieves lock, and take from the head.
//
// The worker stores the tail and reads the head, the thief stores the head and reads the tail: Dekker again.
// Cilk has a fence there. Without it a frame is executed twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { kFrames = 2 };

static atomic_int head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(atomic_int* index) { return atomic_load_explicit(index, memory_order_relaxed); }
static void set(atomic_int* index, int value) { atomic_store_explicit(index, value, memory_order_relaxed); }

static void push(void) { set(&tail, get(&tail) + 1); }

static bool pop(int* frame) {
  set(&tail, get(&tail) - 1);
  if (get(&head) > get(&tail)) {  // a thief may have it
    set(&tail, get(&tail) + 1);
    pthread_mutex_lock(&lock);
    set(&tail, get(&tail) - 1);
    if (get(&head) > get(&tail)) {
      set(&tail, get(&tail) + 1);
      pthread_mutex_unlock(&lock);
      return false;
    }
    pthread_mutex_unlock(&lock);
  }
  *frame = get(&tail);
  return true;
}

static bool steal(int* frame) {
  pthread_mutex_lock(&lock);
  set(&head, get(&head) + 1);
  if (get(&head) > get(&tail)) {
    set(&head, get(&head) - 1);
    pthread_mutex_unlock(&lock);
    return false;
  }
  *frame = get(&head) - 1;
  pthread_mutex_unlock(&lock);
  return true;
}

static atomic_int executed[kFrames];

static void execute(int frame) {
  const int before = atomic_fetch_add(&executed[frame], 1);
  assert(before == 0);
}

static void* thief(void* unused) {
  int frame;
  if (steal(&frame)) execute(frame);
  return unused;
}

int main(void) {
  pthread_t t;
  for (int i = 0; i < kFrames; i++) push();
  pthread_create(&t, NULL, thief, NULL);
  int frame;
  while (pop(&frame)) execute(frame);
  pthread_join(t, NULL);
  assert(executed[0] == 1 && executed[1] == 1);
  return 0;
}
