#!/usr/bin/env python3
"""Compares Weir with a small machine of its own on random concurrent C programs.

Usage: random_litmus.py PATH_TO_WEIR [--count N] [--seed N] [--keep FOLDER]

Two or three threads store, load, exchange, fence, and use mutexes, spin locks and semaphores. This file executes them
in all ways under SC, TSO and PSO, by the plainest search over the rules of docs/semantics.md, and picks outcomes; the C
program asserts that an outcome does not occur, and Weir must find it exactly under the models that have it.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "schema"))
import validation  # noqa: E402: found by the line above

VARIABLES = ("x", "y", "z")
MODELS = ("sc", "tso", "pso")
BARRIER = ("barrier", 0)
SECONDS = 120

# --- The machine. An operation is a tuple; registers are numbered per thread. ---


class Machine:
    def __init__(self, threads, model):
        self.threads = threads
        self.model = model

    def initial(self):
        memory = tuple((name, 0) for name in VARIABLES + ("mutex", "spin", "semaphore"))
        return memory, tuple((0, (), ()) for _ in self.threads)  # position, registers, buffer

    def outcomes(self):
        seen, stack, found = set(), [self.initial()], set()
        while stack:
            state = stack.pop()
            if state in seen:
                continue
            seen.add(state)
            following = list(self.steps(state))
            if not following:
                memory, threads = state
                if all(position == len(code) for (position, _, _), code in zip(threads, self.threads)):
                    registers = tuple(registers for _, registers, _ in threads)
                    found.add((registers, tuple(dict(memory)[v] for v in VARIABLES)))
            stack.extend(following)
        return found

    def steps(self, state):
        memory, threads = state
        for t, (position, registers, buffer) in enumerate(threads):
            for after in self.flushes(buffer):
                (name, value), rest = after
                yield self.with_thread(state, t, (position, registers, rest), {name: value})
            if position < len(self.threads[t]):
                yield from self.execute(state, t, self.threads[t][position])

    def flushes(self, buffer):
        """Every (store, buffer without it) that may reach memory now."""
        seen = set()
        for i, entry in enumerate(buffer):
            if entry == BARRIER:
                return
            if entry[0] not in seen:
                rest = list(buffer[:i] + buffer[i + 1:])
                while rest and rest[0] == BARRIER:
                    rest.pop(0)
                yield entry, tuple(rest)
            seen.add(entry[0])
            if self.model == "tso":
                return

    @staticmethod
    def with_thread(state, t, thread, changes):
        memory, threads = state
        memory = tuple((name, changes.get(name, value)) for name, value in memory)
        return memory, threads[:t] + (thread,) + threads[t + 1:]

    def execute(self, state, t, operation):
        memory, threads = state
        position, registers, buffer = threads[t]
        kind, cells = operation[0], dict(memory)

        def move(changes=None, registers=registers, buffer=buffer):
            return self.with_thread(state, t, (position + 1, registers, buffer), changes or {})

        def add(entries):
            result = buffer
            for entry in entries:
                if entry == BARRIER and (not result or result[-1] == BARRIER):
                    continue
                result += (entry,)
            return result

        if kind == "load":
            own = [value for name, value in buffer if name == operation[1]]
            yield move(registers=registers + (own[-1] if own else cells[operation[1]],))
        elif kind in ("store", "release", "spin_unlock"):
            name, value = ("spin", 0) if kind == "spin_unlock" else operation[1:]
            if self.model == "sc":
                yield move({name: value})
            else:
                barrier = [BARRIER] if self.model == "pso" and kind != "store" else []
                yield move(buffer=add(barrier + [(name, value)]))
        elif kind == "release_fence":
            yield move(buffer=add([BARRIER]) if self.model == "pso" else buffer)
        elif kind in ("nothing", "signal"):
            yield move()
        elif not buffer:
            yield from self.drained(kind, operation, cells, registers, move)

    @staticmethod
    def drained(kind, operation, cells, registers, move):
        """What needs an empty buffer."""
        if kind == "fence":
            yield move()
        elif kind == "sequential":
            yield move({operation[1]: operation[2]})
        elif kind == "exchange":
            yield move({operation[1]: operation[2]}, registers=registers + (cells[operation[1]],))
        elif kind == "compare":
            name, expected, value = operation[1:]
            old = cells[name]
            yield move({name: value} if old == expected else {}, registers=registers + (old,))
        elif kind in ("mutex_lock", "spin_lock", "semaphore_wait"):
            name = kind.rsplit("_", 1)[0]
            if cells[name] == 0:
                yield move({name: 1})
        elif kind in ("mutex_unlock", "semaphore_post"):
            yield move({kind.rsplit("_", 1)[0]: 0})


# --- Programs. ---

SECTIONS = (("mutex_lock", "mutex_unlock"), ("spin_lock", "spin_unlock"), ("semaphore_wait", "semaphore_post"))


def random_operation(r):
    name, value = r.choice(VARIABLES[:2] if r.random() < 0.7 else VARIABLES), r.randrange(1, 3)
    kind = r.choice(["load"] * 5 + ["store"] * 5 + ["release", "sequential", "fence", "release_fence", "exchange",
                                                    "compare", "nothing", "signal"])
    if kind in ("fence", "release_fence", "nothing", "signal"):
        return (kind,)
    if kind == "load":
        return (kind, name)
    if kind == "compare":
        return (kind, name, r.randrange(0, 2), value)
    return (kind, name, value)


def random_thread(r, most):
    operations = [random_operation(r) for _ in range(r.randrange(2, most + 1))]
    if r.random() < 0.4:
        begin, end = r.choice(SECTIONS)
        at = r.randrange(len(operations))
        until = r.randrange(at, len(operations)) + 1
        operations = operations[:at] + [(begin,)] + operations[at:until] + [(end,)] + operations[until:]
    return operations


def c_statement(t, operation, register):
    kind, rest = operation[0], operation[1:]
    target = f"r{t}_{register}"
    return {
        "load": lambda: f"{target} = atomic_load_explicit(&{rest[0]}, memory_order_relaxed);",
        "store": lambda: f"atomic_store_explicit(&{rest[0]}, {rest[1]}, memory_order_relaxed);",
        "release": lambda: f"atomic_store_explicit(&{rest[0]}, {rest[1]}, memory_order_release);",
        "sequential": lambda: f"atomic_store(&{rest[0]}, {rest[1]});",
        "fence": lambda: "atomic_thread_fence(memory_order_seq_cst);",
        "release_fence": lambda: "atomic_thread_fence(memory_order_release);",
        "exchange": lambda: f"{target} = atomic_exchange_explicit(&{rest[0]}, {rest[1]}, memory_order_relaxed);",
        "compare": lambda: f"{target} = __sync_val_compare_and_swap((int*)&{rest[0]}, {rest[1]}, {rest[2]});",
        "nothing": lambda: '__asm__ volatile("" ::: "memory");',
        "signal": lambda: "pthread_cond_signal(&condition);",
        "mutex_lock": lambda: "pthread_mutex_lock(&mutex);",
        "mutex_unlock": lambda: "pthread_mutex_unlock(&mutex);",
        "spin_lock": lambda: "pthread_spin_lock(&spin);",
        "spin_unlock": lambda: "pthread_spin_unlock(&spin);",
        "semaphore_wait": lambda: "sem_wait(&semaphore);",
        "semaphore_post": lambda: "sem_post(&semaphore);",
    }[kind]()


READS = ("load", "exchange", "compare")


def c_program(threads, outcome):
    """Registers are locals until the thread ends, then they go to globals: their stores must order nothing."""
    lines = ["#include <assert.h>", "#include <pthread.h>", "#include <semaphore.h>", "#include <stdatomic.h>", "",
             f"static atomic_int {', '.join(VARIABLES)};",
             "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;",
             "static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;",
             "static pthread_spinlock_t spin;", "static sem_t semaphore;"]
    conditions = []
    for t, code in enumerate(threads):
        count = sum(operation[0] in READS for operation in code)
        lines += [f"static int result{t}[{max(count, 1)}];", f"static void* thread{t}(void* unused) {{"]
        lines += [f"  int {', '.join(f'r{t}_{i} = 0' for i in range(count))};"] if count else []
        register = 0
        for operation in code:
            lines.append("  " + c_statement(t, operation, register))
            register += operation[0] in READS
        for i in range(count):
            lines.append(f"  result{t}[{i}] = r{t}_{i};")
            conditions.append(f"result{t}[{i}] == {outcome[0][t][i]}")
        lines += ["  return unused;", "}"]
    conditions += [f"{name} == {value}" for name, value in zip(VARIABLES, outcome[1])]
    creates = [f"  pthread_create(&t{t}, NULL, thread{t}, NULL);" for t in range(len(threads))]
    joins = [f"  pthread_join(t{t}, NULL);" for t in range(len(threads))]
    lines += ["int main(void) {", "  pthread_spin_init(&spin, 0);", "  sem_init(&semaphore, 0, 1);",
              f"  pthread_t {', '.join(f't{t}' for t in range(len(threads)))};", *creates, *joins,
              f"  assert(!({' && '.join(conditions)}));", "  return 0;", "}", ""]
    return "\n".join(lines)


def check(weir, source, model):
    done = subprocess.run([weir, "check", "--json", "--model", model, str(source)], capture_output=True, text=True,
                          timeout=SECONDS)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        return "no answer: " + done.stderr[:500]
    if mistakes := validation.mistakes(answer, validation.SCHEMAS["answer"]):
        return f"the answer does not fit its schema: {mistakes}"
    if answer["verdict"] == "unsafe" and answer["violation"]["kind"] != "assertion":
        return "unsafe: " + json.dumps(answer["violation"])
    return answer["verdict"]


def pick_outcomes(r, found):
    """One that only a weak model has, if there is one, and one that looks likely but is in no model, or any."""
    picked = [min(weaker) for weaker in (found["tso"] - found["sc"], found["pso"] - found["tso"]) if weaker]
    registers, memory = r.choice(sorted(found["pso"]))
    changed = tuple(tuple(r.randrange(0, 3) if r.random() < 0.5 else v for v in thread) for thread in registers)
    return picked + [(changed, memory)]


def compare(weir, seed, folder):
    r = random.Random(seed)
    threads = [random_thread(r, 4) for _ in range(2)] if r.random() < 0.7 else [random_thread(r, 2) for _ in range(3)]
    found = {model: Machine(threads, model).outcomes() for model in MODELS}
    problems = []
    for i, outcome in enumerate(pick_outcomes(r, found)):
        source = pathlib.Path(folder) / f"litmus_{seed}_{i}.c"
        source.write_text(c_program(threads, outcome))
        for model in MODELS:
            wanted = "unsafe" if outcome in found[model] else "safe"
            answer = check(weir, source, model)
            if answer != wanted:
                problems.append(f"{source}: {model}: {answer} instead of {wanted}")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("weir")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", default="")
    arguments = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or temporary
        os.makedirs(folder, exist_ok=True)
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            problems = compare(os.path.abspath(arguments.weir), seed, folder)
            failed += bool(problems)
            print("\n".join(problems), end="\n" if problems else "", flush=True)
    print(f"{arguments.count - failed} of {arguments.count} random programs have the outcomes they must have")
    return 1 if failed else 0


sys.exit(main())
