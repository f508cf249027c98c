// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_tflock.h | while (ck_pr_load_32(&lock->completion) != previous) | while (0) | sc
#include <ck_tflock.h>

static ck_tflock_ticket_t word = CK_TFLOCK_TICKET_INITIALIZER;

static void start(void) {}
static void write_lock(void) { ck_tflock_ticket_write_lock(&word); }
static void write_unlock(void) { ck_tflock_ticket_write_unlock(&word); }
static void read_lock(void) { ck_tflock_ticket_read_lock(&word); }
static void read_unlock(void) { ck_tflock_ticket_read_unlock(&word); }

#include "readers_and_writer.h"
