// expect: all safe
// native: 0
// Structures in structures, with arrays, anonymous members and pointers to each other.
#include <assert.h>
#include <stddef.h>

struct date {
  short year;
  char month, day;
};
struct person {
  const char* name;
  struct date born;
  struct {
    int home, work;
  } phone;
  struct person* friends[2];
  union {
    int id;
    unsigned key;
  };
};

static struct person ada = {"Ada", {1815, 12, 10}, {11, 12}, {NULL, NULL}, {1}};
static struct person charles = {"Charles", {1791, 12, 26}, {21, 22}, {&ada, NULL}, {2}};

static int age_in(const struct person* p, int year) { return year - p->born.year; }

int main(void) {
  assert(age_in(&ada, 1852) == 37);
  assert(charles.friends[0]->name[0] == 'A');
  ada.friends[0] = &charles;
  ada.friends[1] = ada.friends[0]->friends[0];
  assert(ada.friends[1] == &ada);
  assert(ada.friends[0]->friends[0]->phone.work == 12);
  ada.phone.home++;
  assert(charles.friends[0]->phone.home == 12);
  struct date copied = charles.born;
  copied.day = 1;
  assert(charles.born.day == 26 && copied.year == 1791);
  ada.born = copied;
  assert(ada.born.day == 1 && ada.born.month == 12);
  assert(charles.id == 2 && charles.key == 2u);
  ada.key = 77;
  assert(ada.id == 77);
  return 0;
}
