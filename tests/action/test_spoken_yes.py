"""A yes in words: to the card that was said last only, and by its name to what nothing holds."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import ProposalEvent
from partner_desktop.domain.intervention import Confirmation, Settled, Verdict
from partner_desktop.mind.question import JudgeConfirmation
from partner_desktop.permission.request import ApprovalMode
from tests.action.mcp.serving import plain, until_listed, write
from tests.action.test_confirmations import THUMB, THUMBS, Talk, started
from tests.runtime.minds import ScriptedMind
from tests.support import UPPER_SCRIPT, FakeClock, HastyClock, Trusting

# Whole stories: they belong to the whole gate.
pytestmark = [pytest.mark.integration, pytest.mark.promise("actions.words.yes")]

FRAME = """\
# /// partner
# description = "Draw a frame around a picture"
# aliases = ["draw a frame"]
# [params.width]
# type = "integer"
# description = "how wide"
# ///
"""
SHOUT, TIME = 'make it loud: "hello"', "what time is it?"


class Yea(ScriptedMind):
    """It takes every word for a yes to everything."""

    def __init__(self) -> None:
        super().__init__()
        self.add(JudgeConfirmation.answered_by(self.judge_confirmation))

    async def judge_confirmation(self, request: JudgeConfirmation) -> Verdict:
        settled = tuple(Settled(card.id, Confirmation.CONFIRM, named=True) for card in request.pending)
        return Verdict(Confirmation.CONFIRM, settled)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    """It is there once a command has run."""
    return tmp_path / "canary"


@pytest.fixture
def command(canary: Path) -> str:
    return f"run `sh -c 'touch {canary}'`"


@pytest.fixture
async def talk(partner: Partner, action_dir: Path) -> Talk:
    found = Talk(partner)
    scripts = {"upper": UPPER_SCRIPT, "thumbnails": THUMBS, "frame": FRAME}
    for name, text in scripts.items():
        (action_dir / "dynamic" / f"{name}.py").write_text(text, encoding="utf-8")
    keys = {f"local::{name}" for name in scripts}
    await found.watcher.until(lambda _: keys <= {ability.key for ability in partner.abilities.list()})
    return found


async def waits(talk: Talk, card: ActionRecord) -> bool:
    return (await talk.partner.actions.get(card.id)).status is ActionStatus.WAITING


DOUBTFUL = (
    "great, thanks|great|perfect!|alright|yeah right|“yes”|continue|go|proceed|correct|👍|thanks|sounds good"
    "|太好了，谢谢|很好|没错|继续"
)


async def test_praise_of_something_else_runs_nothing_and_asks_nothing(
    talk: Talk, command: str, canary: Path
) -> None:
    [shell] = await talk.propose(command)
    await talk.say(TIME)
    for words in DOUBTFUL.split("|"):
        said = await talk.say(words)
        assert await waits(talk, shell), words
        assert "**Run a command**" not in said, f"{words} is about the time"
    assert not canary.exists()


AGREEMENT = "alright|continue|go|proceed|correct|👍|sounds good|没错|继续"


@pytest.mark.parametrize("words", sorted({*DOUBTFUL.split("|")} - {*AGREEMENT.split("|")}))
async def test_praise_of_a_card_approves_nothing(talk: Talk, command: str, canary: Path, words: str) -> None:
    cards = await talk.propose(command)
    await talk.say(words)
    assert await waits(talk, cards[0])
    assert not canary.exists()
    cards += await talk.propose(SHOUT)
    await talk.partner.actions.reject(cards[0].id)
    await talk.say(words)
    assert await waits(talk, cards[1])


@pytest.mark.parametrize("words", [*AGREEMENT.split("|"), "That's right, carry on", "k thanks, yes please"])
async def test_agreement_with_what_was_said_last_approves_it(talk: Talk, words: str) -> None:
    cards = await talk.propose(SHOUT)
    await talk.say(words)
    await talk.ended(cards[0])
    assert await talk.statuses(cards) == ["succeeded"]


@pytest.mark.parametrize("halt", ["no wait", "等一下", "wait, let me check first"])
async def test_after_a_halt_a_bare_yes_is_asked_about_once_more(talk: Talk, halt: str) -> None:
    [card] = await talk.propose(SHOUT)
    await talk.say(halt)
    said = await talk.say("yes")
    assert "now?" in said or "吗？" in said
    assert await waits(talk, card)
    await talk.say("yes")
    await talk.ended(card)


async def test_a_yes_to_another_deed_is_none(talk: Talk, user_home: Path) -> None:
    letter = user_home / "letter.txt"
    letter.write_text("dear")
    [card] = await talk.propose(f"move {letter} to the trash")
    for words in ("yes move it", "yes, copy it", "yes, delete everything", "好，复制它"):
        await talk.say(words)
        assert letter.exists(), words
    assert not (await talk.partner.actions.get(card.id)).started_at


@pytest.mark.parametrize("said_since", [TIME, "thanks", "hello"])
async def test_a_yes_after_something_else_asks_whether_the_card_is_meant(talk: Talk, said_since: str) -> None:
    [card] = await talk.propose(SHOUT)
    await talk.say(said_since)
    said = await talk.say("yes")
    assert said == (
        "Do you mean **Upper**? We have talked of other things since. Say yes, no, or what to change."
    )
    assert await waits(talk, card)
    await talk.say("yes")
    await talk.ended(card)
    assert await talk.statuses([card]) == ["succeeded"]


@pytest.mark.parametrize(
    ("yes", "question"),
    [
        ("yes", "Nothing holds **Run a command** back, so a bare yes is too little: say “"),
        ("do it", "Nothing holds **Run a command** back"),
        ("approve all", "Nothing holds **Run a command** back"),
        ("好的", "**Run a command** 不受任何限制，只说“好”还不够：请说“"),
    ],
)
async def test_what_nothing_holds_is_approved_by_the_words_that_partner_names(
    talk: Talk, command: str, canary: Path, yes: str, question: str
) -> None:
    [card] = await talk.propose(command)
    said = await talk.say(yes)
    assert question in said
    assert await waits(talk, card)
    assert not canary.exists()
    await talk.say(re.findall("“([^“”]+)”", said)[-1])
    await talk.ended(card)
    assert await talk.statuses([card]) == ["succeeded"]
    assert canary.exists()


CHATTY = "hello there, thanks for the great answer, please "
#: What was said before and behind the request for a command, and words of it that are no yes to the command.
TALKED = [
    ("please ", " later and tell me a joke", "ok, tell me later|yes, a joke|sure, tell me|yes, a later joke"),
    (CHATTY, "", "yes, great answer|ok, hello there|yes, for the answer|sure, the great answer"),
    ("i have a question about the weather, but first ", "", "ok, the weather first|yes, i have a question"),
    ("", "", "ok sh|yes. touch|yes, touch it|ok, command|好的，命令|sure, c"),
    ("谢谢你，请运行命令 ", "", "好的，谢谢你|是的，谢谢你|可以，谢谢"),
    ("我知道了，请运行命令 ", "", "可以，我知道了|好，我知道|好的，知道了"),
    ("can you please ", "", "yes you can|yes, can you|ok, you"),
    ("i want to know what it is good for, so please ", "", "ok, what is it|yes, it is good|yes, i know"),
    ("look at this and ", "", "yes, look at this|ok, look|sure, this"),
]


@pytest.mark.parametrize(("before", "behind", "words"), TALKED)
async def test_words_of_the_request_are_no_yes_to_what_nothing_holds(
    talk: Talk, command: str, canary: Path, before: str, behind: str, words: str
) -> None:
    asked = command.removeprefix("run ") if "运行" in before else command
    await talk.say(f"{before}{asked}{behind}")
    cards = [card for card in await talk.partner.actions.list() if card.status is ActionStatus.WAITING]
    assert cards
    for said in words.split("|"):
        await talk.say(said)
        assert [card.id for card in cards if not await waits(talk, card)] == [], said
    assert not canary.exists()


@pytest.mark.parametrize(
    ("name", "request_", "no_yes", "offered"),
    [
        (
            "that_is_great_news",
            "run that is great news",
            "ok, that is great|yes, that is great news|ok, news",
            "",
        ),
        (
            "send_great_letters",
            "send great letters",
            "yes, send great letters|yes, great|ok, letters",
            "yes, run S",
        ),
    ],
)
async def test_what_others_named_is_approved_by_the_whole_sentence_that_partner_names(
    talk: Talk, action_dir: Path, name: str, request_: str, no_yes: str, offered: str
) -> None:
    trusting = Trusting(talk.partner)
    write(action_dir, "post.json", {"post": plain("--tools", name)})
    await until_listed(talk.partner, talk.watcher, f"post::{name}")
    await trusting.settled()
    [card] = await talk.propose(request_)
    assert card.wants_name
    said = await talk.say("yes")
    assert await waits(talk, card)
    for words in no_yes.split("|"):
        await talk.say(words)
        assert await waits(talk, card), words
    named = re.findall("“([^“”]+)”", said)
    assert bool(named) is bool(offered), said
    if offered:
        assert named[-1].startswith(offered)
        await talk.say(named[-1])
        await talk.ended(card)


async def test_a_name_alone_is_not_enough_once_something_else_was_said(
    talk: Talk, command: str, canary: Path
) -> None:
    [card] = await talk.propose(command)
    await talk.say(TIME)
    said = await talk.say("yes, run the command")
    assert "Do you mean **Run a command**?" in said
    assert await waits(talk, card)
    said = await talk.say("yes")
    assert "a bare yes is too little: say “yes, run a command”" in said
    assert not canary.exists()
    await talk.say("yes, run the command")
    await talk.ended(card)
    assert canary.exists()


async def test_work_on_files_is_approved_by_a_bare_yes_to_its_card(talk: Talk, user_home: Path) -> None:
    letter = user_home / "letter.txt"
    letter.write_text("dear")
    [card] = await talk.propose(f"move {letter} to the trash")
    await talk.say("yes")
    await talk.ended(card)
    assert not letter.exists()


async def test_all_in_words_is_what_a_bare_yes_covers(talk: Talk, command: str, canary: Path) -> None:
    cards = await talk.propose(SHOUT, command)
    said = await talk.say("approve all")
    await talk.ended(cards[0])
    assert await talk.statuses(cards) == ["succeeded", "waiting"]
    assert "Nothing holds **Run a command** back" in said
    assert not canary.exists()


async def test_a_result_that_was_told_since_makes_a_yes_a_question(talk: Talk) -> None:
    cards = await talk.propose(SHOUT, THUMB)
    await talk.partner.actions.approve(cards[1].id, scope="once")
    await talk.hears("made")
    assert "Do you mean **Upper**?" in await talk.say("ok")
    assert await waits(talk, cards[0])


async def test_a_yes_that_fills_in_a_text_is_none_to_a_card(talk: Talk, command: str, canary: Path) -> None:
    [card] = await talk.propose(command)
    assert "?" in await talk.say("draw a frame")
    await talk.say("yes")
    assert await waits(talk, card)
    assert not canary.exists()


async def test_a_card_of_run_again_and_one_of_another_program_is_under_the_same_rule(
    talk: Talk, command: str, canary: Path
) -> None:
    [first] = await talk.propose(command)
    await talk.partner.actions.reject(first.id)
    await talk.partner.actions.run_again(first.id)
    event = await talk.watcher.until(lambda e: isinstance(e, ProposalEvent))
    await talk.hears("**Run a command**")
    assert isinstance(event, ProposalEvent)
    assert "Nothing holds" in await talk.say("yes")
    await talk.say(TIME)
    assert "Do you mean **Run a command**?" in await talk.say("ok")
    await talk.partner.actions.reject(event.action.id)
    running = talk.partner.events.run("local::upper", {"text": "hi"}, cwd="", standing=ApprovalMode.ASK)
    foreign = [event async for event in running]
    place = str(foreign[-1]["conversation_id"])

    async def said(text: str) -> str:
        events = [e async for e in talk.partner.events.say(text, conversation_id=place)]
        return "".join(str(e["content"]) for e in events if e["type"] == "reply")

    await said(TIME)
    assert "Do you mean **Upper**?" in await said("yes")
    assert "HI" in await said("yes")
    assert not canary.exists()


async def test_what_was_said_last_is_known_after_a_restart(home: Home, action_dir: Path) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")

    async def opened() -> Partner:
        one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
        await one.launch()
        return one

    first = Talk(await opened())
    [card] = await first.propose(SHOUT)
    other = Talk(first.partner)
    [late] = await other.propose(SHOUT)
    await other.say(TIME)
    await first.partner.close()
    again = await opened()
    try:
        assert "Do you mean **Upper**?" in await Talk(again, other.conversation_id).say("yes")
        await Talk(again, first.conversation_id).say("yes")
        assert (await again.actions.get(card.id)).status is not ActionStatus.WAITING
        assert (await again.actions.get(late.id)).status is ActionStatus.WAITING
    finally:
        await again.close()


@pytest.fixture
async def yea_sayer(home: Home, action_dir: Path) -> AsyncIterator[Talk]:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    one = Partner(home, action_dir, mind=Yea(), meaning=False, quiet_clock=HastyClock())
    await one.launch()
    yield Talk(one)
    await one.close()


@pytest.mark.parametrize(
    "words", ["great, thanks", "what would it do then", "“yes”", "yes", "run for your life"]
)
async def test_no_mind_can_make_a_yes_of_words(
    yea_sayer: Talk, command: str, canary: Path, words: str
) -> None:
    talk = yea_sayer
    [card] = await talk.propose(command)
    await talk.say(words)
    assert await waits(talk, card)
    assert not canary.exists()
    await talk.partner.actions.reject(card.id)
    [held] = await talk.propose(SHOUT)
    await talk.partner.conversations.create()
    if words != "yes":
        await talk.say(words)
    assert await waits(talk, held)


async def test_a_plan_is_as_its_most_dangerous_step(talk: Talk, command: str, canary: Path) -> None:
    [plan] = await talk.propose(f"{SHOUT}, and then {command.replace('run ', 'run the command ')}")
    assert plan.chain is not None
    said = await talk.say("yes")
    assert "a bare yes is too little: say “yes, run the plan”" in said
    assert await waits(talk, plan)
    await talk.say("yes, run the plan")
    await talk.ended(plan)
    assert canary.exists()


@pytest.mark.parametrize("words", ["yes", "ok"])
async def test_words_from_before_a_card_by_the_clock_are_no_yes_to_it(
    home: Home, action_dir: Path, clock: FakeClock, words: str
) -> None:
    (action_dir / "dynamic" / "upper.py").write_text(UPPER_SCRIPT, encoding="utf-8")
    talk = Talk(await started(home, action_dir, clock))
    try:
        [card] = await talk.propose(SHOUT)
        clock.move(timedelta(seconds=-1))
        assert "Do you mean **Upper**?" in await talk.say(words)
        assert await waits(talk, card)
        await talk.say("yes")
        await talk.ended(card)
    finally:
        await talk.partner.close()
