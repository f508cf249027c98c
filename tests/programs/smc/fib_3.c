// explore sc mazurkiewicz 1698
// explore sc observers 1698
// explore sc rf 1698
// explore tso mazurkiewicz 2258
// explore tso rf 2258
#define ROUNDS 3
#define LARGEST 21
#include "fib.h"
