"""`rolling --data DIR`: is what was rolled still found, and do its summaries keep what is asked for later?

Each long conversation of DIR is played through a real Partner, session by session, by a clock that is moved:
whoever speaks first in a session is the person, the other answers as Partner, each with the name before the
words. It rolls as it would: by length, and in the rests between the sessions. Then its questions are asked as
`recall` asks them, of this home and of one into which the same messages were brought in and nothing rolled.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.base.text_compression import sentences
from partner_desktop.context.block_settings import ContextSettings
from partner_desktop.domain.events import DialogRolledEvent, DoneEvent
from partner_desktop.domain.remembered import MemorySlice, MemoryUnit, RememberedTurn
from partner_desktop.language.recollection import remembered_terms
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.question import EvaluateIntent, IntentEvaluation, ReplyRequest
from partner_desktop.mind.starter.mind import StarterMind
from tests.benchmarks.recall import DialogQuestion, LongDialog, read_dialogs
from tests.benchmarks.recall_fit import DEPTHS
from tests.support import FakeClock, HastyClock, Watcher

_ADVERSARIAL = "5"
_CANDIDATES = 100
#: By how much of a question's evidence less may be found.
LIMIT = 0.01
_NO_REPLY = "NO_REPLY\n"
_WAIT_S = 300.0


@dataclass(frozen=True)
class Line:
    """What one of the two said before the other spoke, and the ids of its turns."""

    speaker: str
    text: str
    at: datetime
    ids: tuple[str, ...]
    begins: bool
    """Whether a session begins with it."""


def lines_of(dialog: LongDialog) -> list[Line]:
    """The lines of a conversation; who speaks twice in a row is one line, but for the first of a session."""
    lines: list[Line] = []
    session = ""
    for turn in dialog.turns:
        begins = turn.id.partition(":")[0] != session
        session = turn.id.partition(":")[0]
        last = lines[-1] if lines else None
        if begins or last is None or last.speaker != turn.speaker:
            lines.append(Line(turn.speaker, f"{turn.speaker}: {turn.text}", turn.at, (turn.id,), begins))
        else:
            text = f"{last.text}\n{turn.text}"
            lines[-1] = Line(last.speaker, text, last.at, (*last.ids, turn.id), last.begins)
    return lines


class Replayer(Answerers):
    """Answers with the line that was said then; everything else is for the starter mind."""

    name = "replayer"

    def __init__(self) -> None:
        self.starter = StarterMind()
        super().__init__(EvaluateIntent.answered_by(self._talk), otherwise=self._otherwise)
        self.answer = ""
        self.most_dialog = 0
        """Tokens of the dialog and of what stands for the one before it, at most."""

    async def _talk(self, question: EvaluateIntent) -> IntentEvaluation:
        return IntentEvaluation.of_talk(question.abilities)

    async def _otherwise(self, question: Any) -> Any:
        return await self.starter.ask(question)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        carried = [part.tokens for part in request.prompt if part.name in ("dialog", "dialog_history")]
        self.most_dialog = max(self.most_dialog, sum(carried))
        yield self.answer or _NO_REPLY


@dataclass(frozen=True)
class PlayedDialog:
    """What became of one conversation."""

    questions: int
    rolled: dict[str, list[float]]
    unrolled: dict[str, list[float]]
    kept: dict[str, list[float]]
    """Of the words of each answer: the share in a summary, and in a lead of the same length."""
    units: int
    left_out: int
    last_prompt: int
    most_dialog: int


async def play(dialog: LongDialog) -> PlayedDialog:
    """Play it, ask it; and ask the same of a home where nothing was rolled."""
    lines = lines_of(dialog)
    asked = [each for each in dialog.questions if each.category != _ADVERSARIAL and each.evidence]
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        unrolled = await _unrolled(root, lines, asked)
        clock, mind, watcher = FakeClock(lines[0].at), Replayer(), Watcher()
        partner = Partner(
            Home(root / "home"), root / "action", mind=mind, clock=clock, quiet_clock=HastyClock()
        )
        mind.starter = StarterMind(embedder=partner.embedder)
        partner.subscribe(watcher)
        await partner.launch()
        try:
            conversation = await _said(partner, watcher, mind, clock, lines)
            found = await _found(partner, lines, asked, conversation)
            kept = await _kept(partner, conversation, lines, asked)
            turns = await partner.context.turns(conversation, limit=1_000)
            return PlayedDialog(
                len(asked),
                found,
                unrolled,
                kept,
                units=len(await partner.memory.units(conversation)),
                left_out=max(each.left_out_messages for each in turns),
                last_prompt=turns[-1].prompt_tokens,
                most_dialog=mind.most_dialog,
            )
        finally:
            await partner.close()


async def _said(
    partner: Partner, watcher: Watcher, mind: Replayer, clock: FakeClock, lines: Sequence[Line]
) -> str:
    """Say it all; the conversation's id."""
    conversation, person = "", ""
    for number, line in enumerate(lines):
        if line.begins:
            if conversation:
                await _rest(partner, watcher, clock, conversation)
            person = line.speaker
        clock.move(max(timedelta(), line.at - clock.now()))
        if line.speaker != person:
            continue  # it was the answer to the line before
        follower = lines[number + 1] if number + 1 < len(lines) else None
        mind.answer = follower.text if follower is not None and not follower.begins else ""
        watcher.events.clear()
        said = await partner.messages.send(line.text, conversation_id=conversation or None)
        conversation = said.conversation_id
        await watcher.until(lambda event: isinstance(event, DoneEvent), wait_s=_WAIT_S)
    await _rest(partner, watcher, clock, conversation)
    return conversation


