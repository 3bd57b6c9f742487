"""Plans as tests need them: scripts that leave traces, one card for their steps, waits for their ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from partner_desktop.action.plans.plan_draft import PlanDraft, StepDraft
from partner_desktop.app import Partner
from partner_desktop.base.ids import new_id
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import (
    ActionEvent,
    DoneEvent,
    Event,
    ProposalEvent,
    ReplyEvent,
    ResultEvent,
)
from partner_desktop.domain.evidence import Proposed
from partner_desktop.domain.intervention import Intervention, Verdict
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.plan import Step, StepInput
from partner_desktop.mind.question import (
    CorrectChain,
    ExtractedParams,
    ExtractParams,
    JudgeChain,
    JudgeConfirmation,
    PlanVerdict,
)
from tests.runtime.minds import ScriptedMind
from tests.support import Watcher

#: Appends its line to a file; one that begins with “wait” waits until the file says go.
WRITER = """\
# /// partner
# description = "{description}"
# annotations = {annotations}
# [params.file]
# type = "string"
# format = "path"
# access = "write"
# [params.line]
# type = "string"
# description = "what to write"
# ///
import sys, time
values = dict(a[2:].split("=", 1) for a in sys.argv[1:])
path, line = values["file"], values["line"]
with open(path, "a") as file:
    file.write(line + "\\n")
while line.startswith("wait") and "go " + line not in open(path).read():
    time.sleep(0.01)
if line.startswith("fail"):
    sys.exit("the pen broke at " + line)
