#!/usr/bin/env python3
"""How many configurations `weir check --engine dual` needs on the programs of this folder, and in what time.

    run.py [--quick] [--weir PATH] [--only TEXT] [--timeout SECONDS] [--json FILE] [--plot FILE.svg]

Three tables: the programs and numbers of processes of Table 1 of [Abdulla16], larger ones, and any number of
processes as in Table 2. A row has the verdict, configurations generated and kept, and seconds of processor time, with
the start of the process (the least of five runs, if they are short); beside them what the paper says (generated), and
what its public code needs on a machine like ours (kept), each followed by how many times as much that is.

Every verdict is compared with the one that the program promises, and with that of the explicit engine where that
comes to an answer in time; for any number of processes the explicit engine runs with 1, 2 and 3 copies of each. A
wrong verdict or a failed run is said below the tables, and makes the exit code 1. The last line says whether every
count is at most the paper's, and every time at most a tenth of it; a time that the paper gives as 0.0 has no tenth,
ours must then be below 0.05. `--plot` draws seconds over the number of processes, as Figure 3 does.
"""
import argparse
import dataclasses
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
sys.dont_write_bytecode = True  # leave no cache next to the sources
import family
from plot import MARGIN, IntegerAxis, LogAxis, Plot

REPEATED_BELOW = 1.0  # seconds
REPETITIONS = 5
PAPER_RESOLUTION = 0.05  # what the paper rounds to 0.0 is below this
COPIES = (1, 2, 3)


@dataclasses.dataclass(frozen=True)
class Published:
    """What others needed. No count: they do not say. `gave_up`: `seconds` were not enough."""

    seconds: float
    count: int | None = None
    gave_up: bool = False


@dataclasses.dataclass(frozen=True)
class Row:
    """A program, as a file of this folder or as arguments of family.py. `threads` is the least number of processes for
    a violation if their number is not given; 0 if there is none."""

    name: str
    source: str
    paper: Published | None = None
    public: Published | None = None
    threads: int | None = None

    @property
    def any_number(self):
        return self.threads is not None


TABLE_1 = [
    Row("SB 5", "sb 5", Published(0.3, 10641)),
    Row("LB 3", "lb 3", Published(0.0, 2048)),
    Row("WRC 4", "wrc 4", Published(0.0, 1507)),
    Row("ISA2 3", "isa2 3", Published(0.0, 509)),
    Row("RWC 5", "rwc 5", Published(0.1, 4277)),
    Row("W+RWC 4", "wrwc 4", Published(0.0, 1713)),
    Row("IRIW 4", "iriw 4", Published(0.0, 520)),
    Row("MP 4", "mp 4", Published(0.0, 883)),
    Row("NBW 2, one message", "nbw 2", Published(0.0, 222)),
    Row("NBW 2, two messages", "nbw_w_wr.rmm", Published(0.0, 222)),
    Row("barrier 2", "barrier.rmm", Published(0.1, 1704), Published(0.01, 617)),
    Row("Dekker 2", "dekker.rmm", Published(0.1, 5053)),
    Row("Dekker 2 fenced", "dekker_fenced.rmm", Published(0.1, 5053), Published(0.04, 1849)),
    Row("Dekker simple 2", "dekker_simple.rmm", Published(0.0, 98)),
    Row("Peterson 2", "peterson.rmm", Published(0.1, 5442)),
    Row("Peterson 2 fenced", "peterson_fenced.rmm", Published(0.1, 5442), Published(0.05, 1776)),
    Row("Peterson loop 2", "peterson_loop.rmm", Published(0.2, 7632)),
    Row("Szymanski 2", "szymanski.rmm", Published(0.6, 29018)),
    Row("ticket spinlock 3", "ticket_spinlock.rmm", Published(0.9, 18963)),
    Row("bakery 2", "bakery.rmm", Published(2.6, 82050)),
    Row("Dijkstra 2", "dijkstra.rmm", Published(0.2, 8324)),
    Row("Lamport fast 3", "lamport 3", Published(17.7, 292543), Published(0.14, 10817)),
    Row("Lamport fast 3 fenced", "lamport 3 fenced", Published(17.7, 292543), Published(0.16, 8127)),
    Row("Burns 4", "burns 4", Published(124.3, 2762578)),
    Row("Burns 4 fenced", "burns 4 fenced", Published(124.3, 2762578)),
]

