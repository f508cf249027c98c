// expect: error
// options: --strict
// message: missing_function
// native: 0
// With --strict, a call of a function that nobody defines is an error, reached or not.
int missing_function(int) __attribute__((weak));
static volatile int wanted;
int main(void) { return wanted ? missing_function(wanted) : 0; }
