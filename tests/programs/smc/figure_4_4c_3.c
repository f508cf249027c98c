// explore sc mazurkiewicz 36
// explore sc observers 33
// explore sc rf 16
// explore tso rf 16
// explore sc dc 24
// explore sc vc 8
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 3
#include "figure_4_4c.h"
