"""What models cost: the meter of the context under the panel, and the calls of a turn in the Context tab."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.desktop.panel.context.rows import ContextRow, call_rows
from partner_desktop.desktop.panel.context.tab import ContextTab
from partner_desktop.desktop.panel.token_foot import TokenFoot
from partner_desktop.domain.message import Role
from partner_desktop.domain.model_call import ModelCall

from .in_context import add_turn
from .moments import Moments
from .samples import NOON
from .stage import Stage
from .test_context_panel import end_turn

pytestmark = pytest.mark.integration

CALL = ModelCall(
    id="call1",
    at=NOON,
    model="small",
    question="reply",
    conversation_id="c1",
    turn_id="t1",
    prompt_tokens=1_100,
    reused_tokens=1_000,
    output_tokens=104,
    context_tokens=4_096,
    first_token_ms=240.0,
    duration_ms=2_950.0,
)


def foot(stage: Stage) -> TokenFoot:
    one = stage.window.panel.foot
    assert one is not None
    return one


def show(stage: Stage) -> ContextTab:
    """The Context tab in view, with its rows made."""
    stage.do(lambda: stage.window.show_tab(2))
    tab = stage.window.panel.context_tab
    stage.until(lambda: not tab.view.arranging)
    return tab


def rows(stage: Stage) -> list[ContextRow]:
    view = stage.window.panel.context_tab.view
    stage.until(lambda: not view.arranging)
    return list(view.list.rows.rows)


# The meter.


def test_an_answer_shows_how_full_the_models_context_is(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    assert window.panel.foot is None
    stage.do(lambda: moments.book(CALL))
    assert foot(stage).isVisible()
    assert foot(stage).text() == "Context 1,204 of 4,096 tokens · 29 %"
    assert not foot(stage).nearly_full
    stage.do(lambda: moments.book(replace(CALL, question="evaluate_intent", prompt_tokens=3_000)))
    assert foot(stage).text() == "Context 1,204 of 4,096 tokens · 29 %", (
        "only the answer's prompt is the talk"
    )
    stage.do(lambda: window.show_tab(2))
    assert foot(stage).isHidden()


def test_from_three_quarters_on_it_warns_in_words_and_says_what_will_happen(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    stage.do(lambda: moments.book(replace(CALL, prompt_tokens=2_967)))
    assert not foot(stage).nearly_full
    stage.do(lambda: moments.book(replace(CALL, prompt_tokens=2_968)))
    assert foot(stage).nearly_full
    assert foot(stage).text() == "Nearly full: 3,072 of 4,096 tokens · 75 %"
    assert "oldest messages" in foot(stage).toolTip()
    assert "oldest messages" in foot(stage).accessibleDescription()


def test_a_conversation_that_is_opened_shows_its_last_answer(stage: Stage, moments: Moments) -> None:
    moments.add_conversation("Trip to Ulm", days_ago=1)
    moments.add_message("c2", Role.USER, "hello")
    add_turn(moments, "one")
    add_turn(moments, "two", conversation_id="c2")
    moments.add_call(CALL)
    stage.open(moments)
    assert foot(stage).text() == "Context 1,204 of 4,096 tokens · 29 %"
    stage.do(lambda: stage.session.open("c2"))
    assert foot(stage).text().startswith("Context "), "that turn went without a model"
    assert "%" not in foot(stage).text()
    stage.do(lambda: moments.book(replace(CALL, prompt_tokens=4_000)))
    assert "%" not in foot(stage).text(), "another conversation's"
    stage.do(lambda: stage.session.open("c1"))
    assert "4,104 of 4,096" in foot(stage).text()
    stage.do(lambda: stage.session.open(""))
    assert foot(stage).isHidden()


def test_an_answer_of_the_starter_brings_the_blocks_meter_back(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.book(CALL))
    end_turn(stage, moments, "one")
    assert "29 %" in foot(stage).text()
    end_turn(stage, moments, "two")
    turn = moments.turns[-1]
    assert foot(stage).text() == f"Context {turn.used_tokens:,} of 4,096 tokens"


def test_a_turn_that_was_stopped_before_it_was_counted_leaves_the_meter_as_it_was(
    stage: Stage, moments: Moments
) -> None:
    stage.open(moments)
    stage.do(lambda: moments.book(CALL))
    end_turn(stage, moments, "one")
    before = foot(stage).text()
    newest = f"t{len(moments.turns) + 1}"
    moments.add_call(
        replace(CALL, turn_id=newest, prompt_tokens=0, reused_tokens=0, context_tokens=0, end="cancelled")
    )
    end_turn(stage, moments, "two")
    assert (foot(stage).text(), "29 %" in before) == (before, True)


def test_where_the_models_room_is_not_known_only_the_tokens_are_told(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: moments.book(replace(CALL, context_tokens=0)))
    assert foot(stage).text() == "Context 1,204 tokens"


# The calls.


def test_a_turn_shows_what_it_asked_of_models_and_the_conversations_sum(
    stage: Stage, moments: Moments
) -> None:
    add_turn(moments, "one")
    earlier = replace(CALL, id="call0", turn_id="t0", cost=0.002)
    choice = replace(
        CALL, id="call2", question="pick_ability", reused_tokens=0, output_tokens=1, end="length"
    )
    for call in (earlier, choice, CALL):
        moments.add_call(call)
    stage.open(moments)
    tab = show(stage)
    button = tab.view.kinds.buttons["calls"]
    assert button.isVisible()
    stage.do(button.click)
    assert [row.title for row in rows(stage)] == [
        *("This turn", "Which ability", "The answer", "This conversation", "3,509 tokens")
    ]
    head, cut, answer, _, total = rows(stage)
    assert head.moment == "2 calls"
    assert (answer.tag, answer.lines[0].text, answer.lines[0].right) == (
        *("small", "1,000 reused + 100 read", "104 written"),
    )
    assert answer.lines[1].text == "first word after 0.24 s · 38 tokens/s"
    assert "The model holds 4,096 tokens." in answer.about.facts
    assert "cut off" in cut.about.facts
    assert (total.lines[0].text, total.lines[0].right, total.lines[1].right) == (
        *("2,000 reused + 1,300 read", "209 written", "0.0020"),
    )
    stage.do(lambda: QTest.keyClick(tab.view.list, Qt.Key.Key_End))
    stage.do(lambda: QTest.keyClick(tab.view.list, Qt.Key.Key_Return))
    sheet = tab.view.list.sheet_of(total)
    assert sheet is not None
    assert sheet.isVisible()


def test_a_turn_of_the_starter_has_no_calls_to_show(stage: Stage, moments: Moments) -> None:
    add_turn(moments, "one")
    add_turn(moments, "two")
    moments.add_call(CALL)
    stage.open(moments)
    tab = show(stage)
    assert not tab.view.kinds.buttons["calls"].isVisible()
    stage.do(tab.chooser.back.click)
    stage.do(tab.view.kinds.buttons["calls"].click)
    assert tab.view.kind == "calls"
    assert rows(stage)[0].title == "This turn"
    stage.do(tab.chooser.on.click)
    assert tab.view.kind == "blocks", "what is not there is not shown empty"
    assert not tab.view.kinds.buttons["calls"].isVisible()


def test_a_call_that_was_stopped_before_it_was_counted_says_so_instead_of_noughts(
    stage: Stage, moments: Moments
) -> None:
    stopped = replace(CALL, prompt_tokens=0, reused_tokens=0, context_tokens=0, end="cancelled")
    row = next(row for row in call_rows([stopped], None) if row.kind == "call")
    assert row.lines[0].text == "It was stopped."
    assert "0 tokens" not in row.about.facts
