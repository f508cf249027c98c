// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_cohort.h | GL(cohort->global_lock, global_context); | (void)global_context; | sc
// Each thread is in a cohort of its own.
#include <ck_cohort.h>
#include <ck_spinlock.h>

static void lock_fas(void *word, void *none) { (void)none, ck_spinlock_fas_lock(word); }
static void unlock_fas(void *word, void *none) { (void)none, ck_spinlock_fas_unlock(word); }
static bool locked_fas(void *word, void *none) { return (void)none, ck_spinlock_fas_locked(word); }

CK_COHORT_PROTOTYPE(fas, lock_fas, unlock_fas, locked_fas, lock_fas, unlock_fas, locked_fas)

static CK_COHORT_INSTANCE(fas) cohorts[2];
static ck_spinlock_fas_t global_lock = CK_SPINLOCK_FAS_INITIALIZER, local_locks[2];

static void start(void) {
  for (int i = 0; i < 2; i++) {
    ck_spinlock_fas_init(&local_locks[i]);
    CK_COHORT_INIT(fas, &cohorts[i], &global_lock, &local_locks[i], 1);
  }
}
static void lock(long me) { CK_COHORT_LOCK(fas, &cohorts[me], 0, 0); }
static void unlock(long me) { CK_COHORT_UNLOCK(fas, &cohorts[me], 0, 0); }

#include "mutual_exclusion.h"
