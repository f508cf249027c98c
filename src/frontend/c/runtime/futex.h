// Waiting for a futex: see futex.c.
#pragma once

#include "internal.h"

enum futex_end { kFutexWoken, kFutexTimedOut, kFutexDiffers };

enum futex_end __weir_futex_wait(const int* word, int expected, int may_time_out);
long __weir_futex_wake(const void* word, int most);
