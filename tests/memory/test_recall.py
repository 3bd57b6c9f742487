"""What was said is found again: by its words, its meaning and its day, and nothing where nothing was said."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import Home
from partner_desktop.base.prompts import messages
from partner_desktop.commands.plain import Literal
from partner_desktop.domain.message import Role, place_address
from partner_desktop.domain.remembered import Recall
from partner_desktop.language.recollection import Marks, marks_of, read_cue
from partner_desktop.mind.question import JudgeSlices
from tests.model.engine import needs_engine, until
from tests.model.test_cached_embedder import CountingEmbedder
from tests.runtime.minds import ScriptedMind
from tests.support import FakeClock, HastyClock, Watcher, drain

if TYPE_CHECKING:
    from partner_desktop.model.embedder import Vectors

pytestmark = pytest.mark.integration

NOW = datetime(2026, 6, 30, 10, tzinfo=UTC)

#: Day, words; who says them alternates.
TALK = (
    ("2026-03-03", "We booked the hotel Drei Kannen in Ulm for the 14th, breakfast included."),
    ("2026-03-03", "Nice, that is close to the minster."),
    ("2026-04-10", "My accountant says the tax return is due on 31 July."),
    ("2026-04-10", "Then the receipts can be collected in June."),
    ("2026-05-02", "The boiler was repaired by Mr Osei, invoice RX-4471, 212 euros."),
    ("2026-05-02", "Good to have warm water again."),
    ("2026-06-23", "Biscuit the puppy chewed through my left running shoe."),
    ("2026-06-23", "Poor shoe. Was he sorry?"),
    ("2026-06-24", "我下周五的航班是早上七点二十，从浦东飞成都。"),
    ("2026-06-24", "好的，记得提前两小时到机场。"),
)


def lines(talk: tuple[tuple[str, str], ...] = TALK) -> str:
    """As JSON lines, a conversation a day."""
    made = []
    for number, (day, text) in enumerate(talk):
        role = "user" if number % 2 == 0 else "assistant"
        line = {"text": text, "role": role, "at": f"{day}T12:00:{number:02}+00:00", "conversation": day}
        made.append(json.dumps(line))
    return "\n".join(made)


async def bring_in(partner: Partner, folder: Path, talk: tuple[tuple[str, str], ...] = TALK) -> None:
    file = folder / "talk.jsonl"
    file.write_text(lines(talk), encoding="utf-8")
    begun = await partner.memory.import_from(file)
    await drain(partner.memory.follow_import(begun.id))


@pytest.fixture
async def told(partner: Partner, tmp_path: Path) -> Partner:
    """A Partner to whom all of `TALK` was said."""
    await bring_in(partner, tmp_path)
    return partner


def texts(recall: Recall) -> list[str]:
    return [passage.hit.turn.text for passage in recall.passages]


@pytest.mark.promise("memory.hybrid")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("RX-4471", 4),
        ("who is Osei?", 4),
        ("what did the repair for 212 euros concern?", 4),
        ("what did I tell you about Drei Kannen?", 0),
        ("Biscuit", 6),
        ("我上周说的航班是几点？", 8),
        ("浦东", 8),
    ],
)
async def test_names_numbers_and_rare_words_are_found_exactly(
    told: Partner, question: str, wanted: int
) -> None:
    recall = await told.memory.recall(question, now=NOW)
    assert texts(recall)[:1] == [TALK[wanted][1]]
    assert "words" in recall.passages[0].hit.reasons


@pytest.mark.promise("memory.date")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("what did we say last Tuesday?", {6, 7}),
        ("what did we talk about on 10 April?", {2, 3}),
        ("what did I say in March?", {0, 1}),
        ("我们上周二聊了什么？", {6, 7}),
        ("what did we say the day before the tax return?", set()),
        ("what did we talk about the day after the puppy chewed a shoe?", {8, 9}),
    ],
)
async def test_a_day_in_the_question_finds_what_was_said_on_it(
    told: Partner, question: str, wanted: set[int]
) -> None:
    recall = await told.memory.recall(question, now=NOW)
    found = {turn.text for passage in recall.passages for turn in passage.turns}
    if wanted:
        assert found == {TALK[number][1] for number in wanted}
        assert "date" in recall.passages[0].hit.reasons
    else:
        assert TALK[1][1] not in found


@pytest.mark.promise("memory.date")
async def test_a_day_that_a_turn_speaks_of_counts_from_its_own_time(partner: Partner, tmp_path: Path) -> None:
    talk = (
        ("2026-06-10", "Yesterday the plumber finally came by."),
        ("2026-06-10", "That took long."),
        ("2026-06-09", "Rain all day long, nothing else."),
        ("2026-06-09", "Stay dry."),
    )
    await bring_in(partner, tmp_path, talk)
    recall = await partner.memory.recall("who came by on 9 June?", now=NOW)
    assert texts(recall)[0] == talk[0][1]
    by_day = await partner.memory.recall("what did we talk about on 9 June?", now=NOW)
    assert {talk[0][1], talk[2][1]} <= {turn.turn.text for turn in by_day.turns}, "no word leads to it"


@pytest.mark.promise("memory.abstain")
@pytest.mark.parametrize(
    "question",
    [
        "what did I tell you about my sister?",
        "which university did I study at?",
        "what is the password of the router?",
        "我说过的医院叫什么名字？",
        "what did I tell you about the accountant of my uncle's bakery?",
        "我说过的机场酒店叫什么？",
        "🙂🙂",
        "???",
    ],
)
async def test_what_was_never_said_recalls_nothing(told: Partner, question: str) -> None:
    recall = await told.memory.recall(question, now=NOW)
    assert (recall.passages, recall.confidence < 0.5) == ((), True)


async def test_an_empty_question_is_refused_in_a_sentence(told: Partner) -> None:
    with pytest.raises(UsageError, match="Say what to look for"):
        await told.memory.recall("  ")


@needs_engine
@pytest.mark.promise("memory.semantic")
async def test_a_paraphrase_without_shared_words_is_recalled(
    home: Home, action_dir: Path, tmp_path: Path
) -> None:
    partner = Partner(home, action_dir, quiet_clock=HastyClock())
    await partner.launch()
    try:
        await bring_in(partner, tmp_path)
        status = await partner.memory.read_all()
        assert (status.turns, status.by_meaning, status.note) == (len(TALK), len(TALK), "")
        for question, wanted in (
            ("the dog destroyed my sneaker", TALK[6][1]),
            ("what did I say about our accommodation at the cathedral town?", TALK[0][1]),
            ("the deadline for paying the state", TALK[2][1]),
        ):
            recall = await partner.memory.recall(question, now=NOW)
            assert recall.by_meaning
            assert wanted in {one.turn.text for one in recall.turns[:2]}, question
            assert "meaning" in recall.turns[0].reasons or "neighbour" in recall.turns[0].reasons
        assert (await partner.memory.recall("the melting point of tungsten", now=NOW)).passages == ()
    finally:
        await partner.close()


@pytest.mark.parametrize("signal", ["words", "time", "topic", "speaker", "neighbourhood", "meaning"])
async def test_each_signal_can_be_switched_off(told: Partner, signal: str) -> None:
    await told.config.set("memory", ("signals", signal), value=False)
    recall = await told.memory.recall("what did I say about the hotel in March?", now=NOW)
    names = {name for one in recall.turns for name in one.signals}
    gone = {"time": "date", "neighbourhood": "words_before"}.get(signal, signal)
    assert gone not in names
    await told.config.set("memory", ("signals", signal), value=True)
    again = await told.memory.recall("what did I say about the hotel in March?", now=NOW)
    if signal not in ("meaning", "topic"):  # there is no model here, and the topic is another
        assert gone in {name for one in again.turns for name in one.signals}
    if signal not in ("words", "time"):
        assert texts(recall)[0] == TALK[0][1]


# In the turn.


async def said(partner: Partner, watcher: Watcher, text: str, conversation_id: str = "") -> str:
    """Say something; the conversation in which it was."""
    watcher.events.clear()
    message = await partner.messages.send(text, conversation_id=conversation_id or None)
    await watcher.done()
    return message.conversation_id


async def answer_in(partner: Partner, conversation_id: str) -> str:
    messages = await partner.messages.list(conversation_id, before=None, limit=10)
    return [one.text for one in messages if one.role is Role.PARTNER][-1]


@pytest.mark.promise("memory.answer")
@pytest.mark.parametrize(
    ("question", "passage", "day"),
    [
        ("what did I tell you about the hotel?", TALK[0][1], "3 March 2026"),
        ("when did we talk about taxes?", TALK[2][1], "10 April 2026"),
        ("do you remember the number of the invoice for the boiler?", "RX-4471", "2 May 2026"),
        ("我说的航班是几点？", "早上七点二十", "2026年6月24日"),
        ("When is the tax return due?", TALK[2][1], "10 April 2026"),
    ],
)
async def test_the_starter_mind_answers_with_the_passage_its_day_and_its_place(
    told: Partner, watcher: Watcher, question: str, passage: str, day: str
) -> None:
    answer = await answer_in(told, await said(told, watcher, question))
    assert passage in answer
    assert day in answer
    recall = await told.memory.recall(question)
    place = recall.passages[0].hit.turn
    assert f"(partner:message/{place.message_id}?conversation={place.conversation_id})" in answer


@pytest.mark.promise("memory.answer")
@pytest.mark.parametrize(
    ("question", "no"),
    [
        ("what did I tell you about my sister?", "I find nothing about that in any of our chats."),
        ("我说过的医院叫什么名字？", "我没有找到和这有关的内容"),
    ],
)
async def test_an_honest_no_where_nothing_was_said(
    told: Partner, watcher: Watcher, question: str, no: str
) -> None:
    conversation = await said(told, watcher, question)
    assert no in await answer_in(told, conversation)
    # What was asked, and that nothing was found, is no memory of it.
    await said(told, watcher, question, conversation)
    assert no in await answer_in(told, conversation)


async def test_what_is_said_in_this_chat_is_found_in_this_chat(partner: Partner, watcher: Watcher) -> None:
    conversation = await said(partner, watcher, "my locker at the gym has the code 7731")
    await said(partner, watcher, "what did I tell you about the locker?", conversation)
    assert "7731" in await answer_in(partner, conversation)


async def test_recalled_passages_are_blocks_of_the_turn_with_day_score_and_reason(
    told: Partner, watcher: Watcher
) -> None:
    conversation = await said(told, watcher, "what did I tell you about the hotel?")
    await said(told, watcher, "thanks", conversation)
    turns = await told.context.turns(conversation)
    shots = [await told.context.snapshot(turn.turn_id) for turn in turns]
    blocks = [block for shot in shots if shot for block in shot.blocks if block.name == "recalled_slice"]
    assert blocks, "what is late serves the next turn"
    assert blocks[0].domain == "memory"
    for part in (TALK[0][1], "2026-03-03", "score", "the same words", "2026-03-03"):
        assert part in blocks[0].text


class JudgingMind(ScriptedMind):
    """Turns every passage down, or fails at it; may be held before its verdict."""

    def __init__(self, *, fails: bool = False) -> None:
        super().__init__()
        self.add(JudgeSlices.answered_by(self.judge_slices))
        self.fails = fails
        self.judged: list[JudgeSlices] = []
        self.may_judge = asyncio.Event()
        self.over = asyncio.Event()

    async def judge_slices(self, question: JudgeSlices) -> tuple[bool, ...]:
        self.judged.append(question)
        await self.may_judge.wait()
        self.over.set()
        if self.fails:
            raise UsageError("no answer")
        return (False,) * len(question.passages)


@pytest.fixture
async def judging(home: Home, action_dir: Path, request: pytest.FixtureRequest) -> AsyncIterator[Partner]:
    partner = Partner(home, action_dir, meaning=False, mind=request.param, quiet_clock=HastyClock())
    await partner.launch()
    yield partner
    await partner.close()


MINDS = [JudgingMind(), JudgingMind(fails=True)]


@pytest.mark.promise("memory.async")
@pytest.mark.parametrize(("judging", "mind"), [(mind, mind) for mind in MINDS], indirect=["judging"])
async def test_the_reply_waits_for_no_verdict_on_passages_and_the_next_turn_goes_by_it(
    judging: Partner, mind: JudgingMind, watcher_of: Watcher, tmp_path: Path
) -> None:
    await bring_in(judging, tmp_path)
    judging.subscribe(watcher_of)
    conversation = await said(judging, watcher_of, "what did I tell you about the hotel?")
    assert TALK[0][1] in await answer_in(judging, conversation), "answered before any verdict"
    await until(lambda: bool(mind.judged))
    assert not mind.over.is_set()
    mind.may_judge.set()
    await mind.over.wait()
    await said(judging, watcher_of, "thanks", conversation)
    last = (await judging.context.turns(conversation))[-1]
    shot = await judging.context.snapshot(last.turn_id)
    assert shot is not None
    recalled = [block for block in shot.blocks if block.name == "recalled_slice"]
    assert bool(recalled) is mind.fails, "a failure costs nothing; what was turned down is gone"
    assert len(mind.judged) == 1, "all passages in one question, once"


class HeldEmbedder(CountingEmbedder):
    """Whoever asks for the vector of a question waits."""

    def __init__(self) -> None:
        super().__init__()
        self.waits = asyncio.Event()
        self.given_up = False

    async def embed(self, texts: Sequence[str], *, urgent: bool = False) -> Vectors:
        if urgent:
            self.waits.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.given_up = True
                raise
        return await super().embed(texts, urgent=urgent)


@pytest.mark.promise("memory.async")
async def test_the_reply_waits_for_no_recall(home: Home, action_dir: Path) -> None:
    embedder, watcher = HeldEmbedder(), Watcher()
    partner = Partner(home, action_dir, mind=ScriptedMind(), embedder=embedder, quiet_clock=HastyClock())
    partner.subscribe(watcher)
    await partner.launch()
    try:
        await said(partner, watcher, "the sky over the harbour is red")
        assert not embedder.given_up, "the reply was there before the recall gave its vector up"
        await embedder.waits.wait()
    finally:
        await partner.close()


@pytest.fixture
def watcher_of() -> Watcher:
    return Watcher()


async def test_the_clock_set_back_keeps_everything(home: Home, action_dir: Path, tmp_path: Path) -> None:
    clock = FakeClock(NOW)
    partner = Partner(home, action_dir, meaning=False, clock=clock, quiet_clock=HastyClock())
    await partner.launch()
    try:
        watcher = Watcher()
        partner.subscribe(watcher)
        await said(partner, watcher, "the blue vase stands in the cellar")
        clock.move(timedelta(days=-400))
        await said(partner, watcher, "the green vase stands in the attic")
        for colour, place in (("blue", "cellar"), ("green", "attic")):
            recall = await partner.memory.recall(f"where is the {colour} vase?", now=NOW)
            assert place in texts(recall)[0]
    finally:
        await partner.close()


async def test_a_pinned_slice_stands_before_the_mind_until_it_is_unpinned(
    told: Partner, watcher: Watcher
) -> None:
    (hotel,) = [one for one in await told.memory.slices() if one.at.month == 3]

    async def pinned_in(conversation: str) -> list[str]:
        last = (await told.context.turns(conversation))[-1]
        shot = await told.context.snapshot(last.turn_id)
        assert shot is not None
        return [block.text for block in shot.blocks if block.name == "pinned_slice"]

    await told.memory.pin(hotel.id)
    conversation = await said(told, watcher, "hello there")
    await said(told, watcher, "thanks", conversation)
    (text,) = await pinned_in(conversation)
    assert TALK[0][1] in text
    await told.memory.unpin(hotel.id)
    await said(told, watcher, "good", conversation)
    await said(told, watcher, "bye", conversation)
    assert await pinned_in(conversation) == []


def test_a_terminal_names_the_conversation_in_place_of_an_address() -> None:
    address = place_address("a" * 32, "0123456789abcdef" * 2)
    assert Literal().feed(f"[Show it]({address}).", done=True) == "[Show it · conversation 01234567]."
    assert Literal().feed(f"`[Show it]({address})`", done=True) == f"`[Show it]({address})`"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_the_starter_says_when_it_has_nothing_to_say_is_no_answer(language: str) -> None:
    said = messages("starter", language)
    for name in ("nothing_remembered", "cannot", "cannot_converse", "nearest", "told"):
        assert Marks.RECALLS in marks_of(said[name]), name
        assert Marks.RECALLS in marks_of(f"{said[name]}\n\n{said['model_note']}"), name
    for texts_of_kind in said["talk"].values():
        for text in texts_of_kind:
            assert Marks.RECALLS in marks_of(text), text
            assert Marks.RECALLS in marks_of(f"{text} {said['can_do_briefly']}"), text
            assert Marks.RECALLS not in marks_of(f"{text} The spare key is with Ann."), text
    assert Marks.RECALLS not in marks_of("I can't find my keys."), "others may say what sounds alike"


async def test_small_talk_of_partners_own_is_not_recalled(partner: Partner, watcher: Watcher) -> None:
    conversation = await said(partner, watcher, "thank you")
    await said(partner, watcher, "hello", conversation)
    await said(partner, watcher, "the spare key is with Ann", conversation)
    messages_there = await partner.messages.list(conversation, before=None, limit=10)
    greetings = [one.text for one in messages_there if one.role is Role.PARTNER][:2]
    for greeting in greetings:
        found = [each.turn.text for each in (await partner.memory.recall(greeting)).turns]
        assert greeting not in found
    assert texts(await partner.memory.recall("who has the spare key?"))[0] == "the spare key is with Ann"


#: Of a chat of many matters; who asks says nothing of earlier talk.
LIFE = (
    ("2026-05-03", "The roofer replaced six cracked tiles over the attic."),
    ("2026-05-03", "Did he find anything else?"),
    ("2026-05-03", "No, and he wanted 540 for it."),
    ("2026-05-03", "That is fair."),
    ("2026-05-08", "我的备用钥匙和信箱钥匙都放在楼下老陈的店里。"),
    ("2026-05-08", "好的。"),
    ("2026-05-12", "邻居出国了，她的橘猫在我家寄养一个月，名字叫土豆。"),
    ("2026-05-12", "它乖吗？"),
    ("2026-05-16", "我报了吉他班，老师姓顾，每周四晚上七点半上课。"),
    ("2026-05-16", "加油！"),
)


@pytest.mark.promise("memory.abstain")
@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("我的备用钥匙放在谁那里？", 4),
        ("邻居的橘猫叫什么名字？", 6),
        ("我的吉他老师姓什么？", 8),
        ("what had to be replaced over our attic?", 0),
        ("who looks after my tiles, do you remember?", 0),
        ("我家孩子的老师在哪个幼儿园？", None),
        ("我的护照放在哪里？", None),
        ("我在哪家店学的游泳？", None),
        ("邻居的狗叫什么名字？", None),
        ("which piano did I buy?", None),
        ("what is the name of my dentist?", None),
    ],
)
async def test_questions_of_the_persons_own_life_are_answered_from_earlier_talk_or_not_at_all(
    partner: Partner, watcher: Watcher, tmp_path: Path, question: str, wanted: int | None
) -> None:
    await bring_in(partner, tmp_path, LIFE)
    answer = await answer_in(partner, await said(partner, watcher, question))
    shown = [number for number, (_, text) in enumerate(LIFE) if text in answer]
    if wanted is None:
        assert shown == []
    else:
        assert wanted in shown


async def test_a_passage_shows_what_was_said_next(partner: Partner, watcher: Watcher, tmp_path: Path) -> None:
    await bring_in(partner, tmp_path, LIFE)
    answer = await answer_in(partner, await said(partner, watcher, "what did I say about the roofer?"))
    assert "he wanted 540" in answer


async def test_whoever_asks_the_same_in_a_turn_shares_one_recall(home: Home, action_dir: Path) -> None:
    embedder, watcher = CountingEmbedder(), Watcher()
    partner = Partner(home, action_dir, mind=ScriptedMind(), embedder=embedder, quiet_clock=HastyClock())
    partner.subscribe(watcher)
    await partner.launch()
    try:
        question = "what did I tell you about the walled garden?"
        conversation = await said(partner, watcher, question)
        assert embedder.asked.count(read_cue(question).text) == 1
        await said(partner, watcher, question, conversation)
        assert embedder.asked.count(read_cue(question).text) == 2, "another turn looks anew"
    finally:
        await partner.close()
