// Follows a given execution. The schedule lists the places in the program where something can be seen, and the
// steps of the execution in their order. A thread is let go until what it is about to do is its next step; what
// it does on the way is not told by the execution, since it concerns the thread alone.
//
// Matching is generous: a step without a counterpart is dropped, an event without one is executed. That cannot
// make a wrong confirmation, because what is confirmed in the end is what the running program does.
#include <execinfo.h>

#include "native.h"

struct site {
  uintptr_t pc;
  int file, line, column;
  char kind;  // r, w, u (read-modify-write), f (fence), m (many bytes), e (end of variables), k (chance), c (call), x (call of
              // what may call us)
  int known;  // the execution's program has such an access here
};

struct item {
  int step, thread;
  char kind;  // R, W, U, B (a block of the library), S (start), E (end), C (choice), F (free, or the end of a variable), L (flush),
              // N (a block of the library, called from nowhere in the program), Q (chance, somewhere)
  int file, line, column;
  int firm;  // there must be something in the program for it
  int64_t key, value;
  int has_value, size;
  char area;  // where an access goes: g (global), h (heap), s (stack)
  int done;
};

static struct site* sites;
static struct item* items;
static int site_count, item_count, current_item, final_thread;
static char violation_kind[32];
static char* file_names[64];
static u64 events_run;
static char first_difference[300];
int weir_may_wake(struct thread* thread);
int weir_relocks(struct thread* thread);

static void* grown(void* old, int count, size_t size) {
  if (count & (count - 1)) return old;
  void* larger = weir_heap_allocate(size * (size_t)(count ? 2 * count : 1), 16, 1, 0);
  if (count) memcpy(larger, old, size * (size_t)count);
  return larger;
}

int weir_guide_load(const char* path) {
  FILE* file = fopen(path, "r");
  static char line[4096];
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    struct site site;
    struct item item = {0};
    int number, at = 0;
    if (sscanf(line, "site %lx %d %d %d %c %d", &site.pc, &site.file, &site.line, &site.column, &site.kind,
               &site.known) == 6) {
      sites = grown(sites, site_count, sizeof site);
      sites[site_count++] = site;
    } else if (sscanf(line, "item %d %d %c %d %d %d %d %ld %ld %d %d %c", &item.step, &item.thread, &item.kind,
                      &item.file, &item.line, &item.column, &item.firm, &item.key, &item.value,
                      &item.has_value, &item.size, &item.area) == 12) {
      items = grown(items, item_count, sizeof item);
      items[item_count++] = item;
    } else if (sscanf(line, "file %d %n", &number, &at) == 1 && at && number < 64) {
      line[strcspn(line, "\n")] = 0;
      file_names[number] = strdup(line + at);
    } else if (sscanf(line, "violation %31s %d", violation_kind, &final_thread) != 2) {
      return 0;
    }
  }
  fclose(file);
  weir_looks_for_races = !strcmp(violation_kind, "race");
  return 1;
}

static struct item* next_of(int thread, int from);

static const struct site* site_at(uintptr_t pc) {
  int low = 0, high = site_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sites[middle].pc < pc) low = middle + 1;
    else high = middle;
  }
  return low < site_count && sites[low].pc == pc ? &sites[low] : NULL;
}

// The first place of a function at which something can be seen.
static const struct site* first_site(uintptr_t function) {
  int low = 0, high = site_count;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sites[middle].pc < function) low = middle + 1;
    else high = middle;
  }
  return low < site_count ? &sites[low] : NULL;
}

// The function that begins last before the thread's next step in the source.
int weir_guide_expected(struct thread* thread, const uintptr_t* functions, int count) {
  const struct item* item = next_of(thread->number, 0);
  int best = 0, best_line = 0;
  for (int i = 0; item && i < count; i++) {
    const struct site* site = first_site(functions[i]);
    if (!site || site->file != item->file || site->line > item->line || site->line <= best_line) continue;
    best = i;
    best_line = site->line;
  }
  return best;
}

int weir_guide_same_place(uintptr_t a, uintptr_t b) {
  const struct site *x = site_at(a), *y = site_at(b);
  return x && y && x->file == y->file && x->line == y->line && x->column == y->column;
}

