"""Words settle the right card, and only words that are read to the last of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.intervention import Confirmation, Verdict
from partner_desktop.mind.question import JudgeConfirmation
from partner_desktop.mind.starter.mind import StarterMind
from tests.tables import all_rows

RESIZE = ActionRecord(
    id="resize",
    conversation_id="chat",
    exchange_id="",
    key="local::resize",
    title="Resize pictures",
    description="",
    params={},
    schema={},
    status=ActionStatus.WAITING,
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
    request_text="make my holiday photos smaller 缩小照片",
    number=1,
)
ZIP = replace(
    RESIZE,
    id="zip",
    key="local::zip",
    title="Zip a folder",
    request_text="pack my letters 打包文件夹",
    number=2,
)
MAIL = replace(RESIZE, id="mail", key="local::mail", title="Send mail", request_text="", number=3)


async def read(text: str, *cards: ActionRecord) -> Verdict:
    return await StarterMind().ask(JudgeConfirmation(text, cards))


def told(verdict: Verdict) -> str:
    """`zip+ resize-`, or the kind where nothing is settled."""
    marks = {Confirmation.CONFIRM: "+", Confirmation.REJECT: "-"}
    return " ".join(f"{one.action_id}{marks[one.kind]}" for one in verdict.settled) or verdict.kind.value


@pytest.mark.promise("actions.confirm.lifecycle")
@all_rows(
    "text, settled",
    [
        ("yes, the second one", "zip+"),
        ("yes the first", "resize+"),
        ("the second, yes please", "zip+"),
        ("approve the first one", "resize+"),
        ("ok, number 2", "zip+"),
        ("yes to the last one", "zip+"),
        ("run the second", "zip+"),
        ("no, the second one", "zip-"),
        ("not the first", "resize-"),
        ("cancel the second", "zip-"),
        ("don't run the second one", "zip-"),
        ("don't approve the first", "resize-"),
        ("the first yes, the other no", "resize+ zip-"),
        ("the first yes and the second no", "resize+ zip-"),
        ("yes to the first, no to the second", "resize+ zip-"),
        ("no to the first, yes to the rest", "resize- zip+"),
        ("approve both", "resize+ zip+"),
        ("yes to all", "resize+ zip+"),
        ("do both of them", "resize+ zip+"),
        ("yes, the first and the second", "resize+ zip+"),
        ("no to all", "resize- zip-"),
        ("cancel everything", "resize- zip-"),
        ("yes, resize", "resize+"),
        ("yes, zip the folder", "zip+"),
        ("ok: my holiday photos", "resize+"),
        ("no, resize", "resize-"),
        ("zip yes, resize no", "zip+ resize-"),
        ("好，第二个", "zip+"),
        ("第一个可以，第二个不要", "resize+ zip-"),
        ("不要第一个", "resize-"),
        ("第二个不可以", "zip-"),
        ("都可以", "resize+ zip+"),
        ("全部同意", "resize+ zip+"),
        ("都不要", "resize- zip-"),
        ("好，缩小照片", "resize+"),
        ("同意第一个，其他的不要", "resize+ zip-"),
        ("把第二个取消", "zip-"),
        ("好 第二个", "zip+"),
        ("please do the first", "resize+"),
        ("yes please, the second", "zip+"),
        ("yes! the first one!", "resize+"),
    ],
)
async def test_words_settle_the_card_that_they_name(text: str, settled: str) -> None:
    assert told(await read(text, RESIZE, ZIP)) == settled


@pytest.mark.promise("actions.confirm.lifecycle")
@all_rows(
    "text",
    [
        *(
            "yes",
            "no",
            "好的",
            "不要",
            "maybe",
            "yes?",
            "the second?",
            "yes, the third",
        ),
        *("the second one", "第二个", "yes and no", "the first yes, the first no", "no, approve the second"),
        *("yes if it does not delete anything", "yes, the first if it is safe", "好，如果不会删除东西的话"),
        *("maybe the first", "yes, the other one", "approve the first?"),
    ],
)
async def test_what_could_mean_several_or_is_no_plain_yes_is_unclear(text: str) -> None:
    verdict = await read(text, RESIZE, ZIP)
    assert not verdict.settled
    assert verdict.kind is Confirmation.UNCLEAR


@pytest.mark.promise("actions.confirm.lifecycle")
@all_rows("cards", [(RESIZE,), (RESIZE, ZIP), (RESIZE, ZIP, MAIL)])
@all_rows(
    "text",
    [
        *(
            "yes?",
            "ok?",
            "maybe",
            "I think so",
            "hm",
            "yes, not resize",
            "yes, don't resize",
            "resize",
            "the one",
        ),
        *("yes if it does not delete anything", "ok unless it takes long", "yes, once I saved my work"),
        *("ok, what time is it", "go ahead and delete the rest", "yes, delete the rest", "run resize", "one"),
        *("approve or not?", "yes, after lunch", "yes, later", "yes but not now", "yes, but wait"),
        *('my friend says: "yes"', "he said yes to the first", "I would say yes", "yes is what he said"),
        *("可以吗", "好吗", "也许", "好，如果不会删除东西的话", "等一下", "好，但是等一下", "第一个不太可以"),
        *("thanks", "how are you?", "hello", "谢谢", "你好", "what does it do?", "why the first?"),
        *(
            "good photos",
            "all good",
            "all fine here",
            "nice letters",
            "好照片",
            "是照片",
            "对照片",
            "都行",
            "都好",
        ),
        *(
            "start mail",
            "go resize",
            "great, photos are my hobby",
            "不要紧",
            "对不起",
            "好好休息",
            "right folder",
        ),
        *(
            "第一个好吗",
            "第二个可以吗",
            "ok google",
            "sure thing about zip",
            "yes man",
            "I approve of photos",
        ),
    ],
)
async def test_a_question_a_doubt_or_a_condition_approves_nothing(
    text: str, cards: tuple[ActionRecord, ...]
) -> None:
    verdict = await read(text, *cards)
    assert verdict.kind is not Confirmation.CONFIRM
    assert all(one.kind is not Confirmation.CONFIRM for one in verdict.settled)


@all_rows(
    "text",
    [
        "yes but only the PDFs",
        "yes, but only the PDFs",
        "ok, but in ~/Music instead",
        "yes, with width 300",
        "sure, only in ~/Music",
        "no, use ~/Music instead",
        "but in ~/Music instead",
        "only the PDFs",
        "with width 300",
        "好，但只要 PDF",
        "可以，不过放到 ~/Music",
        "好的，改成 300",
        "改成 300",
        "只要 PDF",
    ],
)
async def test_words_that_want_it_otherwise_decide_nothing(text: str) -> None:
    assert not (await read(text, RESIZE)).settled


async def test_a_yes_to_one_of_two_that_wants_it_otherwise_decides_nothing() -> None:
    assert not (await read("yes to the second, but only the PDFs", RESIZE, ZIP)).settled


async def test_a_number_counts_as_it_was_told_and_is_asked_for_where_that_is_doubtful() -> None:
    """The first of three is gone: the second of them is the first of those that wait."""
    assert told(await read("yes, the second", ZIP, MAIL)) == "unclear"
    assert told(await read("yes, the first", ZIP, MAIL)) == "unclear"
    assert told(await read("yes, the last", ZIP, MAIL)) == "mail+"
    counted = (replace(ZIP, number=1), replace(MAIL, number=2))
    assert told(await read("yes, the second", *counted)) == "mail+"


async def test_two_cards_of_one_name_are_told_apart_by_place_only() -> None:
    twin = replace(RESIZE, id="twin", number=2)
    assert told(await read("yes, resize", RESIZE, twin)) == "unclear"
    assert told(await read("yes, the second", RESIZE, twin)) == "twin+"
