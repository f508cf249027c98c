// std::string: what programs compiled as C++17 or older leave to libstdc++ comes from the library's own templates. It is
// compiled like the programs themselves, without optimising, so its accesses are those that the source writes.
#include <string>

template class std::allocator<char>;
template class std::basic_string<char>;
