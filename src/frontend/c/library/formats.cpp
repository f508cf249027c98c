// A format is nearly always a constant, and the arguments are there: so what a call does is known piece by
// piece, and no function with a variable number of arguments is needed. Where neither the number of
// characters nor the text matters, which is so for most output, numbers need no code at all and strings are
// only read.
#include "frontend/c/library/formats.hpp"

#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <vector>

#include "frontend/c/library/library.hpp"

namespace weir::c {

namespace {

// As in runtime/print.h.
enum Flag : unsigned { kLeft = 1, kZeros = 2, kPlus = 4, kSpace = 8, kAlternate = 16, kUpper = 32 };

// A piece of a format: text, or a conversion.
struct Piece {
  std::string text;
  char conversion = 0;  // none: it is text
  unsigned flags = 0;
  // From an argument, written out, or not there.
  struct Number {
    bool from_argument = false;
    int value = -1;
  };
  Number width{false, 0}, precision;
  std::string length;  // "", "h", "hh", "l", …
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Nothing if there is something in it that is not understood.
class FormatReader {
 public:
  explicit FormatReader(llvm::StringRef format) : rest_(format) {}

  std::optional<std::vector<Piece>> pieces() {
    std::vector<Piece> result;
    while (!rest_.empty()) {
      const llvm::StringRef text = rest_.take_until([](char c) { return c == '%'; });
      rest_ = rest_.drop_front(text.size());
      if (!text.empty()) result.push_back({.text = text.str()});
      if (rest_.empty()) break;
      rest_ = rest_.drop_front();
      auto piece = conversion();
      if (!piece) return std::nullopt;
      result.push_back(std::move(*piece));
    }
    return result;
  }

 private:
  std::optional<Piece> conversion() {
    Piece piece;
    piece.flags = flags();
    if (!number(piece.width)) return std::nullopt;
    if (rest_.consume_front(".")) {
      piece.precision.value = 0;
      if (!number(piece.precision)) return std::nullopt;
    }
    piece.length = rest_.take_while([](char c) { return llvm::StringRef("hlLqjzt").contains(c); }).str();
    rest_ = rest_.drop_front(piece.length.size());
    if (rest_.empty()) return std::nullopt;
    piece.conversion = rest_.front();
    rest_ = rest_.drop_front();
    if (piece.conversion == '%') return Piece{.text = "%"};
    if (piece.conversion == 'X') piece.flags |= kUpper;
    const bool wide_text = piece.conversion == 'C' || piece.conversion == 'S' ||
                           (piece.length == "l" && (piece.conversion == 'c' || piece.conversion == 's'));
    const bool known = llvm::StringRef("diuoxXcspnmfFeEgGaA").contains(piece.conversion);
    return known && !wide_text ? std::optional(piece) : std::nullopt;
  }

  unsigned flags() {
    unsigned found = 0;
    for (; !rest_.empty(); rest_ = rest_.drop_front()) {
      const std::size_t flag = llvm::StringRef("-0+ #").find(rest_.front());
      if (flag == llvm::StringRef::npos) break;
      found |= 1u << flag;
    }
    return found;
  }

  // False for a number that does not fit, and for arguments by their number (%2$d).
  bool number(Piece::Number& number) {
    if (rest_.consume_front("*")) {
      number.from_argument = true;
      return rest_.empty() || !is_digit(rest_.front());
    }
    unsigned value = 0;
    const llvm::StringRef digits = rest_.take_while(is_digit);
    if (digits.empty()) return true;
    rest_ = rest_.drop_front(digits.size());
    if (digits.getAsInteger(10, value) || value > 1'000'000) return false;
    number.value = static_cast<int>(value);
    return !rest_.starts_with("$");
  }

  llvm::StringRef rest_;
};

bool is_float(char conversion) { return llvm::StringRef("fFeEgGaA").contains(conversion); }

class FormattedCall {
 public:
  FormattedCall(llvm::CallInst& call, const LibraryFunction& function)
      : module_(*call.getModule()),
        call_(call),
        function_(function),
        format_(*format_argument(function)),
        build_(&call),
        int_(build_.getInt32Ty()),
        long_(build_.getInt64Ty()),
        size_(module_.getDataLayout().getIntPtrType(module_.getContext())),
        pointer_(build_.getPtrTy()) {}

