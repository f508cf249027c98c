// expect: all safe
// native: 0
// Arrays of arrays: local, global, as parameters, with partial initialisers.
#include <assert.h>

static int grid[3][4] = {{1, 2}, {3}, {0, 0, 0, 9}};
static char cube[2][2][2];
static const int identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static int trace(const int m[3][3]) { return m[0][0] + m[1][1] + m[2][2]; }
static void multiply(int r[3][3], int a[3][3], const int b[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      r[i][j] = 0;
      for (int k = 0; k < 3; k++) r[i][j] += a[i][k] * b[k][j];
    }
}
static int row_sum(int (*row)[4]) { return (*row)[0] + (*row)[1] + (*row)[2] + (*row)[3]; }

int main(void) {
  assert(grid[0][1] == 2 && grid[0][2] == 0 && grid[1][0] == 3 && grid[2][3] == 9);
  assert(row_sum(&grid[0]) == 3 && row_sum(grid + 2) == 9);
  assert(sizeof grid == 48 && sizeof grid[0] == 16);
  cube[1][0][1] = 'x';
  assert(cube[1][0][1] == 'x' && cube[0][1][1] == 0);
  assert(trace(identity) == 3);
  int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, r[3][3];
  multiply(r, a, identity);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) assert(r[i][j] == a[i][j]);
  int(*p)[3] = a;
  assert(p[1][2] == 6 && (*(p + 2))[0] == 7 && *(*p + 1) == 2);
  int* flat = &a[0][0];
  assert(flat[2] == 3);
  return 0;
}
