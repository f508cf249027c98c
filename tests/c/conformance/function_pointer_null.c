// expect: all unsafe
// Calling through a null function pointer.
static int (*volatile function)(int);

int main(void) { return function(3); }