  void replace() {
    if (!matches()) return;  // another function of that name: nobody defines it
    llvm::StringRef format;
    if (!llvm::getConstantStringInfo(call_.getArgOperand(format_), format)) {
      without_constant();
    } else if (auto pieces = FormatReader(format).pieces()) {
      by_pieces(*pieces);
    } else {
      give_up("with a format like this");
    }
    if (!call_.use_empty() && result_ == nullptr) give_up("whose result is used");
    if (!call_.use_empty())
      call_.replaceAllUsesWith(result_ != nullptr ? result_ : llvm::Constant::getNullValue(call_.getType()));
    call_.eraseFromParent();
  }

 private:
  bool matches() const {
    if (call_.arg_size() <= format_ || !call_.getArgOperand(format_)->getType()->isPointerTy()) return false;
    if (!call_.getType()->isVoidTy() && !call_.getType()->isIntegerTy(32)) return false;
    return !writes() || call_.getArgOperand(0)->getType()->isPointerTy();
  }
  bool writes() const { return function_.arguments.starts_with("w"); }
  // snprintf and the like say how many characters there is room for.
  bool has_room() const { return function_.name.contains("snprintf"); }

  llvm::Value* number(int value) {
    return llvm::ConstantInt::get(int_, static_cast<std::uint64_t>(value), true);
  }

  llvm::CallInst* run(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
    return build_.CreateCall(module_.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false)),
                             arguments);
  }

  void give_up(const std::string& why) {
    run("__weir_give_up", build_.getVoidTy(),
        {build_.CreateGlobalString(fmt::format("a call of {}() {}", function_.name.str(), why))});
  }

  void without_constant() {
    const bool plain = call_.arg_size() == format_ + 1 && !writes() && call_.use_empty();
    if (!plain) return give_up("with a format that is not a constant");
    run("__weir_read_format", build_.getVoidTy(), {call_.getArgOperand(format_)});
  }

  void by_pieces(const std::vector<Piece>& pieces) {
    next_ = format_ + 1;
    const bool counts = llvm::any_of(pieces, [](const Piece& p) { return p.conversion == 'n'; });
    if (writes() || counts || !call_.use_empty()) make_sink();
    for (const Piece& piece : pieces)
      if (!(piece.conversion == 0 ? print_text(piece) : print(piece))) return;
    if (sink_ != nullptr) result_ = run("__weir_print_end", int_, {sink_});
  }

  void make_sink() {
    auto* type = llvm::StructType::get(pointer_, size_, size_);
    llvm::BasicBlock& entry = call_.getFunction()->getEntryBlock();
    sink_ = new llvm::AllocaInst(type, 0, "text", entry.begin());
    llvm::Value* const to =
        writes() ? call_.getArgOperand(0) : llvm::ConstantPointerNull::get(build_.getPtrTy());
    llvm::Value* room =
        llvm::ConstantInt::get(size_, llvm::APInt::getSignedMaxValue(size_->getIntegerBitWidth()));
    llvm::Value* start = to;
    if (has_room()) {
      llvm::Value* size = build_.CreateZExtOrTrunc(call_.getArgOperand(1), size_);
      llvm::Value* none = build_.CreateICmpEQ(size, llvm::ConstantInt::get(size_, 0));
      start = build_.CreateSelect(none, llvm::ConstantPointerNull::get(build_.getPtrTy()), to);
      room = build_.CreateSub(size, llvm::ConstantInt::get(size_, 1));
    }
    build_.CreateStore(start, build_.CreateStructGEP(type, sink_, 0));
    build_.CreateStore(room, build_.CreateStructGEP(type, sink_, 1));
    build_.CreateStore(llvm::ConstantInt::get(size_, 0), build_.CreateStructGEP(type, sink_, 2));
  }

