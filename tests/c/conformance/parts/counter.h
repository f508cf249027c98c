struct counter {
  int value;
};
extern int shared_total;
extern const int limits[2];
void count(int n);
int hidden_count(void);
struct counter* last_counter(void);
