// explore sc mazurkiewicz 420
// explore sc observers 138
// explore sc rf 19
// explore tso rf 19
// explore sc dc 90
// explore sc vc 15
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 2
#include "figure_4_4a.h"
