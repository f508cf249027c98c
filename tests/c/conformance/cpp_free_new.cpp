// Memory from new is released by free().
// expect: all unsafe memory
// message: memory from new is not released by delete
#include <cstdlib>
int main() { std::free(new int); }
