// expect: all unsafe assertion
// message: reach_error
// preprocess: yes
// A verification task in the usual form: reach_error is defined with an assertion, preprocessed with system
// headers.
extern void abort(void);
#include <assert.h>
void reach_error() { assert(0 && "reach_error"); }
#include <pthread.h>

#define N 1
int i = 3, j = 6;

void* t1(void* arg) {
  for (int k = 0; k < N; k++) i = j + 1;
  pthread_exit(NULL);
}
void* t2(void* arg) {
  for (int k = 0; k < N; k++) j = i + 1;
  pthread_exit(NULL);
}

int main(int argc, char** argv) {
  pthread_t id1, id2;
  pthread_create(&id1, NULL, t1, NULL);
  pthread_create(&id2, NULL, t2, NULL);
  int condI = i > 7;
  int condJ = j > 6;
  if (condI || condJ) {
  ERROR : {
    reach_error();
    abort();
  }
  }
  return 0;
}
