// explore sc mazurkiewicz 20
// explore sc rf 20
// explore tso rf 20
// explore sc dc 20
// explore sc vc 1
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 3
#include "figure_3_2a.h"
