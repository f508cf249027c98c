#include "fuzz/c_fuzz_processor.hpp"

#include <csignal>
#include <fcntl.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/TargetSelect.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace weir::fuzz {

namespace {

using llvm::Instruction;

// --- Without undefined behaviour
// ------------------------------------------------------------------------------------

void drop_flags(Instruction& i) {
  i.dropPoisonGeneratingFlags();
  i.dropPoisonGeneratingMetadata();
  if (llvm::isa<llvm::FPMathOperator>(i)) i.setFast(false);
  if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&i))
    gep->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i); load != nullptr && !load->isAtomic())
    load->setAlignment(llvm::Align(1));
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i); store != nullptr && !store->isAtomic())
    store->setAlignment(llvm::Align(1));
  for (llvm::Use& operand : i.operands())
    if (llvm::isa<llvm::UndefValue>(operand.get()))
      operand.set(llvm::Constant::getNullValue(operand->getType()));
}

void limit_shift(Instruction& i) {
  if (!i.isShift() || !i.getType()->isIntegerTy()) return;
  llvm::IRBuilder<> builder(&i);
  i.setOperand(1, builder.CreateURem(i.getOperand(1),
                                     llvm::ConstantInt::get(i.getType(), i.getType()->getIntegerBitWidth())));
}

// Numbers that every type with more than 7 bits holds; others become 0.
void limit_conversion(Instruction& i) {
  if (!llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(i)) return;
  llvm::IRBuilder<> builder(&i);
  llvm::Value* number = i.getOperand(0);
  llvm::Type* type = number->getType();
  const double most = i.getType()->getScalarSizeInBits() > 7 ? 100 : 0;
  llvm::Value* fits = builder.CreateAnd(builder.CreateFCmpOGE(number, llvm::ConstantFP::get(type, 0)),
                                        builder.CreateFCmpOLE(number, llvm::ConstantFP::get(type, most)));
  i.setOperand(0, builder.CreateSelect(fits, number, llvm::ConstantFP::get(type, 0)));
}

// The flags that make a result undefined are the last argument of these.
void define_intrinsic(Instruction& i) {
  auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  if (intrinsic == nullptr) return;
  switch (intrinsic->getIntrinsicID()) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::cttz:
      intrinsic->setArgOperand(1, llvm::ConstantInt::getFalse(i.getContext()));
      break;
    default: break;
  }
}

// A pointer in memory, taken as a number.
bool reads_pointer(const Instruction& i) {
  const llvm::Value* place = llvm::getPointerOperand(&i);
  if (place == nullptr || i.getType()->isPointerTy()) return false;
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(place);
  const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(place);
  return (variable != nullptr && variable->getAllocatedType()->isPointerTy()) ||
         (global != nullptr && global->getValueType()->isPointerTy());
}

bool depends_on_addresses(const Instruction& i) {
  if (llvm::isa<llvm::PtrToIntInst>(i) || (llvm::isa<llvm::LoadInst>(i) && reads_pointer(i))) return true;
  const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&i);
  return comparison != nullptr && comparison->isRelational() &&
         comparison->getOperand(0)->getType()->isPointerTy();
}

bool gives_output(const llvm::Function& function) {
  const llvm::StringRef name = function.getName();
  return name.contains("print") || name.contains("put") || name == "fflush";
}

// Weir gives fixed answers to these.
bool depends_on_surroundings(const Instruction& i) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&i);
  if (call == nullptr) return false;
  if (call->isInlineAsm()) return true;
  const llvm::Function* callee = call->getCalledFunction();
  if (callee == nullptr) return false;
  if (!callee->isIntrinsic()) return callee->isDeclaration() && !call->use_empty() && gives_output(*callee);
  switch (callee->getIntrinsicID()) {
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::objectsize:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::returnaddress:
    case llvm::Intrinsic::addressofreturnaddress:
    case llvm::Intrinsic::ptrmask:
    case llvm::Intrinsic::sponentry: return true;
    default: return false;
  }
}

// --- What is computed
// -----------------------------------------------------------------------------------------------

class Observer {
 public:
  explicit Observer(llvm::Module& module)
      : module_(module),
        number_(llvm::Type::getInt64Ty(module.getContext())),
        sum_(new llvm::GlobalVariable(module, number_, false, llvm::GlobalValue::InternalLinkage,
                                      llvm::ConstantInt::get(number_, 0), "fuzz.sum")) {}

  void mix(Instruction& value) {
    Instruction* next = value.getNextNode();
    if (next == nullptr || llvm::isa<llvm::PHINode>(value) || next->isEHPad()) return;
    llvm::IRBuilder<> builder(next);
    mix(builder, value);
  }

  void mix(llvm::IRBuilder<>& builder, llvm::Value& value) {
    llvm::Value* number = &value;
    if (value.getType()->isFloatTy() || value.getType()->isDoubleTy()) number = bits_of(builder, value);
    number = builder.CreateZExtOrTrunc(number, number_);
    llvm::Value* old = builder.CreateLoad(number_, sum_);
    builder.CreateStore(builder.CreateAdd(builder.CreateMul(old, builder.getInt64(31)), number), sum_);
  }

