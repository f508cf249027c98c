# Types of the package. tests/python/stubs_test.py compares them with it.
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Optional, TypedDict, Union

from typing_extensions import Unpack

__version__: str

_Model = Literal["sc", "tso", "pso"]
_Path = Union[str, os.PathLike[str]]
_Words = Union[str, Iterable[str]]
_Tell = Optional[Callable[["Progress"], object]]
_Ranges = Optional[Mapping[str, tuple[int, int]]]
_Instances = Union[int, Literal["any"], None]
_Value = Union[int, str, None]

class _Reading(TypedDict, total=False):
    """The options of load()."""

    text: Optional[str]
    format: str
    compiler_arguments: Iterable[str]
    unroll: int
    threads: int
    nondet_range: tuple[int, int]
    spurious_wakeups: bool
    failing_malloc: bool
    strict: bool
    outside_range: Literal["block", "fail"]

_Asked = Union["Program", _Path, Iterable[_Path]]

class Place:
    file: str
    line: int
    column: int

class Diagnostic:
    severity: Literal["error", "warning", "note"]
    message: str
    hint: str
    file: str
    line: int
    column: int

class Error(Exception):
    kind: Literal["usage", "input", "stopped", "internal"]
    diagnostics: list[Diagnostic]

class Violation:
    kind: str
    message: str
    place: Place

class Step:
    thread: str
    action: str
    address: str
    value: Optional[int]
    text: str
    buffered: bool
    local: bool
    place: Place
    file: str
    line: int

class Execution:
    model: _Model
    violation: Violation
    steps: list[Step]
    loop: Optional[int]
    def __len__(self) -> int: ...

class ThreadCounts:
    counts: list[tuple[str, int]]
    total: int
    least: bool

class Attack:
    thread: str
    store: Place
    load: Place
    verdict: Literal["pruned", "infeasible", "feasible", "undecided"]
    execution: Optional[Execution]

class Fence:
    threads: list[str]
    label: str
    place: Place
    without: str
    file: str
    line: int

class FileEdits:
    file: str
    before: str
    after: str

class ModelOutcomes:
    model: _Model
    complete: bool
    outcomes: list[dict[str, _Value]]
    stuck: int
    holds: Optional[bool]
    observation: str

class Progress:
    phase: str
    states: int
    unit: str
    queue: int
    depth: int
    expected: int
    note: str
    seconds: float

class Program:
    language: str
    is_array_system: bool
    files: list[str]
    threads: list[str]
    variables: list[str]
    restrictions: list[str]
    def text(self, to: str = "weir") -> str: ...

