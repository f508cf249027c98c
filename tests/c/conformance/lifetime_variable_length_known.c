// expect: all unsafe memory
// message: 'a'
// The length of the array turns out to be a constant; it ends with its block all the same.
static int* kept;

static void keep(int n) {
  int a[n + 1];
  a[0] = 1;
  kept = a;
}

int main(void) {
  keep(2);
  return *kept - 1;
}
