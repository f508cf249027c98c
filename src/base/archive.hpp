// What a search knows, as bytes, and back again. One function of each type, `transfer`, serves both ways, so
// that what is written and what is read cannot differ:
//
//   template <class Archive>
//   void transfer(Archive& archive) { archive(states_, info_, count_); }
//
// Numbers are little-endian, sequences begin with their length. A reader believes nothing: lengths are
// compared with what is left, and bytes that end too early are an ArchiveError.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/growing_array.hpp"
#include "base/ids.hpp"

namespace weir {

// The bytes are not what the reader asked for.
class ArchiveError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

namespace detail {

// Numbers that are kept as they are in memory.
template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

template <class T>
concept Transferable = requires(T& whole, int& archive) {
  whole.template transfer<int>(archive);
};

template <class T>
struct IsPair : std::false_type {};
template <class A, class B>
struct IsPair<std::pair<A, B>> : std::true_type {};

template <class T>
struct IsId : std::false_type {};
template <class Tag>
struct IsId<Id<Tag>> : std::true_type {};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// std::array, and nothing else that has a constant size.
template <class T>
concept FixedSize = requires {
  std::tuple_size<T>::value;
}
&&!IsPair<T>::value;

// Vectors, strings, growing arrays.
template <class T>
concept Resizable = requires(T& whole) {
  whole.resize(std::size_t{1});
  whole[0];
};

template <class T>
concept Contiguous = Resizable<T> && requires(T& whole) {
  requires Plain<std::remove_cvref_t<decltype(*whole.data())>>;
};

// What can be saved, apart from containers.
template <class T>
concept Archivable = Plain<T> || Transferable<T> || IsId<T>::value;

static_assert(std::endian::native == std::endian::little, "numbers are written as they are in memory");

}  // namespace detail

// To be derived from: `write` takes the bytes.
class ArchiveWriter {
 public:
  ArchiveWriter() { buffer_.reserve(kBuffer); }
  virtual ~ArchiveWriter() = default;
  ArchiveWriter(const ArchiveWriter&) = delete;
  ArchiveWriter& operator=(const ArchiveWriter&) = delete;

  static constexpr bool kReads = false;

  template <class... Parts>
  void operator()(const Parts&... parts) {
    (put(parts), ...);
  }

 protected:
  virtual void write(std::span<const char> bytes) = 0;
  void flush() {
    write(buffer_);
    buffer_.clear();
  }

 private:
  static constexpr std::size_t kBuffer = std::size_t{1} << 16;

  void put_bytes(const void* bytes, std::size_t size) {
    if (buffer_.size() + size > kBuffer) flush();
    const char* const first = static_cast<const char*>(bytes);
    if (size > kBuffer)
      write({first, size});
    else
      buffer_.insert(buffer_.end(), first, first + size);
  }

  template <class T>
  void put(const T& part) {
    if constexpr (detail::Plain<T>) {
      put_bytes(&part, sizeof part);
    } else if constexpr (detail::IsId<T>::value) {
      put(part.index());
    } else if constexpr (detail::Transferable<T>) {
      const_cast<T&>(part).transfer(*this);  // which only looks at it
    } else if constexpr (detail::IsPair<T>::value) {
      (*this)(part.first, part.second);
    } else if constexpr (detail::IsOptional<T>::value) {
      put(part.has_value());
      if (part) put(*part);
    } else if constexpr (detail::FixedSize<T>) {
      for (const auto& each : part) put(each);
    } else if constexpr (detail::Contiguous<T>) {
      put(std::uint64_t{part.size()});
      if (part.size() > 0) put_bytes(part.data(), part.size() * sizeof *part.data());
    } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
      put(std::uint64_t{part.size()});
      for (const bool each : part) put(each);
    } else {  // vectors, sets and maps
      put(std::uint64_t{part.size()});
      for (const auto& each : part) put(each);
    }
  }

  std::vector<char> buffer_;
};

class ArchiveReader {
 public:
  static constexpr bool kReads = true;

  ArchiveReader() = default;
  explicit ArchiveReader(std::span<const char> bytes) : rest_(bytes) {}

  template <class... Parts>
  void operator()(Parts&... parts) {
    (get(parts), ...);
  }

  template <class T>
  T next() {
    T part{};
    get(part);
    return part;
  }

  std::size_t left() const { return rest_.size(); }

 private:
  void get_bytes(void* bytes, std::size_t size) {
    if (size > rest_.size()) throw ArchiveError("it ends too early");
    std::memcpy(bytes, rest_.data(), size);
    rest_ = rest_.subspan(size);
  }

  // Of so many parts each takes at least `each` bytes.
  std::size_t get_size(std::size_t each) {
    const auto size = next<std::uint64_t>();
    if (size > rest_.size() / each) throw ArchiveError("it ends too early");
    return static_cast<std::size_t>(size);
  }

  template <class T>
  void get(T& part) {
    if constexpr (std::is_same_v<T, bool>) {
      const auto byte = next<std::uint8_t>();
      if (byte > 1) throw ArchiveError("something is neither true nor false");
      part = byte == 1;
    } else if constexpr (detail::Plain<T>) {
      get_bytes(&part, sizeof part);
    } else if constexpr (detail::IsId<T>::value) {
      part = T(std::size_t{next<std::uint32_t>()});
    } else if constexpr (detail::Transferable<T>) {
      part.transfer(*this);
    } else if constexpr (detail::IsPair<T>::value) {
      get(part.first);
      get(part.second);
    } else if constexpr (detail::IsOptional<T>::value) {
      part.reset();
      if (next<bool>()) get(part.emplace());
    } else if constexpr (detail::FixedSize<T>) {
      for (auto& each : part) get(each);
    } else if constexpr (detail::Contiguous<T>) {
      const std::size_t size = get_size(sizeof *part.data());
      part = T();
      part.resize(size);
      if (size > 0) get_bytes(part.data(), size * sizeof *part.data());
    } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
      part.assign(get_size(1), false);
      for (std::size_t i = 0; i < part.size(); ++i) part[i] = next<bool>();
    } else if constexpr (detail::Resizable<T>) {
      const std::size_t size = get_size(1);
      part = T();
      part.resize(size);
      for (std::size_t i = 0; i < size; ++i) get(part[i]);
    } else {
      get_set(part);
    }
  }

  template <class Set>
  void get_set(Set& set) {
    const std::size_t size = get_size(1);
    set.clear();
    for (std::size_t i = 0; i < size; ++i) {
      if constexpr (requires { typename Set::mapped_type; }) {
        auto key = next<typename Set::key_type>();
        get(set[std::move(key)]);
      } else {
        set.insert(next<typename Set::value_type>());
      }
    }
  }

  std::span<const char> rest_;
};

}  // namespace weir
