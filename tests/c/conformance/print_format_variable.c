// A format that is no constant is a text as long as it has no conversions.
// expect: all unknown
// message: a format that is not a constant has conversions
#include <stdio.h>

static const char *volatile first = "100%% sure\n", *volatile second = "%d";

int main(void) {
  printf(first);
  printf(second);
}
