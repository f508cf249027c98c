// What the containers of the C++ library leave to libstdc++: the links of lists, red-black trees, and the sizes of hash
// tables. The names are mangled as the Itanium ABI says, the layouts are those of libstdc++.
#include "cplusplus.h"
#include "internal.h"

// std::list is a ring with a node that holds no element.

struct link {
  struct link *next, *previous;
};

void hook(struct link* node, struct link* position) NAMED("_ZNSt8__detail15_List_node_base7_M_hookEPS0_");
void hook(struct link* node, struct link* position) {
  node->next = position;
  node->previous = position->previous;
  position->previous->next = node;
  position->previous = node;
}

void unhook(struct link* node) NAMED("_ZNSt8__detail15_List_node_base9_M_unhookEv");
void unhook(struct link* node) {
  node->previous->next = node->next;
  node->next->previous = node->previous;
}

// Those from `first` up to, without, `last` go before `position`.
void transfer(struct link* position, struct link* first, struct link* last)
    NAMED("_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_");
void transfer(struct link* position, struct link* first, struct link* last) {
  if (position == last) return;
  struct link* final = last->previous;
  first->previous->next = last;
  last->previous = first->previous;
  position->previous->next = first;
  first->previous = position->previous;
  final->next = position;
  position->previous = final;
}

void reverse(struct link* ring) NAMED("_ZNSt8__detail15_List_node_base10_M_reverseEv");
void reverse(struct link* ring) {
  struct link* at = ring;
  do {
    struct link* next = at->next;
    at->next = at->previous;
    at->previous = next;
    at = next;
  } while (at != ring);
}

// The elements of one ring become those of another one, which has none.
static void move_ring(struct link* to, const struct link* from) {
  to->next = from->next;
  to->previous = from->previous;
  to->next->previous = to;
  to->previous->next = to;
}

void swap_rings(struct link* left, struct link* right) NAMED("_ZNSt8__detail15_List_node_base4swapERS0_S1_");
void swap_rings(struct link* left, struct link* right) {
  struct link old = *left;
  int left_is_empty = left->next == left, right_is_empty = right->next == right;
  if (right_is_empty) {
    left->next = left->previous = left;
  } else {
    move_ring(left, right);
  }
  if (left_is_empty) {
    right->next = right->previous = right;
  } else {
    move_ring(right, &old);
  }
}

// std::map and std::set are red-black trees. Their header is a red node above the root, whose children are the first and
// the last node.

struct node {
  int colour;
  struct node *parent, *left, *right;
};

enum { kRed = 0, kBlack = 1 };

static struct node* first_below(struct node* node) {
  while (node->left) node = node->left;
  return node;
}

static struct node* last_below(struct node* node) {
  while (node->right) node = node->right;
  return node;
}

struct node* next_node(struct node* node) NAMED("_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base");
struct node* next_node(struct node* node) {
  if (node->right) return first_below(node->right);
  struct node* parent = node->parent;
  while (node == parent->right) {
    node = parent;
    parent = parent->parent;
  }
  // The header may be the root's right child: then the root was the last node, and is where we are.
  return node->right == parent ? node : parent;
}

struct node* next_constant(struct node* node) NAMED("_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base");
struct node* next_constant(struct node* node) {
  return next_node(node);
}

struct node* previous_node(struct node* node) NAMED("_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base");
struct node* previous_node(struct node* node) {
  int is_header = node->colour == kRed && node->parent->parent == node;
  if (is_header) return node->right;
  if (node->left) return last_below(node->left);
  struct node* parent = node->parent;
  while (node == parent->left) {
    node = parent;
    parent = parent->parent;
  }
  return parent;
}

struct node* previous_constant(struct node* node) NAMED("_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base");
struct node* previous_constant(struct node* node) {
  return previous_node(node);
}

// Puts `new_child` where `old_child` is.
static void replace_child(struct node* header, struct node* old_child, struct node* new_child) {
  struct node* parent = old_child->parent;
  if (header->parent == old_child) {
    header->parent = new_child;
  } else if (parent->left == old_child) {
    parent->left = new_child;
  } else {
    parent->right = new_child;
  }
}

static void rotate_left(struct node* node, struct node* header) {
  struct node* up = node->right;
  node->right = up->left;
  if (up->left) up->left->parent = node;
  up->parent = node->parent;
  replace_child(header, node, up);
  up->left = node;
  node->parent = up;
}

static void rotate_right(struct node* node, struct node* header) {
  struct node* up = node->left;
  node->left = up->right;
  if (up->right) up->right->parent = node;
  up->parent = node->parent;
  replace_child(header, node, up);
  up->right = node;
  node->parent = up;
}

static int is_red(const struct node* node) { return node && node->colour == kRed; }

// The node and its parent are both red: passes the colour up, or turns the tree.
static void mend_two_reds(struct node* node, struct node* header) {
  while (node != header->parent && is_red(node->parent)) {
    struct node* parent = node->parent;
    struct node* above = parent->parent;
    int on_left = parent == above->left;
    struct node* uncle = on_left ? above->right : above->left;
    if (is_red(uncle)) {
      parent->colour = uncle->colour = kBlack;
      above->colour = kRed;
      node = above;
      continue;
    }
    if (on_left && node == parent->right) {
      rotate_left(parent, header);
      parent = node;
    } else if (!on_left && node == parent->left) {
      rotate_right(parent, header);
      parent = node;
    }
    parent->colour = kBlack;
    above->colour = kRed;
    if (on_left) {
      rotate_right(above, header);
    } else {
      rotate_left(above, header);
    }
    break;
  }
  header->parent->colour = kBlack;
}

