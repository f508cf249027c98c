"""Random small C programs with what people write, and assertions that sometimes hold.

A program is a list of pieces of text; those marked as removable can be left out one by one, which is how a
disagreement is made smaller. A piece may need another one: then leaving that out does not compile, which is seen.
"""

import dataclasses
import random

HEAD = """#define _GNU_SOURCE
#include <alloca.h>
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
"""

ORDERS = ("memory_order_relaxed", "memory_order_seq_cst", "memory_order_release", "memory_order_acquire",
          "memory_order_acq_rel")
LOADS, STORES = (0, 1, 3), (0, 1, 2)


@dataclasses.dataclass(frozen=True)
class Program:
    pieces: tuple   # of (text, whether it can be left out)
    names: tuple    # what it declares outside of functions
    language: str   # "c" or "cpp"
    head: str       # the headers that it includes

    @property
    def text(self):
        return "".join(text for text, _ in self.pieces)

    def without(self, index):
        return dataclasses.replace(self, pieces=self.pieces[:index] + self.pieces[index + 1:])


class Writer:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.counter = 0
        self.globals = {}  # text by name, in order of first use
        self.setup = []    # at the beginning of main
        self.invariant_lock = None  # one kind for all threads

    def pick(self, *choices):
        return self.random.choice(choices)

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def fresh(self, stem):
        self.counter += 1
        return f"{stem}{self.counter}"

    def need(self, name, text, setup=None):
        if name not in self.globals:
            self.globals[name] = text
            if setup:
                self.setup.append(setup)
        return name

    # What statements are about.

    def variable(self):
        name = self.pick("x", "y")
        return self.need(name, f"{self.pick('int', 'int', 'volatile int')} {name};")

    def atomic(self):
        name = self.pick("a", "b")
        return self.need(name, f"atomic_int {name};")

    def result(self, thread):
        name = f"r{thread}"
        return self.need(name, f"int {name};")

    def pointer(self):
        return self.need("p", self.pick("int* p;", "int* _Atomic p;"))

    def mutex(self):
        kind = self.pick("", "", "recursive", "errorcheck")
        if "m" not in self.globals and kind:
            self.need("m", "pthread_mutex_t m;",
                      "{ pthread_mutexattr_t k; pthread_mutexattr_init(&k); pthread_mutexattr_settype(&k, "
                      f"PTHREAD_MUTEX_{kind.upper()}); pthread_mutex_init(&m, &k); }}")
        return self.need("m", "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;")

    # Statements of a thread. Each returns a text.

    def plain(self, t):
        v = self.variable()
        return self.pick(f"{v} = {self.pick(1, 2)};", f"{self.result(t)} = {v};", f"{v}++;",
                         f"if ({v} == 1) {self.result(t)} = 2;")

    def atomics(self, t):
        a, b = self.atomic(), self.atomic()
        load = ORDERS[self.random.choice(LOADS)]
        store = ORDERS[self.random.choice(STORES)]
        rmw = self.pick(*ORDERS)
        if self.chance(20):
            return self.narrow_atomics(t, load, store, rmw)
        return self.pick(f"atomic_store_explicit(&{a}, {self.pick(1, 2)}, {store});",
                         f"{self.result(t)} = atomic_load_explicit(&{b}, {load});",
                         f"atomic_fetch_add_explicit(&{a}, 1, {rmw});",
                         f"{self.result(t)} = atomic_exchange_explicit(&{b}, 3, {rmw});",
                         f"{{ int e = 0; {self.result(t)} = atomic_compare_exchange_{self.pick('strong', 'strong', 'weak')}(&{a}, &e, 5); }}",
                         f"atomic_thread_fence({rmw});")

    def narrow_atomics(self, t, load, store, rmw):
        name, kind = self.pick(("n8", "_Atomic unsigned char"), ("n16", "_Atomic short"), ("n64", "_Atomic long"))
        self.need(name, f"{kind} {name};")
        return self.pick(f"atomic_store_explicit(&{name}, {self.pick(1, 255, 65535)}, {store});",
                         f"{self.result(t)} = (int)atomic_load_explicit(&{name}, {load});",
                         f"{self.result(t)} = (int)atomic_fetch_{self.pick('add', 'sub', 'or', 'xor')}_explicit(&{name}, 1, {rmw});",
                         f"{self.result(t)} = atomic_load_explicit(&{name}, {load}) < 0;")

    def buffering(self, t):
        """Store one, load the other: what store buffers change."""
        names = ("a", "b") if t % 2 else ("b", "a")
        for name in names:
            self.need(name, f"atomic_int {name};")
        order = ORDERS[self.random.choice(STORES)]
        fence = self.pick("", "", "atomic_thread_fence(memory_order_seq_cst); ")
        return (f"atomic_store_explicit(&{names[0]}, 1, {order}); {fence}"
                f"{self.result(t)} = atomic_load_explicit(&{names[1]}, memory_order_relaxed);")

    def locked(self, t):
        m, inner = self.mutex(), self.plain(t)
        return self.pick(f"pthread_mutex_lock(&{m}); {inner} pthread_mutex_unlock(&{m});",
                         f"pthread_mutex_lock(&{m}); {inner} pthread_mutex_unlock(&{m});",
                         f"{self.result(t)} = pthread_mutex_unlock(&{m}) == EPERM;",
                         f"{self.result(t)} = pthread_mutex_lock(&{m}); if (pthread_mutex_lock(&{m}) == 0) pthread_mutex_unlock(&{m}); {inner} pthread_mutex_unlock(&{m});",
                         f"if (pthread_mutex_trylock(&{m}) == 0) {{ {inner} pthread_mutex_unlock(&{m}); }}")

    def invariant(self, t):
        """Something that is wrong for a moment, while a lock is held, and who looks under the same lock."""
        self.need("guarded", "int guarded;")
        self.invariant_lock = self.invariant_lock or self.pick("mutex", "write", "spin", "semaphore", "c11")
        kind = self.invariant_lock
        if kind == "mutex" and self.chance(40):
            kind = "try"
        if kind in ("mutex", "try"):
            self.mutex()
            lock, unlock = "pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"
        elif kind == "write":
            self.need("l", "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;")
            lock, unlock = "pthread_rwlock_wrlock(&l);", "pthread_rwlock_unlock(&l);"
        elif kind == "spin":
            self.need("sp", "pthread_spinlock_t sp;", "pthread_spin_init(&sp, 0);")
            lock, unlock = "pthread_spin_lock(&sp);", "pthread_spin_unlock(&sp);"
        elif kind == "semaphore":
            self.need("s", "sem_t s;", "sem_init(&s, 0, 1);")
            lock, unlock = "sem_wait(&s);", "sem_post(&s);"
        else:
            self.need("mc", "mtx_t mc;", "mtx_init(&mc, mtx_plain);")
            lock, unlock = "mtx_lock(&mc);", "mtx_unlock(&mc);"
        inner = self.pick("guarded = 3; guarded = 0;", "assert(guarded != 3);", "guarded++; guarded--;", "assert(guarded == 0);")
        if kind == "try":
            return f"if (pthread_mutex_trylock(&m) == 0) {{ {inner} {unlock} }}"
        if kind == "write" and inner.startswith("assert"):
            lock = "pthread_rwlock_rdlock(&l);"
        return f"{lock} {inner} {unlock}"

    def two_locks(self, t):
        self.mutex()
        self.need("n", "pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;")
        first, second = self.pick(("m", "n"), ("n", "m")) if self.chance(40) else ("m", "n")
        return (f"pthread_mutex_lock(&{first}); pthread_mutex_lock(&{second}); {self.plain(t)} "
                f"pthread_mutex_unlock(&{second}); pthread_mutex_unlock(&{first});")

    def condition(self, t):
        self.need("q", "pthread_mutex_t q = PTHREAD_MUTEX_INITIALIZER;")
        self.need("c", "pthread_cond_t c = PTHREAD_COND_INITIALIZER;")
        self.need("ready", "int ready;")
        if self.chance(50):
            return ("pthread_mutex_lock(&q); ready = 1; "
                    f"{self.pick('pthread_cond_signal(&c);', 'pthread_cond_broadcast(&c);')} pthread_mutex_unlock(&q);")
        wait = self.pick("while", "while", "if")
        if self.chance(25):
            return ("{ struct timespec soon = {0, 0}; pthread_mutex_lock(&q); "
                    f"{wait} (!ready && {self.result(t)} == 0) {self.result(t)} = pthread_cond_timedwait(&c, &q, &soon) == ETIMEDOUT; "
                    f"{self.pick('', f'assert(ready || {self.result(t)});', 'assert(ready);')} pthread_mutex_unlock(&q); }}")
        return (f"pthread_mutex_lock(&q); {wait} (!ready) pthread_cond_wait(&c, &q); "
                f"{self.pick('', 'assert(ready);')} pthread_mutex_unlock(&q);")

    def semaphore(self, t):
        self.need("s", "sem_t s;", f"sem_init(&s, 0, {self.pick(0, 1, 1, 2)});")
        return self.pick("sem_post(&s);", f"sem_wait(&s); {self.plain(t)} sem_post(&s);",
                         f"sem_wait(&s); {self.plain(t)} sem_post(&s);",
                         f"if (sem_trywait(&s) == 0) {self.result(t)} = 7;",
                         f"sem_getvalue(&s, &{self.result(t)});")

    def barrier(self, t):
        self.need("w", "pthread_barrier_t w;", f"pthread_barrier_init(&w, 0, {self.pick(2, 2, 2, 1, 3)});")
        return self.pick(f"{self.plain(t)} pthread_barrier_wait(&w);", f"{self.plain(t)} pthread_barrier_wait(&w); {self.asserting(t)}",
                         f"if (pthread_barrier_wait(&w) == PTHREAD_BARRIER_SERIAL_THREAD) {self.plain(t)}")

    def read_write(self, t):
        kind = self.pick("PTHREAD_RWLOCK_INITIALIZER", "PTHREAD_RWLOCK_INITIALIZER",
                         "PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP")
        self.need("l", f"pthread_rwlock_t l = {kind};")
        v = self.variable()
        if self.chance(40):
            return self.pick(f"if (pthread_rwlock_tryrdlock(&l) == 0) {{ {self.result(t)} = {v}; pthread_rwlock_unlock(&l); }}",
                             f"if (pthread_rwlock_trywrlock(&l) == 0) {{ {v} = 2; pthread_rwlock_unlock(&l); }}",
                             f"pthread_rwlock_rdlock(&l); pthread_rwlock_rdlock(&l); {self.result(t)} = {v}; pthread_rwlock_unlock(&l); pthread_rwlock_unlock(&l);")
        return self.pick(f"pthread_rwlock_rdlock(&l); {self.result(t)} = {v}; pthread_rwlock_unlock(&l);",
                         f"pthread_rwlock_wrlock(&l); {v} = 1; pthread_rwlock_unlock(&l);")

    def spin(self, t):
        self.need("sp", "pthread_spinlock_t sp;", "pthread_spin_init(&sp, 0);")
        return self.pick(f"pthread_spin_lock(&sp); {self.plain(t)} pthread_spin_unlock(&sp);",
                         f"if (pthread_spin_trylock(&sp) == 0) {{ {self.plain(t)} pthread_spin_unlock(&sp); }}")

    def once(self, t):
        self.need("o", "pthread_once_t o = PTHREAD_ONCE_INIT;")
        self.need("calls", "int calls;")
        self.need("init", "static void init(void) { calls++; }")
        return "pthread_once(&o, init);" + self.pick("", " assert(calls == 1);")

    def heap(self, t):
        p, k = self.pointer(), self.fresh("h")
        return self.pick(f"{{ int* {k} = malloc(sizeof *{k}); *{k} = {self.pick(1, 2)}; {p} = {k}; }}",
                         f"{{ int* {k} = {p}; if ({k}) {self.result(t)} = *{k}; }}",
                         f"{{ int* {k} = {p}; if ({k}) *{k} = 4; }}",
                         f"{{ int* {k} = malloc(2 * sizeof *{k}); {k}[0] = 1; {k}[1] = 2; {self.result(t)} = {k}[1]; "
                         f"free({k}); {self.pick('', '', f'{self.result(t)} = {k}[0];')} }}",
                         f"{{ int* {k} = {p}; {p} = 0; if ({k}) free({k}); }}",
                         f"{{ int* {k} = calloc(2, sizeof *{k}); {self.result(t)} = {k}[1]; {p} = {k}; }}",
                         f"{{ int* {k} = calloc(1, sizeof *{k}); {k} = realloc({k}, 8); {k}[1] = 2; {self.result(t)} = {k}[0] + {k}[1]; free({k}); }}",
                         f"{{ int* {k} = malloc(sizeof *{k}); {self.pick('', f'*{k} = 1; ')}{self.result(t)} = *{k}; {p} = {k}; }}")

    def stack(self, t):
        """Locals whose address goes elsewhere, and ways to use them too late."""
        p, k = self.pointer(), self.fresh("v")
        self.need("use", "static void use(int* at) { if (at) *at += 1; }")
        self.need("escape", "static void escape(void) { int local = 3; p = &local; }")
        self.need("room", "static void room(void) { int* local = alloca(sizeof(int)); *local = 1; p = local; }")
        return self.pick(f"{{ int {k} = 1; {p} = &{k}; use({p}); {self.pick('', f'{p} = 0;')} }}",
                         f"{{ int {k} = 1; {p} = &{k}; }} {{ int* {k} = {p}; if ({k}) {self.result(t)} = *{k}; }}",
                         f"escape(); {self.pick('', f'{self.result(t)} = *{p};', f'{p} = 0;')}",
                         f"room(); {self.pick('', f'use({p});', f'{p} = 0;')}",
                         f"{p} = &(int){{7}}; {self.result(t)} = *{p};",
                         f"use({p});", self.scopes(t, p, k), self.scopes(t, p, k))

    def scopes(self, t, p, k):
        """Variables that begin and end again and again."""
        return self.pick(f"for (int i = 0; i < 2; i++) {{ int {k} = i; {self.pick(f'use({p}); {p} = &{k};', f'{p} = &{k}; use({p});')} }}",
                         f"{{ int n = 1 + ({self.variable()} & 1); int {k}[n]; {k}[0] = 1; {p} = {k}; }} {self.pick('', f'use({p});', f'{p} = 0;')}",
                         f"{{ {p} = &(int){{5}}; }} {self.pick('', f'use({p});', f'{p} = 0;')}",
                         f"{{ int {k} = 1; {{ int {k} = 2; {p} = &{k}; }} {p} = &{k}; use({p}); {p} = 0; }}",
                         f"switch ({self.variable()}) {{ case 1: {{ int {k} = 4; {p} = &{k}; break; }} default: use({p}); }}",
                         f"{{ int {k} = 0; {k}again: {p} = &{k}; if ({k}++ < 1) goto {k}again; use({p}); {self.pick('', f'{p} = 0;')} }}")

    def values(self, t):
        """Structures and unions by value, fields of bits, pointers to functions."""
        k = self.fresh("z")
        self.need("pair", "struct pair { int first; long second; } g1, g2;")
        self.need("total", "static long total(struct pair by_value) { by_value.first++; return by_value.first + by_value.second; }")
        self.need("made", "static struct pair made(int n) { struct pair result = {n, n + 1}; return result; }")
        self.need("bits", "struct { unsigned low : 3; int middle : 5; unsigned high : 24; } bits;")
        self.need("both", "union { int whole; short half[2]; unsigned char part[4]; } both;")
        v, r = self.variable(), self.result(t)
        return self.pick(f"{{ struct pair {k} = {{{v}, 2}}; {r} = (int)total({k}) - {k}.first; }}",
                         f"g1 = made({v} & 1); {r} = (int)g1.second;", f"{r} = (int)made({v}).second;",
                         f"bits.low = {self.pick(1, 7, 9)}; {r} = bits.middle;", f"bits.middle = {self.pick(-1, 3, 17)}; {r} = bits.middle;",
                         f"{{ union {{ int whole; short half[2]; }} {k} = {{{v}}}; {k}.half[1] = {self.pick(1, -1)}; {r} = {k}.whole < 0; }}",
                         f"both.whole = 258; {r} = both.part[0];", f"{r} = both.half[1] == 0;",
                         f"{{ long (*{k})(struct pair) = {v} ? total : 0; if ({k}) {r} = (int){k}(g2); }}")

    def ending(self, t):
        """What happens when the process or a thread ends."""
        self.need("stage", "int stage;")
        return self.handlers() if t == 2 or self.chance(10) else self.values_of_threads(t)

    def handlers(self):
        self.need("first_end", "static void first_end(void) { stage = stage * 2 + 1; }")
        self.need("second_end", f"static void second_end(void) {{ assert({self.pick('stage == 0', 'stage == 1', 'stage <= 3')}); stage = stage * 2 + 2; }}")
        return self.pick("atexit(first_end); atexit(second_end);", "atexit(second_end); atexit(first_end);",
                         "atexit(first_end);", "atexit(second_end);")

    def values_of_threads(self, t):
        self.need("end_value", f"static void end_value(void* value) {{ {self.pick('stage++;', '*(int*)value += 1;', 'stage++;')} }}")
        self.need("key", "pthread_key_t key;", "pthread_key_create(&key, end_value);")
        v = self.variable()
        return self.pick(f"pthread_setspecific(key, (void*)&{v});", f"pthread_setspecific(key, (void*)&{v});",
                         f"{self.result(t)} = pthread_getspecific(key) != 0;",
                         f"pthread_setspecific(key, (void*)&{v}); pthread_setspecific(key, 0);", "assert(stage <= 1);")

    def c11(self, t):
        """The same as POSIX has, by the names of C11."""
        self.need("mc", "mtx_t mc;", f"mtx_init(&mc, {self.pick('mtx_plain', 'mtx_plain', 'mtx_plain | mtx_recursive')});")
        self.need("of", "once_flag of = ONCE_FLAG_INIT;")
        self.need("counted", "int counted;")
        self.need("count_once", "static void count_once(void) { counted++; }")
        inner = self.plain(t)
        return self.pick(f"mtx_lock(&mc); {inner} mtx_unlock(&mc);",
                         f"if (mtx_trylock(&mc) == thrd_success) {{ {inner} mtx_unlock(&mc); }}",
                         "call_once(&of, count_once);" + self.pick("", " assert(counted == 1);"))

    def library(self, t):
        k = self.fresh("t")
        self.need("pair", "struct pair { int first; long second; } g1, g2;")
        return self.pick(f"{{ char* {k} = malloc(4); strcpy({k}, \"abc\"); {self.pick(f'puts({k}); free({k});', f'free({k}); puts({k});', f'{self.result(t)} = (int)strlen({k}); free({k});', f'free({k}); {self.result(t)} = (int)strlen({k});')} }}",
                         f"{{ int* {k} = malloc(8); {k}[0] = 1; {k}[1] = 2; {self.pick('', f'free({k}); ')}printf(\"%d\\n\", {k}[1]); }}",
                         "{ struct pair one = {1, 2}; memcpy(&g1, &one, sizeof one); g2 = g1; }",
                         f"g1.first = 2; {self.result(t)} = g2.first;",
                         f"{{ char {k}[4]; memset({k}, 1, sizeof {k}); {self.result(t)} = {k}[2]; }}",
                         f"{{ char {k}[8]; snprintf({k}, sizeof {k}, \"%d\", {self.variable()}); {self.result(t)} = {k}[0] - '0'; }}",
                         f"{self.result(t)} = memcmp(&g1, &g2, sizeof g1.first) != 0;",
                         f"{{ char {k}[] = \"ab\"; {self.result(t)} = strcmp({k}, {self.variable()} ? \"ab\" : \"ac\") < 0; }}",
                         f"{{ char* {k} = strdup(\"xyz\"); {self.result(t)} = {k}[1] == 'y'; free({k}); }}",
                         "puts(0);" if self.chance(5) else "puts(\"text\");")

    def arithmetic(self, t):
        v, r = self.variable(), self.result(t)
        return self.pick(f"{{ unsigned char u = (unsigned char)(255 + {v}); {r} = u; }}",
                         f"{r} = 10 / (2 - {v});", f"{r} = 1 << ({v} & 3);", f"{r} = (int)((unsigned)-{v} >> 31);",
                         f"{r} = -7 % ({v} + 2);", f"{{ signed char h = (signed char)(200 + {v}); {r} = h < 0; }}",
                         f"{{ unsigned short h = (unsigned short)(65535 + {v}); {r} = h; }}", f"{r} = (int)(1.5 * {v});",
                         f"{{ long h = -1; {r} = (unsigned)h == 4294967295u && h < {v}; }}", f"{r} = __builtin_popcount((unsigned){v} + 7);", f"{{ short h = (short)(40000 + {v}); {r} = h < 0; }}",
                         f"{{ union {{ int i; unsigned char c[4]; }} u; u.i = 258; {r} = u.c[0] + {v}; }}")

    def arrays(self, t):
        self.need("arr", "int arr[3];")
        v = self.variable()
        return self.pick(f"arr[{v} & 1] = 2;", f"{self.result(t)} = arr[{self.pick(0, 1, 2)}];",
                         f"for (int i = 0; i < 3; i++) arr[i] = i;", f"arr[{v}] = 1;")

    def local_to_thread(self, t):
        self.need("tl", "_Thread_local int tl = 1;")
        return self.pick(f"tl += {t + 1};", "assert(tl >= 1);", f"{self.result(t)} = tl;", "tl++; assert(tl == 2);",
                         f"{self.pointer()} = &tl;")

    def recursion(self, t):
        self.need("sum", "static int sum(int n) { return n ? n + sum(n - 1) : 0; }")
        return f"{self.result(t)} = sum({self.variable()} & 3);"

    def leaving(self, t):
        v = self.variable()
        return self.pick(f"if ({v}) return 0;", "pthread_exit(0);", f"if ({v} == 2) pthread_exit(0);",
                         f"if ({v} == 1) exit(0);", "return 0;", "exit(0);" if self.chance(10) else f"if ({v} == 2) exit(1);")

    def asserting(self, t):
        return self.pick(f"assert({self.variable()} <= 2);", f"assert({self.atomic()} != 3);",
                         f"assert({self.result(t)} != 2);")

    def statement(self, t):
        kinds = (self.plain, self.plain, self.atomics, self.atomics, self.buffering, self.locked, self.two_locks,
                 self.condition, self.semaphore, self.barrier, self.read_write, self.spin, self.once, self.heap,
                 self.heap, self.stack, self.stack, self.library, self.arithmetic, self.arrays,
                 self.local_to_thread, self.recursion, self.leaving, self.asserting, self.values, self.ending, self.c11,
                 self.invariant, self.invariant)
        return self.random.choice(kinds)(t)

    def last_assertion(self):
        known = [name for name in ("x", "y", "a", "b", "r0", "r1", "r2") if name in self.globals]
        if len(known) < 2:
            return "assert(1);"
        first, second = self.random.sample(known, 2)
        return self.pick(f"assert({first} <= 2);", f"assert({first} || {second});", f"assert({first} == {first});",
                         f"assert(!({first} == 1 && {second} == 0));", f"assert({first} + {second} < 4);")

    def program(self):
        threads = [[self.statement(t) for _ in range(self.random.randrange(1, 4))] for t in (0, 1)]
        main = [self.statement(2) for _ in range(self.random.randrange(0, 2))]
        if self.chance(6):
            main.insert(0, self.ending(2))
        main = [text.replace("return 0;", "return 1;") for text in main]
        escapes = self.chance(25)
        joins = self.pick("both", "both", "both", "one", "none")
        last = [self.last_assertion() for _ in range(self.random.randrange(1, 3))]
        after = [self.statement(2)] if self.chance(25) else []
        pieces = [(HEAD, False)]
        pieces += [(text + "\n", True) for text in self.globals.values()]
        for t, statements in enumerate(threads):
            pieces.append((f"static void* worker{t}(void* argument) {{\n", False))
            if escapes:
                pieces.append(("  *(int*)argument += 1;\n", True))
            pieces += [(f"  {text}\n", True) for text in statements]
            pieces.append(("  return argument;\n}\n", False))
        pieces.append(("int main(void) {\n  pthread_t t0, t1;\n  int local = 0;\n", False))
        pieces += [(f"  {text}\n", True) for text in self.setup]
        pieces.append((f"  pthread_create(&t0, 0, worker0, {'&local' if escapes else '0'});\n", True))
        pieces.append((f"  pthread_create(&t1, 0, worker1, {'&local' if escapes else '0'});\n", True))
        pieces += [(f"  {text}\n", True) for text in main]
        if joins != "none":
            pieces.append(("  pthread_join(t0, 0);\n", True))
        if joins == "both":
            pieces.append(("  pthread_join(t1, 0);\n", True))
        pieces += [(f"  {text}\n", True) for text in after + last]
        pieces.append((f"  return {'local & 1' if escapes else '0'};\n}}\n", False))
        names = ["main", "worker0", "worker1", *self.globals, *(("g1", "g2") if "pair" in self.globals else ())]
        return Program(tuple(pieces), tuple(names), "c", HEAD)
