// Stores without their order, but for which of each cell was added last: the multiset and the set of
// [Calin16, Section 3.2]. Normal form: sorted by cell; of one cell, first the other stores sorted by value,
// then the one that was added last. A set has no entry twice.
//
// Every store can be flushed but the last of its cell, which must wait until it is the only one. From a set,
// any store can also be flushed without being removed, because the set may stand for a buffer that has it
// several times.
#pragma once

#include "memory/buffer_rules.hpp"

namespace weir {

enum class Copies : bool { kForgotten, kCounted };  // a set, or a multiset

// The stores are the entries of the content from word `first` on.
void add_unordered(BufferContent& content, std::size_t first, BufferedStore store, Copies copies);
void flush_unordered(const BufferContent& content, std::size_t first, Copies copies,
                     std::vector<FlushedContent>& found);

}  // namespace weir