async def _rest(partner: Partner, watcher: Watcher, clock: FakeClock, conversation: str) -> None:
    """Let time pass until all of it is rolled."""
    watcher.events.clear()
    async with asyncio.timeout(_WAIT_S):
        while not any(
            isinstance(event, DialogRolledEvent) and event.unit.ends_session for event in watcher.events
        ):
            clock.move(timedelta(minutes=1))
            await partner.memory.units(conversation)


async def _unrolled(
    root: Path, lines: Sequence[Line], asked: Sequence[DialogQuestion]
) -> dict[str, list[float]]:
    """What is found where the same messages were brought in."""
    partner = Partner(Home(root / "unrolled"), root / "action")
    await partner.launch()
    try:
        file = root / "dialog.jsonl"
        roles: list[str] = []
        for line in lines:
            roles.append("user" if line.begins or roles[-1] == "assistant" else "assistant")
        file.write_text(
            "".join(
                json.dumps({"text": line.text, "role": role, "at": line.at.isoformat(), "conversation": "1"})
                + "\n"
                for line, role in zip(lines, roles, strict=True)
            ),
            encoding="utf-8",
        )
        begun = await partner.memory.import_from(file)
        async for one in partner.memory.follow_import(begun.id):
            begun = one
        (conversation,) = await partner.conversations.list()
        return await _found(partner, lines, asked, conversation.id)
    finally:
        await partner.close()


async def _found(
    partner: Partner, lines: Sequence[Line], asked: Sequence[DialogQuestion], conversation: str
) -> dict[str, list[float]]:
    """The share of each question's evidence among the first so many, as it is recalled."""
    await partner.memory.read_all()
    ids = {
        turn.position: line.ids for turn, line in zip(await _turns(partner, conversation), lines, strict=True)
    }
    shares: dict[str, list[float]] = {f"recall@{depth}": [] for depth in DEPTHS}
    for one in asked:
        recall = await partner.memory.recall(one.text, limit=_CANDIDATES, now=one.asked_at)
        for depth in DEPTHS:
            first = {each for turn in recall.turns[:depth] for each in ids[turn.turn.position]}
            shares[f"recall@{depth}"].append(len(first & one.evidence) / len(one.evidence))
    return shares


async def _turns(partner: Partner, conversation: str) -> list[RememberedTurn]:
    """Everything that was said, in order."""
    slices = await partner.memory.slices(conversation_id=conversation, limit=10_000)
    turns = [turn for one in slices for turn in (await partner.memory.show(one.id)).turns]
    return sorted(turns, key=lambda turn: turn.position)


async def _kept(
    partner: Partner, conversation: str, lines: Sequence[Line], asked: Sequence[DialogQuestion]
) -> dict[str, list[float]]:
    """Of each answer's words: the share in the summaries of what holds its evidence, and in their leads."""
    turns = await _turns(partner, conversation)
    place = {each: turn.position for turn, line in zip(turns, lines, strict=True) for each in line.ids}
    kept: dict[str, list[float]] = {}
    stretches: dict[str, Sequence[MemorySlice | MemoryUnit]] = {
        "slices": await partner.memory.slices(conversation_id=conversation, limit=10_000),
        "units": await partner.memory.units(conversation),
    }
    for kind, some in stretches.items():
        pairs = [
            (one.first, one.past, one.summary, _lead(turns, one.first, one.past, len(one.summary)))
            for one in some
        ]
        for question in asked:
            words = set(remembered_terms(question.answer))
            there = [
                pair for pair in pairs if any(pair[0] <= place[each] < pair[1] for each in question.evidence)
            ]
            if not words:
                continue
            for name, column in ((kind, 2), (f"{kind}, lead of the same length", 3)):
                told = set(remembered_terms("\n".join(str(pair[column]) for pair in there)))
                kept.setdefault(name, []).append(len(words & told) / len(words))
    return kept


def _lead(turns: Iterable[RememberedTurn], first: int, past: int, length: int) -> str:
    """The first sentences, three or as many as there is room for."""
    said = [one for turn in turns if first <= turn.position < past for one in sentences(turn.text)]
    return "".join(said)[:length]


def measure(data: Path) -> dict[str, Any]:
    """All figures.

    Raises:
        DataError: The data cannot be read.
    """
    return asyncio.run(_measure(data))


async def _measure(data: Path) -> dict[str, Any]:
    played = [await play(dialog) for dialog in read_dialogs(data)]
    figures: dict[str, Any] = {
        "conversations": len(played),
        "questions": sum(one.questions for one in played),
        "units": sum(one.units for one in played),
        "rolled": _means(one.rolled for one in played),
        "unrolled": _means(one.unrolled for one in played),
        "answer words kept": _means(one.kept for one in played),
        "last_prompt_tokens": max(one.last_prompt for one in played),
        "most_dialog_tokens": max(one.most_dialog for one in played),
        "dialog_limit_tokens": ContextSettings().dialog_tokens,
        "most_left_out_messages": max(one.left_out for one in played),
    }
    rolled, unrolled, kept = figures["rolled"], figures["unrolled"], figures["answer words kept"]
    figures["ok"] = (
        all(rolled[name] >= unrolled[name] - LIMIT for name in rolled)
        and all(kept[kind] >= kept[f"{kind}, lead of the same length"] for kind in ("slices", "units"))
        and figures["most_dialog_tokens"] <= figures["dialog_limit_tokens"]
        and figures["most_left_out_messages"] == 0
    )
    return figures


def _means(tables: Iterable[dict[str, list[float]]]) -> dict[str, float]:
    values: dict[str, list[float]] = {}
    for table in tables:
        for name, some in table.items():
            values.setdefault(name, []).extend(some)
    return {name: round(sum(some) / len(some), 4) for name, some in values.items()}
