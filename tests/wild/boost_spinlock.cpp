// expect: sc safe, tso safe
// package: libboost1.81-dev
// defect: boost/smart_ptr/detail/spinlock_gcc_atomic.hpp | return __atomic_test_and_set( &v_, __ATOMIC_ACQUIRE ) == 0; | return true; | sc
#include <boost/smart_ptr/detail/spinlock.hpp>

static boost::detail::spinlock word = BOOST_DETAIL_SPINLOCK_INIT;

static void start() {}
static void lock(long) { word.lock(); }
static void unlock(long) { word.unlock(); }

#include "mutual_exclusion.h"
