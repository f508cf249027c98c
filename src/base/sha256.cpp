#include "base/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace weir {

namespace {

constexpr std::size_t kBlock = 64;  // bytes

// The constants of the standard are the first 32 bits of the fractional parts of roots of the first primes.
// They are computed exactly, by integer square and cube roots, instead of being typed in.
using Wide = unsigned __int128;

// The largest r with r^power <= value * 2^(32 * power); its low 32 bits are those of the fractional part.
constexpr std::uint32_t root_fraction(unsigned value, unsigned power) {
  std::uint64_t root = 0;
  for (int bit = 36; bit >= 0; --bit) {
    const std::uint64_t candidate = root | std::uint64_t{1} << bit;
    Wide product = 1;
    for (unsigned i = 0; i < power; ++i) product *= candidate;
    if (product <= Wide{value} << (32 * power)) root = candidate;
  }
  return static_cast<std::uint32_t>(root);
}

constexpr std::array<unsigned, 64> first_primes() {
  std::array<unsigned, 64> primes{};
  std::size_t found = 0;
  for (unsigned candidate = 2; found < primes.size(); ++candidate) {
    bool prime = true;
    for (std::size_t i = 0; i < found; ++i) prime = prime && candidate % primes[i] != 0;
    if (prime) primes[found++] = candidate;
  }
  return primes;
}

constexpr std::array<std::uint32_t, 64> round_constants() {
  std::array<std::uint32_t, 64> constants{};
  const auto primes = first_primes();
  for (std::size_t i = 0; i < constants.size(); ++i) constants[i] = root_fraction(primes[i], 3);
  return constants;
}

using Hash = std::array<std::uint32_t, 8>;

constexpr Hash initial_hash() {
  Hash hash{};
  const auto primes = first_primes();
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] = root_fraction(primes[i], 2);
  return hash;
}

constexpr auto kRounds = round_constants();
constexpr Hash kInitial = initial_hash();
static_assert(kInitial[0] == 0x6a09e667 && kRounds[0] == 0x428a2f98 && kRounds[63] == 0xc67178f2);

std::array<std::uint32_t, 64> schedule(const unsigned char* block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i)
    for (std::size_t b = 0; b < 4; ++b) words[i] = words[i] << 8 | block[4 * i + b];
  for (std::size_t i = 16; i < words.size(); ++i) {
    const std::uint32_t a = words[i - 15], b = words[i - 2];
    const std::uint32_t s0 = std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3;
    const std::uint32_t s1 = std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10;
    words[i] = words[i - 16] + s0 + words[i - 7] + s1;
  }
  return words;
}

void add_block(Hash& hash, const unsigned char* block) {
  const auto words = schedule(block);
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint32_t s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t first = h + s1 + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const std::uint32_t s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t second = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  const Hash change = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += change[i];
}

// The end of the text, a one, zeros, and the length in bits.
std::string last_blocks(std::string_view rest, std::uint64_t bytes) {
  std::string blocks(rest);
  blocks += '\x80';
  while (blocks.size() % kBlock != kBlock - 8) blocks += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) blocks += static_cast<char>(bytes * 8 >> shift & 0xff);
  return blocks;
}

}  // namespace

std::string sha256(std::string_view text) {
  Hash hash = kInitial;
  const auto add = [&](std::string_view blocks) {
    for (std::size_t at = 0; at + kBlock <= blocks.size(); at += kBlock)
      add_block(hash, reinterpret_cast<const unsigned char*>(blocks.data()) + at);
  };
  const std::size_t whole = text.size() / kBlock * kBlock;
  add(text.substr(0, whole));
  add(last_blocks(text.substr(whole), text.size()));
  std::string digits;
  for (const std::uint32_t word : hash)
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 0xf];
  return digits;
}

}  // namespace weir
