// explore sc mazurkiewicz 44
// explore sc rf 44
// explore sc dc 44
// explore sc vc 44
// explore sc rvf 44
// Loops that try to exchange until nobody was faster: a thread that came back to an earlier expectation does not
// wait for ever, since memory cannot go on holding both values that it read.
#include "../../../examples/c/treiber-stack-fixed.c"
