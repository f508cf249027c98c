// A thread gets a name that is read.
// expect: all unsafe memory
// message: access through a null pointer
#define _GNU_SOURCE
#include <pthread.h>

int main(void) { pthread_setname_np(pthread_self(), 0); }
