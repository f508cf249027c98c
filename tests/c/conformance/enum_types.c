// expect: all safe
// native: 0
// Enumerations: values, gaps, negative ones, as indices and in switches.
#include <assert.h>

enum color { kRed, kGreen = 5, kBlue, kAlias = kGreen };
enum error { kNoError = 0, kNotFound = -2, kDenied };
typedef enum { kLow = 1u << 0, kHigh = 1u << 4, kAll = kLow | kHigh } mask;

static const char* const names[] = {[kRed] = "red", [kGreen] = "green", [kBlue] = "blue"};
static enum color next(enum color c) {
  switch (c) {
    case kRed: return kGreen;
    case kGreen: return kBlue;
    default: return kRed;
  }
}
static enum error look_up(int key) { return key < 0 ? kDenied : key > 9 ? kNotFound : kNoError; }

int main(void) {
  assert(kRed == 0 && kBlue == 6 && kAlias == 5);
  assert(next(kRed) == kGreen && next(next(kRed)) == kBlue && next(kBlue) == kRed);
  assert(names[kBlue][0] == 'b' && names[kGreen][4] == 'n' && names[1] == 0);
  assert(kDenied == -1);
  assert(look_up(3) == kNoError && look_up(10) < 0 && look_up(-1) == kDenied);
  mask m = kLow;
  m |= kHigh;
  assert(m == kAll && (m & ~kLow) == kHigh);
  enum { kLocal = 3 };
  int array[kLocal] = {1, 2, 3};
  assert(array[kLocal - 1] == 3);
  return 0;
}
