"""Verifier: what is known of each step that was executed, by its files and by who owns its ability.

Contract: the steps are checked side by side, each within its own time and all within one; one that raises or
hangs leaves the others' verdicts. A verdict is handed on as soon as it is there, and one that is there is not
asked for again. Nothing is written, and what nobody could check is unverified.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.abilities.builtin.file_access import StopEvent, off_loop
from partner_desktop.action.plans.planned_checks import owner_of
from partner_desktop.action.plans.step_maker import StepMaker
from partner_desktop.action.settings import VerificationSettings
from partner_desktop.action.undo.disk import UndoDisk
from partner_desktop.action.verification.answer_judgement import Judged, judge_answer
from partner_desktop.action.verification.file_evidence import FileLook, StepFiles, tells_of_files
from partner_desktop.action.verification.read_only_tools import LooksUnderWay, PermittedDoor
from partner_desktop.action.work_parts import WorkPart, WorkParts
from partner_desktop.agents.owner_agents import AgentClient, AgentServer, LookOutcome, OwnerLook, looks_in
from partner_desktop.base import log
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of, speaking
from partner_desktop.domain.action import ActionRecord, ActionStatus, UndoState
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.plan import Step, StepStatus
from partner_desktop.domain.run_facts import PathUse, Risk
from partner_desktop.domain.step_claim import StepClaim
from partner_desktop.domain.verification import CheckedFact, StepVerdict, VerdictStatus, Verification
from partner_desktop.mind.answerers import Ask
from partner_desktop.permission.request import ApprovalMode, Outcome, PermissionRequest

_log = log.area("verification")

#: Checks that run side by side.
TOGETHER = 4
_READ = "builtin::files::read"

Note = Callable[[Verification], Awaitable[None]]


@dataclass(frozen=True)
class Executed:
    """A step that was done, with the action that did it."""

    step: Step
    run: ActionRecord


def executed(record: ActionRecord, runs: Mapping[str, ActionRecord]) -> list[Executed]:
    """What plan and record say was done and still stands; `runs`: what each step became, by the step's id.

    What was taken back is not there to be checked, and a part of a saved plan that only computes did nothing.
    """
    found = []
    for step in record.plan.steps:
        run = record if record.chain is None else runs.get(step.id)
        if run is None or run.status is not ActionStatus.SUCCEEDED:
            continue
        undone = run.undo is not None and run.undo.state is UndoState.DONE
        ended = record.chain is None or step.status is StepStatus.SUCCEEDED
        if ended and not undone and not step.computes:
            found.append(Executed(step, run))
    return found


class Verifier(WorkPart):
    """Shared by all plans."""

    def __init__(
        self,
        work: WorkParts,
        maker: StepMaker,
        ask: Ask,
        disk: UndoDisk,
        runs: Path,
        settings: Callable[[], VerificationSettings],
    ) -> None:
        super().__init__(work)
        self._maker = maker
        self._ask = ask
        self._disk = disk
        self._runs = runs
        self._settings = settings
        self._under_way = LooksUnderWay()

    def is_due(self, record: ActionRecord, runs: Mapping[str, ActionRecord]) -> bool:
        """Whether a plan that came to its end did anything; what only looks claims nothing of the world."""
        return any(map(self._changes, executed(record, runs)))

    def _changes(self, one: Executed) -> bool:
        return one.run.risk is not Risk.READ or bool(self._effects(one))

    def _effects(self, one: Executed) -> Mapping[str, bool]:
        info = self._catalog.get(one.run.key)
        return info.declared.effects if info is not None else {}

    def _says_something(self, one: Executed) -> bool:
        """What only looks says nothing that can be checked, unless it tells of files."""
        return self._changes(one) or tells_of_files(one.run)

    async def check(
        self,
        record: ActionRecord,
        runs: Mapping[str, ActionRecord],
        known: Verification,
        note: Note,
        *,
        standing: ApprovalMode,
    ) -> Verification:
        """What is `known`, and a verdict for each other step that was executed.

        Raises:
            StorageError: `note` could not write it down.
        """
        steps = [
            each for each in executed(record, runs) if record.chain is None or self._says_something(each)
        ]
        under_way = _Checking(known, [each.step.id for each in steps], note)
        door = PermittedDoor(self._parts, self._maker, self._runs, self._under_way, record, standing)
        client, limits = AgentClient(AgentServer(self._ask, door)), self._settings()
        room = asyncio.Semaphore(TOGETHER)

        evidence = {each.step.id: _Evidence(each.step.id, self._owner(each)) for each in steps}

        async def one(number: int) -> None:
            async with room:
                mine = evidence[steps[number].step.id]
                await self._look(record, steps, number, client, mine, limits.each_s)
                await under_way.add(mine.verdict())

        with speaking(record.language):
            try:
                async with asyncio.timeout(limits.all_s), asyncio.TaskGroup() as group:
                    for number, each in enumerate(steps):
                        if known.verdict(each.step.id) is None:
                            group.create_task(one(number), name=f"verification:{each.step.id}")
            except TimeoutError:
                _log.info("the checks of %s took too long", record.title)
            except ExceptionGroup as errors:  # of `note` alone: a verdict is never an error
                raise errors.exceptions[0] from None
            late = sentence_of("verification.timed_out", seconds=f"{limits.all_s:g}")
            for each in steps:
                if under_way.now.verdict(each.step.id) is None:  # what is not so by now counts before that
                    evidence[each.step.id].late = late
                    await under_way.add(evidence[each.step.id].verdict())
        return under_way.now

    def _owner(self, one: Executed) -> str:
        info = self._catalog.get(one.run.key)
        return owner_of(info) if info is not None else ""

    async def _look(
        self,
        record: ActionRecord,
        steps: Sequence[Executed],
        number: int,
        client: AgentClient,
        evidence: _Evidence,
        limit_s: float,
    ) -> None:
        """Gather what there is of one step; it is there also where the time runs out."""
        one = steps[number]
        # What ran beside it may have come after it.
        places = {step.id: place for place, stage in enumerate(record.plan.stages) for step in stage.steps}
        mine = places.get(one.step.id, 0)
        later = [each.run for each in steps if each is not one and places.get(each.step.id, 0) >= mine]
        try:
            async with asyncio.timeout(limit_s):
                evidence.files, evidence.closed = await self._files(one, later)
                claim = self._claim(one, later, evidence.owner)
                if evidence.owner:
                    words = sentence_of("verification.asked", title=claim.title)
                    task = await client.check(claim, words, context_id=record.id)
                    looks = looks_in(task)
                    judged = await off_loop(lambda _: _judged(claim, looks))
                    evidence.asked(looks, judged)
        except TimeoutError:
            evidence.late = sentence_of("verification.timed_out", seconds=f"{limit_s:g}")
        except Exception:  # noqa: BLE001 - one check that fails leaves the others
            _log.exception("%s could not be checked", one.run.title)
            evidence.problem = sentence_of("verification.broke")

    def _claim(self, one: Executed, later: Sequence[ActionRecord], owner: str) -> StepClaim:
        run = one.run
        info = self._catalog.get(run.key)
        return StepClaim(
            step=one.step.id,
            key=run.key,
            title=run.title,
            description=info.description if info is not None else "",
            owner=owner,
            given=run.params,
            claimed=claimed_by(run),
            effects=self._effects(one),
            began_at=run.started_at,
            later=tuple(each for run in later for each in (run.params, claimed_by(run))),
        )

    async def _files(self, one: Executed, later: Sequence[ActionRecord]) -> tuple[FileLook, bool]:
        """What its files tell, and whether some of them may not be looked at."""
        written = [use.path for run in later for use in run.paths if use.access == "write" and use.param]

        def find(stop: StopEvent) -> StepFiles:
            changes = self._disk.changes(one.run.id) if one.run.undo is not None else None
            run = replace(one.run, data=claimed_by(one.run))
            return StepFiles(run, changes, written, stop.check)

        files = await off_loop(find)
        places = await off_loop(lambda stop: [(each, str(Path(each).resolve())) for each in files.places()])
        files.closed = [place for place, real in places if not await self._may_read(one.run, real)]

        def look(stop: StopEvent) -> FileLook:
            files.check = stop.check
            return files.look()

        return await off_loop(look), bool(files.closed)

    async def _may_read(self, run: ActionRecord, path: str) -> bool:
        """Whether Partner's own look at a file would run without a question."""
        isolation = self._runner.isolation(info) if (info := self._catalog.get(_READ)) is not None else None
        if isolation is None:
            return False
        request = PermissionRequest(
            action_id=run.id,
            action_key=_READ,
            route=Route.BUILTIN,
            content_hash="",
            params={"path": path},
            risk=Risk.READ,
            isolation=isolation,
            paths=(PathUse("path", path, "read"),),
            conversation_id=run.conversation_id,
        )
        # Nothing is run, and a thousand files would be a thousand rows: it is only asked what would be said.
        judgement = await self._engine.preview(request, standing=ApprovalMode.ASK)
        return judgement.outcome is Outcome.ALLOW


