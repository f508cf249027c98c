// expect: all unsafe memory
// Writing into a string constant.
int main(void) {
  char* text = (char*)"constant";
  text[0] = 'C';
  return 0;
}
