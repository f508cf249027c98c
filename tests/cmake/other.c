int x, y, saw_x;

void *other(void *argument) {
  y = 1;
  saw_x = x;
  return argument;
}
