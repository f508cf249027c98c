#!/usr/bin/env python3
"""Programs for n processes, as RMM on standard output: family.py FAMILY N [fenced]

Each begins with the algorithm and with the verdict under TSO. `family.py` alone lists the families.
"""
import sys


def pairs(n):
    """Lists that forbid any two of n processes to be at CS."""
    lists = [" ".join("CS" if p in (i, j) else "*" for p in range(n)) for i in range(n) for j in range(i + 1, n)]
    return " ;\n  ".join(lists)


def text(comment, verdict, forbidden, data, processes):
    declared = "data\n" + "".join(f"  {line}\n" for line in data) + "\n" if data else ""
    return f"// {comment}\n// expect tso: {verdict}\n\nforbidden\n  {forbidden}\n\n{declared}" + "\n".join(processes)


def process(code, copies=1, data=(), registers=()):
    out = f"process({copies})\n" if copies > 1 else "process\n"
    for head, lines in (("data", data), ("registers", registers)):
        if lines:
            out += f"{head}\n" + "".join(f"  {line}\n" for line in lines)
    return out + "text\n  " + ";\n  ".join(code) + "\n"


def sb(n, fenced):
    """store buffering in a ring: each process writes its variable and misses the next one's"""
    fence = ["fence"] if fenced else []
    threads = [process([f"write: x{i} := 1", *fence, f"read: x{(i + 1) % n} = 0", "End: nop"]) for i in range(n)]
    return text(f"SB with {n} processes in a ring{', fenced' * fenced}.", "safe" if fenced else "unsafe",
                " ".join(["End"] * n), [f"x{i} = 0 : [0:1]" for i in range(n)], threads)


def lb(n, _):
    """load buffering in a ring: each process reads what the one before writes afterwards"""
    threads = [process([f"read: x{i} = 1", f"write: x{(i + 1) % n} := 1", "End: nop"]) for i in range(n)]
    return text(f"LB with {n} processes in a ring.", "safe", " ".join(["End"] * n),
                [f"x{i} = 0 : [0:1]" for i in range(n)], threads)


def mutex(n, fenced):
    """naive mutual exclusion: raise the flag, and enter if all others are down"""
    code = ["Start: write: flag[my] := 1", *(["fence"] if fenced else []),
            *(f"read: flag[{k}] = 0" for k in range(n - 1)), "CS: write: flag[my] := 0", "goto Start"]
    return text(f"Naive mutual exclusion for {n} processes, with{'' if fenced else 'out'} a fence behind the flag.",
                "safe" if fenced else "unsafe", pairs(n), [], [process(code, n, ["flag = 0 : [0:1]"])])


def spinlock(n, _):
    """the x86 spinlock of Linux as in Owens (2010): a locked decrement takes it, a plain store gives it back"""
    code = [f"Start: locked {{ read: $x := x; assume: $x > {-n}; write: x := $x - 1 }}", "if $x >= 1 then goto CS",
            "Spin: read: $x := x", "if $x <= 0 then goto Spin", "goto Start", "CS: write: x := 1", "goto Start"]
    return text(f"The x86 spinlock, {n} processes.", "safe", pairs(n), [f"x = 1 : [{-n}:1]"],
                [process(code, n, registers=[f"$x = 0 : [{-n}:1]"])])


def tas(n, _):
    """a test-and-set lock"""
    code = ["Start: cas(lock, 0, 1)", "CS: write: lock := 0", "goto Start"]
    return text(f"A test-and-set lock, {n} processes.", "safe", pairs(n), ["lock = 0 : [0:1]"], [process(code, n)])


def ttas(n, _):
    """a test-and-test-and-set lock"""
    code = ["Start: read: lock = 0", "locked { read: $was := lock; write: lock := 1 }", "if $was = 1 then goto Start",
            "CS: write: lock := 0", "goto Start"]
    return text(f"A test-and-test-and-set lock, {n} processes.", "safe", pairs(n), ["lock = 0 : [0:1]"],
                [process(code, n, registers=["$was = 0 : [0:1]"])])


def ticket(n, _):
    """a ticket lock whose counters wrap around at the number of processes"""
    code = [f"Start: locked {{ read: $ticket := next; assume: $ticket < {n - 1}; write: next := $ticket + 1\n"
            f"  or read: $ticket := next; assume: $ticket = {n - 1}; write: next := 0 }}",
            "read: serving = $ticket", f"CS: if $ticket < {n - 1} then $ticket := $ticket + 1 else $ticket := 0",
            "write: serving := $ticket", "goto Start"]
    return text(f"A ticket lock for {n} processes, counting modulo {n}.", "safe", pairs(n),
                [f"next = 0 : [0:{n - 1}]", f"serving = 0 : [0:{n - 1}]"],
                [process(code, n, registers=[f"$ticket = 0 : [0:{n - 1}]"])])


def lamport(n, fenced):
    """Lamport's fast mutual exclusion (1987, algorithm 2)"""
    fence = ["fence"] if fenced else []
    threads = []
    for me in range(1, n + 1):
        others = [f"read: busy[{k}] = 0" for k in range(n - 1)]
        code = ["Start: write: busy[my] := 1", f"write: x := {me}", *fence, "read: $r := y",
                "if $r != 0 then { write: busy[my] := 0; read: y = 0; goto Start }",
                f"write: y := {me}", *fence, "read: $r := x",
                f"if $r = {me} then goto CS", "write: busy[my] := 0", *fence, *others, "read: $r := y",
                f"if $r != {me} then {{ read: y = 0; goto Start }}",
                "CS: write: y := 0", "write: busy[my] := 0", "goto Start"]
        threads.append(process(code, data=["busy = 0 : [0:1]"], registers=[f"$r = 0 : [0:{n}]"]))
    return text(f"Lamport's fast mutual exclusion (1987) for {n} processes, {'fenced' if fenced else 'without fences'}.",
                "safe" if fenced else "unsafe", pairs(n), [f"x = 0 : [0:{n}]", f"y = 0 : [0:{n}]"], threads)


def burns(n, fenced):
    """the one-bit algorithm of Burns and Lynch (1980)"""
    fence = ["fence"] if fenced else []
    threads = []
    for me in range(n):
        retreat = [f"read: $r := flag[{k}]; if $r = 1 then goto Start" for k in range(me)]
        code = ["Start: write: flag[my] := 0", *fence, *retreat, "write: flag[my] := 1", *fence, *retreat,
                *(f"read: flag[{k}] = 0" for k in range(me, n - 1)), "CS: nop", "goto Start"]
        threads.append(process(code, data=["flag = 0 : [0:1]"], registers=["$r = 0 : [0:1]"]))
    return text(f"The algorithm of Burns and Lynch (1980) for {n} processes, {'fenced' if fenced else 'without fences'}.",
                "safe" if fenced else "unsafe", pairs(n), [], threads)


FAMILIES = {f.__name__: f for f in (sb, lb, mutex, spinlock, tas, ttas, ticket, lamport, burns)}


def main(arguments):
    if len(arguments) not in (2, 3) or arguments[0] not in FAMILIES or arguments[2:] not in ([], ["fenced"]):
        print(__doc__.strip() + "\n")
        for name, family in FAMILIES.items():
            print(f"  {name:10} {family.__doc__}")
        return 1
    print(FAMILIES[arguments[0]](int(arguments[1]), len(arguments) == 3), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
