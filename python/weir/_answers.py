"""Answers, one class for each question. They show themselves: as text, as JSON, and in notebooks as the explorer page."""

import html
import json
from operator import attrgetter

FRAME_HEIGHT = 640  # of the page in a notebook, in pixels


def _of_the_library(name, doc):
    return property(attrgetter("_answer." + name), doc=doc)


class Answer:
    """What every answer has. print(answer) prints what the command line prints."""

    def __init__(self, answer, program=None):
        self._answer = answer
        self._program = program

    verdict = _of_the_library("verdict", "One word: safe, unsafe, unknown, robust, not-robust, done, …")
    reason = _of_the_library("reason", "One sentence: what was explored, what happens, or why it is not known.")
    stopped = _of_the_library("stopped", "Unknown because a limit was reached: timeout, memory or cancelled; else None.")
    bound = _of_the_library("bound", "Unknown: what was reached, by name.")
    model = _of_the_library("model", "The memory model: sc, tso or pso.")
    engine = _of_the_library("engine", "Which engine found the answer.")
    assumptions = _of_the_library("assumptions", "What it takes for granted, each as a phrase.")
    warnings = _of_the_library("warnings", "Diagnostics that do not keep the question from being answered.")
    stats = _of_the_library("figures", "What the engine counted, by name.")
    seconds = _of_the_library("seconds", "How long it took.")

    @property
    def program(self):
        """The program that was asked about, to ask more; None if there is none."""
        return self._program

    def to_json(self):
        """What `weir … --json` prints, as a dict."""
        return json.loads(self._answer.json())

    def page(self):
        """The explorer page, a string of HTML that needs nothing else."""
        return self._answer.page()

    def save(self, path):
        """Writes the execution to a file for weir.replay, `weir replay` and `weir explain`."""
        text = self._answer.replay_file()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __str__(self):
        return self._answer.text().rstrip("\n")

    def __repr__(self):
        return f"<{type(self).__name__} {self.verdict} under {self.model}: {self.reason}>"

    def _repr_html_(self):
        # What the page shows is the user's program; in its sandbox it cannot touch the notebook.
        return (
            f'<iframe srcdoc="{html.escape(self.page())}" sandbox="allow-scripts" title="Weir" width="100%" '
            f'height="{FRAME_HEIGHT}" style="border: 1px solid #ccc"></iframe>'
        )


class _WithExecution(Answer):
    execution = _of_the_library("execution", "The Execution that shows the verdict, with its violation; or None.")

    @property
    def witness(self):
        """The steps of the execution; empty if there is none."""
        return [] if self.execution is None else self.execution.steps

    @property
    def violation(self):
        """What goes wrong, and where; or None."""
        return None if self.execution is None else self.execution.violation


class CheckAnswer(_WithExecution):
    """safe, unsafe or unknown; of a replayed execution also not-robust or unfair."""

    threads = _of_the_library("threads", "How many copies of each thread it takes, if any number was asked about; or None.")
    processes = _of_the_library("processes", "Array systems: the number of processes of the execution; or None.")
    certificate = _of_the_library("certificate", "The proof, if it is safe and one was asked for; else empty.")
    no_certificate = _of_the_library("no_certificate", "Why there is no certificate.")

    def fences(self, **options):
        """The cheapest fences that make the program safe under this model: weir.fence(program, for_="safety")."""
        return _ask_for_fences(self, for_="safety", model=self.model, **options)


class RobustAnswer(_WithExecution):
    """robust, not-robust or unknown."""

    attacks = _of_the_library("attacks", "Every pair of a store and a later load of a thread, as an Attack.")
    threads = _of_the_library("threads", "How many copies of each thread it takes, if any number was asked about; or None.")

    def fences(self, **options):
        """The cheapest fences that make the program robust: weir.fence(program)."""
        return _ask_for_fences(self, **options)


class FenceAnswer(_WithExecution):
    """Of the program with the fences: robust or safe; not-robust or unsafe if no fences help; unknown."""

    fences = _of_the_library("fences", "The fences, each with its place; empty if the program needs none.")
    cost = _of_the_library("cost", "What they cost together.")
    alternatives = _of_the_library("alternatives", "Other sets of fences with the same cost.")
    edits = _of_the_library("edits", "The files that change, with their text before and after.")
    patch = _of_the_library("patch", "The same as a unified diff.")


class ExploreAnswer(_WithExecution):
    """done; unsafe if it was to stop at a violation; unknown if not all executions were visited."""

    executions = _of_the_library("executions", "In which every thread comes to its end, or to a violation.")
    blocked = _of_the_library("blocked", "In which a thread waits for what never comes.")
    cut = _of_the_library("cut", "That were not followed to their ends.")
    violating = _of_the_library("violating", "How many of all these are violations.")
    estimate = _of_the_library("estimate", "About how many there are, if that was asked or there was no time; or None.")


class OutcomesAnswer(Answer):
    """done or unknown. The outcomes of the first model are here, those of each in `models`."""

    models = _of_the_library("models", "The outcomes under each model that was asked about.")
    condition = _of_the_library("condition", "Litmus tests: what the test asks; else empty.")

    @property
    def outcomes(self):
        """The final states under the first model, each a dict from names to values."""
        return self.models[0].outcomes

    @property
    def holds(self):
        """Litmus tests: is the condition true under the first model? Else None."""
        return self.models[0].holds

    @property
    def observation(self):
        """Litmus tests: is what the condition describes seen Never, Sometimes or Always under the first model?"""
        return self.models[0].observation


class ConsistentAnswer(Answer):
    """consistent, inconsistent or unknown."""

    witness = _of_the_library("steps", "The steps of an execution, if there is one.")
    cycle = _of_the_library("cycle", "Inconsistent, mostly: what would have to come before what, in a circle.")


class FairAnswer(_WithExecution):
    """fair, unfair or unknown."""

    winning = _of_the_library("winning", "Systems: for each vertex, whether it wins.")
    stem = _of_the_library("stem", "Systems: how a fair play begins.")
    loop = _of_the_library("loop", "Systems: what it repeats for ever.")


def _ask_for_fences(answer, **options):
    from ._questions import fence

    return fence(answer.program, **options)
