// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_brlock.h | ck_pr_fas_uint(&reader->n_readers, 1); | ck_pr_store_uint(&reader->n_readers, 1); | tso
#include <ck_brlock.h>

static ck_brlock_t word = CK_BRLOCK_INITIALIZER;
static ck_brlock_reader_t reader = CK_BRLOCK_READER_INITIALIZER;

static void start(void) { ck_brlock_read_register(&word, &reader); }
static void write_lock(void) { ck_brlock_write_lock(&word); }
static void write_unlock(void) { ck_brlock_write_unlock(&word); }
static void read_lock(void) { ck_brlock_read_lock(&word, &reader); }
static void read_unlock(void) { ck_brlock_read_unlock(&reader); }

#include "readers_and_writer.h"