// Where in the program the event is: its own call, or the call of the library that led to it.
static const struct site* site_of(struct thread* thread) {
  struct event* event = &thread->event;
  const struct site* found = site_at(event->pc);
  if (found || !event->pc || thread != weir_self) return found;
  void* callers[32];
  const int count = backtrace(callers, 32);
  for (int i = 0; i < count; i++) {
    found = site_at((uintptr_t)callers[i]);
    if (found) {
      event->pc = found->pc;
      return found;
    }
  }
  return NULL;
}

static const char* place(int file, int line) {
  static char text[2][400];
  static int which;
  char* to = text[which ^= 1];
  snprintf(to, 400, "%s:%d", file >= 0 && file < 64 && file_names[file] ? file_names[file] : "?", line);
  return to;
}

static const char* place_of(struct thread* thread) {
  const struct site* site = site_of(thread);
  if (site) return place(site->file, site->line);
  return thread->ended ? "its end" : thread->event.kind == kEnd ? "its end" : "an unknown place";
}

static void note_difference(const struct item* item, struct thread* thread, const char* what) {
  if (first_difference[0]) return;
  snprintf(first_difference, sizeof first_difference, "at step %d %s %s, the execution at %s", item->step, what,
           place_of(thread), place(item->file, item->line));
}

static void diverged(const struct item* item, struct thread* thread, const char* what) {
  note_difference(item, thread, what);
  weir_finish("diverged", "%s", first_difference);
}

// --- Matching

static int same_place(const struct site* site, const struct item* item) {
  return site && site->file == item->file && site->line == item->line && site->column == item->column;
}

static int kinds_agree(struct thread* thread, const struct item* item) {
  switch (thread->event.kind) {
    case kRead: return item->kind == 'R';
    case kWrite: return item->kind == 'W';
    case kUpdate: return item->kind == 'U' || item->kind == 'R' || item->kind == 'W';
    case kRange: return item->kind == 'R' || item->kind == 'W' || item->kind == 'B';
    case kCheck: return item->kind == 'C';
    case kLeave: return item->kind == 'F' && item->area == 's';
    case kCall:
      return item->kind != 'N' && item->kind != 'Q' && item->kind != 'L' && item->kind != 'S' && item->kind != 'E' && !(item->kind == 'F' && item->area == 's');
    case kStart: return item->kind == 'S';
    case kEnd: return item->kind == 'E';
    default: return 0;
  }
}

static char area_of(const struct event* event) {
  if (weir_in_arena(event->address)) {
    const struct block* block = weir_block_at(event->address);
    return block && block->made_by == kStackVariable ? 's' : 'h';
  }
  for (int i = 0; i < weir_thread_count; i++)
    if (event->address >= weir_threads[i].stack_low &&
        event->address < (weir_threads[i].top ? weir_threads[i].top : weir_threads[i].stack_high))
      return 's';
  return 'g';
}

static int is_access(const struct event* event) {
  return event->kind == kRead || event->kind == kWrite || event->kind == kUpdate || event->kind == kRange;
}

static int matches(struct thread* thread, const struct item* item) {
  if (item->kind == 'N') return thread->event.kind == kCall && !site_of(thread);
  if (item->kind == 'Q') return thread->event.kind == kCheck && !strcmp(thread->event.name, "chance");
  if (item->kind == 'S' || item->kind == 'E') return kinds_agree(thread, item);
  if (is_access(&thread->event) && thread->event.kind != kRange && item->area != area_of(&thread->event)) return 0;
  return kinds_agree(thread, item) && same_place(site_of(thread), item);
}

static struct item* next_of(int thread, int from) {
  for (int i = from; i < item_count; i++)
    if (items[i].thread == thread && !items[i].done && items[i].kind != 'L') return &items[i];
  return NULL;
}

// Is there a block at the same place among the steps of the thread that follow there?
static int block_follows(const struct item* item) {
  for (const struct item* other = item; other; other = next_of(item->thread, (int)(other - items) + 1)) {
    if (other->file != item->file || other->line != item->line || other->column != item->column) return 0;
    if (other->kind == 'B' || other->kind == 'F') return 1;
  }
  return 0;
}

static int matches_later(struct thread* thread, const struct item* item) {
  int looked = 0;
  for (const struct item* other = next_of(item->thread, (int)(item - items) + 1); other && looked < 200;
       other = next_of(item->thread, (int)(other - items) + 1), looked++)
    if (matches(thread, other)) return 1;
  return 0;
}

