// explore sc mazurkiewicz 20
// explore sc rf 20
// explore tso rf 20
// later: sc dc 20
// later: sc vc 1
// later: sc rvf 1
// later: tso rvf 1
// later: pso rvf 1
#define N 3
#include "figure_3_2a.h"
