// explore sc mazurkiewicz 218243
// explore sc observers 218243
// explore sc rf 218243
// explore tso mazurkiewicz 525630
// explore tso rf 525630
#define ROUNDS 5
#define LARGEST 144
#include "fib.h"