// A call of the library that reads memory is one event here, and must not happen if it is a part of the race.
static int stands_to_race(struct thread* thread, const struct item* item) {
  if (strcmp(violation_kind, "race") || !thread->event.size) return 0;
  for (; item; item = next_of(item->thread, (int)(item - items) + 1))
    if (!matches(thread, item)) return 0;
  return 1;
}

enum relation { kExecute, kSkipEvent, kDropItem };

static enum relation relate(struct thread* thread, struct item* item) {
  const struct site* site = site_of(thread);
  if (matches(thread, item)) {
    const int part = thread->event.kind == kCall && item->kind != 'B' && item->kind != 'F';
    const int waits = thread->event.ready && thread->event.ready != once_ready && !weir_relocks(thread);
    if (part && (waits || block_follows(item) || !weir_is_ready(thread))) return kDropItem;
    if (part && stands_to_race(thread, item)) return kDropItem;
    return thread->event.ready == once_ready && !weir_is_ready(thread) ? kDropItem : kExecute;
  }
  if (item->kind == 'S') return kDropItem;
  if (thread->event.kind == kStart) return kSkipEvent;
  if (item->kind == 'N' || item->kind == 'Q')
    return thread->event.kind == kEnd || matches_later(thread, item) ? kDropItem : kSkipEvent;
  if (thread->event.kind == kCheck && item->kind != 'C') return matches_later(thread, item) ? kDropItem : kSkipEvent;
  if (thread->event.kind == kLeave) return matches_later(thread, item) ? kDropItem : kSkipEvent;
  if (same_place(site, item) && thread->event.kind != kCall && item->kind != 'B') {
    if (is_access(&thread->event) && area_of(&thread->event) == 's') return kSkipEvent;
    const struct item* following = next_of(item->thread, (int)(item - items) + 1);
    return following && matches(thread, following) ? kDropItem : kSkipEvent;
  }
  if (!item->firm) return kDropItem;
  if (!site || !site->known) return kSkipEvent;
  if (thread->event.kind == kEnd) return kDropItem;
  if (matches_later(thread, item)) {
    note_difference(item, thread, "the program is at");
    return kDropItem;
  }
  if (!is_access(&thread->event) || area_of(&thread->event) != 's')
    note_difference(item, thread, "the program is at");
  return kSkipEvent;
}

// --- Running

static u64 bytes_at(uintptr_t address, u32 size) {
  u64 value = 0;
  memcpy(&value, (void*)address, size < 8 ? size : 8);
  return value;
}

static void compare_value(struct thread* thread, const struct item* item) {
  const struct event* event = &thread->event;
  if (!item->has_value || event->kind != kRead || event->size > 8 || first_difference[0]) return;
  if (event->address < 65536) return;
  weir_show(thread);
  const u64 mask = event->size == 8 ? ~0ull : (1ull << 8 * event->size) - 1;
  const u64 found = bytes_at(event->address, event->size);
  weir_hide(thread);
  if (found != ((u64)item->value & mask))
    snprintf(first_difference, sizeof first_difference,
             "at step %d, %s, the program reads %ld and the execution %ld", item->step,
             place(item->file, item->line), (long)found, (long)item->value);
}

// The heap, and variables that others know, are filled with a pattern that no program has by chance, so a read
// of memory that was never written is seen, where the execution says that there is one; and so is that there is none.
static void look_for_pattern(struct thread* thread, const struct item* item) {
  const struct event* event = &thread->event;
  if (strcmp(violation_kind, "uninitialised") || item != &items[item_count - 1]) return;
  if (event->kind != kRead || !weir_in_arena(event->address)) return;
  weir_show(thread);
  int pattern = 0;
  for (u32 i = 0; i < event->size; i++) pattern |= *(u8*)(event->address + i) == kUnwritten;
  weir_hide(thread);
  if (!pattern) weir_finish("diverged", "reads memory that is initialised");
  weir_self = thread;  // whose violation it is
  weir_violation("uninitialised", event->pc, "reads memory that is not initialised");
}

