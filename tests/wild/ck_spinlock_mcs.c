// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/mcs.h | while (ck_pr_load_uint(&node->locked) == true) | while (0) | sc
#include <ck_spinlock.h>

static ck_spinlock_mcs_t queue = CK_SPINLOCK_MCS_INITIALIZER;
static ck_spinlock_mcs_context_t contexts[2];

static void start(void) {}
static void lock(long me) { ck_spinlock_mcs_lock(&queue, &contexts[me]); }
static void unlock(long me) { ck_spinlock_mcs_unlock(&queue, &contexts[me]); }

#include "mutual_exclusion.h"
