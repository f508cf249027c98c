// For queues: one thread puts two messages; a second one takes what is there, and main the rest: in order, whole, and each once. The
// harness defines put() and take(), which give 0 if they cannot, with start() for what has to be done before any thread runs.
#pragma once

#include <assert.h>
#include <pthread.h>

struct message {
  int content;
};

static int put(struct message *message);
static struct message *take(void);
static void start(void);

static struct message messages[2];
static int last;

static void *produce(void *none) {
  for (int i = 0; i < 2; i++) {
    messages[i].content = i + 1;
    int room = put(&messages[i]);
    assert(room);
  }
  return none;
}

static void take_one(void) {
  struct message *taken = take();
  if (!taken) return;
  assert(taken->content == last + 1);
  last = taken->content;
}

static void *consume(void *none) {
  take_one();
  take_one();
  return none;
}

int main(void) {
  pthread_t producer, consumer;
  start();
  pthread_create(&producer, 0, produce, 0);
  pthread_create(&consumer, 0, consume, 0);
  pthread_join(producer, 0);
  pthread_join(consumer, 0);
  take_one();
  take_one();
  assert(last == 2);
  return 0;
}
