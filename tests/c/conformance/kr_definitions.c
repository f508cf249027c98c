// expect: all safe
// native: 0
// compiler: -std=gnu89
// Definitions as before ISO C: parameters declared after the list, functions without prototypes, implicit
// int.
#include <assert.h>

int total;

int add(a, b)
int a, b;
{ return a + b; }

char* skip(text, count)
char* text;
int count;
{
  while (count-- > 0) text++;
  return text;
}

implicit(n) { return n + 1; }

void record() { total = total + 1; }

short narrow(s, c)
short s;
char c;
{ return s + c; }

int main() {
  assert(add(2, 3) == 5);
  assert(*skip("hello", 4) == 'o');
  assert(implicit(4) == 5);
  record();
  record();
  assert(total == 2);
  assert(narrow(40, 2) == 42);
  return 0;
}
