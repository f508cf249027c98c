// expect: sc unsafe assertion, tso unsafe assertion, pso unsafe assertion
// A broken seqlock: the reader compares the sequence number before and after, but does not mind that it is odd, which
// means that a writer is at work.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int left, right;  // always the same

static void* writer(void* unused) {
  ++sequence;
  left = 1;
  right = 1;
  ++sequence;
  return unused;
}

static void* reader(void* unused) {
  unsigned before;
  int l, r;
  do {
    before = sequence;
    l = left;
    r = right;
  } while (sequence != before);
  assert(l == r);
  return unused;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, NULL, writer, NULL);
  pthread_create(&two, NULL, reader, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
}
