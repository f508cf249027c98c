// explore sc mazurkiewicz 8
// explore sc observers 8
// explore sc rf 8
// explore tso mazurkiewicz 8
// explore tso rf 8
#define THREADS 12
#include "indexer.h"