print("wrote " + line)
"""

#: Only looks: it is held, so that it is a risk to nothing.
READER = """\
# /// partner
# description = "Weigh a thought"
# [params.thought]
# type = "string"
# description = "the thought to weigh"
# ///
import sys
print("weighed " + sys.argv[1])
"""


#: Comes to its end with nothing to say.
QUIET = """\
# /// partner
# description = "Keep quiet"
# params = {}
# ///
"""


def write_abilities(action_dir: Path, annotations: str = "{}") -> None:
    """`local::scribe`, `local::mender` (the same by another name) and `local::weigh`."""
    dynamic = action_dir / "dynamic"
    for name, description in (("scribe", "Scribe a line"), ("mender", "Mend a line")):
        text = WRITER.replace("{description}", description).replace("{annotations}", annotations)
        (dynamic / f"{name}.py").write_text(text)
    (dynamic / "weigh.py").write_text(READER)
    (dynamic / "quiet.py").write_text(QUIET)


@dataclass
class Wanted:
    """One step of a chain to come."""

    params: JsonObject = field(default_factory=dict)
    key: str = "local::scribe"
    feeds: dict[str, str] = field(default_factory=dict)
    """Parameter → id of the step that brings it."""
    text: str = ""
    id: str = field(default_factory=new_id)


class ChainMind(ScriptedMind):
    """The starter mind, but for what a test scripts of its answers about chains."""

    def __init__(self) -> None:
        super().__init__()
        self.add(
            JudgeConfirmation.answered_by(self.judge_confirmation),
            CorrectChain.answered_by(self.correct_chain),
            JudgeChain.answered_by(self.judge_chain),
            ExtractParams.answered_by(self.extract_params),
        )
        self.corrections: list[tuple[Intervention, ...]] = []
        self.verdicts: list[PlanVerdict] = []
        self.corrected: list[CorrectChain] = []
        self.judged: list[JudgeChain] = []
        self.extracted: list[ExtractParams] = []
        self.only_asked = False
        """Words give an argument only as an answer to its question."""
        self.found: dict[str, str] = {}
        """Parameter → what its extraction finds."""

        self.before_verdict: asyncio.Event | None = None
        self.hears = asyncio.Event()
        """Set while words about a card wait for their verdict."""

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict:
        if self.before_verdict is not None:
            self.hears.set()
            await self.before_verdict.wait()
        return await self.starter.ask(request)

    async def correct_chain(self, request: CorrectChain) -> tuple[Intervention, ...]:
        self.corrected.append(request)
        return self.corrections.pop(0) if self.corrections else ()

    async def judge_chain(self, request: JudgeChain) -> PlanVerdict:
        self.judged.append(request)
        if self.verdicts:
            return self.verdicts.pop(0)
        bad = [step for step in request.steps if step.status is not ActionStatus.SUCCEEDED]
        return PlanVerdict(not bad, f"{bad[0].title} did not work." if bad else "")

    async def extract_params(self, request: ExtractParams) -> ExtractedParams:
        self.extracted.append(request)
        if self.only_asked and not request.asked:
            missing = tuple(name for name in request.info.required() if name not in request.known)
            return ExtractedParams(dict(request.known), missing)
        if not self.found:
            return await self.starter.ask(request)
        values = {**request.known, **{n: v for n, v in self.found.items() if n in request.info.properties()}}
        return ExtractedParams(values, tuple(n for n in request.info.required() if n not in values))


async def proposed(
    partner: Partner, stages: Sequence[Sequence[Wanted]], *, text: str = "do it"
) -> ActionRecord:
    """A chain that waits with its card, in a conversation of its own."""
    conversation = await partner.conversations.create("chain")
    exchange = partner._parts.core.exchanges.open(conversation.id)
    release = exchange.hold()
    try:
        drafts = [[_draft(partner, wanted) for wanted in stage] for stage in stages]
        plan = PlanDraft(drafts, text, asks_first=True)
        evidence = await partner._parts.actions.proposals.begin(plan, exchange=exchange)
    finally:
        release()
    assert isinstance(evidence, Proposed), evidence
    return evidence.action


def _draft(partner: Partner, wanted: Wanted) -> StepDraft:
    info = partner._parts.actions.catalog.require(wanted.key)
    feeds = tuple(StepInput(param, step) for param, step in wanted.feeds.items())
    return StepDraft(info, wanted.text or info.description, wanted.params, feeds, id=wanted.id)


async def approved(partner: Partner, stages: Sequence[Sequence[Wanted]], **more: str) -> ActionRecord:
    """A chain that runs, after its yes."""
    record = await proposed(partner, stages, **more)
    await partner.actions.approve(record.id, scope="once")
    return record


async def ended(partner: Partner, watcher: Watcher, action_id: str) -> ActionRecord:
    """The chain when it is over, and told."""
    over: list[Event] = []

    def is_told(event: Event) -> bool:
        if isinstance(event, ResultEvent) and event.action.id == action_id:
            over.append(event)
        return bool(over) and isinstance(event, ReplyEvent) and event.done

    await watcher.until(is_told)
    return await partner.actions.get(action_id)


async def until_step(
    watcher: Watcher, action_id: str, number: int, fits: Callable[[Step], bool]
) -> ActionRecord:
    """The chain once its step of a number (from 1) is so."""

    def is_so(event: Event) -> bool:
        if not isinstance(event, ActionEvent) or event.action.id != action_id:
            return False
        chain = event.action.chain
        return chain is not None and len(chain.steps) >= number and fits(chain.steps[number - 1])

    found = await watcher.until(is_so)
    assert isinstance(found, ActionEvent)
    return found.action


async def child_card(watcher: Watcher, action_id: str) -> ActionRecord:
    """The card of a step that asks by itself."""
    found = await watcher.until(lambda e: isinstance(e, ProposalEvent) and e.action.parent_id == action_id)
    assert isinstance(found, ProposalEvent)
    return found.action


def errors(record: ActionRecord) -> list[str]:
    """What is said of each step that came to nothing."""
    assert record.chain is not None
    return [step.error for step in record.chain.steps if step.error]


def statuses(record: ActionRecord) -> list[str]:
    """Where each step stands."""
    assert record.chain is not None
    return [step.status.value for step in record.chain.steps]


def lines(path: Path) -> list[str]:
    """What the steps wrote, in order."""
    written = path.read_text().splitlines() if path.exists() else []
    return [each for each in written if not each.startswith("go ")]


def go_on(path: Path, line: str) -> None:
    """Let the step end that waits with this line."""
    with path.open("a") as file:
        file.write(f"go {line}\n")


async def at_rest(watcher: Watcher, chain: ActionRecord) -> None:
    """Wait until something was said about a chain that waits for the person, and its turn is over."""
    said: list[Event] = []

    def is_over(event: Event) -> bool:
        if isinstance(event, ReplyEvent) and event.done:
            said.append(event)
        return bool(said) and isinstance(event, DoneEvent) and event.exchange_id == chain.exchange_id

    await watcher.until(is_over)
