#include "base/module.hpp"

#include <dlfcn.h>

namespace weir {

Expected<void*, std::string> module_function(const char* module, const char* function) {
  void* const loaded = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  void* const found = loaded == nullptr ? nullptr : dlsym(loaded, function);
  if (found == nullptr) return std::string(dlerror());
  return found;
}

}  // namespace weir
