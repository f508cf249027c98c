// expect: all unsafe memory
// compiler: -m32
// operator new takes an unsigned int here. No headers.
struct Node {
  Node* next;
  long long value;
};

int main() {
  Node* list = new Node{nullptr, 1};
  list->next = new Node[2];
  delete list->next;
  delete list;
}
