// expect: sc safe, tso safe
// package: libtbb-dev
#include <tbb/spin_rw_mutex.h>

static tbb::spin_rw_mutex word;

static void start() {}
static void write_lock() { word.lock(); }
static void write_unlock() { word.unlock(); }
static void read_lock() { word.lock_shared(); }
static void read_unlock() { word.unlock_shared(); }

#include "readers_and_writer.h"
