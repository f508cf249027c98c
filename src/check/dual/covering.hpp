// Is every configuration above a given one also above an element of the certificate?
//
// The order of buffers is that of Section 4.2 of [Abdulla16]: newest own messages cut a buffer into
// fragments, the own messages must be the same, and each fragment a subword of the other's. Threads are
// embedded in any order (the paper keeps theirs, for no need of ours).
//
// Usually one element is below the given configuration. If not, several elements may still cover it together,
// as a cell, an own message or a thread that is not told has one of finitely many values: it is split where
// an element tells more. A thread of which nothing is known has some local state and some newest own
// messages.
//
// Elements are found by the posts of their threads: a post is a local state together with the addresses of
// the own messages, which must be equal. The sorted posts of an element are a path in a tree; only paths that
// are part of the given configuration are walked.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "check/dual/configuration.hpp"
#include "check/dual/moves.hpp"

namespace weir::certificates {

// Calls `visit(const Buffer&)` for every order of every set of own messages that the code can have, without
// values and without those for `except`, each behind `oldest`.
void for_each_own_sequence(const Threads& threads, ThreadId code, const Buffer& oldest,
                           std::optional<Value> except, const std::function<void(const Buffer&)>& visit);

class Covering {
 public:
  // `elements` must outlive this.
  Covering(const Threads& threads, const std::vector<Configuration>& elements);

  bool covers(const Configuration& configuration);
  // So often was a configuration split that the last `no` may have been a yes.
  bool gave_up() const { return splits_left_ == 0; }

 private:
  using Post = std::uint32_t;
  using PostKey = std::pair<StateIndex, std::vector<Value>>;  // addresses of own messages, oldest first
  struct Node {
    std::map<Post, std::uint32_t> children;
    std::vector<std::uint32_t> elements;
  };
  // What an element tells and the configuration does not.
  struct Untold {
    std::optional<Value> cell;
    std::size_t thread = 0, message = 0;  // if it is no cell
  };
  enum class Comparison : bool { kBelow, kCompatible };
  using Visit = std::function<bool(const Configuration&)>;

  static PostKey post_key(const Member& member);
  void insert(std::uint32_t element);
  bool any_element(const Configuration& configuration, const Visit& accept) const;
  bool walk(std::uint32_t node, const std::vector<Post>& posts, std::size_t next, const Visit& accept) const;
  std::optional<Untold> untold(const Configuration& configuration) const;
  bool covers_all_values(const Configuration& configuration, const Untold& untold);
  bool covers_all_additions(const Configuration& configuration);

  const Threads& threads_;
  const std::vector<Configuration>& elements_;
  std::map<PostKey, Post> posts_;
  std::vector<Node> nodes_;
  std::size_t splits_left_ = 1'000'000;
};

}  // namespace weir::certificates
