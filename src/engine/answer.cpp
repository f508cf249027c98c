#include "engine/answer.hpp"

namespace weir {

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kSafe: return "safe";
    case Verdict::kUnsafe: return "unsafe";
    case Verdict::kUnknown: return "unknown";
  }
  return "?";
}

}  // namespace weir
