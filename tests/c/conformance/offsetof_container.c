// expect: all safe
// native: 0
// offsetof, and from a member back to what contains it, as kernels do.
#include <assert.h>
#include <stddef.h>

struct link {
  struct link* next;
};
struct task {
  int id;
  struct link queue;
  char state;
};

#define container_of(pointer, type, member) ((type*)((char*)(pointer)-offsetof(type, member)))

static struct task tasks[3] = {{1, {NULL}, 'r'}, {2, {NULL}, 's'}, {3, {NULL}, 'r'}};

int main(void) {
  assert(offsetof(struct task, id) == 0 && offsetof(struct task, queue) == 8);
  assert(offsetof(struct task, state) == 16);
  struct link* head = NULL;
  for (int i = 0; i < 3; i++) {
    tasks[i].queue.next = head;
    head = &tasks[i].queue;
  }
  int order = 0;
  for (struct link* l = head; l; l = l->next) {
    struct task* t = container_of(l, struct task, queue);
    order = 10 * order + t->id;
    if (t->state == 's') t->state = 'r';
  }
  assert(order == 321);
  assert(tasks[1].state == 'r');
  struct task local = {9, {NULL}, 'x'};
  struct link* inside = &local.queue;
  assert(container_of(inside, struct task, queue)->id == 9);
  return 0;
}