  bool print_text(const Piece& piece) {
    if (sink_ == nullptr) return true;
    llvm::Value* text = build_.CreateGlobalString(piece.text);
    run("__weir_print_string", build_.getVoidTy(),
        {sink_, text, number(0), number(0), number(static_cast<int>(piece.text.size()))});
    return true;
  }

  // The next argument of the call; null if there is none, which is an error of the program.
  llvm::Value* argument() { return next_ < call_.arg_size() ? call_.getArgOperand(next_++) : nullptr; }

  // A number of the conversion, which may be an argument.
  llvm::Value* number_of(const Piece::Number& wanted) {
    if (!wanted.from_argument) return number(wanted.value);
    llvm::Value* given = argument();
    return given != nullptr && given->getType()->isIntegerTy() ? build_.CreateSExtOrTrunc(given, int_)
                                                               : nullptr;
  }

  bool fails(const std::string& why) {
    give_up(why);
    return false;
  }

  bool print(const Piece& piece) {
    constexpr const char* kMismatch = "whose arguments do not fit its format";
    llvm::Value* flags = number(static_cast<int>(piece.flags & ~0u));
    llvm::Value* width = number_of(piece.width);
    if (width == nullptr) return fails(kMismatch);
    if (piece.width.from_argument) {
      llvm::Value* negative = build_.CreateICmpSLT(width, number(0));
      flags = build_.CreateSelect(negative, build_.CreateOr(flags, number(kLeft)), flags);
      width = build_.CreateSelect(negative, build_.CreateNeg(width), width);
    }
    llvm::Value* precision = number_of(piece.precision);
    if (precision == nullptr) return fails(kMismatch);
    if (piece.conversion == 'm') return sink_ == nullptr || fails("with %m");
    llvm::Value* value = argument();
    if (value == nullptr) return fails(kMismatch);
    const bool wants_pointer = llvm::StringRef("spn").contains(piece.conversion);
    if (is_float(piece.conversion)) {
      if (!value->getType()->isFloatingPointTy()) return fails(kMismatch);
      return sink_ == nullptr || fails("that makes text of a floating point number");
    }
    if (wants_pointer != value->getType()->isPointerTy()) return fails(kMismatch);
    if (!wants_pointer && !value->getType()->isIntegerTy()) return fails(kMismatch);
    switch (piece.conversion) {
      case 's': print_string(piece, value, flags, width, precision); break;
      case 'n': store_count(piece, value); break;
      case 'p':
        if (sink_ != nullptr) run("__weir_print_pointer", build_.getVoidTy(), {sink_, value, flags, width});
        break;
      case 'c':
        if (sink_ != nullptr)
          run("__weir_print_character", build_.getVoidTy(),
              {sink_, build_.CreateZExtOrTrunc(value, int_), flags, width});
        break;
      default:
        if (sink_ != nullptr) print_number(piece, value, flags, width, precision);
    }
    return true;
  }

  void print_string(const Piece& piece, llvm::Value* text, llvm::Value* flags, llvm::Value* width,
                    llvm::Value* precision) {
    const bool bounded = piece.precision.from_argument || piece.precision.value >= 0;
    if (sink_ != nullptr)
      run("__weir_print_string", build_.getVoidTy(), {sink_, text, flags, width, precision});
    else if (bounded)
      run("__weir_read_text", build_.getVoidTy(), {text, precision});
    else
      run("__weir_read_string", build_.getVoidTy(), {text});
  }

  unsigned bits(const std::string& length) const {
    if (length == "hh") return 8;
    if (length == "h") return 16;
    if (length == "l" || length == "z" || length == "t") return size_->getIntegerBitWidth();
    return length.empty() ? 32 : 64;
  }