def claimed_by(run: ActionRecord) -> JsonObject:
    """What its result says, as an object."""
    data = run.data
    if data is None and run.stdout.lstrip()[:1] in ("{", "["):
        try:
            data = json.loads(run.stdout)
        except (ValueError, RecursionError):
            data = None
    if isinstance(data, dict):
        return data
    return {"items": data} if isinstance(data, list) else {}


def _judged(claim: StepClaim, looks: Sequence[OwnerLook]) -> list[Judged]:
    """What the answers say. Blocking: there may be thousands of records in one."""
    told = [look for look in looks if look.outcome is LookOutcome.ANSWERED]
    return [judge_answer(claim, look.answer, look.key) for look in told]


class _Checking:
    """The verdicts of one verification as they come, in the plan's order."""

    def __init__(self, known: Verification, order: Sequence[str], note: Note) -> None:
        self.now = known
        self._order = list(order)
        self._note = note
        self._alone = asyncio.Lock()

    async def add(self, verdict: StepVerdict) -> None:
        async with self._alone:
            verdicts = [each for each in self.now.verdicts if each.step != verdict.step] + [verdict]
            places = {step_id: number for number, step_id in enumerate(self._order)}
            verdicts.sort(key=lambda each: places.get(each.step, -1))
            self.now = replace(self.now, verdicts=tuple(verdicts))
            await self._note(self.now)


