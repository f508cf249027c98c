#!/usr/bin/env python3
"""Programs for n processes, as RMM on standard output: family.py FAMILY N [fenced | K]

Each begins with the algorithm and with the verdict under TSO. `family.py` alone lists the families, and says what K is
where there is one.
"""
import sys


def pairs(n):
    """Lists that forbid any two of n processes to be at CS."""
    lists = [" ".join("CS" if p in (i, j) else "*" for p in range(n)) for i in range(n) for j in range(i + 1, n)]
    return " ;\n  ".join(lists)


def ordered_pairs(n, one, other, before=0):
    """Lists that forbid one of n processes to be at `one` while another is at `other`, behind `before` others."""
    lists = [" ".join(["*"] * before + [one if p == i else other if p == j else "*" for p in range(n)])
             for i in range(n) for j in range(n) if i != j]
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


def mp(n, _):
    """message passing: one process writes data and flag, all others see the flag and miss the data"""
    threads = [process(["write: x := 1", "write: y := 1"])]
    threads += [process(["read: y = 1", "read: x = 0", "End: nop"]) for _ in range(n - 1)]
    return text(f"MP with one writer and {n - 1} reader{'s' * (n > 2)}.", "safe", " ".join(["*"] + ["End"] * (n - 1)),
                ["x = 0 : [0:1]", "y = 0 : [0:1]"], threads)


def relay(n, title, first):
    """The first process writes `first`, the others tell each other, and the last of n, at least 3, misses x."""
    told = [*first, *(f"x{i}" for i in range(len(first), n - 2 + len(first)))]
    threads = [process([f"write: {name} := 1" for name in first])]
    threads += [process([f"read: {source} = 1", f"write: {name} := 1"])
                for source, name in zip(told[len(first) - 1:], told[len(first):])]
    threads.append(process([f"read: {told[-1]} = 1", "read: x = 0", "End: nop"]))
    return text(f"{title} with {n} processes in a chain.", "safe", " ".join(["*"] * (n - 1) + ["End"]),
                [f"{name} = 0 : [0:1]" for name in told], threads)


def causality(n, title, first):
    """One process sees the store of the first and misses that of the next; all others write and miss the next one's."""
    seen = first[-1]
    ring = [f"y{i}" for i in range(1, n - 1)] + ["x"]
    threads = [process([f"write: {name} := 1" for name in first]),
               process([f"read: {seen} = 1", f"read: {ring[0]} = 0", "End: nop"])]
    threads += [process([f"write: {own} := 1", f"read: {missed} = 0", "End: nop"])
                for own, missed in zip(ring, ring[1:])]
    return text(f"{title} with {n} processes, of which {n - 2} store and load.", "unsafe",
                " ".join(["*"] + ["End"] * (n - 1)),
                [f"{name} = 0 : [0:1]" for name in dict.fromkeys([*first, *ring])], threads)


def wrc(n, _):
    """write to read causality in a chain: the store, n - 2 processes that pass on what they saw, and who misses it"""
    return relay(n, "WRC", ["x"])


def isa2(n, _):
    """message passing by way of n - 2 other processes in a chain"""
    return relay(n, "ISA2", ["x", "x1"])


def rwc(n, _):
    """read to write causality: one sees a store and misses the next, n - 2 write and miss the next one's, in a ring"""
    return causality(n, "RWC", ["x"])


def wrwc(n, _):
    """W+RWC: the same with a first process that announces its store by another one"""
    return causality(n, "W+RWC", ["x", "z"])


def iriw(n, _):
    """independent writes, n / 2 of them, and as many readers in a ring: each sees one and misses the next"""
    half = n // 2
    threads = [process([f"write: x{i} := 1"]) for i in range(half)]
    threads += [process([f"read: x{i} = 1", f"read: x{(i + 1) % half} = 0", "End: nop"]) for i in range(half)]
    return text(f"IRIW with {half} writers and {half} readers in a ring.", "safe",
                " ".join(["*"] * half + ["End"] * half), [f"x{i} = 0 : [0:1]" for i in range(half)], threads)


