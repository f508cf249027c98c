"""The questions. Their options are those of the command line, with _ for - (docs/python.md)."""

import os
import time

from . import _weir
from ._answers import (
    CheckAnswer,
    ConsistentAnswer,
    ExploreAnswer,
    FairAnswer,
    FenceAnswer,
    OutcomesAnswer,
    RobustAnswer,
)

LOCAL_STEPS = 20_000_000


def load(
    file,
    *,
    text=None,
    format="auto",
    compiler_arguments=(),
    unroll=0,
    threads=0,
    nondet_range=(0, 3),
    spurious_wakeups=True,
    failing_malloc=False,
    strict=False,
    outside_range="block",
    timeout=None,
    memory=None,
    progress=None,
):
    """Reads a program; several questions can then be asked about it, also at the same time.

    file: a path, or several, which together are one C program.
    text: the program itself; `file` is then its name, whose suffix says the language.
    format: weir, trencher, imp, rmm, litmus, array or c; auto goes by suffix, then by content.
    compiler_arguments: C: for clang, as in ["-DN=2", "-I", "include"].
    unroll: C: follow only executions that repeat no loop more often; 0: as often as it likes.
    threads: C: follow only executions with at most so many threads, main included; 0: as many as it creates.
    nondet_range: C: the lowest and the highest value that __VERIFIER_nondet_int() and its like return.
    spurious_wakeups: C: waiting for a condition variable may end without a signal.
    failing_malloc: C: malloc() may return a null pointer.
    strict: C: anything that is not supported is an error, even where no execution reaches it.
    outside_range: RMM: a value outside its range is not written ("block") or a failure ("fail").
    timeout, memory, progress: as in check().
    """
    return _weir.load(
        _inputs(file, text),
        format=format,
        compiler_arguments=list(compiler_arguments),
        unroll=unroll,
        threads=threads,
        nondet_range=nondet_range,
        spurious_wakeups=spurious_wakeups,
        failing_malloc=failing_malloc,
        strict=strict,
        outside_range=outside_range,
        timeout=timeout,
        memory=memory,
        progress=progress,
    )


def check(
    program,
    *,
    model=None,
    engine="auto",
    instances=None,
    goal=(),
    exclusive=(),
    invariant=(),
    deadlock=None,
    races=False,
    leaks=False,
    range=None,
    values=None,
    buffer=None,
    local_steps=LOCAL_STEPS,
    random=None,
    seed=0,
    steps=20_000,
    bound_preemptions=None,
    certificate=False,
    timeout=None,
    memory=None,
    jobs=1,
    progress=None,
    **reading,
):
    """Is a violation reachable? safe, unsafe (with a witness) or unknown.

    program: a path, several paths of one C program, or what load() returned.
    model: sc, tso or pso; sc if not given, and tso for array systems with weak variables.
    engine: auto, explicit, lazy, abstraction, dual, smc; for array systems array.
    instances: so many copies of each thread, or "any" for any number of them.
    goal, exclusive, invariant: also a violation, each a list as in "P0:cs", "cs", "x + y <= 1".
    deadlock: whether one is a violation; None: as the language has it.
    races, leaks: also a violation.
    range: follow only executions in which variables stay within these values: {"x": (0, 3)}.
    values: give up if a variable takes more different ones.
    buffer: at most so many stores in a thread's buffer.
    local_steps: how many steps a thread may make without touching memory.
    random, seed, steps: instead of a search, so many random schedules, of at most so many steps.
    bound_preemptions: only schedules with at most so many.
    certificate: if it is safe, also a proof.
    timeout: in seconds, with the reading; then the answer is unknown.
    memory: in megabytes, of the whole process; then the answer is unknown.
    jobs: searches at the same time; 0: one for each core.
    progress: called a few times per second with a Progress; what it raises ends the question.
    reading: the options of load(), if `program` is a path.
    """
    started = time.monotonic()
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.check(
        program,
        model=model,
        engine=engine,
        bound_preemptions=bound_preemptions,
        certificate=certificate,
        random=random,
        seed=seed,
        steps=steps,
        **_copies(instances),
        **_properties(goal, exclusive, invariant, deadlock, races, leaks),
        **_limits(range, values, buffer, local_steps),
        **_run(started, timeout, memory, jobs, progress),
    )
    return CheckAnswer(answer, program)


