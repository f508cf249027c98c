// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_cohort.h | LL(cohort->local_lock, local_context); | (void)local_context; | sc
#include <ck_cohort.h>
#include <ck_spinlock.h>

static void lock_fas(void *word, void *none) { (void)none, ck_spinlock_fas_lock(word); }
static void unlock_fas(void *word, void *none) { (void)none, ck_spinlock_fas_unlock(word); }
static bool locked_fas(void *word, void *none) { return (void)none, ck_spinlock_fas_locked(word); }

CK_COHORT_PROTOTYPE(fas, lock_fas, unlock_fas, locked_fas, lock_fas, unlock_fas, locked_fas)

static CK_COHORT_INSTANCE(fas) cohort = CK_COHORT_INITIALIZER;
static ck_spinlock_fas_t global_lock = CK_SPINLOCK_FAS_INITIALIZER, local_lock = CK_SPINLOCK_FAS_INITIALIZER;

static void start(void) { CK_COHORT_INIT(fas, &cohort, &global_lock, &local_lock, 1); }
static void lock(long me) { (void)me, CK_COHORT_LOCK(fas, &cohort, 0, 0); }
static void unlock(long me) { (void)me, CK_COHORT_UNLOCK(fas, &cohort, 0, 0); }

#include "mutual_exclusion.h"
