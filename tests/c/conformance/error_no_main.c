// expect: error
// message: main
// A program without main.
int f(void) { return 0; }
