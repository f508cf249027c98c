// Data races of a run, by the happens-before relation of C and C++: a vector clock for each thread, for each object
// of the library, and for each atomic variable (what was released there). Every access is kept with its time, so this
// is for runs along an execution that is said to have a race, which are short.
#include "native.h"

typedef u32 vector_clock[kMostThreads];

struct access {
  uintptr_t address, pc;
  u32 size, time;
  int thread, writes, atomic;
};

struct location {
  const void* address;
  vector_clock released;
};

enum { kMostAccesses = 1 << 16, kMostLocations = 1 << 12 };

int weir_looks_for_races;
static vector_clock clocks[kMostThreads];          // what has happened before the thread's next access
static vector_clock before_fence[kMostThreads];    // at its last releasing fence
static vector_clock read_relaxed[kMostThreads];    // what an acquiring fence would acquire
static struct access* accesses;
static struct location* locations;
static int access_count, location_count;

static void* fresh_memory(size_t size) {
  return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

static void join_clock(u32* clock, const u32* other) {
  for (int i = 0; i < kMostThreads; i++)
    if (other[i] > clock[i]) clock[i] = other[i];
}

static struct location* location_at(const void* address) {
  if (!locations) locations = fresh_memory(sizeof(struct location) * kMostLocations);
  for (int i = 0; i < location_count; i++)
    if (locations[i].address == address) return &locations[i];
  if (location_count == kMostLocations) weir_finish("unavailable", "too many atomic variables");
  locations[location_count].address = address;
  return &locations[location_count++];
}

static u32* now(void) { return clocks[weir_self->number]; }
static void tick(void) { now()[weir_self->number]++; }
static int is_idle(void) { return !weir_looks_for_races || !weir_self; }

void weir_race_start(struct thread* child) {
  if (is_idle()) return;
  tick();
  memcpy(clocks[child->number], now(), sizeof(vector_clock));
  tick();
  clocks[child->number][child->number] = 1;
}

void weir_race_join(const struct thread* ended) {
  if (!is_idle()) join_clock(now(), clocks[ended->number]);
}

void weir_race_acquire(const void* object) {
  if (!is_idle()) join_clock(now(), location_at(object)->released);
}

void weir_race_release(const void* object) {
  if (is_idle()) return;
  join_clock(location_at(object)->released, now());
  tick();
}

static int acquires(int order) {
  return order == __ATOMIC_ACQUIRE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST || order == __ATOMIC_CONSUME;
}
static int releases(int order) {
  return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

void weir_race_load(const void* address, int order) {
  if (is_idle()) return;
  const u32* released = location_at(address)->released;
  join_clock(acquires(order) ? now() : read_relaxed[weir_self->number], released);
}

// A store ends what was released before; a read-modify-write goes on with it.
void weir_race_store(const void* address, int order, int continues) {
  if (is_idle()) return;
  struct location* location = location_at(address);
  if (!continues) memset(location->released, 0, sizeof(vector_clock));
  join_clock(location->released, releases(order) ? now() : before_fence[weir_self->number]);
  tick();
}

void weir_race_fence(int order) {
  if (is_idle()) return;
  if (acquires(order)) join_clock(now(), read_relaxed[weir_self->number]);
  if (releases(order)) memcpy(before_fence[weir_self->number], now(), sizeof(vector_clock));
  tick();
}

static int conflict(const struct access* a, const struct access* b) {
  return a->thread != b->thread && (a->writes || b->writes) && !(a->atomic && b->atomic) &&
         a->address < b->address + b->size && b->address < a->address + a->size;
}

static const struct access* earlier_conflict(const struct access* access, const u32* known) {
  for (int i = 0; i < access_count; i++)
    if (conflict(&accesses[i], access) && accesses[i].time > known[accesses[i].thread]) return &accesses[i];
  return NULL;
}

int weir_race_may_follow(const struct thread* thread) {
  const struct event* event = &thread->event;
  if (!weir_looks_for_races || event->size == 0) return 0;
  const struct access access = {event->address, event->pc, event->size, 0, thread->number,
                                event->kind == kWrite || event->kind == kUpdate || event->kind == kRange,
                                event->atomic || thread->atomic};
  return earlier_conflict(&access, clocks[thread->number]) != NULL;
}

void weir_race_access(uintptr_t address, u32 size, int writes, int atomic, uintptr_t pc) {
  if (is_idle() || size == 0) return;
  if (!accesses) accesses = fresh_memory(sizeof(struct access) * kMostAccesses);
  const struct access access = {address, pc, size, ++now()[weir_self->number], weir_self->number, writes,
                                atomic || weir_self->atomic};
  if (earlier_conflict(&access, now()))
    weir_violation("race", pc, "accesses what another thread accesses, and neither happens before the other");
  if (access_count == kMostAccesses) weir_finish("unavailable", "too many accesses");
  accesses[access_count++] = access;
}
