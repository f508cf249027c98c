"""Random small C++ programs: objects whose constructors and destructors do something, locks and pointers that
objects hold, exceptions and pthread_exit that destroy them, threads and atomics of the standard library. As
programs.py otherwise."""

from programs import Program, Writer

HEAD = """#include <pthread.h>
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
"""

NODE = ("struct Node {\n  int value;\n  explicit Node(int start) : value(start) { alive++; }\n"
        "  Node(const Node& other) : value(other.value) { alive++; }\n  ~Node() { value = -1; alive--; }\n};")
TROUBLE = ("struct Trouble {\n  int code;\n  explicit Trouble(int c) : code(c) {}\n  virtual ~Trouble() {}\n};\n"
           "struct Other {\n  int more = 4;\n};\n"
           "struct Failure : Other, Trouble {\n  explicit Failure(int c) : Trouble(c) {}\n};")
FAILS = ("static void fails(int how) {\n  if (how == 1) throw 1;\n  if (how == 2) throw Failure(2);\n"
         "  if (how == 3) throw std::runtime_error(\"three\");\n}")
HANDLERS = ("catch (int e) {{ {r} = e; }}", "catch (const Trouble& e) {{ {r} = e.code; }}",
            "catch (const Other& e) {{ {r} = e.more; }}", "catch (Failure e) {{ {r} = e.code; }}",
            "catch (const std::exception&) {{ {r} = 3; }}", "catch (...) {{ {r} = 9; }}")
ORDERS = ("std::memory_order_relaxed", "std::memory_order_seq_cst", "std::memory_order_release",
          "std::memory_order_acquire")


