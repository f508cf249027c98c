// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 30
#include "figure_4_4b.h"
