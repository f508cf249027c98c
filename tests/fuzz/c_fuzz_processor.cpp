#include "fuzz/c_fuzz_processor.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/c_fuzz_defined.hpp"

namespace weir::fuzz {

namespace {

using llvm::Instruction;

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

// A program that has not ended by then does not end, most likely, and tells nothing.
constexpr int kMillisecondsToCompile = 3000, kMillisecondsToRun = 200;

void end_in(int milliseconds) {
  const itimerval limit{{0, 0}, {milliseconds / 1000, milliseconds % 1000 * 1000}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

void be_quiet() {
  const rlimit no_core_file{0, 0};
  setrlimit(RLIMIT_CORE, &no_core_file);
  const int nowhere = open("/dev/null", O_RDWR);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, descriptor);
  for (const int number : {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGALRM, SIGPROF})
    signal(number, SIG_DFL);
  end_in(kMillisecondsToCompile);
}

// Output is no part of the result, and weir does not look at its arguments, which may be anything.
void drop_output(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      if (const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
        if (call->use_empty() && call->getCalledFunction() != nullptr &&
            gives_output(*call->getCalledFunction()))
          instruction.eraseFromParent();
}

// Variables, functions and labels are at other places in their pages, too: behind others, and behind
// instructions that do nothing.
void lay_out_anew(llvm::Module& module) {
  constexpr std::uint64_t kBytes = 48;
  llvm::LLVMContext& context = module.getContext();
  const std::string filling(kBytes, 'x');
  llvm::Constant* text = llvm::ConstantDataArray::getString(context, filling, false);
  llvm::Constant* zeros = llvm::ConstantAggregateZero::get(text->getType());
  std::vector<llvm::GlobalValue*> first;
  const auto add = [&](bool constant, llvm::Constant* initial) {
    llvm::GlobalVariable* before = module.global_empty() ? nullptr : &*module.global_begin();
    first.push_back(new llvm::GlobalVariable(module, text->getType(), constant,
                                             llvm::GlobalValue::InternalLinkage, initial, "fuzz.first",
                                             before));
  };
  add(false, text);
  add(false, zeros);
  add(true, text);
  llvm::appendToUsed(module, first);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("patchable-function-prefix", "48");
    function.addFnAttr("patchable-function-entry", "21");
  }
}

llvm::Expected<int (*)()> compiled_main(const std::string& bitcode, bool shifted,
                                        std::unique_ptr<llvm::orc::LLJIT>& jit) {
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bitcode, "mutant"), *context);
  if (!module) return module.takeError();
  drop_output(**module);
  if (shifted) lay_out_anew(**module);
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

[[noreturn]] void run(const std::string& bitcode, bool shifted, Shared& shared) {
  be_quiet();
  std::unique_ptr<llvm::orc::LLJIT> jit;
  auto main = compiled_main(bitcode, shifted, jit);
  if (!main) _exit(1);
  shared.compiled = true;
  end_in(kMillisecondsToRun);
  shared.result = (*main)();
  shared.returned = true;
  _exit(0);
}

// The next mappings, blocks of the heap and variables on the stack are elsewhere. Small mappings go into
// holes between others, so these are filled.
[[noreturn]] void run_elsewhere(const std::string& bitcode, Shared& shared) {
  constexpr std::size_t kPage = 4096;
  for (std::size_t pages = 4096; pages > 0; pages /= 2)
    for (int i = 0; i < 16; ++i)
      mmap(nullptr, pages * kPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  [[maybe_unused]] void* volatile used = nullptr;  // or the compiler leaves the rest out
  for (std::size_t size = 16; size <= kPage; size += 16) used = std::malloc(size);
  used = __builtin_alloca(13 * kPage);
  run(bitcode, true, shared);
}

Execution outcome(const Shared& shared, int status) {
  if (!shared.compiled) return {};
  if (shared.returned) return {Execution::End::kReturned, shared.result};
  if (WIFEXITED(status)) return {Execution::End::kExited, WEXITSTATUS(status)};
  if (WTERMSIG(status) == SIGALRM) return {};
  return {Execution::End::kCrashed, WTERMSIG(status)};
}

}  // namespace

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
    if (shifted) run_elsewhere(bitcode, *shared);
    run(bitcode, false, *shared);
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
