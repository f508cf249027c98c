// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/cas.h | while (ck_pr_cas_uint(&lock->value, false, true) == false) { | while (ck_pr_load_uint(&lock->value) == true) { | sc
#include <ck_spinlock.h>

static ck_spinlock_cas_t word = CK_SPINLOCK_CAS_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, ck_spinlock_cas_lock(&word); }
static void unlock(long me) { (void)me, ck_spinlock_cas_unlock(&word); }

#include "mutual_exclusion.h"
