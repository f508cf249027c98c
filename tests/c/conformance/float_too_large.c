// A floating point number that no int can hold.
// expect: all unsafe assertion
// message: a floating point number does not fit into 32 bits
static volatile double number = 1e10;

int main(void) { return (int)number == 0; }
