// What the shared library shows to its users; all else in it is hidden.
#pragma once

#define WEIR_API __attribute__((visibility("default")))