def mutex(n, fenced):
    """naive mutual exclusion: raise the flag, and enter if all others are down"""
    code = ["Start: write: flag[my] := 1", *(["fence"] if fenced else []),
            *(f"read: flag[{k}] = 0" for k in range(n - 1)), "CS: write: flag[my] := 0", "goto Start"]
    return text(f"Naive mutual exclusion for {n} processes, with{'' if fenced else 'out'} a fence behind the flag.",
                "safe" if fenced else "unsafe", pairs(n), [], [process(code, n, ["flag = 0 : [0:1]"])])


def spinlock(n, most):
    """the x86 spinlock of Linux as in Owens (2010): a locked decrement takes it, a plain store gives it back; whoever
             would count below -K (or -n) waits, so with a K below n - 1 this is less than the lock"""
    most = most or n
    code = [f"Start: locked {{ read: $x := x; assume: $x > {-most}; write: x := $x - 1 }}", "if $x >= 1 then goto CS",
            "Spin: read: $x := x", "if $x <= 0 then goto Spin", "goto Start", "CS: write: x := 1", "goto Start"]
    return text(f"The x86 spinlock, {n} processes, counting down to {-most}.", "safe", pairs(n),
                [f"x = 1 : [{-most}:1]"], [process(code, n, registers=[f"$x = 0 : [{-most}:1]"])])


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


def ticket(n, wrap):
    """a ticket lock whose counters wrap around at K, or at the number of processes: right for up to K of them"""
    wrap = wrap or n
    last = wrap - 1
    code = [f"Start: locked {{ read: $ticket := next; assume: $ticket < {last}; write: next := $ticket + 1\n"
            f"  or read: $ticket := next; assume: $ticket = {last}; write: next := 0 }}",
            "read: serving = $ticket", f"CS: if $ticket < {last} then $ticket := $ticket + 1 else $ticket := 0",
            "write: serving := $ticket", "goto Start"]
    return text(f"A ticket lock for {n} processes, counting modulo {wrap}.", "safe" if n <= wrap else "unsafe",
                pairs(n), [f"next = 0 : [0:{last}]", f"serving = 0 : [0:{last}]"],
                [process(code, n, registers=[f"$ticket = 0 : [0:{last}]"])])


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


def nbw(n, messages):
    """the non-blocking write protocol (Kopetz and Reisinger 1993) with n - 1 readers: K messages of two words, or 1;
             writers take a lock, so that there may be several"""
    messages = messages or 1
    last = 2 * messages
    writer = ["Start: cas(lock, 0, 1)", "read: $count := count", "read: $word := first",
              f"if $count < {last} then {{ write: count := $count + 1; write: first := $word + 1; "
              "write: second := $word + 1; write: count := $count + 2 }", "write: lock := 0", "goto Start"]
    odd = " || ".join(f"$before = {count}" for count in range(1, last, 2))
    reader = ["Start: read: $before := count", f"if {odd} then goto Start", "read: $first := first",
              "read: $second := second", "read: $after := count", "if $before != $after then goto Start",
              "if $first = $second then goto Start", "Torn: nop"]
    torn = [" ".join("Torn" if p == i else "*" for p in range(n)) for i in range(1, n)]
    counts, words = f"[0:{last}]", f"[0:{messages}]"
    return text(f"The non-blocking write protocol, one writer and {n - 1} reader{'s' * (n > 2)}, "
                f"{messages} message{'s' * (messages > 1)}.", "safe", " ;\n  ".join(torn),
                ["lock = 0 : [0:1]", f"count = 0 : {counts}", f"first = 0 : {words}", f"second = 0 : {words}"],
                [process(writer, registers=[f"$count = 0 : {counts}", f"$word = 0 : {words}"]),
                 process(reader, n - 1, registers=[f"$before = 0 : {counts}", f"$after = 0 : {counts}",
                                                   f"$first = 0 : {words}", f"$second = 0 : {words}"])])


