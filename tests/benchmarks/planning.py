"""`planning`: computed plans against pyperplan, among much that is beside the point, and once more.

Both solve the same grounded problems: pyperplan reads and grounds them, searches with its A* and LM-cut, and
is timed for its heuristic and its search; ours for everything from the described actions on. The problems
below `pddl/` are the suite's own, and those of `--pddl DIR` come on top: folders with problems, each beside
its `domain.pddl`, or the domain of its number. What pyperplan does not solve in time counts with that time.
"""

from __future__ import annotations

import gc
import logging
import math
import re
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from partner_desktop.planning import ActionSet, ComputedPlan, PlanAction, PlanAnswer, SearchLimits, find_plan
from tests.benchmarks.calls import DataError

OWN = Path(__file__).with_name("pddl")
#: What is promised: of all of pyperplan's time, and of its time for any one problem.
TOTAL_RATIO, WORST_RATIO = 0.25, 1.0
DISTRACTORS_MS, REPLAN_MS = 60.0, 2.0
#: Linear, and room for what more memory costs.
EXPONENT = 1.2
COUNTS = (1_000, 3_000, 10_000, 30_000)
_CUT_S = 120.0
_ROUNDS = 5


@dataclass(frozen=True)
class Timing:
    """One problem: its best plan's cost, if found, and seconds of both; `cut` if pyperplan's time ran out."""

    name: str
    ours_s: float
    theirs_s: float
    cost: float | None
    agrees: bool
    cut: bool


def measure(pddl: Path | None = None) -> dict[str, Any]:
    logging.getLogger().setLevel(logging.ERROR)
    gc.collect()
    gc.freeze()
    gc.disable()
    timings = [_timing(domain, problem) for domain, problem in _problems([OWN, *([pddl] if pddl else [])])]
    ours, theirs = sum(each.ours_s for each in timings), sum(each.theirs_s for each in timings)
    ratios = {each.name: each.ours_s / each.theirs_s for each in timings}
    worst = max(ratios, key=ratios.__getitem__)
    differing = [each.name for each in timings if not each.agrees]
    planned = {count: _best_s(_among(count)) * 1000 for count in COUNTS}
    exponent = _exponent(planned)
    again_ms = _again_ms()
    return {
        "problems": len(timings),
        "costs_differ": differing,
        "cut_s": {each.name: _CUT_S for each in timings if each.cut},
        "total_s": round(ours, 3),
        "pyperplan_s": round(theirs, 3),
        "total_ratio": round(ours / theirs, 4),
        "worst_ratio": round(ratios[worst], 3),
        "worst": worst,
        "ratios": {name: round(ratio, 3) for name, ratio in ratios.items()},
        "ms_among": {str(count): round(ms, 2) for count, ms in planned.items()},
        "exponent": round(exponent, 2),
        "replan_ms": {name: round(ms, 3) for name, ms in again_ms.items()},
        "ok": not differing
        and ours / theirs <= TOTAL_RATIO
        and ratios[worst] <= WORST_RATIO
        and planned[10_000] <= DISTRACTORS_MS
        and exponent <= EXPONENT
        and max(again_ms.values()) <= REPLAN_MS,
    }


