// expect: sc safe, tso safe
// package: libck-dev
#include <ck_spinlock.h>

static ck_spinlock_hclh_t unowned, *global_queue, *local_queue, threads[2], local_unowned;

static void start(void) {
  ck_spinlock_hclh_init(&global_queue, &unowned, 0);
  ck_spinlock_hclh_init(&local_queue, &local_unowned, 0);
}
static void lock(long me) { ck_spinlock_hclh_lock(&global_queue, &local_queue, &threads[me]); }
static void unlock(long me) {
  ck_spinlock_hclh_t *mine = &threads[me];
  ck_spinlock_hclh_unlock(&mine);
}

#include "mutual_exclusion.h"
