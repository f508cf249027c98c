// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_pflock.h | while (ck_pr_load_32(&pf->rout) != ticket) | while (0) | sc
#include <ck_pflock.h>

static ck_pflock_t word = CK_PFLOCK_INITIALIZER;

static void start(void) {}
static void write_lock(void) { ck_pflock_write_lock(&word); }
static void write_unlock(void) { ck_pflock_write_unlock(&word); }
static void read_lock(void) { ck_pflock_read_lock(&word); }
static void read_unlock(void) { ck_pflock_read_unlock(&word); }

#include "readers_and_writer.h"
