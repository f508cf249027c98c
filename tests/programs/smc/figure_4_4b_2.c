// explore sc mazurkiewicz 144
// explore sc observers 64
// explore sc rf 9
// explore tso rf 9
// later: sc dc 36
// later: sc vc 9
// later: sc rvf 1
// later: tso rvf 1
// later: pso rvf 1
#define N 2
#include "figure_4_4b.h"
