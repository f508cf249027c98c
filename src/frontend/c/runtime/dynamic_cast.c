// dynamic_cast. An object says what it is: in front of its table of functions stand its type and how far the table's
// owner lies inside the whole object. From there all bases are looked at, as the type_info objects list them.
#include <stdint.h>

#include "cplusplus.h"

struct base_info {
  const struct type_info* type;
  intptr_t place;  // offset, with two flags
};

struct multiple_type_info {
  struct type_info type;
  unsigned flags, count;
  struct base_info bases[];
};

enum { kVirtual = 1, kPublic = 2, kShift = 8 };

struct search {
  const struct type_info *source_type, *wanted;
  const char* source;          // the base that the pointer points to
  const char *found, *nearby;  // the wanted one; that which has the source as a public base
  int ambiguous, nearby_ambiguous, source_is_public;
};

static const char* base_of(const char* object, const struct base_info* base) {
  intptr_t offset = base->place >> kShift;
  if (base->place & kVirtual) offset = *(const intptr_t*)(*(const char* const*)object + offset);
  return object + offset;
}

// `inside`: the wanted object around this base, to which it is public; null if there is none.
static void visit(struct search* search, const char* object, const struct type_info* type, const char* inside,
                  int is_public) {
  if (type == search->wanted) {
    if (is_public && search->found && search->found != object) search->ambiguous = 1;
    if (is_public) search->found = object;
    inside = object;
  }
  if (type == search->source_type && object == search->source) {
    if (is_public) search->source_is_public = 1;
    if (inside && search->nearby && search->nearby != inside) search->nearby_ambiguous = 1;
    if (inside) search->nearby = inside;
    return;
  }
  if (type->kind == &derived_class_type_info[2])
    return visit(search, object, ((const struct derived_type_info*)type)->base, inside, is_public);
  if (type->kind != &multiple_class_type_info[2]) return;
  const struct multiple_type_info* several = (const struct multiple_type_info*)type;
  for (unsigned i = 0; i < several->count; i++) {
    const struct base_info* base = &several->bases[i];
    int to_public = (base->place & kPublic) != 0;
    visit(search, base_of(object, base), base->type, to_public ? inside : NULL, is_public && to_public);
  }
}

// Down to a class that has the pointer's object as a public base; otherwise across, by way of the whole object.
void* __dynamic_cast(const void* pointer, const struct type_info* from, const struct type_info* to, long hint) {
  (void)hint;
  const intptr_t* functions = *(const intptr_t* const*)pointer;
  const char* whole = (const char*)pointer + functions[-2];
  struct search search = {.source_type = from, .wanted = to, .source = pointer};
  visit(&search, whole, (const struct type_info*)functions[-1], NULL, 1);
  if (search.nearby) return search.nearby_ambiguous ? NULL : (void*)search.nearby;
  return search.source_is_public && !search.ambiguous ? (void*)search.found : NULL;
}