def robust(
    program,
    *,
    triangular=False,
    all=False,
    instances=None,
    range=None,
    values=None,
    local_steps=LOCAL_STEPS,
    timeout=None,
    memory=None,
    jobs=1,
    progress=None,
    **reading,
):
    """Do store buffers (tso) add behaviour to sequential consistency? robust, not-robust or unknown.

    triangular: look for triangular races; having none is more than robustness needs.
    all: decide every attack, instead of stopping at the first.
    The other options are those of check().
    """
    started = time.monotonic()
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.robust(
        program,
        triangular=triangular,
        all=all,
        **_copies(instances),
        **_limits(range, values, None, local_steps),
        **_run(started, timeout, memory, jobs, progress),
    )
    return RobustAnswer(answer, program)


def fence(
    program,
    *,
    for_="robustness",
    model="tso",
    triangular=False,
    cost="size",
    alternatives=0,
    goal=(),
    exclusive=(),
    invariant=(),
    deadlock=None,
    races=False,
    leaks=False,
    range=None,
    values=None,
    local_steps=LOCAL_STEPS,
    timeout=None,
    memory=None,
    jobs=1,
    progress=None,
    **reading,
):
    """Where do the cheapest fences go? The answer is about the program with them.

    for_: "robustness", no behaviour beyond sc; or "safety", no violation.
    model: for safety: tso or pso.
    triangular: for robustness: leave no triangular race.
    cost: size (1 each), frequency (how often the place is passed), or a file.
    alternatives: how many other sets of the same cost to look for.
    The other options are those of check().
    """
    started = time.monotonic()
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.fence(
        program,
        for_=for_,
        model=model,
        triangular=triangular,
        cost=cost,
        alternatives=alternatives,
        **_properties(goal, exclusive, invariant, deadlock, races, leaks),
        **_limits(range, values, None, local_steps),
        **_run(started, timeout, memory, jobs, progress),
    )
    return FenceAnswer(answer, program)


def explore(
    program,
    *,
    model="sc",
    equivalence="mazurkiewicz",
    root="",
    stop=False,
    estimate=False,
    local_steps=LOCAL_STEPS,
    timeout=None,
    memory=None,
    jobs=1,
    progress=None,
    **reading,
):
    """How many executions are there, each counted once up to an equivalence?

    equivalence: mazurkiewicz, observers, rf, dc, vc or rvf (docs/manual/explore.md).
    root: dc, vc: the root thread; by default the first one that is created.
    stop: at the first violation.
    estimate: do not visit them, say about how many there are.
    The other options are those of check().
    """
    started = time.monotonic()
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.explore(
        program,
        model=model,
        equivalence=equivalence,
        root=root,
        stop=stop,
        estimate=estimate,
        local_steps=local_steps,
        **_run(started, timeout, memory, jobs, progress),
    )
    return ExploreAnswer(answer, program)


def outcomes(
    program,
    *,
    model="sc",
    show=(),
    cross_check=False,
    range=None,
    values=None,
    buffer=None,
    local_steps=LOCAL_STEPS,
    timeout=None,
    memory=None,
    progress=None,
    **reading,
):
    """What can variables hold when all threads have stopped?

    model: one, or several: "sc,tso,pso", or a list.
    show: variables; none: all. Of litmus tests also registers: "0:EAX".
    cross_check: compute the final states again, from axioms, and compare.
    The other options are those of check().
    """
    started = time.monotonic()
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.outcomes(
        program,
        model=model.split(",") if isinstance(model, str) else list(model),
        show=_list(show),
        cross_check=cross_check,
        **_limits(range, values, buffer, local_steps),
        **_run(started, timeout, memory, 1, progress),
    )
    return OutcomesAnswer(answer, program)


def consistent(
    instance,
    *,
    text=None,
    model="sc",
    algorithm="verify",
    closure=True,
    timeout=None,
    memory=None,
    progress=None,
):
    """Is there an execution in which each read reads from the write it is said to? (docs/consistency.md)

    instance: a path, or with `text` a name.
    algorithm: verify, or naive, a baseline that tries all prefixes.
    closure: first look for orders that every execution must have.
    The other options are those of check().
    """
    answer = _weir.consistent(
        os.fspath(instance),
        text,
        model=model,
        algorithm=algorithm,
        closure=closure,
        timeout=timeout,
        memory=memory,
        progress=progress,
    )
    return ConsistentAnswer(answer)


