// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_rwlock.h | while (ck_pr_load_uint(&rw->n_readers) != 0) | while (0) | sc
// defect: ck_rwlock.h | ck_pr_inc_uint(&rw->n_readers); | ck_pr_store_uint(&rw->n_readers, rw->n_readers + 1); | tso
#include <ck_rwlock.h>

static ck_rwlock_t word = CK_RWLOCK_INITIALIZER;

static void start(void) {}
static void write_lock(void) { ck_rwlock_write_lock(&word); }
static void write_unlock(void) { ck_rwlock_write_unlock(&word); }
static void read_lock(void) { ck_rwlock_read_lock(&word); }
static void read_unlock(void) { ck_rwlock_read_unlock(&word); }

#include "readers_and_writer.h"