static struct thread* grant(struct thread* thread, struct item* item) {
  thread->buffer_it = 0;
  thread->key = 0;
  thread->has_value = 0;
  thread->piece_kind = 0;
  if (++events_run > 1000000) weir_finish("diverged", "the program does not come to an end; %s", first_difference);
  if (item) {
    compare_value(thread, item);
    look_for_pattern(thread, item);
    thread->buffer_it = weir_model == kSc ? 0 : item->kind == 'F' ? 2 : 1;
    thread->key = item->key;
    thread->value = item->value;
    thread->has_value = item->has_value;
    item->done = 1;
    thread->piece_kind = item->kind;
    thread->piece_size = (u32)item->size;
  }
  if (item && thread->waits_for && !weir_is_ready(thread) && weir_may_wake(thread)) thread->woken = 1;
  if (!weir_is_ready(thread)) {
    if (item) diverged(item, thread, "the program waits at");
    weir_finish("diverged", "the program waits at %s; %s", place_of(thread), first_difference);
  }
  return thread;
}

static void flush(const struct item* item) {
  struct thread* thread = &weir_threads[item->thread];
  for (int i = 0; i < thread->store_count; i++) {
    if (thread->stores[i].key != item->key) continue;
    weir_commit(thread, i);
    return;
  }
}

// --- The end of the schedule: the violation must follow

static int is_known(struct thread* thread) {
  const struct site* site = site_of(thread);
  return site && site->known;
}

static int overlap_events(const struct event* a, const struct event* b) {
  return a->address < b->address + b->size && b->address < a->address + a->size;
}

// Calls of the library that read memory say which.
static int touches(const struct event* event) { return is_access(event) || (event->kind == kCall && event->size); }
static int only_reads(const struct event* event) { return event->kind == kRead || event->kind == kCall; }

static void report_race(void) {
  for (int a = 0; a < weir_thread_count; a++)
    for (int b = 0; b < a; b++) {
      const struct event *x = &weir_threads[a].event, *y = &weir_threads[b].event;
      if (touches(x) && touches(y) && !(only_reads(x) && only_reads(y)) && !(x->atomic && y->atomic) &&
          overlap_events(x, y))
        weir_violation("race", x->pc, "two threads are about to access the same memory");
    }
}

// The access that completes the race comes first: another thread could end the program before.
static struct thread* who_completes_race(void) {
  for (int i = 0; i < weir_thread_count; i++) {
    struct thread* thread = &weir_threads[(final_thread + i) % weir_thread_count];
    if (weir_is_ready(thread) && weir_race_may_follow(thread)) return thread;
  }
  return NULL;
}

// Is it on its way through memory of its own?
static int is_on_its_way(struct thread* thread) {
  const struct event* event = &thread->event;
  if (event->kind == kEnd || event->kind == kStart) return 0;
  if (!is_known(thread)) return 1;
  return is_access(event) && event->address >= thread->stack_low && event->address < thread->stack_high;
}

static struct thread* next_to_race(void) {
  static u64 more;
  report_race();
  struct thread* last = who_completes_race();
  if (last) return grant(last, NULL);
  for (int i = 0; i < weir_thread_count; i++) {
    struct thread* thread = &weir_threads[i];
    if (weir_is_ready(thread) && more < 1000 && is_on_its_way(thread)) {
      ++more;
      return grant(thread, NULL);
    }
  }
  // The accesses are not next to each other; each thread goes on, the one that stands before its access last, and
  // races.c looks at what happens. Threads that the execution has not started come behind all others.
  for (int started = 1; started >= 0; started--)
    for (int i = 1; i <= weir_thread_count && more < 3000; i++) {
      struct thread* thread = &weir_threads[(final_thread + i) % weir_thread_count];
      if (weir_is_ready(thread) && (thread->event.kind != kStart) == started && ++more) return grant(thread, NULL);
    }
  weir_finish("diverged", "no two accesses of the same memory are a race; %s", first_difference);
}

// A thread that waits and was not once able to go on since the schedule ended; NULL if there is none.
static struct thread* stuck_thread(const char* was_ready) {
  for (int i = 0; i < weir_thread_count; i++) {
    struct thread* thread = &weir_threads[i];
    if (thread->exists && !thread->ended && !thread->event.quiet && !was_ready[i]) return thread;
  }
  return NULL;
}

