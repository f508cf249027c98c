// expect: all unsafe
// compiler: -std=c++20
// Printing a text reads it.
#include <iostream>
int main() {
  char* text = new char[2]{'a', 0};
  delete[] text;
  std::cout << text << std::endl;
}
