// expect: all safe
// compiler: -std=c++20
// native: 0
// Including <iostream> changes nothing.
#include <iostream>
#include <thread>
int main() { int x = 0; std::thread t([&] { x = 1; }); t.join(); return x - 1; }
