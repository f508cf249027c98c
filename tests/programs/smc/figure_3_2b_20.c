// explore sc vc 1
// explore sc rvf 1
#define N 20
#include "figure_3_2b.h"
