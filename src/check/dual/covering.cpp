#include "check/dual/covering.hpp"

#include <algorithm>

namespace weir::certificates {

namespace {

// Does what is wanted allow what is there? Compatible: with some value for what is not told.
bool value_fits(const std::optional<Value>& wanted, const std::optional<Value>& given, bool exactly) {
  return !wanted || wanted == given || (!exactly && !given);
}

// Greedy: the first message that fits is as good as any within its fragment.
bool buffer_fits(const Buffer& wanted, const Buffer& given, bool exactly) {
  auto next = wanted.begin();
  for (const Message& message : given) {
    const bool same = next != wanted.end() && next->own == message.own && next->address == message.address &&
                      value_fits(next->value, message.value, exactly);
    if (same)
      ++next;
    else if (message.own)
      return false;
  }
  return next == wanted.end();
}

bool memory_fits(const Cells& wanted, const Cells& given, bool exactly) {
  return std::ranges::all_of(wanted, [&](const auto& cell) {
    const auto found = given.find(cell.first);
    return found == given.end() ? !exactly : found->second == cell.second;
  });
}

// Where each thread of `wanted` is found among those of `given`, no two at the same place; empty if nowhere.
class Embedding {
 public:
  Embedding(const std::vector<Member>& wanted, const std::vector<Member>& given, bool exactly)
      : wanted_(wanted), given_(given), exactly_(exactly), used_(given.size()) {
    exists_ = place(0);
  }

  bool exists() const { return exists_; }
  const std::vector<std::size_t>& places() const { return places_; }

 private:
  bool place(std::size_t thread) {
    if (thread == wanted_.size()) return true;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (used_[i] || wanted_[thread].state != given_[i].state ||
          !buffer_fits(wanted_[thread].buffer, given_[i].buffer, exactly_))
        continue;
      used_[i] = true;
      places_.push_back(i);
      if (place(thread + 1)) return true;
      places_.pop_back();
      used_[i] = false;
    }
    return false;
  }

  const std::vector<Member>& wanted_;
  const std::vector<Member>& given_;
  const bool exactly_;
  std::vector<bool> used_;
  std::vector<std::size_t> places_;
  bool exists_ = false;
};

}  // namespace

void for_each_own_sequence(const Threads& threads, ThreadId code, const Buffer& oldest,
                           std::optional<Value> except, const std::function<void(const Buffer&)>& visit) {
  visit(oldest);
  for (const auto& [address, values] : threads.own_values(code)) {
    if (address == except || own_message_in(oldest, address) != nullptr) continue;
    Buffer longer = oldest;
    longer.push_back(own_message(address));
    for_each_own_sequence(threads, code, longer, except, visit);
  }
}

Covering::Covering(const Threads& threads, const std::vector<Configuration>& elements)
    : threads_(threads), elements_(elements), nodes_(1) {
  for (std::uint32_t i = 0; i < elements.size(); ++i) insert(i);
}

Covering::PostKey Covering::post_key(const Member& member) {
  PostKey key{member.state, {}};
  for (const Message& message : member.buffer)
    if (message.own) key.second.push_back(message.address);
  return key;
}

void Covering::insert(std::uint32_t element) {
  std::vector<Post> posts;
  for (const Member& member : elements_[element].threads)
    posts.push_back(posts_.try_emplace(post_key(member), static_cast<Post>(posts_.size())).first->second);
  std::ranges::sort(posts);
  std::uint32_t node = 0;
  for (const Post post : posts) {
    const auto [child, is_new] =
        nodes_[node].children.try_emplace(post, static_cast<std::uint32_t>(nodes_.size()));
    node = child->second;
    if (is_new) nodes_.emplace_back();
  }
  nodes_[node].elements.push_back(element);
}

bool Covering::any_element(const Configuration& configuration, const Visit& accept) const {
  std::vector<Post> posts;
  for (const Member& member : configuration.threads)
    if (const auto found = posts_.find(post_key(member)); found != posts_.end())
      posts.push_back(found->second);
  std::ranges::sort(posts);
  return walk(0, posts, 0, accept);
}

bool Covering::walk(std::uint32_t node, const std::vector<Post>& posts, std::size_t next,
                    const Visit& accept) const {
  for (const std::uint32_t element : nodes_[node].elements)
    if (accept(elements_[element])) return true;
  for (std::size_t i = next; i < posts.size(); ++i) {
    if (i > next && posts[i] == posts[i - 1]) continue;
    const auto child = nodes_[node].children.find(posts[i]);
    if (child != nodes_[node].children.end() && walk(child->second, posts, i + 1, accept)) return true;
  }
  return false;
}

bool Covering::covers(const Configuration& configuration) {
  const auto is_below = [&](const Configuration& element) {
    return memory_fits(element.memory, configuration.memory, true) &&
           Embedding(element.threads, configuration.threads, true).exists();
  };
  if (any_element(configuration, is_below)) return true;
  if (splits_left_ == 0) return false;
  --splits_left_;
  if (const std::optional<Untold> found = untold(configuration))
    return covers_all_values(configuration, *found);
  return covers_all_additions(configuration);
}

std::optional<Covering::Untold> Covering::untold(const Configuration& configuration) const {
  std::optional<Untold> found;
  any_element(configuration, [&](const Configuration& element) {
    if (!memory_fits(element.memory, configuration.memory, false)) return false;
    const Embedding embedding(element.threads, configuration.threads, false);
    if (!embedding.exists()) return false;
    for (const auto& [address, value] : element.memory)
      if (!configuration.memory.contains(address)) return found = Untold{.cell = address}, true;
    for (std::size_t i = 0; i < element.threads.size(); ++i)
      for (const Message& message : element.threads[i].buffer) {
        if (!message.own || !message.value) continue;
        const std::size_t place = embedding.places()[i];
        const Buffer& given = configuration.threads[place].buffer;
        const Message* same = own_message_in(given, message.address);
        if (!same->value)
          return found = Untold{.cell = {},
                                .thread = place,
                                .message = static_cast<std::size_t>(same - given.data())},
                 true;
      }
    return false;
  });
  return found;
}

bool Covering::covers_all_values(const Configuration& configuration, const Untold& untold) {
  Configuration told = configuration;
  if (untold.cell)
    return std::ranges::all_of(threads_.values(*untold.cell), [&](Value value) {
      told.memory[*untold.cell] = value;
      return covers(told);
    });
  Member& member = told.threads[untold.thread];
  Message& message = member.buffer[untold.message];
  const auto& values = threads_.own_values(threads_.code_of(member.state)).at(message.address);
  return std::ranges::all_of(values, [&](Value value) {
    message.value = value;
    return covers(told);
  });
}

// All that a thread that is there but not mentioned may be. With any number, there may be no other thread.
bool Covering::covers_all_additions(const Configuration& configuration) {
  for (const ThreadId code : threads_.codes()) {
    const std::optional<std::size_t> there = threads_.count(code);
    const auto mentioned = std::ranges::count_if(
        configuration.threads, [&](const Member& member) { return threads_.code_of(member.state) == code; });
    if (!there || static_cast<std::size_t>(mentioned) >= *there) continue;
    bool all = true;
    for (const StateIndex state : threads_.states_of(code))
      for_each_own_sequence(threads_, code, {}, {}, [&](const Buffer& buffer) {
        if (!all) return;
        Configuration larger = configuration;
        larger.threads.push_back({.state = state, .buffer = buffer});
        all = covers(larger);
      });
    return all;
  }
  return false;
}

}  // namespace weir::certificates
