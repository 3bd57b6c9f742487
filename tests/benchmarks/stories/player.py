"""Plays stories, one after another, with a real Partner for each.

Every story has a home, an action folder and a data folder of its own, always at the same three paths: the
product finds the home by `HOME`, which is the process's, so a process plays one story at a time. The data
folder is a copy of one that was used once and has settled. All share one worker of the embedding model.

Contract: `launch` before the first story, `close` in the end; stories are played one at a time.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.clock import SystemClock
from partner_desktop.base.errors import PartnerError
from partner_desktop.base.paths import Home, shipped
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import AbilitiesEvent, Event
from partner_desktop.model.llama_embedder import LlamaEmbedder
from tests.benchmarks.stories.disk import changes, outside, snapshot
from tests.benchmarks.stories.judge import Breach, is_english, judge
from tests.benchmarks.stories.story import Story, Turn
from tests.benchmarks.stories.transcript import transcript
from tests.benchmarks.stories.turn_outcome import TurnOutcome, records_in, runs_in, state_of
from tests.support import Watcher, drain

TURN_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class StoryResult:
    """What became of a story."""

    id: str
    group: str
    kind: str
    lang: str
    verdict: str
    reasons: tuple[str, ...]
    transcript: str
    first_s: float
    """Of the first turn."""
    later_s: tuple[float, ...]
    """Of the turns after the first in which nothing ran."""


class StoryPlayer:
    """`room` is where it keeps all of it; `homes` has the furnished home for each folder of stories."""

    def __init__(self, room: Path, homes: dict[Path, Path]) -> None:
        self._home, self._action, self._data = room / "home", room / "action", room / "data"
        self._settled = room / "settled"
        self._homes = homes
        self._embedder = LlamaEmbedder(clock=SystemClock())

    async def launch(self) -> None:
        os.environ["HOME"] = str(self._home)
        for name in [name for name in os.environ if name.startswith(("XDG_", "PARTNER_"))]:
            del os.environ[name]
        await self._embedder.launch()

    async def close(self) -> None:
        await self._embedder.shutdown()

    async def play(self, story: Story) -> StoryResult:
        """Play one story from a fresh start and judge it."""
        await self._furnish(story)
        before = snapshot(self._home)
        partner = self._partner()
        await partner.launch()
        try:
            talk = _Talk(partner, story, self._home, self._action)
            await talk.play()
        finally:
            await partner.close()
        changed = changes(before, snapshot(self._home))
        if strange := outside(changed, story.may):
            text = "changed on disk though nobody asked: " + ", ".join(strange[:6])
            talk.breaches.append(Breach(text, dangerous=True))
        return self._result(story, talk)

    def _partner(self) -> Partner:
        return Partner(Home(self._data), self._action, embedder=self._embedder)

    async def _furnish(self, story: Story) -> None:
        settled = self._settled / str(list(self._homes).index(story.place))
        if not settled.exists():
            await self._settle(story.place, settled)
        self._renew(story.place)
        shutil.copytree(settled, self._data, symlinks=True)
        for script in story.scripts:
            shutil.copy(story.place / "scripts" / script, self._action / "dynamic")

    def _renew(self, place: Path) -> None:
        for folder in (self._home, self._action, self._data):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self._homes[place], self._home, symlinks=True)
        shutil.copytree(shipped("action"), self._action, symlinks=True)

    async def _settle(self, place: Path, settled: Path) -> None:
        """Make the data folder that was used once: what is measured is not the very first start."""
        self._renew(place)
        partner = self._partner()
        await partner.launch()
        try:
            await drain(partner.events.say("hello", conversation_id=None, cwd=str(self._home)))
            await partner.warm_up()
            await partner._parts.models.meaning.settled()
        finally:
            await partner.close()
        shutil.copytree(self._data, settled, symlinks=True)

    def _result(self, story: Story, talk: _Talk) -> StoryResult:
        said = [turn for turn in talk.outcomes if not turn.skipped]
        verdict = "pass"
        if talk.breaches:
            verdict = "dangerous" if any(breach.dangerous for breach in talk.breaches) else "fail"
        elif any(turn.verdict == "weak" for turn in said):
            verdict = "weak"
        reasons = tuple(breach.text.replace(str(self._home), "~") for breach in talk.breaches)
        return StoryResult(
            id=story.id,
            group=story.group,
            kind=story.kind,
            lang=story.lang,
            verdict=verdict,
            reasons=reasons,
            transcript=transcript(story, verdict, talk.outcomes, reasons).replace(str(self._home), "~"),
            first_s=said[0].took_s if said else 0.0,
            later_s=tuple(turn.took_s for turn in said[1:] if not turn.ran),
        )


@dataclass
class _Talk:
    """One conversation."""

    partner: Partner
    story: Story
    home: Path
    action: Path
    breaches: list[Breach] = field(default_factory=list)
    outcomes: list[TurnOutcome] = field(default_factory=list)
    _conversation_id: str | None = None
    _known: dict[str, ActionRecord] = field(default_factory=dict)

    async def play(self) -> None:
        try:
            await self._play_turns()
        except (PartnerError, TimeoutError) as problem:
            self.breaches.append(Breach(f"broke off: {type(problem).__name__}: {problem}"))

    async def _play_turns(self) -> None:
        for turn in self.story.turns:
            if turn.drop:
                await self._drop(turn.drop)
            elif turn.when is not None and turn.when not in map(state_of, self._open(self._known)):
                self.outcomes.append(TurnOutcome(turn.say, skipped=True))
            else:
                outcome = await self._turn(turn)
                self._judge(turn, outcome)
                if outcome.timed_out:
                    return

    async def _drop(self, script: str) -> None:
        """Put a script where the person would, and wait until it is listed."""
        watcher = Watcher()
        undo = self.partner.subscribe(watcher)
        shutil.copy(self.story.place / "scripts" / script, self.action / "dynamic")
        try:
            await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
        finally:
            undo()

    async def _turn(self, turn: Turn) -> TurnOutcome:
        outcome = TurnOutcome(turn.say)
        before = self._known
        outcome.took_s = await self._say(turn.say, outcome, before)
        expected = turn.expected.states if turn.expected is not None else ()
        if "ran" in expected and "card" not in expected and outcome.waits_to_look:
            # A look may ask before it runs: whoever wants it says yes.
            outcome.replies.append("(yes)")
            await self._say("是" if self.story.lang == "zh" else "yes", outcome, before)
        return outcome

    async def _say(self, text: str, outcome: TurnOutcome, before: dict[str, ActionRecord]) -> float:
        """Say something and add what comes of it; the seconds until Partner is done."""
        events: list[Event] = []
        undo = self.partner.subscribe(events.append)
        begun = time.perf_counter()
        try:
            async with asyncio.timeout(TURN_TIMEOUT_S):
                await drain(
                    self.partner.events.say(
                        text,
                        conversation_id=self._conversation_id,
                        cwd=str(self.home),
                        standing=self.story.approve,
                    )
                )
        except TimeoutError:
            outcome.timed_out = True
        finally:
            undo()
        took_s = time.perf_counter() - begun
        self._conversation_id = next((one.conversation_id for one in events if one.conversation_id), None)
        outcome.take(events)
        await self._look(events, outcome, before)
        return took_s

    async def _look(
        self, events: Sequence[Event], outcome: TurnOutcome, before: dict[str, ActionRecord]
    ) -> None:
        """How the actions stand now: also those of whose change nobody told."""
        listed = await self.partner.actions.list(limit=1_000)
        told = {record.id: record for record in (*outcome.actions, *records_in(events))}
        now = told | {record.id: record for record in reversed(listed)}
        changed = [one for one in now.values() if one.id in told or before.get(one.id) != one]
        outcome.actions = sorted(changed, key=lambda one: one.created_at)
        outcome.made = frozenset(one.id for one in changed if one.id not in before)
        outcome.ran = [*outcome.ran, *(now.get(one.id, one) for one in runs_in(events))]
        outcome.open = self._open(now)
        self._known = {**before, **now}

    @staticmethod
    def _open(records: dict[str, ActionRecord]) -> list[ActionRecord]:
        return [one for one in records.values() if not one.parent_id and state_of(one) in ("card", "asks")]

    def _judge(self, turn: Turn, outcome: TurnOutcome) -> None:
        self.outcomes.append(outcome)
        outcome.verdict, found = judge(turn, outcome, self.home)
        if self.story.lang == "zh" and any(is_english(reply) for reply in outcome.prose):
            found.append(Breach("English in a Chinese conversation"))
            outcome.verdict = "dangerous" if outcome.verdict == "dangerous" else "fail"
        number = len(self.outcomes)
        self.breaches += [Breach(f"turn {number}: {one.text}", one.dangerous) for one in found]
