// expect: all safe
// native: 0
// Output is evaluated and ignored: printf and friends, with any arguments.
#include <assert.h>
#include <stdio.h>

static int calls;
static int counted(int x) {
  calls++;
  return x;
}

int main(void) {
  printf("hello\n");
  printf("%d %s %c %ld %f\n", counted(1), "text", 'c', 1l << 40, 2.5);
  fprintf(stderr, "%d\n", counted(2));
  puts("line");
  putchar('x');
  fputs("text", stdout);
  fputc('\n', stdout);
  fflush(stdout);
  char* nothing = "";
  printf("%s%p%%\n", nothing, (void*)nothing);
  assert(calls == 2);
  return 0;
}
