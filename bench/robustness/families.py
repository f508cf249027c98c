#!/usr/bin/env python3
"""Programs that come in sizes, in Trencher's format, on standard output.

    families.py FAMILY [N]

Each begins with what the three memory models make of its goal. `families.py` alone lists the families. Sources are
named by their keys in docs/references.bib.
"""
import sys
import textwrap

UNSAFE = "sc safe, tso unsafe, pso unsafe"
SAFE = "sc safe, tso safe, pso safe"


class Text:
    """Collects the lines of one program."""

    def __init__(self, expect, description):
        self.lines = [f"# expect: {expect}", *(f"# {line}" for line in textwrap.wrap(description, 110)), ""]

    def name(self, address, identifier):
        self.lines.append(f"name {address} {identifier}")

    def thread(self, name, initial, final, *transitions):
        self.lines += ["", f"thread {name}", f"initial {initial}"]
        self.lines += [f"final {state}" for state in final]
        self.lines += [f"transition {transition}" for transition in transitions] + ["end"]

    def __str__(self):
        return "\n".join(self.lines) + "\n"


def lamport(n):
    """Lamport's fast mutex (1987, algorithm 2) for N threads; can the first two be in the critical section?"""
    text = Text(UNSAFE, f"Lamport's fast mutex (1987, algorithm 2) for {n} threads. The goal is that the first two are "
                "in the critical section; the others only add contention.")
    text.name(0, "x")
    text.name(1, "y")
    for i in range(1, n + 1):
        text.name(i + 1, f"b[{i}]")
    for i in range(1, n + 1):
        wait_for_all = []
        for j in range(1, n + 1):
            after = f"w{j + 1}" if j < n else "q11"
            wait_for_all += [f"w{j} v{j} read b {j + 1}", f"v{j} w{j} check != b 0", f"v{j} {after} check == b 0"]
        text.thread(
            f"t{i}", "q0", ["cs"] if i <= 2 else [],
            f"q0 q1 write 1 {i + 1}", f"q1 q2 write {i} 0", "q2 q3 read y 1", "q3 q4 check != y 0", "q3 q7 check == y 0",
            f"q4 q5 write 0 {i + 1}", "q5 q6 read y 1", "q6 q5 check != y 0", "q6 q0 check == y 0",
            f"q7 q8 write {i} 1", "q8 q9 read x 0", f"q9 cs check == x {i}", f"q9 q10 check != x {i}",
            f"q10 w1 write 0 {i + 1}", *wait_for_all,
            "q11 q12 read y 1", f"q12 cs check == y {i}", f"q12 q5 check != y {i}",
            "cs q13 write 0 1", f"q13 q0 write 0 {i + 1}")
    return text


def dekker_branching(n):
    """Figure 5.3 of [Calin16]: between the accesses to x and y, each thread counts another cell up modulo N."""
    text = Text(UNSAFE, f"Dekker's algorithm modified to stress branching, N = {n} (Figure 5.3 of [Calin16]). Between "
                "the store to its own flag and the load of the other's, each thread counts a cell of its own "
                "up, with a branch for each value.")
    for address, identifier in enumerate(("x", "y", "a", "b")):
        text.name(address, identifier)
    for thread, (own, other, cell) in (("t1", (0, 1, 2)), ("t2", (1, 0, 3))):
        branches = []
        for i in range(n):
            branches += [f"q2 b{i} check == r {i}", f"b{i} q3 write {(i + 1) % n} {cell}"]
        text.thread(thread, "q0", ["goal"], f"q0 q1 write 1 {own}", f"q1 q2 read r {cell}", *branches,
                    f"q3 q4 read r {other}", "q4 goal check == r 0")
    return text


def dekker_unwinding(n):
    """Figure 5.4 of [Calin16]: a loop of length N that must be gone through twice while stores are delayed."""
    text = Text(UNSAFE, f"Dekker's algorithm modified to stress unwinding, N = {n} (Figure 5.4 of [Calin16]). The "
                "first thread writes 0 to N - 1 to x, again and again, and wants to see y unset; the second "
                "sets y and wants to see x as 1 and then as 0. So the loop is gone through twice before the "
                "first store leaves the buffer.")
    assert n >= 2, "x must become 1"
    text.name(0, "x")
    text.name(1, "y")
    text.thread("t1", "q0", ["goal"], "q0 q1 write r0 0", "q1 q2 local r0 + r0 1", f"q2 q0 check < r0 {n}",
                f"q2 q3 check >= r0 {n}", "q3 q0 local r0 0", "q3 q4 read r1 1", "q4 goal check == r1 0")
    text.thread("t2", "q0", ["goal"], "q0 q1 write 1 1", "q1 q2 read r2 0", "q2 q3 check == r2 1", "q3 q4 read r2 0",
                "q4 goal check == r2 0")
    return text


def figure_3_3(_):
    """Figure 3.3 of [Calin16]: safe, but neither a plain search nor lazy reachability ever ends."""
    text = Text(SAFE, "Figure 3.3 of [Calin16]: nobody ever reads anything but 0 and 1, so the goal is out of "
                "reach. But buffers grow without bound, and so do the delays that lazy reachability tries.")
    text.name(0, "x")
    text.name(1, "y")
    for thread, own, other in (("t1", 0, 1), ("t2", 1, 0)):
        text.thread(thread, "q0", ["qm"], f"q0 q0 write - 1 r {own}", f"q0 q0 read r {other}", "q0 qm check == r 2")
    return text


