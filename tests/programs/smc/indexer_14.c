// explore sc mazurkiewicz 512
// explore sc observers 512
// explore sc rf 512
// explore tso mazurkiewicz 512
// explore tso rf 512
#define THREADS 14
#include "indexer.h"
