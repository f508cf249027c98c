// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/fas.h | while (CK_CC_UNLIKELY(ck_pr_fas_uint(&lock->value, true) == true)) { | while (0) { | sc
#include <ck_spinlock.h>

static ck_spinlock_fas_t word = CK_SPINLOCK_FAS_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, ck_spinlock_fas_lock(&word); }
static void unlock(long me) { (void)me, ck_spinlock_fas_unlock(&word); }

#include "mutual_exclusion.h"