def fair(
    program,
    *,
    model="sc",
    request=(),
    grant=(),
    fairness="weak",
    lazy_flushes=False,
    buffer=None,
    local_steps=LOCAL_STEPS,
    pair=(),
    pairs=None,
    automaton=None,
    negate=False,
    labels=None,
    random=None,
    random_vertices=None,
    seed=0,
    timeout=None,
    memory=None,
    progress=None,
    **reading,
):
    """Is every request of a program granted in the end; does a finite system have a fair play?

    Programs:
    request, grant: lists of labels, as in "want" or "P0:cs".
    fairness: of the scheduler: none, weak, strong or random.
    lazy_flushes: a store may stay in its buffer for ever.

    Finite systems (a file .aut or .tra), if `pair`, `pairs` or `automaton` is given:
    pair: what is requested again and again must be granted again and again: "REQUEST=>GRANT".
    pairs: a file with such pairs.
    automaton: a file in the Hanoi format: the plays that it accepts, or with `negate` rejects.
    labels: of a .tra file; by default the .lab file beside it.
    random, seed: at which share of the states chance decides.
    random_vertices: a file with the states where chance decides.
    The other options are those of check().
    """
    started = time.monotonic()
    if pair or pairs is not None or automaton is not None:
        if reading:
            raise TypeError(f"a system is read without {', '.join(sorted(reading))}")
        answer = _weir.fair_system(
            os.fspath(program),
            pair=_list(pair),
            pairs=_name(pairs),
            automaton=_name(automaton),
            negate=negate,
            labels=_name(labels),
            random=random,
            random_vertices=_name(random_vertices),
            seed=seed,
            **_run(started, timeout, memory, 1, progress),
        )
        return FairAnswer(answer)
    program = _program(program, timeout, memory, progress, reading)
    answer = _weir.fair(
        program,
        model=model,
        request=_list(request),
        grant=_list(grant),
        fairness=fairness,
        lazy_flushes=lazy_flushes,
        buffer=buffer,
        local_steps=local_steps,
        **_run(started, timeout, memory, 1, progress),
    )
    return FairAnswer(answer, program)


def replay(file, *, text=None, timeout=None, memory=None, progress=None):
    """Runs a saved execution again, step by step. An Error says why it cannot be one.

    file: a path, or with `text` a name.
    The other options are those of check().
    """
    return CheckAnswer(_weir.replay(os.fspath(file), text, timeout=timeout, memory=memory, progress=progress))


def _inputs(file, text):
    """Pairs of a name and a text, or None where the text is in the file."""
    if isinstance(file, (str, os.PathLike)):
        return [(os.fspath(file), text)]
    if text is not None:
        raise TypeError("text goes with one name")
    files = [(os.fspath(path), None) for path in file]
    if not files:
        raise TypeError("no file is given")
    return files


def _program(program, timeout, memory, progress, reading):
    if isinstance(program, _weir.Program):
        if reading:
            raise TypeError(f"the program is read already: {', '.join(sorted(reading))} came too late")
        return program
    return load(program, timeout=timeout, memory=memory, progress=progress, **reading)


def _name(path):
    return None if path is None else os.fspath(path)


def _list(words):
    return [words] if isinstance(words, str) else list(words)


def _copies(instances):
    if instances == "any":
        return {"any_number": True}
    return {"copies": instances}


def _properties(goal, exclusive, invariant, deadlock, races, leaks):
    return {
        "goal": _list(goal),
        "exclusive": _list(exclusive),
        "invariant": _list(invariant),
        "deadlock": deadlock,
        "races": races,
        "leaks": leaks,
    }


def _limits(range, values, buffer, local_steps):
    return {"range": range, "values": values, "buffer": buffer, "local_steps": local_steps}


def _run(started, timeout, memory, jobs, progress):
    """What is left of the time, and the rest as it is."""
    if timeout is not None:
        timeout = max(0.001, timeout - (time.monotonic() - started))
    return {"timeout": timeout, "memory": memory, "jobs": jobs, "progress": progress}
