// expect: sc safe, tso safe
// package: libck-dev
#include <ck_spinlock.h>

static ck_spinlock_ticket_t word = CK_SPINLOCK_TICKET_INITIALIZER;

static void start(void) {}
static void lock(long me) { (void)me, ck_spinlock_ticket_lock(&word); }
static void unlock(long me) { (void)me, ck_spinlock_ticket_unlock(&word); }

#include "mutual_exclusion.h"
