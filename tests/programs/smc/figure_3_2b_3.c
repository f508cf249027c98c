// explore sc mazurkiewicz 27
// explore sc rf 27
// explore tso rf 27
// later: sc dc 27
// later: sc vc 1
// later: sc rvf 1
// later: tso rvf 1
// later: pso rvf 1
#define N 3
#include "figure_3_2b.h"
