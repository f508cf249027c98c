// The minimal configurations from which one step leads above a given one: Lemma 3 of [Abdulla16], for
// configurations of which only a part is told. Condition 4 of dual_certificate.hpp asks for all of them.
//
// Left out is what is above the given configuration anyway: a plain message, or an own one that is hidden by
// a newer one, is deleted; a message is appended of which nothing is wanted; a thread that is not mentioned
// does what changes no cell that is mentioned.
//
// A thread that is not mentioned and writes is added with an empty buffer only, although it may have any when
// it stores. That is enough. Let c be a configuration in which it has messages. It can delete them, one by
// one, and then do the same step; so what is left of c then is above an element, if all checks succeed. The
// deletions are steps, too, whose predecessors are all checked: hence c is above an element.
#pragma once

#include <functional>

#include "check/dual/configuration.hpp"
#include "check/dual/moves.hpp"

namespace weir::certificates {

class Predecessors {
 public:
  // `threads` must outlive this.
  explicit Predecessors(const Threads& threads, Model model);

  using Visit = std::function<void(Configuration)>;
  void of(const Configuration& configuration, const Visit& visit) const;

 private:
  void by_thread(const Configuration& after, std::size_t thread, const Visit& visit) const;
  void by_memory(const Configuration& after, std::size_t thread, const Visit& visit) const;
  void by_others(const Configuration& after, const Visit& visit) const;
  void by_load(const Configuration& after, std::size_t thread, const Move& move, const Visit& visit) const;
  void by_store(const Configuration& after, std::size_t thread, const Move& move, const Visit& visit) const;

  const Threads& threads_;
  const Model model_;
  std::map<StateIndex, std::vector<const Move*>> moves_to_;
  // Of each cell: what can write it. No two that differ only in where they lead.
  std::map<Value, std::vector<Move>> writes_of_;
};

}  // namespace weir::certificates
