// expect: all safe
// native: 0
// Arrays with indices that are computed, read from memory and taken modulo; two-level look-ups.
#include <assert.h>

static unsigned char next[8] = {3, 0, 7, 5, 1, 2, 4, 6};
static int heap[16], size;

static int cycle_length(int start) {
  int length = 0, at = start;
  do {
    at = next[at];
    length++;
  } while (at != start);
  return length;
}
static void push(int key) {
  int i = ++size;
  for (; i > 1 && heap[i / 2] > key; i /= 2) heap[i] = heap[i / 2];
  heap[i] = key;
}
static int pop(void) {
  const int least = heap[1], last = heap[size--];
  int i = 1;
  while (2 * i <= size) {
    int child = 2 * i;
    if (child < size && heap[child + 1] < heap[child]) child++;
    if (heap[child] >= last) break;
    heap[i] = heap[child];
    i = child;
  }
  heap[i] = last;
  return least;
}

int main(void) {
  assert(cycle_length(0) == 8);
  assert(next[next[next[0]]] == 2);
  static const int keys[] = {5, 3, 8, 1};
  for (int i = 0; i < 4; i++) push(keys[i]);
  assert(pop() == 1 && pop() == 3 && pop() == 5 && pop() == 8);
  return 0;
}
