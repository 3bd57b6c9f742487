"""What people say while a card waits: a table of what they mean by it (`said_to_cards.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Confirmation, Verdict
from partner_desktop.domain.plan import Plan, Stage, Step
from partner_desktop.domain.run_facts import Isolation, Risk
from partner_desktop.mind.question import JudgeConfirmation
from partner_desktop.mind.starter.mind import StarterMind
from tests.mind.test_starter_verdicts import RESIZE, ZIP

pytestmark = pytest.mark.integration

TABLE = Path(__file__).with_name("said_to_cards.toml")

_HELD = Isolation(sandboxed=True, net=False, summary="sandboxed")
_UNHELD = Isolation(sandboxed=False, net=True, summary="not sandboxed")
_PICTURE = replace(RESIZE, isolation=_HELD, risk=Risk.READ)
_COMMAND = replace(
    RESIZE,
    id="command",
    key="builtin::command::execute",
    title="Run a command",
    request_text="run `touch notes` 运行 touch",
    isolation=_UNHELD,
    risk=Risk.SYSTEM,
)
_STEPS = tuple(
    Step(
        id=card.id,
        key=card.key,
        title=card.title,
        text=card.request_text,
        params={},
        schema={},
        risk=card.risk,
        isolation=card.isolation or _UNHELD,
    )
    for card in (_PICTURE, _COMMAND)
)
_PLAN = replace(
    RESIZE,
    id="plan",
    key="chain::steps",
    title="Resize pictures → Run a command",
    request_text="make my photos smaller, then run `touch notes`",
    chain=Plan(tuple(Stage((step,)) for step in _STEPS)),
)
_MAIL = replace(
    _COMMAND,
    id="mail",
    key="post::send",
    title="Send great news",
    request_text="post my letters",
    risk=Risk.WRITE,
)
_TALK = replace(
    _MAIL, id="talk", key="post::talk", title="Tell me more", request_text="my question: what is great later"
)
_CHATTY = replace(
    _COMMAND,
    id="chatty",
    request_text="hello there, i am back, see you later, thanks for the great answer, i know you can: what "
    "is it? i have a question about the weather first, then read this book of my cat, tell me a joke and run "
    "`sh -c 'touch notes'` 谢谢你，我知道了，明天天气很好，告诉我，讲个笑话，读书，请运行",
)
_TRASH = replace(
    _COMMAND,
    id="trash",
    key="builtin::files::trash",
    title="Move to the trash",
    request_text="put the old letter into the trash 文件",
)
_UNDO = replace(_COMMAND, id="undo", key="builtin::files::undo", title="Undo", request_text="take that back")
_READING = replace(
    _PLAN,
    id="reading",
    title="Run a command → Run a command",
    request_text="read this book and run `ls` twice",
)
WAITS = {
    "picture": (_PICTURE,),
    "both": (_PICTURE, replace(ZIP, isolation=_HELD, risk=Risk.READ)),
    "command": (_COMMAND,),
    "plan": (_PLAN,),
    "mail": (_MAIL,),
    "talk": (_TALK,),
    "chatty": (_CHATTY,),
    "trash": (_TRASH,),
    "undo": (_UNDO,),
    "reading plan": (_READING,),
}
ALSO_CALLED = {
    "builtin::command::execute": (
        "run a command in the terminal",
        "execute a program",
        "执行命令",
        "运行命令",
    ),
    "builtin::files::trash": (
        "delete a file, a folder or a picture",
        "throw the file away",
        "删除文件",
        "移到回收站",
    ),
    "builtin::files::undo": ("undo", "undo that", "take that back", "撤销", "恢复原来的文件"),
    "post::send": ("send news", "post letters"),
    "post::talk": ("that is great", "that is great news", "my question"),
}

KINDS = {
    "approve": Confirmation.CONFIRM,
    "reject": Confirmation.REJECT,
    "otherwise": Confirmation.OTHER,
    "unclear": Confirmation.UNCLEAR,
    "other": Confirmation.OTHER,
}


def cases() -> Iterator[tuple[str, str, str]]:
    for case in tomllib.loads(TABLE.read_text(encoding="utf-8"))["case"]:
        for words in case["words"]:
            yield case["waits"], words, case["means"]


def meant(verdict: Verdict, cards: tuple[ActionRecord, ...]) -> Confirmation:
    """What comes of the words while the cards are the last thing that was said."""
    waiting = {card.id: card for card in cards}
    named_enough = all(
        one.named or not waiting[one.action_id].wants_name
        for one in verdict.settled
        if one.kind is Confirmation.CONFIRM
    )
    return verdict.kind if named_enough else Confirmation.UNCLEAR


@pytest.mark.promise("actions.words.yes")
async def test_words_mean_what_people_mean_by_them() -> None:
    mind, wrong = StarterMind(), []
    for waits, words, means in cases():
        cards = WAITS[waits]
        verdict = await mind.ask(JudgeConfirmation(words, cards, also_called=ALSO_CALLED))
        if meant(verdict, cards) is not KINDS[means]:
            wrong.append(f"{waits}: {words!r} is {means}, was taken for {meant(verdict, cards).value}")
    assert not wrong, "\n".join(wrong)


def test_the_table_is_long_and_says_nothing_twice() -> None:
    said = [(waits, words) for waits, words, _ in cases()]
    assert len(said) == len(set(said)) >= 300
