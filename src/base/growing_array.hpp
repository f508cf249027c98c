// An array that only grows, for the tables that hold states by the million. It grows by remapping pages, so
// no element is ever copied and the old and the new array never exist side by side.
#pragma once

#include <cstddef>
#include <new>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

namespace weir {

template <class T>
class GrowingArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  ~GrowingArray() {
    if (data_) munmap(data_, capacity_ * sizeof(T));
  }

  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void push_back(T value) {
    resize(size_ + 1);
    data_[size_ - 1] = value;
  }
  // New elements are zero.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }

 private:
  static constexpr std::size_t kFirstBytes = std::size_t{1} << 16;

  void grow(std::size_t wanted) {
    std::size_t capacity = capacity_ == 0 ? kFirstBytes / sizeof(T) + 1 : capacity_ * 2;
    while (capacity < wanted) capacity *= 2;
    void* memory = data_ == nullptr
                       ? mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                       : mremap(data_, capacity_ * sizeof(T), capacity * sizeof(T), MREMAP_MAYMOVE);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace weir
