// expect: all safe
// compiler: -std=c++20
// native: 0
// Short strings in a map and in a hash table.
#include <cassert>
#include <map>
#include <unordered_map>
#include <string>
int main() {
  std::map<std::string, int> m; m["one"] = 1; m["two"] = 2; assert(m["one"] == 1);
  std::unordered_map<std::string, int> u; u["a"] = 1; u["b"] = 2; assert(u.at("b") == 2);
}
