// One thread prints what the other one writes.
// expect: all unsafe race
// options: --races
#include <pthread.h>
#include <stdio.h>

static char text[] = "ab";

static void *print(void *argument) {
  fputs(text, stdout);
  return argument;
}

int main(void) {
  pthread_t printer;
  pthread_create(&printer, 0, print, 0);
  text[1] = 'c';
  pthread_join(printer, 0);
}