  void print_number(const Piece& piece, llvm::Value* value, llvm::Value* flags, llvm::Value* width,
                    llvm::Value* precision) {
    const bool is_signed = piece.conversion == 'd' || piece.conversion == 'i';
    const int base = piece.conversion == 'o'                                ? 8
                     : (piece.conversion == 'x' || piece.conversion == 'X') ? 16
                                                                            : 10;
    llvm::Value* cut = build_.CreateSExtOrTrunc(value, build_.getIntNTy(bits(piece.length)));
    llvm::Value* wide = is_signed ? build_.CreateSExt(cut, long_) : build_.CreateZExt(cut, long_);
    llvm::Value* negative = number(0);
    if (is_signed) {
      llvm::Value* below = build_.CreateICmpSLT(wide, llvm::ConstantInt::get(long_, 0));
      negative = build_.CreateZExt(below, int_);
      wide = build_.CreateSelect(below, build_.CreateNeg(wide), wide);
    } else {
      flags = build_.CreateAnd(flags, number(~(kPlus | kSpace)));
    }
    run("__weir_print_number", build_.getVoidTy(),
        {sink_, wide, negative, number(base), flags, width, precision});
  }

  void store_count(const Piece& piece, llvm::Value* target) {
    auto* type = llvm::cast<llvm::AllocaInst>(sink_)->getAllocatedType();
    llvm::Value* count = build_.CreateLoad(size_, build_.CreateStructGEP(type, sink_, 2));
    build_.CreateStore(build_.CreateZExtOrTrunc(count, build_.getIntNTy(bits(piece.length))), target);
  }

  llvm::Module& module_;
  llvm::CallInst& call_;
  const LibraryFunction& function_;
  unsigned format_;
  llvm::IRBuilder<> build_;
  llvm::Type *int_, *long_, *size_, *pointer_;
  llvm::Value* sink_ = nullptr;
  llvm::Value* result_ = nullptr;
  unsigned next_ = 0;
};

constexpr std::uint64_t kMostCompared = 64;

bool points_to_variable(const llvm::Value& pointer) {
  return llvm::isa<llvm::GlobalVariable, llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
}

// Every byte is read, the first difference counts.
void compare_bytes(llvm::CallInst& call, std::uint64_t bytes) {
  llvm::IRBuilder<> build(&call);
  llvm::Value* difference = build.getInt32(0);
  const auto byte = [&](unsigned argument, std::uint64_t at) {
    llvm::Value* address = build.CreateConstGEP1_64(build.getInt8Ty(), call.getArgOperand(argument), at);
    return build.CreateZExt(build.CreateAlignedLoad(build.getInt8Ty(), address, llvm::Align(1)),
                            build.getInt32Ty());
  };
  for (std::uint64_t at = 0; at < bytes; ++at) {
    llvm::Value* here = build.CreateSub(byte(0, at), byte(1, at));
    llvm::Value* equal = build.CreateICmpEQ(difference, build.getInt32(0));
    difference = build.CreateSelect(equal, here, difference);
  }
  call.replaceAllUsesWith(difference);
  call.eraseFromParent();
}

std::vector<llvm::CallInst*> calls_of(llvm::Function& function) {
  std::vector<llvm::CallInst*> calls;
  for (const llvm::Use& use : function.uses())  // one call may have several: it can be its own argument, too
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(use.getUser()); call != nullptr && call->isCallee(&use))
      calls.push_back(call);
  return calls;
}

}  // namespace

void take_comparisons_apart(llvm::Module& module) {
  for (const char* name : {"memcmp", "bcmp"}) {
    llvm::Function* function = module.getFunction(name);
    if (function == nullptr || !function->isDeclaration()) continue;
    for (llvm::CallInst* call : calls_of(*function)) {
      if (call->arg_size() != 3 || !call->getType()->isIntegerTy(32)) continue;
      const auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
      if (bytes == nullptr || bytes->getValue().ugt(kMostCompared)) continue;
      if (!points_to_variable(*call->getArgOperand(0)) && !points_to_variable(*call->getArgOperand(1)))
        continue;
      compare_bytes(*call, bytes->getZExtValue());
    }
  }
}

void take_formats_apart(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    const LibraryFunction* known = function.isDeclaration() ? library_function(function.getName()) : nullptr;
    if (known == nullptr || known->treatment != Treatment::kFormatted) continue;
    for (llvm::CallInst* call : calls_of(function)) FormattedCall(*call, *known).replace();
  }
}

}  // namespace weir::c
