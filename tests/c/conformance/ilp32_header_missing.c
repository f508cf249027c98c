// expect: error
// message: a header is missing for programs for 32-bit machines
// compiler: -m32
#include <no_such_header.h>
int main(void) { return 0; }
