// expect: all safe
// native: 0
// Classes: constructors, destructors, virtual functions, templates, references, operator overloading.
#include <cassert>

static int alive;

class Shape {
 public:
  Shape() { ++alive; }
  virtual ~Shape() { --alive; }
  virtual int area() const = 0;
};
class Square : public Shape {
 public:
  explicit Square(int side) : side_(side) {}
  int area() const override { return side_ * side_; }

 private:
  int side_;
};
class Box : public Shape {
 public:
  Box(int w, int h) : w_(w), h_(h) {}
  int area() const override { return w_ * h_; }

 private:
  int w_, h_;
};

template <class T>
T larger(const T& a, const T& b) {
  return b < a ? a : b;
}
struct Complex {
  int re, im;
  Complex operator*(const Complex& o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
};
static void increment(int& n) { n++; }
namespace outer {
namespace inner {
constexpr int kValue = 12;
}
}  // namespace outer

int main() {
  {
    Square square(3);
    Shape* shapes[2] = {&square, new Box(2, 5)};
    int total = 0;
    for (Shape* shape : shapes) total += shape->area();
    assert(total == 19 && alive == 2);
    delete shapes[1];
    assert(alive == 1);
  }
  assert(alive == 0);
  assert(larger(3, 4) == 4 && larger(2.5, 1.5) == 2.5);
  Complex i{0, 1};
  assert((i * i).re == -1);
  int n = 1;
  increment(n);
  assert(n == 2 && outer::inner::kValue == 12);
  int* array = new int[3]{1, 2, 3};
  assert(array[2] == 3);
  delete[] array;
  auto add = [n](int m) { return n + m; };
  assert(add(5) == 7);
  return 0;
}
