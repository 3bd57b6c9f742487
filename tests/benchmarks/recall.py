"""`recall --data DIR`: are the turns that answer a question among the first that memory recalls?

Each long conversation of DIR (dated sessions, questions with the ids of the turns that hold the evidence)
goes through the public import into a home of its own; each question of the categories 1 to 4 is asked of it,
and those of category 5, which the conversation does not answer, count for turning down alone. The figures of
a conversation come from weights fitted on the others. Beside it, a Chinese dialog of our own
(`chinese_dialog.json`), which nothing was fitted on.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.language.recollection import read_cue, shared_letters
from partner_desktop.memory.ranking import SIGNALS
from tests.benchmarks.calls import DataError
from tests.benchmarks.recall_fit import (
    DEPTHS,
    Array,
    Asked,
    cross_validated,
    fit,
    fit_sureness,
    found,
    row,
    sure,
    sureness,
)

_CHINESE = Path(__file__).with_name("chinese_dialog.json")
#: As many as memory gives: which of them come first is for the weights of each fold to say.
_CANDIDATES = 500
_TURN_S = 20
_ADVERSARIAL = "5"
SIGNAL_SETTINGS = ("words", "meaning", "time", "topic", "speaker", "neighbourhood")


@dataclass(frozen=True)
class DialogTurn:
    """A turn as the data has it."""

    id: str
    speaker: str
    text: str
    at: datetime


@dataclass(frozen=True)
class DialogQuestion:
    """What is asked, and the ids of the turns that answer it."""

    text: str
    category: str
    evidence: frozenset[str]
    asked_at: datetime
    answer: str = ""


@dataclass(frozen=True)
class LongDialog:
    """One conversation of the data."""

    name: str
    turns: tuple[DialogTurn, ...]
    questions: tuple[DialogQuestion, ...]


def read_dialogs(folder: Path) -> list[LongDialog]:
    """The conversations of a folder.

    Raises:
        DataError: There are none, or one cannot be read.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise DataError(f"There is no conversation (*.json) in {folder}.")
    try:
        return [_dialog(file.stem, json.loads(file.read_text(encoding="utf-8"))) for file in files]
    except (OSError, ValueError, KeyError) as error:
        raise DataError(f"A conversation in {folder} cannot be read: {error}") from error


