// An atomic update at an index that leaves the inner array, but not the outer one.
// expect: all unsafe assertion
// message: an index is outside its array, which has 2 elements
#include <stdatomic.h>
static atomic_int counts[2][2];
static volatile int index = 2;

int main(void) { atomic_fetch_add(&counts[0][index], 1); }