LARGER = [
    Row("naive mutex 2 fenced", "mutex 2 fenced", public=Published(0.00, 38)),
    Row("naive mutex 3 fenced", "mutex 3 fenced", public=Published(0.01, 258)),
    Row("naive mutex 4 fenced", "mutex 4 fenced", public=Published(0.06, 1452)),
    Row("naive mutex 5 fenced", "mutex 5 fenced", public=Published(0.62, 7398)),
    Row("naive mutex 6 fenced", "mutex 6 fenced"),
    Row("naive mutex 6", "mutex 6"),
    Row("x86 spinlock 2", "spinlock 2", public=Published(0.01, 84)),
    Row("x86 spinlock 3", "spinlock 3", public=Published(0.02, 728)),
    Row("x86 spinlock 4", "spinlock 4", public=Published(0.2, 5136)),
    Row("x86 spinlock 6", "spinlock 6", public=Published(60, gave_up=True)),
    Row("Lamport fast 2 fenced", "lamport 2 fenced", public=Published(0.01, 196)),
    Row("Lamport fast 4 fenced", "lamport 4 fenced", public=Published(12.3, 281957)),
    Row("Lamport fast 4", "lamport 4"),
    Row("barrier 3", "barrier 3", public=Published(60, gave_up=True)),
    Row("barrier 4", "barrier 4"),
    Row("arbiter 2", "arbiter.rmm", public=Published(0.6, 22572)),
    Row("arbiter 3", "arbiter 3", public=Published(60, gave_up=True)),
    Row("two-phase commit 2", "two_phase_commit.rmm", public=Published(0.2, 6092)),
    Row("two-phase commit 3", "commit 3", public=Published(26, 417927)),
    Row("Burns 3", "burns 3", public=Published(0.20, 7274)),
    Row("Burns 3 fenced", "burns 3 fenced", public=Published(0.06, 2332)),
    Row("Burns 5", "burns 5"),
    Row("Burns 5 fenced", "burns 5 fenced"),
    *(Row(f"ticket lock {n} modulo {wrap}", f"ticket {n} {wrap}") for wrap in (2, 3, 4) for n in (wrap, wrap + 1)),
]
SLOW = ("lamport 4", "lamport 4 fenced", "arbiter 3")  # left out by --quick

TABLE_2 = [
    Row("SB", "sb.rmm", Published(0.0, 147), Published(0.01), threads=2),
    Row("LB", "lb.rmm", Published(0.6, 1028), Published(0.03), threads=0),
    Row("MP", "mp.rmm", Published(0.0, 149), Published(0.01), threads=0),
    Row("WRC", "wrc.rmm", Published(0.8, 618), Published(0.12), threads=0),
    Row("ISA2", "isa2.rmm", Published(4.3, 1539), Published(0.82), threads=0),
    Row("RWC", "rwc.rmm", Published(0.2, 293), Published(0.04), threads=3),
    Row("W+RWC", "w+rwc.rmm", Published(1.5, 828), Published(0.26), threads=3),
    Row("IRIW", "iriw.rmm", Published(4.6, 648), Published(1.03), threads=0),
    Row("NBW, one message", "nbw 2", public=Published(0.37), threads=0),
    Row("NBW, two messages", "nbw 2 2", public=Published(0.37), threads=0),
    Row("NBW, writers without a lock", "nbw_w_wr.rmm", threads=3),
    Row("test-and-set", "tas 2", threads=0),
    Row("test-and-test-and-set", "ttas 2", threads=0),
    Row("x86 spinlock down to -2", "spinlock 2 2", threads=0),
    *(Row(f"ticket lock modulo {wrap}", f"ticket 2 {wrap}", threads=wrap + 1) for wrap in (2, 3, 4)),
    Row("barrier for 2", "barrier.rmm", threads=3),
    Row("arbiter, itself copied", "arbiter.rmm", threads=4),
    Row("two-phase commit, copied", "two_phase_commit.rmm", threads=4),
]

