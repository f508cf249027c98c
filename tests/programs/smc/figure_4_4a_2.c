// explore sc mazurkiewicz 420
// explore sc observers 138
// explore sc rf 19
// explore tso rf 19
// later: sc dc 90
// later: sc vc 15
// later: sc rvf 1
// later: tso rvf 1
// later: pso rvf 1
#define N 2
#include "figure_4_4a.h"
