// expect: sc safe, tso safe
// package: libck-dev
// defect: ck_sequence.h | return ck_pr_load_uint(&sq->sequence) != version; | return 0; | sc
#include <assert.h>
#include <ck_sequence.h>
#include <pthread.h>

static ck_sequence_t sequence = CK_SEQUENCE_INITIALIZER;
static int left, right;

static void *write_both(void *none) {
  ck_sequence_write_begin(&sequence);
  ck_pr_store_int(&left, 1);
  ck_pr_store_int(&right, 1);
  ck_sequence_write_end(&sequence);
  return none;
}

static void *read_both(void *none) {
  unsigned int version;
  int first, second;
  do {
    version = ck_sequence_read_begin(&sequence);
    first = ck_pr_load_int(&left);
    second = ck_pr_load_int(&right);
  } while (ck_sequence_read_retry(&sequence, version));
  assert(first == second);
  return none;
}

int main(void) {
  pthread_t reader, writer;
  pthread_create(&reader, 0, read_both, 0);
  pthread_create(&writer, 0, write_both, 0);
  pthread_join(reader, 0);
  pthread_join(writer, 0);
  return 0;
}
