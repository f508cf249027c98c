// Memory from malloc() is released by delete.
// expect: all unsafe memory
// message: memory that is not from new is released by delete
#include <cstdlib>
int main() {
  int* number = static_cast<int*>(std::malloc(sizeof(int)));
  delete number;
}
