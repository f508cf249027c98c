// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/dec.h | ck_pr_dec_uint_zero(&lock->value, &r); | r = ck_pr_load_uint(&lock->value) == 1, ck_pr_store_uint(&lock->value, 0); | sc
#include <ck_spinlock.h>

static ck_spinlock_dec_t word = CK_SPINLOCK_DEC_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, ck_spinlock_dec_lock(&word); }
static void unlock(long me) { (void)me, ck_spinlock_dec_unlock(&word); }

#include "mutual_exclusion.h"
