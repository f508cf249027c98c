// expect: all safe
// native: 0
// Packed structures: members at odd addresses.
#include <assert.h>
#include <stdint.h>

struct __attribute__((packed)) header {
  uint8_t kind;
  uint32_t length;
  uint16_t check;
};
static struct header shared = {1, 0x01020304, 0xffff};

int main(void) {
  assert(sizeof shared == 7 && shared.length == 0x01020304);
  shared.length++;
  shared.check++;
  assert(shared.length == 0x01020305 && shared.check == 0 && shared.kind == 1);
  struct header local = shared;
  local.kind = 9;
  assert(local.length == shared.length && local.kind == 9);
  return 0;
}
