// The whole runtime is one translation unit.
#include "native.h"

#include "scheduler.c"
#include "instrumentation.c"
#include "heap.c"
#include "stack.c"
#include "races.c"
#include "clocks.c"
#include "synchronisation.c"
#include "futex.c"
#include "library.c"
#include "random.c"
#include "guide.c"