void insert_node(_Bool left, struct node* node, struct node* parent, struct node* header)
    NAMED("_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_");
void insert_node(_Bool left, struct node* node, struct node* parent, struct node* header) {
  node->parent = parent;
  node->left = node->right = NULL;
  node->colour = kRed;
  if (parent == header) {
    header->parent = header->left = header->right = node;
  } else if (left) {
    parent->left = node;
    if (parent == header->left) header->left = node;
  } else {
    parent->right = node;
    if (parent == header->right) header->right = node;
  }
  mend_two_reds(node, header);
}

// Below `parent`, the ways through `node` (which may be null) have one black node less than the others.
static void mend_missing_black(struct node* node, struct node* parent, struct node* header) {
  while (node != header->parent && !is_red(node)) {
    int on_left = node == parent->left;
    struct node* sibling = on_left ? parent->right : parent->left;
    if (is_red(sibling)) {
      sibling->colour = kBlack;
      parent->colour = kRed;
      if (on_left) {
        rotate_left(parent, header);
      } else {
        rotate_right(parent, header);
      }
      sibling = on_left ? parent->right : parent->left;
    }
    struct node* near = on_left ? sibling->left : sibling->right;
    struct node* far = on_left ? sibling->right : sibling->left;
    if (!is_red(near) && !is_red(far)) {
      sibling->colour = kRed;
      node = parent;
      parent = parent->parent;
      continue;
    }
    if (!is_red(far)) {
      near->colour = kBlack;
      sibling->colour = kRed;
      if (on_left) {
        rotate_right(sibling, header);
      } else {
        rotate_left(sibling, header);
      }
      far = sibling;
      sibling = near;
    }
    sibling->colour = parent->colour;
    parent->colour = kBlack;
    far->colour = kBlack;
    if (on_left) {
      rotate_left(parent, header);
    } else {
      rotate_right(parent, header);
    }
    return;
  }
  if (node) node->colour = kBlack;
}

// A node with two children gives its place to the next one.
static struct node* take_out_inner(struct node* node, struct node* header, struct node** below, int* colour) {
  struct node* next = first_below(node->right);
  struct node* child = next->right;
  struct node* parent = next;
  if (next != node->right) {
    parent = next->parent;
    parent->left = child;
    if (child) child->parent = parent;
    next->right = node->right;
    node->right->parent = next;
  }
  next->left = node->left;
  node->left->parent = next;
  replace_child(header, node, next);
  next->parent = node->parent;
  *colour = next->colour;
  next->colour = node->colour;
  *below = child;
  return parent;
}

static struct node* take_out_outer(struct node* node, struct node* header, struct node** below, int* colour) {
  struct node* child = node->left ? node->left : node->right;
  if (child) child->parent = node->parent;
  if (header->left == node) header->left = node->right ? first_below(node->right) : node->parent;
  if (header->right == node) header->right = node->left ? last_below(node->left) : node->parent;
  replace_child(header, node, child);
  *colour = node->colour;
  *below = child;
  return node->parent;
}

struct node* erase_node(struct node* node, struct node* header)
    NAMED("_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_");
struct node* erase_node(struct node* node, struct node* header) {
  struct node* below;
  int colour;
  struct node* parent = node->left && node->right ? take_out_inner(node, header, &below, &colour)
                                                  : take_out_outer(node, header, &below, &colour);
  if (colour == kBlack && header->parent) mend_missing_black(below, parent, header);
  return node;
}

// Hash tables. A policy has the largest number of elements per bucket, and how many elements may come before the table
// has to grow.

struct policy {
  float most_per_bucket;
  size_t next_growth;
};

struct growth {
  _Bool needed;
  size_t buckets;
};

static const size_t kPrimes[] = {2,    5,    11,   23,    47,    97,    199,    409,    823,
                                 1741, 3469, 6949, 14033, 28411, 57557, 116731, 236897, 480881};

size_t next_buckets(struct policy* policy, size_t wanted)
    NAMED("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
size_t next_buckets(struct policy* policy, size_t wanted) {
  size_t count = sizeof kPrimes / sizeof kPrimes[0];
  for (size_t i = 0; i < count; i++) {
    if (kPrimes[i] < wanted) continue;
    policy->next_growth = (size_t)((float)kPrimes[i] * policy->most_per_bucket);
    return kPrimes[i];
  }
  __weir_give_up("a hash table has more than 480881 buckets");
}

struct growth needs_growth(struct policy* policy, size_t buckets, size_t elements, size_t added)
    NAMED("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
struct growth needs_growth(struct policy* policy, size_t buckets, size_t elements, size_t added) {
  struct growth answer = {0, 0};
  if (elements + added <= policy->next_growth) return answer;
  size_t wanted = (size_t)((float)(elements + added) / policy->most_per_bucket) + 1;
  size_t first = policy->next_growth == 0 && wanted < 11 ? 11 : wanted;
  if (first <= buckets) {
    policy->next_growth = (size_t)((float)buckets * policy->most_per_bucket);
    return answer;
  }
  size_t doubled = 2 * buckets;
  answer.needed = 1;
  answer.buckets = next_buckets(policy, first > doubled ? first : doubled);
  return answer;
}

// Any function of the bytes will do.
size_t hash_bytes(const unsigned char* bytes, size_t size, size_t seed) NAMED("_ZSt11_Hash_bytesPKvmm");
size_t hash_bytes(const unsigned char* bytes, size_t size, size_t seed) {
  for (size_t i = 0; i < size; i++) seed = (seed ^ bytes[i]) * 1099511628211u;
  return seed;
}
