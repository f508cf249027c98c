// expect: sc safe, tso safe
// package: libtbb-dev
// defect: oneapi/tbb/spin_mutex.h | while (m_flag.exchange(true)) | while (m_flag.load()) | sc
#include <tbb/spin_mutex.h>

static tbb::spin_mutex word;

static void start() {}
static void lock(long) { word.lock(); }
static void unlock(long) { word.unlock(); }

#include "mutual_exclusion.h"
