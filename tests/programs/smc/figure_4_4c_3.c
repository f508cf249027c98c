// explore sc mazurkiewicz 36
// explore sc observers 33
// explore sc rf 16
// explore tso rf 16
// later: sc dc 24
// later: sc vc 8
// later: sc rvf 1
// later: tso rvf 1
// later: pso rvf 1
#define N 3
#include "figure_4_4c.h"
