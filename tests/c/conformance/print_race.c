// One thread prints what the other one releases.
// expect: all unsafe memory
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;

static void *print(void *argument) {
  fprintf(stderr, "%-10s", text);
  return argument;
}

int main(void) {
  text = malloc(3);
  strcpy(text, "ab");
  pthread_t printer;
  pthread_create(&printer, 0, print, 0);
  free(text);
  pthread_join(printer, 0);
}