def barrier(n):
    """A sense-reversing barrier (Hensgen, Finkel and Manber 1988), passed twice by N threads."""
    text = Text(SAFE, "A sense-reversing barrier (Hensgen, Finkel and Manber 1988; Herlihy and Shavit, 17.3) for "
                f"{n} threads, which pass it twice. The goal is that the first is past the second barrier, at "
                "which the second has not arrived.")
    text.name(0, "missing")
    text.name(1, "sense")
    text.lines.append(f"memory 0 = {n}")
    for i in range(1, n + 1):
        rounds = []
        for k, sense in ((1, 1), (2, 0)):
            rounds += [f"work{k} a{k} lock", f"a{k} b{k} read missing 0", f"b{k} c{k} check == missing 1",
                       f"c{k} d{k} write {n} 0", f"d{k} e{k} unlock", f"e{k} work{k + 1} write {sense} 1",
                       f"b{k} f{k} check != missing 1", f"f{k} g{k} write - missing 1 0", f"g{k} h{k} unlock",
                       f"h{k} i{k} read sense 1", f"i{k} h{k} check != sense {sense}", f"i{k} work{k + 1} check == sense {sense}"]
        # A goal is any combination of marks, so it asks only about the second barrier.
        final = ["work3"] if i == 1 else ["work1", "work2"] if i == 2 else []
        text.thread(f"t{i}", "work1", final, *rounds)
    return text


def two_phase_commit(n):
    """Two-phase commit: a coordinator and N participants that may vote no."""
    text = Text(SAFE, f"Two-phase commit (Gray 1978) with {n} participants, each of which votes as it likes. The "
                "goal is that the first commits and the second aborts.")
    text.name(0, "asked")
    text.name(1, "decision")
    for i in range(1, n + 1):
        text.name(i + 1, f"vote[{i}]")
    collect = []
    for i in range(1, n + 1):
        after = f"c{i + 1}" if i < n else "commit"
        collect += [f"c{i} d{i} read vote {i + 1}", f"d{i} c{i} check == vote 0", f"d{i} {after} check == vote 1",
                    f"d{i} abort check == vote 2"]
    text.thread("coordinator", "q0", [], "q0 c1 write 1 0", *collect, "commit end write 1 1", "abort end write 2 1")
    for i in range(1, n + 1):
        final = {1: ["committed"], 2: ["aborted"]}.get(i, [])
        text.thread(f"p{i}", "q0", final, "q0 q1 read asked 0", "q1 q0 check == asked 0", "q1 q2 check == asked 1",
                    f"q2 q3 write 1 {i + 1}", f"q2 q3 write 2 {i + 1}", "q3 q4 read decision 1", "q4 q3 check == decision 0",
                    "q4 committed check == decision 1", "q4 aborted check == decision 2")
    return text


def ticket(n):
    """A ticket lock that counts up for ever, for N threads."""
    text = Text(SAFE, f"A ticket lock (Reed and Kanodia 1979) for {n} threads. Tickets count up without bound, so no "
                "plain search ends. The goal is that the first two threads are in the critical section.")
    text.name(0, "next")
    text.name(1, "serving")
    for i in range(1, n + 1):
        text.thread(f"t{i}", "q0", ["cs"] if i <= 2 else [], "q0 q1 lock", "q1 q2 read mine 0", "q2 q3 write + mine 1 0",
                    "q3 q4 unlock", "q4 q5 read now 1", "q5 q4 check != now mine", "q5 cs check == now mine",
                    "cs q0 write + mine 1 1")
    return text


def bakery(n):
    """Lamport's bakery (1974) for N threads; numbers grow without bound."""
    text = Text(UNSAFE, f"Lamport's bakery (1974) for {n} threads; numbers grow without bound. The goal is that the "
                "first two threads are in the critical section.")
    for i in range(1, n + 1):
        text.name(i, f"choosing[{i}]")
        text.name(100 + i, f"number[{i}]")
    for i in range(1, n + 1):
        others = [j for j in range(1, n + 1) if j != i]
        steps = [f"q0 q1 write 1 {i}", f"q1 m{others[0]} local largest 0"]
        for j, following in zip(others, [f"m{j}" for j in others[1:]] + ["pick"]):
            steps += [f"m{j} n{j} read r {100 + j}", f"n{j} o{j} check > r largest", f"o{j} {following} local largest r",
                      f"n{j} {following} check <= r largest"]
        steps += [f"pick q2 local mine + largest 1", f"q2 q3 write mine {100 + i}", f"q3 c{others[0]} write 0 {i}"]
        for j, following in zip(others, [f"c{j}" for j in others[1:]] + ["cs"]):
            before_me = f"&& != r 0 {'<=' if j < i else '<'} r mine"
            steps += [f"c{j} d{j} read r {j}", f"d{j} c{j} check != r 0", f"d{j} e{j} check == r 0",
                      f"e{j} f{j} read r {100 + j}", f"f{j} e{j} check {before_me}", f"f{j} {following} check ! {before_me}"]
        text.thread(f"t{i}", "q0", ["cs"] if i <= 2 else [], *steps, f"cs q0 write 0 {100 + i}")
    return text


FAMILIES = {family.__name__: family for family in
            (lamport, dekker_branching, dekker_unwinding, figure_3_3, barrier, two_phase_commit, ticket, bakery)}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in FAMILIES:
        print(__doc__)
        for name, family in FAMILIES.items():
            print(f"    {name:18}{family.__doc__}")
        sys.exit(1)
    sys.stdout.write(str(FAMILIES[sys.argv[1]](int(sys.argv[2]) if len(sys.argv) > 2 else 2)))


if __name__ == "__main__":
    main()
