// What is not a number is no integer either.
// expect: all unsafe assertion
// message: a floating point number does not fit into 64 bits
static volatile float zero = 0;

int main(void) { return (long)(zero / zero) == 0; }