// All stand still: each thread waits, or reads again and again and nothing changes. Or one does, however long the
// others go on.
static struct thread* next_to_stand_still(void) {
  static int turn;
  static u64 rounds;
  static char was_ready[kMostThreads];
  for (int i = 0; i < weir_thread_count; i++)
    while (weir_threads[i].store_count) weir_commit(&weir_threads[i], 0);
  int ready = 0, spinning = 0, alive = 0;
  for (int i = 0; i < weir_thread_count; i++) {
    struct thread* thread = &weir_threads[i];
    alive += thread->exists && !thread->ended && !thread->event.quiet;
    if (!weir_is_ready(thread)) continue;
    was_ready[i] = 1;
    ready++;
    spinning += thread->reads_in_a_row > 100;
  }
  if (alive && !weir_main_returned && ready == spinning)
    weir_violation("deadlock", weir_threads[final_thread].event.pc, "no thread can go on");
  if (++rounds > 20000) {
    struct thread* stuck = weir_main_returned ? NULL : stuck_thread(was_ready);
    if (stuck) weir_violation("deadlock", stuck->event.pc, "this thread never goes on, although others do");
    weir_finish("diverged", "the threads go on; %s", first_difference);
  }
  for (int tries = 0; tries < weir_thread_count; tries++) {
    struct thread* thread = &weir_threads[turn++ % weir_thread_count];
    if (!weir_is_ready(thread)) continue;
    thread->reads_in_a_row = thread->event.kind == kRead ? thread->reads_in_a_row + 1 : 0;
    return grant(thread, NULL);
  }
  weir_finish("ended", "%d", weir_user_leaks());
}

static struct thread* next_to_end(void) {
  for (int i = 0; i < weir_thread_count; i++)
    if (weir_is_ready(&weir_threads[i])) return grant(&weir_threads[i], NULL);
  weir_finish("diverged", "the program does not come to its end; %s", first_difference);
}

// Who runs exit handlers after main has ended is main in the execution, and the last thread here.
static struct thread* acting(int number) {
  return &weir_threads[number == 0 && weir_exits_for_main ? weir_exiting - 1 : number];
}

static struct thread* next_of_violation(void) {
  static u64 more;
  if (!strcmp(violation_kind, "race")) return next_to_race();
  if (!strcmp(violation_kind, "deadlock")) return next_to_stand_still();
  if (!strcmp(violation_kind, "leak")) return next_to_end();
  struct thread* thread = acting(final_thread);
  if (!weir_is_ready(thread) || thread->event.quiet || ++more > 200)
    weir_finish(first_difference[0] ? "differs" : "passed", "%s",
                first_difference[0] ? first_difference : "the program goes on");
  return grant(thread, NULL);
}

struct thread* weir_guide_next(struct thread* current) {
  (void)current;
  site_of(weir_self);  // while its callers can be seen
  while (current_item < item_count) {
    struct item* item = &items[current_item];
    struct thread* thread = acting(item->thread);
    if (item->done) {
      current_item++;
      continue;
    }
    if (item->kind == 'L') {
      flush(item);
      item->done = 1;
      continue;
    }
    if (!thread->exists) diverged(item, thread, "the thread does not exist, the program is at");
    if (thread->ended || thread->event.quiet) {
      if (item->firm) note_difference(item, thread, "the program is at");
      item->done = 1;
      continue;
    }
    switch (relate(thread, item)) {
      case kExecute: return grant(thread, item);
      case kSkipEvent: return grant(thread, NULL);
      case kDropItem:
        if (item->kind == 'C' && same_place(site_of(thread), item)) thread->choice = item->value;
        item->done = 1;
        break;
    }
  }
  return next_of_violation();
}

// Along a schedule as that says; otherwise one time in eight, if it is asked for.
int weir_fails_at(uintptr_t pc, uintptr_t frame) {
  if (weir_guided) return (int)weir_choose("chance", pc, frame, 0, 1);
  return weir_chance && weir_random(8) == 0;
}
int weir_fails_by_chance(void) { return weir_fails_at(CALLER, FRAME); }

int64_t weir_choose(const char* name, uintptr_t pc, uintptr_t frame, int64_t low, int64_t high) {
  struct thread* self = weir_self;
  if (!weir_active || !self || self->entered) return low;
  self->frame = frame;
  weir_point((struct event){.kind = kCheck, .name = name, .pc = pc});
  if (!weir_guided) return low + (int64_t)weir_random((u32)(high - low + 1));
  return self->has_value ? self->value : low;
}