  // Calls the program's own main.
  void wrap(llvm::Function& body) {
    body.setName("fuzz.body");
    llvm::LLVMContext& context = module_.getContext();
    auto* main = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getInt32Ty(context), false),
                                        llvm::GlobalValue::ExternalLinkage, "main", module_);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", main));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& parameter : body.args())
      arguments.push_back(llvm::Constant::getNullValue(parameter.getType()));
    llvm::Value* status = builder.CreateCall(&body, arguments);
    if (status->getType()->isIntegerTy()) mix(builder, *status);
    llvm::Value* sum = builder.CreateLoad(number_, sum_);
    sum = builder.CreateXor(sum, builder.CreateLShr(sum, builder.getInt64(32)));
    builder.CreateRet(builder.CreateTrunc(sum, builder.getInt32Ty()));
  }

 private:
  // Of those that are not numbers, nobody says which bits they have.
  static llvm::Value* bits_of(llvm::IRBuilder<>& builder, llvm::Value& value) {
    llvm::Type* type = builder.getIntNTy(value.getType()->getScalarSizeInBits());
    return builder.CreateSelect(builder.CreateFCmpUNO(&value, &value), llvm::ConstantInt::get(type, 7),
                                builder.CreateBitCast(&value, type));
  }

  llvm::Module& module_;
  llvm::Type* number_;
  llvm::GlobalVariable* sum_;
};

bool can_be_observed(const Instruction& i) {
  const llvm::Type* type = i.getType();
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&i))
    if (call->getCalledFunction() == nullptr || gives_output(*call->getCalledFunction())) return false;
  return (type->isIntegerTy() && type->getIntegerBitWidth() <= 64) || type->isFloatTy() || type->isDoubleTy();
}

// --- Execution
// ------------------------------------------------------------------------------------------------------

struct Shared {
  bool compiled;
  bool returned;
  std::int32_t result;
};

constexpr unsigned kSeconds = 3;

void be_quiet() {
  const rlimit no_core_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_file);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, descriptor);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGPROF})
    signal(number, SIG_DFL);
  alarm(kSeconds);
}

llvm::Expected<int (*)()> compiled_main(const std::string& bitcode, std::unique_ptr<llvm::orc::LLJIT>& jit) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "mutant"), *context);
  if (!module) return module.takeError();
  auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!machine) return machine.takeError();
  machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto created = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
  if (!created) return created.takeError();
  jit = std::move(*created);
  if (auto error = jit->addIRModule({std::move(*module), std::move(context)})) return error;
  if (auto error = jit->initialize(jit->getMainJITDylib())) return error;
  auto address = jit->lookup("main");
  if (!address) return address.takeError();
  return address->toPtr<int (*)()>();
}

[[noreturn]] void run(const std::string& bitcode, Shared& shared) {
  be_quiet();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  auto main = compiled_main(bitcode, jit);
  if (!main) _exit(1);
  shared.compiled = true;
  shared.result = (*main)();
  shared.returned = true;
  _exit(0);
}

Execution outcome(const Shared& shared, int status) {
  if (!shared.compiled) return {};
  if (shared.returned) return {Execution::End::kReturned, shared.result};
  if (WIFEXITED(status)) return {Execution::End::kExited, WEXITSTATUS(status)};
  if (WTERMSIG(status) == SIGALRM) return {};
  return {Execution::End::kCrashed, WTERMSIG(status)};
}

}  // namespace

bool make_defined(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<Instruction*> all;
    for (Instruction& instruction : llvm::instructions(function)) all.push_back(&instruction);
    for (Instruction* instruction : all) {
      if (depends_on_addresses(*instruction) || depends_on_surroundings(*instruction)) return false;
      // Bits around a bit field may be whatever they are.
      if (instruction->getName().starts_with("bf.load")) return false;
      drop_flags(*instruction);
      limit_shift(*instruction);
      limit_conversion(*instruction);
      define_intrinsic(*instruction);
    }
  }
  return true;
}

bool observe(llvm::Module& module, Random& random) {
  llvm::Function* main = module.getFunction("main");
  if (main == nullptr || main->isDeclaration()) return false;
  Observer observer(module);
  std::vector<Instruction*> candidates;
  for (llvm::Function& function : module)
    for (Instruction& instruction : llvm::instructions(function))
      if (can_be_observed(instruction)) candidates.push_back(&instruction);
  for (std::size_t n = std::min<std::size_t>(candidates.size(), 40); n > 0; --n)
    observer.mix(*random.any(candidates));
  observer.wrap(*main);
  return true;
}

Execution execute(const std::string& bitcode, bool shifted) {
  static const bool ready = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  auto* shared = static_cast<Shared*>(
      mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (!ready || shared == MAP_FAILED) return {};
  *shared = {};
  const pid_t child = fork();
  if (child == 0) {
    constexpr std::size_t kShift = 0x103'7000;
    if (shifted) mmap(nullptr, kShift, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    run(bitcode, *shared);
  }
  int status = 0;
  waitpid(child, &status, 0);
  const Execution execution = outcome(*shared, status);
  munmap(shared, sizeof(Shared));
  return execution;
}

void expect_result(llvm::Module& module, std::int32_t result) {
  Instruction* leaving = module.getFunction("main")->back().getTerminator();
  llvm::IRBuilder<> builder(leaving);
  llvm::Value* wrong =
      builder.CreateICmpNE(leaving->getOperand(0), builder.getInt32(static_cast<std::uint32_t>(result)));
  llvm::BasicBlock* before = leaving->getParent();
  llvm::BasicBlock* after = before->splitBasicBlock(leaving);
  llvm::BasicBlock* failing = llvm::BasicBlock::Create(module.getContext(), "", before->getParent());
  before->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(before);
  builder.CreateCondBr(wrong, failing, after);
  builder.SetInsertPoint(failing);
  builder.CreateCall(module.getOrInsertFunction("reach_error", builder.getVoidTy()));
  builder.CreateUnreachable();
}

}  // namespace weir::fuzz
