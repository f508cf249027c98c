// explore sc mazurkiewicz 27
// explore sc rf 27
// explore tso rf 27
// explore sc dc 27
// explore sc vc 1
// explore sc rvf 1
// explore tso rvf 1
// explore pso rvf 1
#define N 3
#include "figure_3_2b.h"
