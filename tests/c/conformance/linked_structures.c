// expect: all safe
// native: 0
// A binary search tree and a queue on the heap.
#include <assert.h>
#include <stdlib.h>

struct tree {
  int key;
  struct tree *left, *right;
};

static struct tree* insert(struct tree* t, int key) {
  if (!t) {
    t = calloc(1, sizeof *t);
    t->key = key;
  } else if (key < t->key) {
    t->left = insert(t->left, key);
  } else {
    t->right = insert(t->right, key);
  }
  return t;
}
static int height(const struct tree* t) {
  if (!t) return 0;
  int l = height(t->left), r = height(t->right);
  return 1 + (l > r ? l : r);
}
static int in_order(const struct tree* t, int digits) {
  if (!t) return digits;
  digits = in_order(t->left, digits);
  return in_order(t->right, 10 * digits + t->key);
}
static void destroy(struct tree* t) {
  if (!t) return;
  destroy(t->left);
  destroy(t->right);
  free(t);
}

struct queue {
  struct item {
    int value;
    struct item* next;
  } * head, **tail;
};
static void enqueue(struct queue* q, int value) {
  struct item* item = malloc(sizeof *item);
  item->value = value;
  item->next = NULL;
  *q->tail = item;
  q->tail = &item->next;
}
static int dequeue(struct queue* q) {
  struct item* item = q->head;
  int value = item->value;
  q->head = item->next;
  if (!q->head) q->tail = &q->head;
  free(item);
  return value;
}

int main(void) {
  struct tree* t = NULL;
  static const int keys[] = {4, 2, 6, 1, 3};
  for (int i = 0; i < 5; i++) t = insert(t, keys[i]);
  assert(height(t) == 3 && in_order(t, 0) == 12346);
  destroy(t);
  struct queue q = {NULL, &q.head};
  enqueue(&q, 1);
  enqueue(&q, 2);
  assert(dequeue(&q) == 1);
  enqueue(&q, 3);
  assert(dequeue(&q) == 2 && dequeue(&q) == 3 && q.head == NULL);
  return 0;
}
