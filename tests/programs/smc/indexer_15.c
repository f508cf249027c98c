// explore sc mazurkiewicz 4096
// explore sc observers 4096
// explore sc rf 4096
// explore tso mazurkiewicz 4096
// explore tso rf 4096
#define THREADS 15
#include "indexer.h"