# Families by their names in the plot: arguments of family.py with a place for the number of processes, and the numbers.
SCALING = {
    "SB": ("sb {}", range(2, 13)), "LB": ("lb {}", range(2, 13)), "MP": ("mp {}", range(2, 13)),
    "WRC": ("wrc {}", range(3, 13)), "ISA2": ("isa2 {}", range(3, 13)), "RWC": ("rwc {}", range(3, 13)),
    "W+RWC": ("wrwc {}", range(3, 13)), "IRIW": ("iriw {}", range(4, 13, 2)),
    "naive mutex fenced": ("mutex {} fenced", range(2, 10)), "Burns fenced": ("burns {} fenced", range(2, 7)),
    "barrier": ("barrier {}", range(2, 9)),
}
SCALING_COLORS = ("#c0392b", "#888", "#1f5fbf", "#2a9a3a", "#8e44ad", "#d68910", "#117a8b", "#222",
                  "#e377c2", "#8c564b", "#9acd32")


class Failure(Exception):
    """A run that gave no answer that can be read."""


def text_of(source):
    if source.endswith(".rmm"):
        return (FOLDER / source).read_text()
    made = family.program(source.split())
    if made is None:
        raise Failure(f"family.py knows no {source}")
    return made


def check(arguments, source, *options):
    """The answer of weir as JSON, with the processor time of the run in `cpu`."""
    with tempfile.NamedTemporaryFile("w", suffix=".rmm") as file:
        file.write(text_of(source))
        file.flush()
        command = [arguments.weir, "check", file.name, "--model", "tso", "--jobs", "1", "--timeout",
                   str(arguments.timeout), "--json", "-q", *options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=arguments.timeout + 30)
        except (subprocess.TimeoutExpired, OSError) as error:
            raise Failure(str(error)) from error
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        answer = json.loads(run.stdout)
    except json.JSONDecodeError as error:
        raise Failure(f"exit code {run.returncode}: {run.stderr.strip()}") from error
    return answer | {"cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}


def measure(arguments, row):
    """What the dual engine answers, and its figures."""
    options = ["--engine", "dual", *(["-n", "any"] if row.any_number else [])]
    answer = check(arguments, row.source, *options)
    seconds = [answer["cpu"]]
    if seconds[0] < REPEATED_BELOW:
        seconds += [check(arguments, row.source, *options)["cpu"] for _ in range(REPETITIONS - 1)]
    figures = answer["stats"]
    return {"verdict": answer["verdict"], "reason": answer["reason"], "violating": answer.get("violating"),
            "generated": figures["configurations generated"], "kept": figures["configurations kept"],
            "seconds": min(seconds), "peak_mb": figures["peak_mb"]}


def promised(row):
    if row.any_number:
        return "unsafe" if row.threads else "safe"
    return text_of(row.source).split("// expect tso: ", 1)[1].split("\n", 1)[0]


def wrong_answers(row, result):
    """What the dual engine says against what the program promises."""
    if result["verdict"] not in (promised(row), "unknown"):
        yield f"the answer is {result['verdict']}, and should be {promised(row)}"
    elif row.threads and result["verdict"] == "unsafe" and result["violating"]["threads"] != row.threads:
        yield f"a violation takes {result['violating']['threads']} processes, and should take {row.threads}"


def explicit_answers(arguments, row):
    """Verdicts of the explicit engine: one, or by the number of copies."""
    if not row.any_number:
        return {1: check(arguments, row.source, "--engine", "explicit")["verdict"]}
    return {copies: check(arguments, row.source, "--engine", "explicit", "-n", str(copies))["verdict"]
            for copies in COPIES}


def processes(text):
    return sum(int(copies or 1) for copies in re.findall(r"^process(?:\((\d+)\))?$", text, re.MULTILINE))


def foreseen(row, result, copies):
    """What the answer of the dual engine implies for so many copies of each process; None if nothing."""
    if not row.any_number or result["verdict"] != "unsafe":
        return result["verdict"]
    counts = result["violating"]["counts"]
    if copies >= max(counts.values()):
        return "unsafe"
    return "safe" if copies * processes(text_of(row.source)) < result["violating"]["threads"] else None


def disagreements(row, result):
    for copies, verdict in result["explicit"].items():
        expected = foreseen(row, result, copies)
        if "unknown" not in (verdict, expected) and expected not in (None, verdict):
            yield f"the explicit engine says {verdict} with {copies} of each, and the dual engine implies {expected}"


def times_as_much(published, ours):
    if not published or not ours:
        return ""
    ratio = published / ours
    return f"{ratio:,.1f}" if ratio < 100 else f"{ratio:,.0f}"


def published_cells(published, count, seconds):
    if published is None:
        return f"{'':9} {'':7} {'':7} {'':7}"
    more = ">" if published.gave_up else ""
    count_cell = "" if published.count is None else f"{published.count:,}"
    return (f"{count_cell:>9} {times_as_much(published.count, count):>7} {f'{more}{published.seconds:.2f}':>7} "
            f"{more + times_as_much(published.seconds, seconds):>7}")


def print_row(row, result):
    seconds = result["seconds"]
    verdict = result["verdict"]
    if result["violating"]:
        verdict += f" ({result['violating']['threads']})"
    print(f"{row.name:28} {verdict:11} {result['generated']:>9,} {result['kept']:>8,} {seconds:>7.3f} | "
          f"{published_cells(row.paper, result['generated'], seconds)} | "
          f"{published_cells(row.public, result['kept'], seconds)}".rstrip())


def print_head(title):
    print(f"\n{title:28} {'':11} {'':9} {'':8} {'':7} | {'paper':33} | public code")
    columns = f"{'count':>9} {'times':>7} {'seconds':>7} {'times':>7}"
    print(f"{'':28} {'verdict':11} {'generated':>9} {'kept':>8} {'seconds':>7} | {columns} | {columns}", flush=True)


def above(name, published, ours, count):
    """Where our figures are not as small as they should be, as text."""
    if published is None:
        return
    if published.count is not None and ours[count] > published.count:
        yield f"{name}: {ours[count]:,} configurations {count}, and not at most {published.count:,}"
    limit = published.seconds / 10 if published.seconds >= 2 * PAPER_RESOLUTION else PAPER_RESOLUTION
    if ours["seconds"] > limit:
        yield f"{name}: {ours['seconds']:.3f} seconds, and not at most {limit:.3f}"


def table(arguments, title, rows, report):
    chosen = [row for row in rows if arguments.only in row.name and not (arguments.quick and row.source in SLOW)]
    if not chosen:
        return
    print_head(title)
    for row in chosen:
        try:
            result = measure(arguments, row)
            result["explicit"] = explicit_answers(arguments, row)
        except Failure as failure:
            report["wrong"].append(f"{row.name}: {failure}")
            continue
        print_row(row, result)
        sys.stdout.flush()
        report["rows"].append({"table": title, **dataclasses.asdict(row), **result})
        report["wrong"] += [f"{row.name}: {what}"
                            for what in (*wrong_answers(row, result), *disagreements(row, result))]
        if result["verdict"] == "unknown":
            report["unknown"].append(f"{row.name}: {result['reason']}")
            continue
        report["above the paper"] += above(row.name, row.paper, result, "generated")
        report["above the public code"] += above(row.name, row.public, result, "kept")


def curve(arguments, source, sizes, report):
    """Figures of a family by the number of processes, up to the first without an answer."""
    points = {}
    for size in sizes:
        row = Row(source.format(size), source.format(size))
        try:
            result = measure(arguments, row)
        except Failure as failure:
            report["wrong"].append(f"{row.name}: {failure}")
            break
        if result["verdict"] == "unknown":
            break
        report["wrong"] += [f"{row.name}: {what}" for what in wrong_answers(row, result)]
        points[size] = {"seconds": result["seconds"], "generated": result["generated"]}
    return points


def scaling(arguments, report):
    """The curves of all families, printed as seconds (and configurations generated) by the number of processes."""
    curves = {}
    for name, (source, sizes) in SCALING.items():
        curves[name] = curve(arguments, source, sizes[:4] if arguments.quick else sizes, report)
        points = "  ".join(f"{size}: {at['seconds']:.2f} ({at['generated']:,})" for size, at in curves[name].items())
        print(f"{name:18} {points}", flush=True)
    return {name: points for name, points in curves.items() if points}


def draw(path, curves):
    if not curves:
        print("nothing to plot")
        return
    plot = Plot("seconds by number of processes, TSO", "processes",
                IntegerAxis([size for points in curves.values() for size in points]), "seconds",
                LogAxis([at["seconds"] for points in curves.values() for at in points.values()]))
    for line, ((name, points), color) in enumerate(zip(curves.items(), SCALING_COLORS)):
        style = f'stroke="{color}"'
        places = [plot.at(size, at["seconds"]) for size, at in points.items()]
        plot.line(places, style)
        for place in places:
            plot.circle(place, f'fill="{color}"')
        y = MARGIN + 14 + 14 * line
        plot.line([(MARGIN + 8, y), (MARGIN + 36, y)], style)
        plot.text((MARGIN + 42, y + 4), name)
    plot.write(path)
    print(f"the plot is in {path}")


def conclude(report):
    for kind in ("wrong", "unknown", "above the paper", "above the public code"):
        for line in report[kind]:
            print(f"{kind}: {line}")
    compared = sum(row["paper"] is not None for row in report["rows"])
    if report["wrong"]:
        print("not all answers are right")
    elif report["above the paper"]:
        print(f"not every count is at most the paper's and every time at most a tenth: "
              f"{len(report['above the paper'])} of {2 * compared} figures above")
    else:
        print(f"every count is at most the paper's and every time at most a tenth, on {compared} programs")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weir", default=REPOSITORY / "build/release/weir", 
                        help="the binary; build/release/weir if not given")
    parser.add_argument("--quick", action="store_true", help="without the slowest programs, and a shorter plot")
    parser.add_argument("--only", metavar="TEXT", default="", help="only rows with this in their names")
    parser.add_argument("--timeout", type=int, default=60, metavar="SECONDS", help="per run; 60 if not given")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE", default=REPOSITORY / "build/dual.json",
                        help="write all results to FILE; build/dual.json if not given")
    parser.add_argument("--plot", type=pathlib.Path, metavar="FILE.svg",
                        help="draw seconds over the number of processes")
    arguments = parser.parse_args()
    report = {"rows": [], "wrong": [], "unknown": [], "above the paper": [], "above the public code": []}
    table(arguments, "Table 1", TABLE_1, report)
    table(arguments, "larger", LARGER, report)
    table(arguments, "any number, Table 2", TABLE_2, report)
    if not report["rows"] and not report["wrong"]:
        sys.exit(f"there is no program {arguments.only}")
    print()
    if arguments.plot:
        report["scaling"] = scaling(arguments, report)
        draw(arguments.plot, report["scaling"])
    arguments.json.parent.mkdir(parents=True, exist_ok=True)
    arguments.json.write_text(json.dumps(report, indent=1) + "\n")
    conclude(report)
    sys.exit(1 if report["wrong"] else 0)


if __name__ == "__main__":
    main()