def barrier(n, _):
    """a sense-reversing barrier (Mellor-Crummey and Scott 1991) that n processes pass twice"""
    arrive = "locked { read: $count := count; assume: $count > 0; write: count := $count - 1 }"
    code = []
    for before, after, sense in (("First", "Past", 1), ("Second", "Done", 0)):
        code += [f"{before}: {arrive}", f"if $count = 1 then {{ write: count := {n}; write: sense := {sense} }} "
                 f"else read: sense = {sense}", f"{after}: nop"]
    return text(f"A sense-reversing barrier that {n} processes pass twice.", "safe",
                f"{ordered_pairs(n, 'First', 'Past')} ;\n  {ordered_pairs(n, 'Second', 'Done')}",
                [f"count = {n} : [0:{n}]", "sense = 0 : [0:1]"],
                [process(code, n, registers=[f"$count = 0 : [0:{n}]"])])


def arbiter(n, _):
    """an arbiter that grants a resource to n clients, one at a time, by variables"""
    serve = "\n  or ".join(f"read: request{i} = 1; write: grant{i} := 1; read: request{i} = 0; write: grant{i} := 0"
                           for i in range(n))
    threads = [process([f"Serve: either {{ {serve} }}", "goto Serve"])]
    threads += [process([f"Start: write: request{i} := 1", f"read: grant{i} = 1", f"CS: write: request{i} := 0",
                         f"read: grant{i} = 0", "goto Start"]) for i in range(n)]
    lists = pairs(n).replace("\n  ", "\n  * ")
    return text(f"An arbiter with {n} clients.", "safe", f"* {lists}",
                [f"{name}{i} = 0 : [0:1]" for name in ("request", "grant") for i in range(n)], threads)


def commit(n, _):
    """two-phase commit (Gray 1978) with a coordinator and n participants; 1 is yes or commit, 2 is no or abort"""
    all_yes = "; ".join(f"read: vote{i} = 1" for i in range(n)) + "; write: decision := 1"
    one_no = [f"read: vote{i} = 2; write: decision := 2" for i in range(n)]
    decide = "\n  or ".join([all_yes, *one_no])
    threads = [process([f"either {{ {decide} }}"])]
    threads += [process([f"either {{ write: vote{i} := 2; goto Aborted or write: vote{i} := 1 }}",
                         "either { read: decision = 2; goto Aborted or read: decision = 1 }",
                         "Committed: nop", "goto End", "Aborted: nop", "End: nop"]) for i in range(n)]
    return text(f"Two-phase commit with {n} participants.", "safe", ordered_pairs(n, "Committed", "Aborted", 1),
                [*(f"vote{i} = 0 : [0:2]" for i in range(n)), "decision = 0 : [0:2]"], threads)


FAMILIES = {f.__name__: f for f in (sb, lb, mp, wrc, isa2, rwc, wrwc, iriw, mutex, spinlock, tas, ttas, ticket, lamport,
                                    burns, nbw, barrier, arbiter, commit)}
FENCED = (sb, mutex, lamport, burns)
COUNTING = (ticket, spinlock, nbw)
LEAST = {wrc: 3, isa2: 3, rwc: 3, wrwc: 3, iriw: 4}  # processes; 2 for the others


def variant(family, words):
    """The last argument of a family: whether there are fences, or a number; None if it has no such argument."""
    if words == []:
        return 0
    if len(words) == 1 and words[0] == "fenced" and family in FENCED:
        return 1
    if len(words) == 1 and words[0].isdecimal() and int(words[0]) > 0 and family in COUNTING:
        return int(words[0])
    return None


def program(arguments):
    """The program that the arguments ask for; None if they ask for none."""
    if len(arguments) < 2 or arguments[0] not in FAMILIES or not arguments[1].isdecimal():
        return None
    family, n = FAMILIES[arguments[0]], int(arguments[1])
    chosen = variant(family, arguments[2:])
    if chosen is None or n < LEAST.get(family, 2) or (family is iriw and n % 2):
        return None
    return family(n, chosen)


def main(arguments):
    made = program(arguments)
    if made is None:
        print(__doc__.strip() + "\n")
        for name, family in FAMILIES.items():
            print(f"  {name:10} {family.__doc__}")
        return 1
    print(made, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