def _problems(folders: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Domain and problem files."""
    for folder in folders:
        files = sorted(path for path in folder.rglob("*.pddl") if "domain" not in path.name)
        if not files:
            raise DataError(f"{folder}: no problems (*.pddl) here")
        for problem in files:
            yield _domain_of(problem), problem


def _domain_of(problem: Path) -> Path:
    number = "".join(re.findall(r"\d+", problem.stem)[:1])
    for name in ("domain.pddl", f"domain{number}.pddl", f"{problem.stem}-domain.pddl"):
        if (domain := problem.with_name(name)).is_file():
            return domain
    raise DataError(f"{problem}: neither domain.pddl nor domain{number}.pddl is beside it")


def _timing(domain: Path, problem: Path) -> Timing:
    try:
        grounding, parser = import_module("pyperplan.grounding"), import_module("pyperplan.pddl.parser")
        lm_cut, a_star = (
            import_module("pyperplan.heuristics.lm_cut"),
            import_module("pyperplan.search.a_star"),
        )
    except ImportError as missing:
        raise DataError(
            f"pyperplan is needed to compare with: pip install pyperplan ({missing})"
        ) from missing
    text = parser.Parser(str(domain), str(problem))
    task = grounding.ground(text.parse_problem(text.parse_domain()))
    start, goal = dict.fromkeys(sorted(task.initial_state), True), dict.fromkeys(sorted(task.goals), True)
    actions = [_action(operator) for operator in task.operators]
    answers: list[PlanAnswer] = []

    def plan() -> None:
        end = time.perf_counter() + _CUT_S
        limits = SearchLimits(expansions=10_000_000, cancelled=lambda: time.perf_counter() > end)
        answers.append(find_plan(start, goal, actions, limits=limits))

    ours_s = _best_s(plan)
    found: list[Any] = []
    cut = False
    try:
        with _at_most(_CUT_S):
            theirs_s = _best_s(lambda: found.append(a_star.astar_search(task, lm_cut.LmCutHeuristic(task))))
    except TimeoutError:
        theirs_s, cut = _CUT_S, not found
    answer = answers[-1]
    cost = answer.cost if isinstance(answer, ComputedPlan) else None
    expected = float(len(found[-1])) if found and found[-1] is not None else None
    return Timing(
        f"{domain.parent.name}/{problem.stem}", ours_s, theirs_s, cost, cut or cost == expected, cut
    )


def _action(operator: Any) -> PlanAction:  # pyperplan has no types
    effects = dict.fromkeys(operator.del_effects, False) | dict.fromkeys(operator.add_effects, True)
    return PlanAction(operator.name, dict.fromkeys(operator.preconditions, True), effects, cost=1.0)


@contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Interrupt what cannot be asked to stop."""

    def ring(_number: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _best_s(run: Callable[[], object]) -> float:
    """The best of some rounds; what takes long is not run again."""
    best = math.inf
    for _ in range(_ROUNDS):
        begun = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - begun)
        if best > 0.5:
            break
    return best


def _actions(count: int) -> list[PlanAction]:
    """Ten steps that are needed, and `count` others that can be taken and lead elsewhere."""
    steps = [
        PlanAction(
            f"step {n}",
            {f"stage {n}": True, f"blocked {n}": False},
            {f"stage {n + 1}": True, f"stage {n}": False},
            cost=0.5,
        )
        for n in range(10)
    ]
    others = [
        PlanAction(
            f"other {n}",
            {f"thing {n // 2}": True} if n else {},
            {f"thing {n}": True, f"thing {n // 3}": n % 2 == 0},
            cost=0.01,
        )
        for n in range(count)
    ]
    return others[: count // 2] + steps + others[count // 2 :]


def _among(count: int) -> Callable[[], None]:
    actions = _actions(count)

    def plan() -> None:
        answer = find_plan({"stage 0": True}, {"stage 10": True}, actions)
        if not isinstance(answer, ComputedPlan) or len(answer.actions) != 10:
            raise DataError(f"among {count} actions the plan is {answer}")

    return plan


def _exponent(planned_ms: dict[int, float]) -> float:
    """The slope of a line through the times, all in logarithms: 1 is linear."""
    points = [(math.log(count), math.log(ms)) for count, ms in planned_ms.items()]
    middle_x, middle_y = (sum(axis) / len(points) for axis in zip(*points, strict=True))
    rise: float = sum((x - middle_x) * (y - middle_y) for x, y in points)
    run: float = sum((x - middle_x) ** 2 for x, _ in points)
    return rise / run


def _again_ms() -> dict[str, float]:
    """Planning anew with 500 known actions: in the same world, in the one foreseen, and in another."""
    start, goal = {f"stage {n}": n == 0 for n in range(11)}, {"stage 10": True}

    def later(stage: int) -> dict[str, bool]:
        return {f"stage {n}": n == stage for n in range(11)}

    def of(world: dict[str, bool]) -> float:
        best = math.inf
        for _ in range(_ROUNDS):
            known = ActionSet(_actions(490))
            find_plan(start, goal, known)
            begun = time.perf_counter()
            find_plan(world, goal, known)
            best = min(best, time.perf_counter() - begun)
        return best * 1000

    return {
        "unchanged": of(start),
        "after a step": of(later(1)),
        "elsewhere": of(later(5) | {"stage 2": True}),
    }
