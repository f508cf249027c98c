"""Weir verifies concurrent programs under SC, TSO (x86) and PSO.

    import weir
    answer = weir.check("peterson.c", model="tso")
    print(answer.verdict)
    for step in answer.witness:
        print(step)

The functions are the commands of the command line; docs/python.md describes them.
"""

from ._answers import (
    Answer,
    CheckAnswer,
    ConsistentAnswer,
    ExploreAnswer,
    FairAnswer,
    FenceAnswer,
    OutcomesAnswer,
    RobustAnswer,
)
from ._error import Error
from ._questions import check, consistent, explore, fair, fence, load, outcomes, replay, robust
from ._weir import (
    Attack,
    Diagnostic,
    Execution,
    Fence,
    FileEdits,
    ModelOutcomes,
    Place,
    Program,
    Progress,
    Step,
    ThreadCounts,
    Violation,
    version,
)

__version__ = version
__all__ = [
    "Answer",
    "Attack",
    "CheckAnswer",
    "ConsistentAnswer",
    "Diagnostic",
    "Error",
    "Execution",
    "ExploreAnswer",
    "FairAnswer",
    "Fence",
    "FenceAnswer",
    "FileEdits",
    "ModelOutcomes",
    "OutcomesAnswer",
    "Place",
    "Program",
    "Progress",
    "RobustAnswer",
    "Step",
    "ThreadCounts",
    "Violation",
    "check",
    "consistent",
    "explore",
    "fair",
    "fence",
    "load",
    "outcomes",
    "replay",
    "robust",
]
