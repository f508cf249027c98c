// expect: all safe
// native: 0
// malloc, calloc and free: scalars, arrays, structures.
#include <assert.h>
#include <stdlib.h>

struct node {
  int value;
  struct node* next;
};

static struct node* push(struct node* list, int value) {
  struct node* node = malloc(sizeof *node);
  node->value = value;
  node->next = list;
  return node;
}
static struct node* reverse(struct node* list) {
  struct node* done = NULL;
  while (list) {
    struct node* next = list->next;
    list->next = done;
    done = list;
    list = next;
  }
  return done;
}

int main(void) {
  int* one = malloc(sizeof(int));
  *one = 5;
  int* many = malloc(4 * sizeof *many);
  for (int i = 0; i < 4; i++) many[i] = i * *one;
  assert(many[3] == 15 && one != many);
  int* zeros = calloc(3, sizeof(int));
  assert(zeros[0] == 0 && zeros[2] == 0);
  zeros[1] = 9;
  assert(zeros[1] == 9);
  struct node* list = NULL;
  for (int i = 1; i <= 3; i++) list = push(list, i);
  assert(list->value == 3);
  list = reverse(list);
  int digits = 0;
  while (list) {
    struct node* next = list->next;
    digits = 10 * digits + list->value;
    free(list);
    list = next;
  }
  assert(digits == 123);
  free(one);
  free(many);
  free(zeros);
  free(NULL);
  return 0;
}
