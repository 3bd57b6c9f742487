"""Plans that were checked, planned again, tried again, and such as are no line."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Change, Plan, Stage, Step, StepInput, StepPurpose, StepStatus
from partner_desktop.domain.plan_save import PlanSaveDraft, SavedArgument
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.verification import CheckedFact, StepVerdict, VerdictStatus, Verification

from .chain_samples import chain_action, chain_of, done, running, step, tidy_steps, with_steps
from .samples import NOON

V = VerdictStatus

LISTED = StepVerdict(
    "s1",
    V.VERIFIED,
    owner="Files",
    reason="The list that it made names what lies there.",
    facts=(
        CheckedFact(
            "count", "There are 58 files in Downloads.", True, "Downloads", 58, 58, "local::list_files"
        ),
        CheckedFact("file", "The list is there.", True, "/home/user/Downloads/list.txt"),
    ),
    abilities=("local::list_files",),
)
GROUPED = StepVerdict("s2", V.UNVERIFIED, reason="It leaves nothing that could be looked at.")
MOVED = StepVerdict(
    "s3",
    V.FAILED,
    owner="Files",
    reason="Two of the six folders are not as it says.",
    facts=(
        CheckedFact("file", "The folder Images is there.", True, "Images"),
        CheckedFact("count", "There are 17 files in Images.", False, "Images", 19, 17, "local::list_files"),
        CheckedFact("file", "There is no folder Archives.", False, "Archives", "a folder", None),
    ),
    abilities=("local::list_files", "builtin::files::stat"),
)


SAVED = PlanSaveDraft(
    "tidy_downloads",
    "tidy up my downloads by file type",
    ("tidy up my downloads",),
    (
        SavedArgument("s1", 1, "List the files", "folder", "/home/user/Downloads", "folder", True),
        SavedArgument("s1", 1, "List the files", "depth", 3, "depth"),
        SavedArgument("s2", 2, "Group them by type", "skip", "pdf", "skip", True),
        SavedArgument(
            "s3", 3, "Move the files into folders", "folder", "/home/user/Downloads", "folder", True
        ),
    ),
)


def checked(
    *verdicts: StepVerdict, ended: bool = True, action_id: str = "a1", repair: str = ""
) -> ActionRecord:
    """A plan that is done, with these verdicts."""
    found = Verification(NOON, NOON + timedelta(seconds=2) if ended else None, verdicts, repair)
    return replace(done(action_id), verification=found)


def verified(action_id: str = "a1") -> ActionRecord:
    """All of it is so."""
    return checked(
        LISTED,
        replace(LISTED, step="s2", facts=LISTED.facts[:1]),
        replace(LISTED, step="s3"),
        action_id=action_id,
    )


def rerouted(action_id: str = "a1") -> ActionRecord:
    """The second failed twice; two of those to come were taken out and another put in their place."""
    first, second, third = tidy_steps()
    failed = replace(second, status=StepStatus.FAILED, error="No group fits “.xyz”.", retries=3)
    again = replace(failed, id="r1", origin="retry", mends="s2", retries=2)
    other = step(
        "n1",
        key="local::sort_by_name",
        title="Group them by name",
        origin="reroute",
        mends="r1",
        feeds=(StepInput("folder", "s1"),),
        reason=StepPurpose(("Groups",), needed_by=("s3",), cost=2, without=9, total=5),
    )
    taken = ("Make a folder for each type", "Look for the same files")
    told = "“Group them by name” will do it instead: “Group them by type” failed: no group fits “.xyz”."
    record = running(action_id)
    stages = (
        Stage((replace(first, status=StepStatus.SUCCEEDED, result="58 files"),)),
        Stage((failed, again)),
        Stage((replace(other, status=StepStatus.RUNNING),)),
        Stage((replace(third, pinned=True, feeds=(StepInput("groups", "n1"),)),)),
    )
    changes = (Change("reroute", "partner", told, NOON, taken, "r1"),)
    return replace(record, chain=Plan(stages, at=2, changes=changes, goal={"tidy": True}))


def branching(action_id: str = "a1", *, layers: int = 4, beside: int = 3, **facts: object) -> ActionRecord:
    """Several steps a stage, some feeding a later one past others."""
    stages = []
    for layer in range(layers):
        here: list[Step] = []
        for place in range(beside if 0 < layer < layers - 1 else 1):
            name = f"g{layer}-{place}"
            feeds = (
                [StepInput("a", f"g{layer - 1}-{min(place, 0 if layer == 1 else beside - 1)}")]
                if layer
                else []
            )
            if layer == layers - 1 and layers > 2:
                feeds = [StepInput(f"p{each}", f"g{layer - 1}-{each}") for each in range(beside)]
                feeds.append(StepInput("first", "g0-0"))
            title = f"Look through the folder {name} of the archive" if place % 2 else f"Sort {name}"
            here.append(
                step(name, title=title, feeds=tuple(feeds), risk=Risk.WRITE if place == 1 else Risk.READ)
            )
        stages.append(Stage(tuple(here)))
    return chain_action(action_id, chain=Plan(tuple(stages)), **facts)


def branching_on_its_way(action_id: str = "a1") -> ActionRecord:
    """The same in the middle of it."""
    record = branching(action_id, status=ActionStatus.RUNNING, started_at=NOON - timedelta(seconds=9))
    steps = chain_of(record).steps
    states = [StepStatus.SUCCEEDED, StepStatus.SUCCEEDED, StepStatus.FAILED, StepStatus.RUNNING]
    return with_steps(
        record, *(replace(one, status=so) for one, so in zip(steps, states, strict=False)), at=1
    )


def long_verified(action_id: str = "a1", count: int = 20) -> ActionRecord:
    """Many steps with long names, each with another verdict."""
    steps = [
        step(
            f"v{number}",
            title=f"Look through folder {number} of the archive that came over from the old computer",
            status=StepStatus.SUCCEEDED,
            result="58 files, of which 17 are PDFs that stay where they are",
            pinned=number == 3,
        )
        for number in range(count)
    ]
    kinds = [V.VERIFIED, V.VERIFIED, V.UNVERIFIED, V.UNABLE, V.TIMED_OUT]
    verdicts = tuple(replace(LISTED, step=one.id, status=kinds[at % 5]) for at, one in enumerate(steps))
    record = chain_action(
        action_id, *steps, title="Look through the archive", status=ActionStatus.SUCCEEDED, started_at=NOON
    )
    record = with_steps(record, at=count)
    return replace(record, verification=Verification(NOON, NOON, verdicts))
