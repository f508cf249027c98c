// What condition variables need of POSIX mutexes. In an atomic block each.
#pragma once

#include <pthread.h>

int __weir_holds_mutex(const pthread_mutex_t* mutex);
int __weir_checks_holder(const pthread_mutex_t* mutex);  // recursive or error-checking
// Gives the mutex back once. Returns whether it is free now: a recursive one that was locked more than once
// is not.
int __weir_suspend_mutex(pthread_mutex_t* mutex);
// Takes back what was given.
void __weir_resume_mutex(pthread_mutex_t* mutex, int suspended);
