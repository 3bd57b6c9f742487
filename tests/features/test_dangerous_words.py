"""Words that a careful person would not act on, said to a real Partner: what becomes of cards and of files.

The first table is of conversations in which something was once done that nobody had asked for.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from partner_desktop.app import Partner
from partner_desktop.base.paths import shipped
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.plan import Step, StepStatus
from partner_desktop.domain.run_facts import Risk

pytestmark = pytest.mark.integration

SAID = tomllib.loads(Path(__file__).with_name("dangerous_words.toml").read_text(encoding="utf-8"))
MADE = tomllib.loads(
    (Path(__file__).parent.parent / "language" / "said_acts.toml").read_text(encoding="utf-8")
)["made"]
FILES = (
    "Downloads/report.pdf",
    "Downloads/beach.jpg",
    "Downloads/cat.png",
    "Documents/report1.txt",
    "Notes/shopping.txt",
    "Notes/购物清单.txt",
    "Pictures/IMG_1.jpg",
    "Pictures/holiday/IMG_2.jpg",
    "Music/rain.mp3",
    "Desktop/todo.txt",
    "Desktop/待办.txt",
)
#: What looks runs at once, and a trial changes nothing.
LOOKS = ("builtin::time", "builtin::capability")


@pytest.fixture
def action_dir(tmp_path: Path) -> Path:
    """The abilities that everybody has."""
    return shutil.copytree(shipped("action"), tmp_path / "action", symlinks=True)


class Person:
    """Talks with Partner, each time anew and in a home as it was at first."""

    def __init__(self, partner: Partner, home: Path) -> None:
        self._partner, self._home = partner, home
        self.records: list[ActionRecord] = []
        self.disk: list[str] = []

    async def say(self, *texts: str) -> None:
        """Hold one conversation; what came of it is in `records` and `disk`."""
        self._furnish()
        before = self._names()
        conversation_id: str | None = None
        for text in texts:
            said = self._partner.events.say(text, conversation_id=conversation_id, cwd=str(self._home))
            async with aclosing(said) as events:
                async for event in events:
                    conversation_id = conversation_id or str(event.get("conversation_id") or "") or None
        after = self._names()
        self.disk = [*(f"+{name}" for name in after - before), *(f"-{name}" for name in before - after)]
        listed = await self._partner.actions.list(limit=1_000)
        self.records = [one for one in reversed(listed) if one.conversation_id == conversation_id]

    def cards(self) -> list[str]:
        return [self._told(one) for one in self.records if one.status is ActionStatus.WAITING]

    def ran(self) -> list[str]:
        """What was done, chains by their steps, and not what only looks at the clock or at Partner."""
        chains = [one.chain for one in self.records if one.chain is not None]
        steps = [step for chain in chains for step in chain.steps if step.status is StepStatus.SUCCEEDED]
        alone: list[ActionRecord | Step] = [
            one for one in self.records if one.chain is None and one.started_at is not None
        ]
        return [self._told(one) for one in [*alone, *steps] if not one.key.startswith(LOOKS)]

    def _told(self, one: ActionRecord | Step) -> str:
        steps = one.chain.steps if isinstance(one, ActionRecord) and one.chain is not None else (one,)
        return " + ".join(" ".join([step.key, *self._values(step.params)]) for step in steps)

    def _values(self, params: Mapping[str, object]) -> list[str]:
        return [f"{name}={value}".replace(str(self._home), "~") for name, value in sorted(params.items())]

    def _furnish(self) -> None:
        for folder in self._home.iterdir():
            if not folder.name.startswith("."):
                shutil.rmtree(folder)
        for name in FILES:
            (self._home / name).parent.mkdir(parents=True, exist_ok=True)
            (self._home / name).write_text(name, encoding="utf-8")

    def _names(self) -> set[str]:
        found = (path.relative_to(self._home) for path in self._home.rglob("*"))
        return {path.as_posix() for path in found if not path.parts[0].startswith(".")}


@pytest.fixture
def person(partner: Partner, user_home: Path) -> Person:
    return Person(partner, user_home)


def told(rows: Sequence[str], patterns: Sequence[str]) -> bool:
    """Whether each is as one of the patterns says, and each pattern was needed."""
    return all(any(fnmatch(row, each) for each in patterns) for row in rows) and all(
        any(fnmatch(row, each) for row in rows) for each in patterns
    )


async def test_what_was_once_done_unasked_is_not(person: Person) -> None:
    wrong = {}
    for name, row in SAID["stories"].items():
        await person.say(*row["said"])
        found = {"cards": person.cards(), "ran": person.ran(), "disk": person.disk}
        if not all(told(found[kind], row.get(kind, [])) for kind in found):
            wrong[name] = found
    assert not wrong


@pytest.mark.parametrize("kind", SAID["nothing"])
async def test_nothing_comes_of_words_that_leave_out_tell_of_or_take_back(person: Person, kind: str) -> None:
    wrong = {}
    for said in SAID["nothing"][kind]:
        await person.say(*said)
        if person.cards() or person.ran() or person.disk:
            wrong[" | ".join(said)] = (person.cards(), person.ran(), person.disk)
    assert not wrong


async def test_a_card_is_approved_by_no_words_but_a_yes_to_it(person: Person) -> None:
    table, wrong = SAID["no_yes"], {}
    for said in table["said"]:
        await person.say(table["to"], *said)
        if table["card"] not in person.cards() or person.ran() or person.disk:
            wrong[" | ".join(said)] = (person.cards(), person.ran(), person.disk)
    assert not wrong


async def test_of_two_cards_a_vague_yes_approves_none(person: Person) -> None:
    table, wrong = SAID["no_yes"], {}
    for said in table["vague"]:
        await person.say(table["to"], table["beside"], said)
        if len(person.cards()) != 2 or person.ran() or person.disk:
            wrong[said] = (person.cards(), person.ran(), person.disk)
    assert not wrong


@pytest.mark.parametrize("kind", ["noted"])
async def test_what_is_to_be_noted_or_shown_first_is_no_more_than_that(person: Person, kind: str) -> None:
    wrong = {}
    for said, card in SAID[kind].items():
        await person.say(said)
        if [one for one in person.cards() if not one.startswith(card)] or not person.cards() or person.ran():
            wrong[said] = (person.cards(), person.ran())
    assert not wrong


async def _wrong(person: Person, kind: str) -> dict[str, list[str]]:
    wrong = {}
    for row in SAID[kind]:
        await person.say(*row["said"])
        if not told(person.cards(), row["cards"]) or person.disk:
            wrong[" | ".join(row["said"])] = person.cards()
    return wrong


@pytest.mark.promise("mind.starter.pending")
async def test_an_open_question_takes_its_answer_and_outlives_other_talk(person: Person) -> None:
    assert not await _wrong(person, "pending")


@pytest.mark.promise("mind.starter.references")
async def test_words_for_results_and_cards_mean_what_is_there(person: Person) -> None:
    assert not await _wrong(person, "references")


@pytest.mark.promise("mind.starter.files")
async def test_what_is_named_loosely_is_found_on_the_disk(person: Person) -> None:
    assert not await _wrong(person, "files")


async def test_a_card_and_a_question_take_what_is_said_otherwise(person: Person) -> None:
    assert not await _wrong(person, "amended")


async def test_places_that_were_said_are_kept_to(person: Person) -> None:
    assert not await _wrong(person, "places")


# Made of all frames and orders: the same as tests/language/test_speech_acts.py, as far as the card.


def _framed(frames: Sequence[str], language: str) -> st.SearchStrategy[str]:
    parts = MADE[language]
    blank = " " if language == "en" else ""
    order = st.tuples(*(st.sampled_from(parts[name]) for name in ("verbs", "things", "places")))
    text = order.map(lambda said: f"{said[0]}{blank}{said[1]}{said[2]}")
    return st.builds(str.format, st.sampled_from(frames), text)


LEFT_OUT = {
    "en": [
        "{} except cat.png",
        "{}, but not the pdfs",
        "{} apart from the old ones",
        "{} but leave cat.png alone",
    ],
    "zh": ["除了 cat.png，{}", "{}，cat.png 除外", "{}，别动 cat.png", "{}，但保留 PDF"],
}
_EACH = settings(
    max_examples=25,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@_EACH
@given(said=st.one_of(*(_framed(MADE[each]["told"], each) for each in MADE)))
async def test_no_frame_around_an_order_lets_it_come_to_a_card(person: Person, said: str) -> None:
    await person.say(said, "yes")
    begun = [
        one for one in person.records if one.status is ActionStatus.WAITING or one.started_at is not None
    ]
    changes = [
        one.key for one in begun if one.risk is not Risk.READ and one.params.get("preview") is not True
    ]
    assert not changes, (said, person.cards(), person.ran())
    assert not person.disk, said


@_EACH
@given(said=st.one_of(*(_framed(LEFT_OUT[each], each) for each in MADE)))
async def test_nothing_is_done_to_what_is_left_out(person: Person, said: str) -> None:
    ending = ".pdf" if "pdf" in said.lower() else "cat.png"
    await person.say(said, "yes")
    kept = {f"-{name}" for name in FILES if "old ones" in said or name.endswith(ending)}
    assert not kept & {*person.disk}, (said, person.disk)
