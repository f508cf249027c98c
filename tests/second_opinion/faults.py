"""Mistakes for the C front end and its runtime, as changes of their text. Each must be found by second_opinion.py.

The engines, which have faults of their own (`make mutation`), are not changed: what they are given is wrong.
"""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Fault:
    name: str
    file: str      # its name; there is one of that name in src/frontend/c
    changes: tuple  # of (text as it is, text that is wrong); every place of the first is changed


def fault(name, file, *changes):
    return Fault(name, file, changes)


FAULTS = (
    fault("stack-lives-for-ever", "lowering/stack.cpp",
          ("  emitter.emit({.op = Opcode::kFree, .block = BlockKind::kStack, .a = emitter.value_of(block)});\n", "")),
    fault("no-spurious-wake-ups", "condition.c",
          ("if (__weir_wakes_early()) return wake_early(waiters, mutex);", "(void)wake_early;")),
    fault("puts-reads-nothing", "print.c",
          ("int puts(const char* text) { return (int)strlen(text) + 1; }",
           "int puts(const char* text) { return (void)text, 4; }")),
    fault("anybody-unlocks", "mutex.c",
          ("__weir_fail(\"unlocks a mutex that it does not hold\");", "return 0;")),
    fault("wait-keeps-the-mutex", "mutex.c",
          ("  *lock_of(mutex) = 0;\n  return 1;\n", "  return 0;\n")),
    fault("signal-wakes-nobody", "condition.h", ("    __weir_wake(woken);\n", "    (void)woken;\n")),
    fault("semaphore-takes-too-many", "semaphore.c", ("__weir_wait_until(value > 0);", "__weir_wait_until(value >= 0);")),
    fault("once-runs-twice", "once.c", ("  if (found == kNotStarted) *control = kInProgress;\n", "")),
    fault("try-lock-always-succeeds", "mutex.c",
          ("int free = *lock_of(mutex) == 0;", "int free = 1;")),
    fault("readers-ignore-the-writer", "rwlock.c",
          ("return writer_of(lock) == 0 && !(prefers_writers(lock) && lock->__data.__writers > 0);", "return 1;")),
    fault("barrier-needs-one-less", "barrier.c", ("members(others) + 1 == size", "members(others) + 2 >= size")),
    fault("free-does-nothing", "memory.c",
          ("void free(void* block) { __weir_free(block); }", "void free(void* block) { (void)block; }")),
    fault("calloc-leaves-what-was-there", "memory.c", ("__weir_allocate_zeroed(bytes)", "__weir_allocate(bytes)")),
    fault("handlers-in-order", "at_exit.c",
          ("static int handler_count;", "static int handler_count, handlers_taken;"),
          ("int found = handler_count > 0;", "int found = handlers_taken < handler_count;"),
          ("handlers[--handler_count]", "handlers[handlers_taken++]")),
    fault("no-destructors-of-values", "thread_values.c", ("  __weir_at_thread_end = destroy_values;\n", "  (void)destroy_values;\n")),
    fault("thread-local-is-shared", "layout/globals.cpp",
          ("usable && variable.isThreadLocal() &&", "false &&"),
          ("if (variable.isThreadLocal()) global.copy_distance", "if (false) global.copy_distance"),
          ("variable.isThreadLocal() ? distance * thread_limit_ : distance", "distance")),
    fault("copy-leaves-out-the-end", "instructions/copy.cpp",
          ("for (std::size_t i = 0; i < count; ++i)\n      in_run(", "for (std::size_t i = 0; i + (count > 1) < count; ++i)\n      in_run(")),
    fault("sign-is-lost", "expressions_llvm.cpp",
          ("case Instruction::SExt: return build_.cast(build_.as_signed(a), to);",
           "case Instruction::SExt: return build_.cast(build_.as_unsigned(a), to);")),
)