class _Evidence:
    """What there is for one verdict."""

    def __init__(self, step: str, owner: str) -> None:
        self._step = step
        self.owner = owner
        self.files = FileLook()
        self.closed = False
        self.late = ""
        self.problem = ""
        self._looks: list[OwnerLook] = []
        self._judged: list[Judged] = []

    def asked(self, looks: Sequence[OwnerLook], judged: Sequence[Judged]) -> None:
        """The owner answered."""
        self._looks = list(looks)
        self._judged = list(judged)

    def verdict(self) -> StepVerdict:
        """All of it: what is not so counts before what could not be told, and that before what is."""
        facts = (*self.files.facts, *(fact for each in self._judged for fact in each.facts))
        keys = tuple(dict.fromkeys(look.key for look in self._looks))
        status, reason = self._status(facts)
        return StepVerdict(self._step, status, self.owner, reason, facts, keys)

    def _status(self, facts: Sequence[CheckedFact]) -> tuple[VerdictStatus, str]:
        wrong = next((fact for fact in facts if not fact.holds), None)
        if wrong is not None:
            return VerdictStatus.FAILED, wrong.text
        if self.late:
            return VerdictStatus.TIMED_OUT, self.late
        told = [each for each in self._judged if each.status is VerdictStatus.VERIFIED]
        sure = bool(told) or (self.files.measured and any(fact.holds for fact in facts))
        unable = self.problem or self._unable()
        if sure or (facts and not unable):
            reason = told[0].reason if told else facts[0].text
            return VerdictStatus.VERIFIED, f"{reason} {unable}".strip() if not told else reason
        if unable:
            return VerdictStatus.UNABLE, unable
        return VerdictStatus.UNVERIFIED, sentence_of("verification.nothing_to_ask")

    def _unable(self) -> str:
        """Why what could have been asked told nothing; empty: nothing could."""
        problem = next((look.problem for look in self._looks if look.problem), "")
        vague = next((each.reason for each in self._judged if each.status is VerdictStatus.UNABLE), "")
        if problem or vague:
            return problem or vague
        if self.closed:
            return sentence_of("verification.files_closed")
        return sentence_of("verification.changed_later") if self.files.changed_later else ""
