// explore sc mazurkiewicz 19605
// explore sc observers 19605
// explore sc rf 19605
// explore tso mazurkiewicz 34205
// explore tso rf 34205
#define ROUNDS 4
#define LARGEST 55
#include "fib.h"
