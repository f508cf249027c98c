// Random schedules. One run stays with a thread for a while: how long, and how readily buffered stores reach
// memory, is drawn anew for each run, so that both few and many switches are tried.
//
// WEIR_NATIVE_RUNS asks for many runs of one process: each is a copy of it, made before `main`. The result has
// a line per run.
#include <sys/wait.h>
#include <unistd.h>

#include "native.h"

static u64 random_state = 88172645463325252ull;
static u32 stay, flush_chance, spurious_chance;  // of 256
static u64 events;

u32 weir_random(u32 below) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return below ? (u32)((random_state >> 20) % below) : 0;
}

static void draw(u64 seed) {
  random_state = seed * 0x9e3779b97f4a7c15ull + 0x1234567;
  for (int i = 0; i < 4; i++) weir_random(2);
  static const u32 stays[] = {0, 128, 200, 230, 250};
  static const u32 flushes[] = {2, 10, 40, 128};
  stay = stays[weir_random(5)];
  flush_chance = flushes[weir_random(4)];
  spurious_chance = weir_random(4) == 0 ? 20 : 0;
  weir_model = weir_model == kSc ? kSc : weir_model;
}

void weir_random_start(void) {
  const char* runs_text = getenv("WEIR_NATIVE_RUNS");
  const char* seed_text = getenv("WEIR_NATIVE_SEED");
  const u64 runs = runs_text ? strtoull(runs_text, NULL, 10) : 0;
  const u64 seed = seed_text ? strtoull(seed_text, NULL, 10) : 1;
  draw(seed);
  for (u64 run = 0; run < runs; run++) {
    const pid_t child = fork();
    if (child == 0) {
      draw(seed + run);
      alarm(5);
      return;
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) == 99) {
      char line[64];
      const int length = REAL(snprintf)(line, sizeof line, "killed\t-\t0\t0\t%d\n", status);
      if (write(weir_result, line, (size_t)length) < 0) weir_leave(99);
    }
  }
  if (runs) weir_leave(0);
}

int weir_may_wake(struct thread* thread);

static void flush_some(void) {
  for (int i = 0; i < weir_thread_count; i++) {
    struct thread* thread = &weir_threads[i];
    for (int s = 0; s < thread->store_count; s++) {
      if (weir_random(256) >= flush_chance || !weir_can_leave(thread, s)) continue;
      weir_commit(thread, s--);
    }
  }
}

static void wake_some(void) {
  for (int i = 0; spurious_chance && i < weir_thread_count; i++)
    if (weir_may_wake(&weir_threads[i]) && weir_random(256) < spurious_chance) weir_threads[i].woken = 1;
}

static int flush_all(void) {
  int flushed = 0;
  for (int i = 0; i < weir_thread_count; i++)
    for (; weir_threads[i].store_count; flushed = 1) weir_commit(&weir_threads[i], 0);
  return flushed;
}

static struct thread* pick(struct thread* current) {
  if (weir_is_ready(current) && weir_random(256) < stay && events < 3000) return current;
  struct thread* ready[kMostThreads];
  u32 count = 0;
  for (int i = 0; i < weir_thread_count; i++)
    if (weir_is_ready(&weir_threads[i])) ready[count++] = &weir_threads[i];
  return count ? ready[weir_random(count)] : NULL;
}

struct thread* weir_random_next(struct thread* current) {
  if (++events > 20000) weir_finish("endless", "-");
  if (weir_model != kSc) flush_some();
  wake_some();
  struct thread* next = pick(current);
  if (!next && flush_all()) next = pick(current);
  if (!next) {
    int alive = 0;
    for (int i = 0; i < weir_thread_count; i++) {
      struct thread* thread = &weir_threads[i];
      if (thread->ended || !thread->exists || thread->event.quiet) continue;
      alive++;
      weir_self = thread;
      break;
    }
    if (!alive || weir_main_returned) weir_finish("ended", "%d", weir_user_leaks());
    weir_violation("deadlock", weir_self->event.pc, "no thread can go on");
  }
  next->buffer_it = weir_model != kSc;
  return next;
}
