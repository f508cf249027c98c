// explore sc mazurkiewicz 64
// explore sc observers 64
// explore sc rf 64
// explore tso mazurkiewicz 64
// explore tso rf 64
#define THREADS 13
#include "indexer.h"