class Answer:
    verdict: str
    reason: str
    stopped: Optional[Literal["timeout", "memory", "cancelled"]]
    bound: dict[str, str]
    model: _Model
    engine: str
    assumptions: list[str]
    warnings: list[Diagnostic]
    stats: dict[str, Union[int, float]]
    seconds: float
    program: Optional[Program]
    def to_json(self) -> dict[str, Any]: ...
    def page(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def _repr_html_(self) -> str: ...

class _WithExecution(Answer):
    execution: Optional[Execution]
    witness: list[Step]
    violation: Optional[Violation]

class CheckAnswer(_WithExecution):
    threads: Optional[ThreadCounts]
    processes: Optional[int]
    certificate: str
    no_certificate: str
    def fences(self, **options: Any) -> FenceAnswer: ...

class RobustAnswer(_WithExecution):
    attacks: list[Attack]
    threads: Optional[ThreadCounts]
    def fences(self, **options: Any) -> FenceAnswer: ...

class FenceAnswer(_WithExecution):
    fences: list[Fence]
    cost: float
    alternatives: list[list[Fence]]
    edits: list[FileEdits]
    patch: str

class ExploreAnswer(_WithExecution):
    executions: int
    blocked: int
    cut: int
    violating: int
    estimate: Optional[float]

class OutcomesAnswer(Answer):
    models: list[ModelOutcomes]
    condition: str
    outcomes: list[dict[str, _Value]]
    holds: Optional[bool]
    observation: str

class ConsistentAnswer(Answer):
    witness: list[Step]
    cycle: list[str]

class FairAnswer(_WithExecution):
    winning: list[bool]
    stem: list[int]
    loop: list[int]

def load(
    file: Union[_Path, Iterable[_Path]],
    *,
    text: Optional[str] = None,
    format: str = "auto",
    compiler_arguments: Iterable[str] = (),
    unroll: int = 0,
    threads: int = 0,
    nondet_range: tuple[int, int] = (0, 3),
    spurious_wakeups: bool = True,
    failing_malloc: bool = False,
    strict: bool = False,
    outside_range: Literal["block", "fail"] = "block",
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    progress: _Tell = None,
) -> Program: ...
def check(
    program: _Asked,
    *,
    model: Optional[_Model] = None,
    engine: str = "auto",
    instances: _Instances = None,
    goal: _Words = (),
    exclusive: _Words = (),
    invariant: _Words = (),
    deadlock: Optional[bool] = None,
    races: bool = False,
    leaks: bool = False,
    range: _Ranges = None,
    values: Optional[int] = None,
    buffer: Optional[int] = None,
    local_steps: int = 20_000_000,
    random: Optional[int] = None,
    seed: int = 0,
    steps: int = 20_000,
    bound_preemptions: Optional[int] = None,
    certificate: bool = False,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    jobs: int = 1,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> CheckAnswer: ...
def robust(
    program: _Asked,
    *,
    triangular: bool = False,
    all: bool = False,
    instances: _Instances = None,
    range: _Ranges = None,
    values: Optional[int] = None,
    local_steps: int = 20_000_000,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    jobs: int = 1,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> RobustAnswer: ...
def fence(
    program: _Asked,
    *,
    for_: Literal["robustness", "safety"] = "robustness",
    model: Literal["tso", "pso"] = "tso",
    triangular: bool = False,
    cost: str = "size",
    alternatives: int = 0,
    goal: _Words = (),
    exclusive: _Words = (),
    invariant: _Words = (),
    deadlock: Optional[bool] = None,
    races: bool = False,
    leaks: bool = False,
    range: _Ranges = None,
    values: Optional[int] = None,
    local_steps: int = 20_000_000,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    jobs: int = 1,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> FenceAnswer: ...
def explore(
    program: _Asked,
    *,
    model: _Model = "sc",
    equivalence: Literal["mazurkiewicz", "observers", "rf", "dc", "vc", "rvf"] = "mazurkiewicz",
    root: str = "",
    stop: bool = False,
    estimate: bool = False,
    local_steps: int = 20_000_000,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    jobs: int = 1,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> ExploreAnswer: ...
def outcomes(
    program: _Asked,
    *,
    model: Union[str, Iterable[_Model]] = "sc",
    show: _Words = (),
    cross_check: bool = False,
    range: _Ranges = None,
    values: Optional[int] = None,
    buffer: Optional[int] = None,
    local_steps: int = 20_000_000,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> OutcomesAnswer: ...
def consistent(
    instance: _Path,
    *,
    text: Optional[str] = None,
    model: _Model = "sc",
    algorithm: Literal["verify", "naive"] = "verify",
    closure: bool = True,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    progress: _Tell = None,
) -> ConsistentAnswer: ...
def fair(
    program: _Asked,
    *,
    model: _Model = "sc",
    request: _Words = (),
    grant: _Words = (),
    fairness: Literal["none", "weak", "strong", "random"] = "weak",
    lazy_flushes: bool = False,
    buffer: Optional[int] = None,
    local_steps: int = 20_000_000,
    pair: _Words = (),
    pairs: Optional[_Path] = None,
    automaton: Optional[_Path] = None,
    negate: bool = False,
    labels: Optional[_Path] = None,
    random: Optional[float] = None,
    random_vertices: Optional[_Path] = None,
    seed: int = 0,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    progress: _Tell = None,
    **reading: Unpack[_Reading],
) -> FairAnswer: ...
def replay(
    file: _Path,
    *,
    text: Optional[str] = None,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    progress: _Tell = None,
) -> CheckAnswer: ...
