// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/anderson.h | while (ck_pr_load_uint(&lock->slots[position].locked) == true) | while (0) | sc
#include <ck_spinlock.h>

static ck_spinlock_anderson_t word;
static ck_spinlock_anderson_thread_t slots[2];
static ck_spinlock_anderson_thread_t *slot[2];

static void start(void) { ck_spinlock_anderson_init(&word, slots, 2); }
static void lock(long me) { ck_spinlock_anderson_lock(&word, &slot[me]); }
static void unlock(long me) { ck_spinlock_anderson_unlock(&word, slot[me]); }

#include "mutual_exclusion.h"
