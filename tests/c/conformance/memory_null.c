// expect: all unsafe memory
// Reading through a null pointer.
#include <stddef.h>

static int* pointer = NULL;

int main(void) { return *pointer; }
