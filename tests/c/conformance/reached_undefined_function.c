// expect: all unknown
// message: missing_function
// A call of a function that nobody defines.
int missing_function(int);
int main(void) { return missing_function(3); }