class CppWriter(Writer):
    def atomic(self):
        name = self.pick("a", "b")
        return self.need(name, f"std::atomic<int> {name}{{0}};")

    def pointer(self):
        return self.need("p", self.pick("int* p;", "std::atomic<int*> p{nullptr};"))

    def mutex(self):
        return self.need("m", f"{self.pick('std::mutex', 'std::mutex', 'std::recursive_mutex')} m;")

    def mutex_type(self):
        return self.globals[self.mutex()].split()[0]

    def node(self):
        self.need("alive", self.pick("int alive;", "std::atomic<int> alive{0};"))
        return self.need("Node", NODE)

    # Statements.

    def atomics(self, t):
        a, b = self.atomic(), self.atomic()
        store = self.pick(*ORDERS[:3])
        return self.pick(f"{a}.store({self.pick(1, 2)}, {store});", f"{self.result(t)} = {b}.load({self.pick(ORDERS[0], ORDERS[1], ORDERS[3])});",
                         f"{a}.fetch_add(1);", f"{a}++;", f"{self.result(t)} = {b}.exchange(3);", f"{a} = {self.pick(1, 2)};",
                         f"{{ int e = 0; {self.result(t)} = {a}.compare_exchange_strong(e, 5); }}",
                         "std::atomic_thread_fence(std::memory_order_seq_cst);")

    def buffering(self, t):
        names = ("a", "b") if t % 2 else ("b", "a")
        for name in names:
            self.need(name, f"std::atomic<int> {name}{{0}};")
        return (f"{names[0]}.store(1, {self.pick(*ORDERS[:3])}); "
                f"{self.result(t)} = {names[1]}.load(std::memory_order_relaxed);")

    def guarded(self, t):
        kind, inner = self.mutex_type(), self.plain(t)
        g = self.fresh("g")
        return self.pick(f"{{ std::lock_guard<{kind}> {g}(m); {inner} }}", f"{{ std::lock_guard<{kind}> {g}(m); {inner} }}",
                         f"{{ std::unique_lock<{kind}> {g}(m); {inner} {g}.unlock(); {self.plain(t)} }}",
                         f"{{ std::unique_lock<{kind}> {g}(m, std::try_to_lock); if ({g}) {{ {inner} }} }}",
                         f"{{ std::lock_guard<{kind}> {g}(m); if ({self.variable()} == 1) return; {inner} }}",
                         f"{{ std::lock_guard<{kind}> {g}(m); std::lock_guard<{kind}> {g}again(m); {inner} }}"
                         if self.chance(20) else f"m.lock(); {inner} m.unlock();",
                         f"if (m.try_lock()) {{ {inner} m.unlock(); }}")

    def two_guards(self, t):
        self.need("m1", "std::mutex m1;")
        self.need("m2", "std::mutex m2;")
        g = self.fresh("g")
        if self.chance(50):
            return f"{{ std::scoped_lock {g}({self.pick('m1, m2', 'm2, m1')}); {self.plain(t)} }}"
        first, second = self.pick(("m1", "m2"), ("m1", "m2"), ("m2", "m1"))
        return f"{{ std::lock_guard<std::mutex> {g}({first}); std::lock_guard<std::mutex> {g}too({second}); {self.plain(t)} }}"

    def condition(self, t):
        self.need("q", "std::mutex q;")
        self.need("c", "std::condition_variable c;")
        self.need("ready", "bool ready;")
        if self.chance(50):
            return ("{ { std::lock_guard<std::mutex> g(q); ready = true; } "
                    f"{self.pick('c.notify_one();', 'c.notify_all();')} }}")
        wait = self.pick("c.wait(g, [] { return ready; });", "while (!ready) c.wait(g);", "if (!ready) c.wait(g);")
        return f"{{ std::unique_lock<std::mutex> g(q); {wait} {self.pick('', 'assert(ready);')} }}"

    def owned(self, t):
        """Objects on the heap that another object owns."""
        self.node()
        n, r = self.fresh("n"), self.result(t)
        p = self.pointer()
        return self.pick(f"{{ std::unique_ptr<Node> {n}(new Node(1)); {r} = {n}->value; }}",
                         f"{{ auto {n} = std::make_unique<Node>(2); {p} = &{n}->value; }}",
                         f"{{ auto {n} = std::make_unique<Node>(2); auto {n}new = std::move({n}); {r} = {self.pick(f'{n}new', f'{n}new', n)}->value; }}",
                         f"{{ auto {n} = std::make_unique<Node>(1); {n}.reset(); {self.pick('', f'{r} = alive;')} }}",
                         f"{{ auto {n} = std::make_unique<int[]>(2); {n}[1] = 2; {r} = {n}[1]; }}",
                         f"{{ Node* {n} = new Node(3); {p} = &{n}->value; delete {n}; }}",
                         f"{{ Node* {n} = new Node(3); {self.pick(f'delete {n};', f'free({n});') if self.chance(30) else f'delete {n};'} }}",
                         f"{{ int* {n} = {p}; if ({n}) {r} = *{n}; }}")

    def shared(self, t):
        self.node()
        self.need("own", "std::shared_ptr<Node> own;", "own = std::make_shared<Node>(1);")
        n = self.fresh("s")
        return self.pick(f"{{ std::shared_ptr<Node> {n} = own; if ({n}) {self.result(t)} = {n}->value; }}",
                         f"{{ auto {n} = std::make_shared<Node>(4); std::shared_ptr<Node> {n}too = {n}; {self.result(t)} = (int){n}.use_count(); }}")

    def scoped(self, t):
        """Objects in scopes, and what their destructors do."""
        self.node()
        p, n, r = self.pointer(), self.fresh("o"), self.result(t)
        self.need("Setter", "struct Setter {\n  int* target;\n  ~Setter() { if (target) *target = 2; }\n};")
        v = self.need("z", "int z;")
        return self.pick(f"{{ Node {n}(1); {p} = &{n}.value; {self.pick('', f'{p} = nullptr;')} }}",
                         f"{{ Setter {n}{{&{v}}}; {self.plain(t)} }} assert({v} == 2);", f"{{ Setter {n}{{&{v}}}; if ({v}) return; }}",
                         f"{{ Node {n}(1); Node {n}too = {n}; {r} = {n}too.value; }}", f"{r} = Node(5).value;",
                         f"for (int i = 0; i < 2; i++) {{ Node {n}(i); {r} += {n}.value; }}",
                         f"{{ const Node& {n} = Node(6); {r} = {n}.value; }}", "assert(alive >= 0);",
                         f"{{ int* {n} = {p}; if ({n}) *{n} += 1; }}",
                         f"{{ auto {n} = [&] {{ {v}++; }}; {n}(); }}")

    def once(self, t):
        self.need("o", "std::once_flag o;")
        self.need("calls", "int calls;")
        if self.chance(50):
            return "std::call_once(o, [] { calls++; });" + self.pick("", " assert(calls == 1);")
        self.need("Single", "static int singles;\nstruct Single {\n  int value = 1;\n  Single() { singles++; }\n};")
        self.need("single", "static Single& single() {\n  static Single only;\n  return only;\n}")
        return self.pick(f"{self.result(t)} = single().value;", "single().value = 2;", "single(); assert(singles == 1);",
                         "single(); assert(singles == 1);")

    def local_to_thread(self, t):
        self.need("Own", "struct Own {\n  int value = 1;\n};")
        self.need("mine", "thread_local Own mine;")
        return self.pick(f"mine.value += {t + 1};", f"{self.result(t)} = mine.value;", f"{self.pointer()} = &mine.value;",
                         "assert(mine.value >= 1);")

    def how(self):
        """Which exception, or none."""
        self.need("Trouble", TROUBLE)
        self.need("fails", FAILS)
        return self.pick(0, 1, 2, 3, self.variable(), self.variable())

    def handlers(self, t):
        """Mostly all exceptions have one."""
        chosen = [h.format(r=self.result(t)) for h in HANDLERS[:-1] if self.chance(40)]
        if not chosen or self.chance(80):
            chosen.append(HANDLERS[-1].format(r=self.result(t)))
        return " ".join(chosen)

    def throwing(self, t):
        how, handlers, inner = self.how(), self.handlers(t), self.plain(t)
        self.node()
        n, kind, p = self.fresh("e"), self.mutex_type(), self.pointer()
        self.need("thrower", "struct Thrower {\n  Node part{1};\n  explicit Thrower(int how) { fails(how); }\n};")
        self.need("silent", "static void silent(int how) noexcept {\n  fails(how);\n}")
        self.need("kept", "std::exception_ptr kept;")
        return self.pick(f"try {{ {inner} fails({how}); {self.plain(t)} }} {handlers}",
                         f"try {{ std::lock_guard<{kind}> {n}(m); {inner} fails({how}); }} {handlers}",
                         f"try {{ m.lock(); fails({how}); m.unlock(); }} {handlers}" if self.chance(30) else
                         f"try {{ Node {n}(1); fails({how}); }} {handlers}",
                         f"try {{ Node {n}(1); {p} = &{n}.value; fails({how}); {p} = nullptr; }} {handlers}",
                         f"try {{ try {{ fails({how}); }} catch (...) {{ {inner} throw; }} }} {handlers}",
                         f"try {{ try {{ fails({how}); }} catch (int) {{ fails({self.how()}); }} }} {handlers}",
                         f"try {{ delete new Thrower({how}); }} {handlers}",
                         f"try {{ auto {n} = std::make_unique<Thrower>({how}); {self.result(t)} = {n}->part.value; }} {handlers}",
                         f"try {{ fails({how}); }} catch (...) {{ auto {n} = std::current_exception(); try {{ std::rethrow_exception({n}); }} {handlers} }}",
                         f"silent({how});" if self.chance(20) else f"try {{ fails({how}); }} {handlers} assert(alive >= 0);",
                         f"fails({how});" if self.chance(30) else f"try {{ fails({how}); {inner} }} catch (...) {{ }}")

    def exiting(self, t):
        """The thread ends, and its objects are destroyed."""
        self.node()
        n, kind, p, inner = self.fresh("x"), self.mutex_type(), self.pointer(), self.plain(t)
        ends = self.pick("pthread_exit(nullptr);", f"if ({self.variable()}) pthread_exit(nullptr);")
        again = "throw; " if self.chance(80) else ""
        return self.pick(f"{{ std::lock_guard<{kind}> {n}(m); {inner} {ends} }}", f"{{ Node {n}(1); {p} = &{n}.value; {ends} {p} = nullptr; }}",
                         f"try {{ {ends} }} catch (...) {{ {inner} {again}}}", f"try {{ Node {n}(1); {ends} }} catch (int) {{ {inner} }}", ends)

    def leaving(self, t):
        v = self.variable()
        return self.pick(f"if ({v}) return;", f"if ({v} == 1) std::exit(0);", "return;")

    def asserting(self, t):
        return self.pick(f"assert({self.variable()} <= 2);", f"assert({self.atomic()} != 3);",
                         f"assert({self.result(t)} != 2);")

    def statement(self, t):
        kinds = (self.plain, self.atomics, self.atomics, self.buffering, self.guarded, self.guarded, self.two_guards,
                 self.condition, self.owned, self.owned, self.scoped, self.scoped, self.once, self.throwing, self.throwing,
                 self.throwing, self.exiting,
                 self.local_to_thread, self.leaving, self.asserting, self.arithmetic)
        return self.shared(t) if self.chance(2) else self.random.choice(kinds)(t)

    def program(self):
        threads = [[self.statement(t) for _ in range(self.random.randrange(1, 4))] for t in (0, 1)]
        main = [self.statement(2).replace("return;", "return 1;") for _ in range(self.random.randrange(0, 2))]
        after = [self.statement(2).replace("return;", "return 1;")] if self.chance(25) else []
        last = [self.last_assertion()]
        ends = self.pick("join", "join", "join", "join", "detach", "nothing" if self.chance(20) else "join")
        pieces = [(HEAD, False)]
        pieces += [(text + "\n", True) for text in self.globals.values()]
        for t, statements in enumerate(threads):
            pieces.append((f"static void worker{t}() {{\n", False))
            pieces += [(f"  {text}\n", True) for text in statements]
            pieces.append(("}\n", False))
        pieces.append(("int main() {\n", False))
        pieces += [(f"  {text}\n", True) for text in self.setup]
        pieces += [("  std::thread t0(worker0);\n", False), ("  std::thread t1(worker1);\n", False)]
        pieces += [(f"  {text}\n", True) for text in main]
        pieces.append((f"  t0.{'join' if ends == 'nothing' else ends}();\n", False))
        if ends != "nothing":
            pieces.append((f"  t1.{ends}();\n", False))
        pieces += [(f"  {text}\n", True) for text in after + last]
        pieces.append(("  return 0;\n}\n", False))
        return Program(tuple(pieces), (), "cpp", HEAD)
