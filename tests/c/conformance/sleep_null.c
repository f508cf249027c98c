// nanosleep() reads how long to sleep.
// expect: all unsafe memory
// message: access through a null pointer
#include <time.h>

int main(void) { nanosleep(0, 0); }
