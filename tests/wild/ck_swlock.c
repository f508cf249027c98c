// expect: sc safe, tso safe
// package: libck-dev
#include <ck_swlock.h>

static ck_swlock_t word = CK_SWLOCK_INITIALIZER;

static void start(void) {}
static void write_lock(void) { ck_swlock_write_lock(&word); }
static void write_unlock(void) { ck_swlock_write_unlock(&word); }
static void read_lock(void) { ck_swlock_read_lock(&word); }
static void read_unlock(void) { ck_swlock_read_unlock(&word); }

#include "readers_and_writer.h"