def _dialog(name: str, raw: dict[str, Any]) -> LongDialog:
    turns: list[DialogTurn] = []
    number = 1
    while f"session_{number}_date_time" in raw:
        at = datetime.strptime(raw[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(
            tzinfo=UTC
        )
        for place, turn in enumerate(raw.get(f"session_{number}", ())):
            caption = turn.get("blip_caption")
            text = turn["text"] + (f" [{caption}]" if caption else "")
            turns.append(
                DialogTurn(turn["dia_id"], turn["speaker"], text, at + timedelta(seconds=_TURN_S * place))
            )
        number += 1
    known = {turn.id for turn in turns}
    asked_at = turns[-1].at + timedelta(days=1)
    questions = []
    for item in raw["qa"]:
        ids = {each for text in item.get("evidence", ()) for each in re.split(r"[;,\s]+", text)}
        questions.append(
            DialogQuestion(
                item["question"],
                str(item["category"]),
                frozenset(ids & known),
                asked_at,
                str(item.get("answer", "")),
            )
        )
    return LongDialog(name, tuple(turns), tuple(questions))


def read_chinese() -> LongDialog:
    """Our own dialog of three hundred turns."""
    raw = json.loads(_CHINESE.read_text(encoding="utf-8"))
    turns = [
        DialogTurn(turn["id"], turn["speaker"], turn["text"], datetime.fromisoformat(turn["at"]))
        for turn in raw["turns"]
    ]
    questions = [
        DialogQuestion(
            item["question"],
            item["kind"],
            frozenset(item["evidence"]),
            datetime.fromisoformat(item["asked_at"]),
        )
        for item in raw["questions"]
    ]
    return LongDialog("chinese", tuple(turns), tuple(questions))


def write_lines(dialog: LongDialog, file: Path) -> None:
    """As JSON lines, the plain form of the import."""
    with file.open("w", encoding="utf-8") as lines:
        for turn in dialog.turns:
            line = {
                "text": turn.text,
                "speaker": turn.speaker,
                "at": turn.at.isoformat(),
                "conversation": dialog.name,
            }
            lines.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Played:
    """What became of one conversation."""

    asked: tuple[Asked, ...]
    foreign: tuple[Asked, ...]
    """Questions of another conversation: nothing here answers them."""
    without: dict[str, tuple[Asked, ...]]
    """The same questions with some signals switched off, by their names."""
    bytes_a_turn: float


async def play(
    dialog: LongDialog,
    *,
    foreign: Sequence[DialogQuestion] = (),
    off: Sequence[str] = (),
    meaning: bool = True,
) -> Played:
    """Import a conversation into a new home and ask its questions; again for each of `off` (`a+b`: both)."""
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        partner = Partner(Home(root / "home"), root / "action", meaning=meaning)
        await partner.launch()
        try:
            await _bring_in(partner, dialog, root / "dialog.jsonl")
            positions = await _positions(partner, dialog)
            asked = [await _ask(partner, dialog.name, each, positions) for each in dialog.questions]
            others = [await _ask(partner, dialog.name, each, positions) for each in foreign]
            without = {}
            for names in off:
                for name in names.split("+"):
                    await partner.config.set("memory", ("signals", name), value=False)
                without[names] = tuple(
                    [await _ask(partner, dialog.name, each, positions) for each in dialog.questions]
                )
                for name in names.split("+"):
                    await partner.config.set("memory", ("signals", name), value=True)
        finally:
            await partner.close()
        size = (partner.home.root / "cache" / "memory.db").stat().st_size
        return Played(tuple(asked), tuple(others), without, size / len(dialog.turns))


async def _bring_in(partner: Partner, dialog: LongDialog, file: Path) -> None:
    write_lines(dialog, file)
    begun = await partner.memory.import_from(file)
    async for one in partner.memory.follow_import(begun.id):
        begun = one
    if begun.turns != len(dialog.turns):
        raise DataError(f"{begun.turns} of {len(dialog.turns)} turns came in: {begun.problem}")
    await partner.memory.read_all()


async def _positions(partner: Partner, dialog: LongDialog) -> dict[int, str]:
    """Position → the turn's own id."""
    (conversation,) = await partner.conversations.list()
    messages = [
        each
        for one in await partner.memory.slices(conversation_id=conversation.id, limit=10_000)
        for each in (await partner.memory.show(one.id)).turns
    ]
    ordered = sorted(messages, key=lambda each: each.position)
    assert len(ordered) == len(dialog.turns)
    return {each.position: turn.id for each, turn in zip(ordered, dialog.turns, strict=True)}


async def _ask(partner: Partner, name: str, question: DialogQuestion, positions: dict[int, str]) -> Asked:
    begun = perf_counter()
    recall = await partner.memory.recall(question.text, limit=_CANDIDATES, now=question.asked_at)
    took_ms = (perf_counter() - begun) * 1000
    letters = [shared_letters(read_cue(question.text), each.turn.text) or 0 for each in recall.turns[:5]]
    signals = np.array([row(each.signals) for each in recall.turns]).reshape(-1, len(SIGNALS))
    return Asked(
        name,
        question.category,
        tuple(positions[each.turn.position] for each in recall.turns),
        signals,
        question.evidence,
        recall.confidence,
        took_ms,
        max(letters, default=0),
    )


def measure(data: Path, *, ablation: bool = False, weights: bool = False) -> dict[str, Any]:
    """All figures; with `ablation` each signal off in turn, with `weights` those fitted on everything.

    Raises:
        DataError: The data cannot be read.
    """
    return asyncio.run(_measure(data, ablation=ablation, weights=weights))


async def _measure(data: Path, *, ablation: bool, weights: bool) -> dict[str, Any]:
    dialogs = read_dialogs(data)
    played = []
    for number, dialog in enumerate(dialogs):
        off = SIGNAL_SETTINGS if ablation else ()
        played.append(await play(dialog, foreign=_foreign(dialogs, number), off=off))
    figures = quality(played)
    figures["bytes_a_turn"] = round(sum(each.bytes_a_turn for each in played) / len(played))
    figures["chinese"] = await _chinese()
    if weights:
        figures["weights"] = _weights(played)
        alone = [
            await play(dialog, foreign=_foreign(dialogs, number), meaning=False)
            for number, dialog in enumerate(dialogs)
        ]
        figures["weights by words alone"] = _weights(alone)
        figures["sureness by letters"] = await _letters()
    if ablation:
        figures["without"] = {
            name: _recalls([one for each in played for one in each.without[name]]) for name in SIGNAL_SETTINGS
        }
    return figures


def _foreign(dialogs: Sequence[LongDialog], number: int) -> list[DialogQuestion]:
    """Questions of the conversation after this one, where there is another."""
    other = dialogs[(number + 1) % len(dialogs)]
    asked = [each for each in other.questions if each.category != _ADVERSARIAL][:60]
    return asked if len(dialogs) > 1 else []


def _weights(played: Sequence[Played]) -> dict[str, Any]:
    """Those for `ranking.py`: of the signals, and of sureness."""
    ranking = fit([one for each in played for one in each.asked if one.category != _ADVERSARIAL])
    return {
        "signals": {name: round(float(w), 2) for name, w in zip(SIGNALS, ranking, strict=True)},
        "sureness": [round(float(each), 2) for each in _fit_sureness(played, ranking)],
    }


async def _letters() -> list[float]:
    """How sure letters make a question without spaces: base, words, letters.

    Fitted on the odd half of our own dialog, as far as what is asked is found by words at all, against
    questions that have nothing to do with it; the even half is what is told of.
    """
    dialog = read_chinese()
    raw = json.loads(_CHINESE.read_text(encoding="utf-8"))
    at = dialog.questions[0].asked_at
    never = [DialogQuestion(text, "never", frozenset(), at) for text in raw["never_said"]]
    played = await play(dialog, foreign=never, meaning=False)
    found_ones = [one for one in played.asked[1::2] if one.evidence.intersection(one.ids[:5])]
    words = SIGNALS.index("words")

    def rows(asked: Iterable[Asked]) -> Array:
        return np.array([[one.signals[:5, words].max(initial=0), one.letters] for one in asked])

    said, unsaid = rows(one for one in found_ones if one.category != "time"), rows(played.foreign)
    everything = np.concatenate([said, unsaid])
    mean, spread = everything.mean(axis=0), everything.std(axis=0)
    fitted = fit_sureness((said - mean) / spread, (unsaid - mean) / spread, pace=2.0)
    slopes = fitted[1:] / spread
    return [round(float(each), 2) for each in (fitted[0] - slopes @ mean, *slopes)]


def quality(played: Sequence[Played]) -> dict[str, Any]:
    """What is reported of the conversations. `never_said` are questions of another conversation."""
    asked = [one for each in played for one in each.asked]
    figures: dict[str, Any] = {"conversations": len(played), **_recalls(asked)}
    answerable = [one for one in asked if one.category != _ADVERSARIAL]
    adversarial = [one for one in asked if one.category == _ADVERSARIAL]
    foreign = [one for each in played for one in each.foreign]
    held = _held_sureness(played)
    figures["turned_down"] = {
        "category_5": _share(held[id(one)] < 0.5 for one in adversarial),
        "never_said": _share(held[id(one)] < 0.5 for one in foreign),
        "answerable": _share(held[id(one)] < 0.5 for one in answerable),
    }
    times = sorted(one.latency_ms for one in asked)
    figures["latency_ms"] = {
        "p50": round(times[len(times) // 2], 1),
        "p95": round(times[len(times) * 95 // 100], 1),
    }
    return figures


def _recalls(asked: Iterable[Asked]) -> dict[str, Any]:
    wanted = [one for one in asked if one.category != _ADVERSARIAL and one.evidence]
    order = cross_validated(wanted)
    depths: dict[str, list[float]] = defaultdict(list)
    categories: dict[str, list[float]] = defaultdict(list)
    for number, one in enumerate(wanted):
        for depth in DEPTHS:
            depths[f"recall@{depth}"].append(found(one, order[str(number)], depth))
        categories[one.category].append(found(one, order[str(number)], 10))
    return {
        "questions": len(wanted),
        **{name: _mean(values) for name, values in depths.items()},
        "recall@10 by category": {name: _mean(values) for name, values in sorted(categories.items())},
    }


def _held_sureness(played: Sequence[Played]) -> dict[int, float]:
    """How sure each question is, by weights of both kinds that were fitted without its conversation."""
    result: dict[int, float] = {}
    for out in played:
        others = [each for each in played if each is not out]
        ranking = fit([one for each in others for one in each.asked if one.category != _ADVERSARIAL])
        weights = _fit_sureness(others, ranking)
        everything = [*out.asked, *out.foreign]
        rates = sureness(weights, np.array([sure(one, ranking) for one in everything]))
        result |= {id(one): float(rate) for one, rate in zip(everything, rates, strict=True)}
    return result


def _fit_sureness(played: Sequence[Played], ranking: Array) -> Array:
    answerable = [sure(one, ranking) for each in played for one in each.asked if one.category != _ADVERSARIAL]
    never = [sure(one, ranking) for each in played for one in each.foreign]
    return fit_sureness(np.array(answerable), np.array(never))


async def _chinese() -> dict[str, Any]:
    """Our own dialog: as it is recalled, and by words alone; with the shipped weights, none fitted on it.

    Terms of single characters were chosen by a look at the odd half of its questions: the even one is told.
    """
    dialog = read_chinese()
    alone = "+".join(name for name in SIGNAL_SETTINGS if name != "words")
    played = await play(dialog, off=[alone])
    return {"fused": _as_recalled(played.asked[::2]), "words": _as_recalled(played.without[alone][::2])}


def _as_recalled(asked: Sequence[Asked]) -> dict[str, Any]:
    wanted = [one for one in asked if one.evidence]
    kinds = defaultdict(list)
    for one in wanted:
        kinds[one.category].append(found(one, one.ids, 10))
    return {
        **{f"recall@{depth}": _mean([found(one, one.ids, depth) for one in wanted]) for depth in DEPTHS},
        "recall@10 by kind": {kind: _mean(values) for kind, values in sorted(kinds.items())},
        "never_turned_down": _share(one.confidence < 0.5 for one in asked if not one.evidence),
        "answerable_turned_down": _share(one.confidence < 0.5 for one in wanted),
    }


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def _share(answers: Iterable[bool]) -> float:
    return _mean([float(each) for each in answers])
