// expect: sc safe, tso safe
// package: libck-dev
#include <ck_bytelock.h>

static ck_bytelock_t word = CK_BYTELOCK_INITIALIZER;

static void start(void) {}
static void write_lock(void) { ck_bytelock_write_lock(&word, 1); }
static void write_unlock(void) { ck_bytelock_write_unlock(&word); }
static void read_lock(void) { ck_bytelock_read_lock(&word, 2); }
static void read_unlock(void) { ck_bytelock_read_unlock(&word, 2); }

#include "readers_and_writer.h"
