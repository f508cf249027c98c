// expect: all unknown
// message: by a pointer
// Only a pointer leads to a variable that no file defines: the access is what cannot be followed.
extern int defined_by_nobody;
static int* pointer = &defined_by_nobody;
int main(void) { return *pointer; }
