// expect: all safe
// native: 0
// Recursive functions with arrays of their own, and ones that fill the caller's.
#include <assert.h>

static int digits(unsigned n, char* out) {
  int length = n >= 10 ? digits(n / 10, out) : 0;
  out[length] = (char)('0' + n % 10);
  return length + 1;
}

static void reverse(int* a, int low, int high) {
  if (low >= high) return;
  int swap = a[low];
  a[low] = a[high];
  a[high] = swap;
  reverse(a, low + 1, high - 1);
}

static int depth_sum(int depth) {
  int own[3] = {depth, 2 * depth, 3 * depth};
  int below = depth ? depth_sum(depth - 1) : 0;
  return below + own[depth % 3];
}

static void quick_sort(int* a, int low, int high) {
  if (low >= high) return;
  int pivot = a[high], i = low;
  for (int j = low; j < high; j++) {
    if (a[j] < pivot) {
      int swap = a[i];
      a[i++] = a[j];
      a[j] = swap;
    }
  }
  a[high] = a[i];
  a[i] = pivot;
  quick_sort(a, low, i - 1);
  quick_sort(a, i + 1, high);
}

int main(void) {
  char text[8];
  assert(digits(90210, text) == 5);
  assert(text[0] == '9' && text[2] == '2' && text[4] == '0');
  int a[7] = {5, 2, 9, 1, 7, 3, 3};
  reverse(a, 0, 6);
  assert(a[0] == 3 && a[6] == 5 && a[3] == 1);
  quick_sort(a, 0, 6);
  for (int i = 0; i < 6; i++) assert(a[i] <= a[i + 1]);
  assert(a[0] == 1 && a[6] == 9);
  assert(depth_sum(4) == 0 + 2 + 6 + 3 + 8);
  return 0;
}
