// explore sc mazurkiewicz 144
// explore sc observers 64
// explore sc rf 9
// explore tso rf 9
// explore sc dc 36
// explore sc vc 9
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 2
#include "figure_4_4b.h"
