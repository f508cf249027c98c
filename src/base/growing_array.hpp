// An array that only grows, for the tables that hold states by the million. A large one grows by remapping
// pages, so that its elements are not copied and the old and the new array never exist side by side. A small
// one is on the heap: most searches are small, and would spend their time in the kernel otherwise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
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
  ~GrowingArray() { release(); }

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
  static constexpr std::size_t kFirstCapacity = 64;
  static constexpr std::size_t kMappedBytes = std::size_t{1} << 16;

  static bool is_mapped(std::size_t capacity) { return capacity * sizeof(T) >= kMappedBytes; }

  // Growing does not copy, so a large array need not ask for much more than it is going to use: what it asks
  // for counts against the memory limit.
  static bool is_large(std::size_t capacity) { return capacity * sizeof(T) >= (std::size_t{16} << 20); }

  void grow(std::size_t wanted) {
    std::size_t capacity = std::max(capacity_, kFirstCapacity);
    while (capacity < wanted) capacity += is_large(capacity) ? capacity / 8 : capacity;
    if (is_mapped(capacity_))
      data_ = checked(mremap(data_, capacity_ * sizeof(T), capacity * sizeof(T), MREMAP_MAYMOVE));
    else
      move_to(is_mapped(capacity) ? mapping(capacity) : heap(capacity));
    capacity_ = capacity;
  }

  // Both give zeros.
  static T* mapping(std::size_t capacity) {
    return checked(mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  static T* heap(std::size_t capacity) {
    void* memory = std::calloc(capacity, sizeof(T));
    return checked(memory ? memory : MAP_FAILED);
  }
  static T* checked(void* memory) {
    if (memory == MAP_FAILED) {
      if (const std::new_handler handler = std::get_new_handler()) handler();  // as operator new does
      throw std::bad_alloc();
    }
    return static_cast<T*>(memory);
  }

  void move_to(T* larger) {
    if (size_ > 0) std::memcpy(larger, data_, size_ * sizeof(T));
    release();
    data_ = larger;
  }
  void release() {
    if (is_mapped(capacity_))
      munmap(data_, capacity_ * sizeof(T));
    else
      std::free(data_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace weir
