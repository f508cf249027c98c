// expect: sc safe, tso safe
// package: libck-dev
// defect: spinlock/clh.h | while (ck_pr_load_uint(&previous->wait) == true) | while (0) | sc
#include <ck_spinlock.h>

static ck_spinlock_clh_t *queue, unowned, nodes[2], *mine[2] = {&nodes[0], &nodes[1]};

static void start(void) { ck_spinlock_clh_init(&queue, &unowned); }
static void lock(long me) { ck_spinlock_clh_lock(&queue, mine[me]); }
static void unlock(long me) { ck_spinlock_clh_unlock(&mine[me]); }

#include "mutual_exclusion.h"
