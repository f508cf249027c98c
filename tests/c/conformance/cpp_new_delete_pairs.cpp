// Memory from new[] is released by delete.
// expect: all unsafe memory
// message: memory from new[] is not released by delete[]
int main() {
  int* numbers = new int[3];
  delete numbers;
}
