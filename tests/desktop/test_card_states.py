"""The card through its life: it keeps its place and says where the action stands."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtWidgets import QApplication, QPushButton

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.events import DecisionEvent, ElicitationEvent
from partner_desktop.domain.run_facts import PathUse, Risk

from .chat import Chat
from .moments import Moments
from .on_card import button, press, words
from .samples import COUNT_SCRIPT, OPEN
from .server_samples import question
from .stage import Stage

# A whole story of its own: it belongs to the whole gate.
pytestmark = pytest.mark.integration


@pytest.fixture
def card(stage: Stage, chat: Chat) -> ActionCard:
    chat.open()
    return stage.propose(chat)


def test_a_rejected_card_keeps_its_place(stage: Stage, chat: Chat, card: ActionCard) -> None:
    stage.do(lambda: chat.stream("c1", "r1", ["Later words."]))
    feed = stage.window.page.feed
    before = [entry.key for entry in feed.entries]
    press(stage, button(card, "reject"))
    assert chat.sent == [("reject", "a1")]
    stage.do(lambda: chat.change("a1", ActionStatus.REJECTED))
    assert [entry.key for entry in feed.entries] == before
    assert feed.card("a1") is card
    assert "rejected" in words(card)
    assert card.foot is not None
    assert not card.foot.buttons


def test_a_run_and_its_result_show_in_the_same_card(stage: Stage, chat: Chat, card: ActionCard) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.RUNNING))
    stage.let_listen(card)
    press(stage, button(card, "cancel"))
    assert chat.sent == [("cancel", "a1")]
    output = "\n".join(f"line {number}" for number in range(1, 21))
    stage.do(
        lambda: chat.change(
            "a1", ActionStatus.SUCCEEDED, stdout=output, duration_ms=840, started_at=stage.clock.now()
        )
    )
    assert stage.window.page.feed.card("a1") is card
    assert "done" in words(card)
    assert "0.8 s" in words(card)
    assert "line 1\n" in words(card)
    assert "Show all 20 lines" in "".join(each.text() for each in card.findChildren(QPushButton))


def test_copy_puts_the_whole_output_on_the_clipboard(stage: Stage, chat: Chat, card: ActionCard) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.SUCCEEDED, stdout="one\ntwo\n"))
    copy = next(each for each in card.findChildren(QPushButton) if each.accessibleName() == "Copy: Output")
    press(stage, copy)
    assert QApplication.clipboard().text() == "one\ntwo\n"


def test_a_failure_says_why_and_can_be_run_again(stage: Stage, chat: Chat, card: ActionCard) -> None:
    stage.do(
        lambda: chat.change("a1", ActionStatus.FAILED, error="The folder is gone.", stderr="no such folder")
    )
    stage.let_listen(card)
    assert "The folder is gone." in words(card)
    assert "no such folder" in words(card)
    press(stage, button(card, "again"))
    assert chat.sent == [("again", "a1")]


def test_an_interrupted_run_says_what_happened(stage: Stage, chat: Chat, card: ActionCard) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.INTERRUPTED))
    assert "Partner was closed while this ran" in words(card)
    assert "again" in (card.foot.buttons if card.foot is not None else ())


def test_an_action_that_ended_does_not_start_again_by_a_late_event(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.SUCCEEDED))
    stage.do(lambda: chat.change("a1", ActionStatus.RUNNING))
    assert card.record is not None
    assert card.record.status is ActionStatus.SUCCEEDED


def test_a_question_that_comes_late_is_not_put_on_a_card_that_ended(stage: Stage, moments: Moments) -> None:
    def ask(one: Elicitation, *, open: bool = True) -> None:  # noqa: A002 - as the event calls it
        event = ElicitationEvent(conversation_id="c1", elicitation=one, open=open)
        stage.do(lambda: moments.deliver(event))

    stage.open(moments)
    card = stage.propose(moments)
    stage.do(lambda: moments.change("a1", ActionStatus.RUNNING))
    ask(question())
    assert question().message in words(card)
    ask(question(), open=False)
    stage.do(lambda: moments.change("a1", ActionStatus.SUCCEEDED))
    ask(question("q2"))
    assert question().message not in words(card)


@pytest.mark.promise("actions.sandbox.failclosed")
def test_without_a_sandbox_the_card_says_so_and_asks_for_exactly_that(stage: Stage, chat: Chat) -> None:
    chat.open()
    isolation = replace(OPEN, reason="bubblewrap is not installed, so scripts cannot be sandboxed.")
    card = stage.propose(chat, isolation=isolation, risk=Risk.SYSTEM, grantable=False)
    assert "This runs without a sandbox, with your own rights." in words(card)
    assert isolation.reason in words(card)
    assert button(card, "once").text() == "Run without sandbox"
    assert card.foot is not None
    assert "always" not in card.foot.buttons


@pytest.mark.parametrize(
    ("facts", "risk"),
    [
        ({"risk": Risk.READ}, "reads only"),
        (
            {"risk": Risk.WRITE, "paths": (PathUse("folder", "/home/user/Pictures", "write"),)},
            "writes 1 folder",
        ),
        ({"risk": Risk.WRITE, "paths": (PathUse("file", "/home/user/a.txt", "write"),)}, "writes 1 file"),
        ({"risk": Risk.WRITE, "paths": ()}, "writes only its own workspace"),
        ({"risk": Risk.SYSTEM, "isolation": OPEN}, "full access to your account"),
    ],
)
def test_the_risk_is_said_in_words(stage: Stage, chat: Chat, facts: dict[str, object], risk: str) -> None:
    chat.open()
    card = stage.propose(chat, "a1", **facts)
    assert card.head.risk.text() == risk


def test_a_decision_that_fails_says_why_and_can_be_made_again(stage: Stage, moments: Moments) -> None:
    script = moments.add_script("count_types.py", COUNT_SCRIPT)
    stage.open(moments)
    card = stage.card(moments.ask_to_count().id)
    listed = stage.window.panel.abilities_tab.known.abilities
    script.unlink()
    stage.until(lambda: "local::count_types" not in listed)
    press(stage, button(card, "once"))
    assert "local::count_types" in words(card)
    moments.add_script("count_types.py", COUNT_SCRIPT)
    stage.until(lambda: "local::count_types" in listed)
    press(stage, button(card, "once"))
    assert card.record is not None
    assert moments.decisions() == [(card.record.id, "allow", "once")]


def test_a_decision_on_its_way_cannot_be_made_twice(stage: Stage, chat: Chat, card: ActionCard) -> None:
    press(stage, button(card, "once"))
    press(stage, button(card, "once"))
    assert len(chat.sent) == 1


def test_the_fold_shows_source_key_and_fingerprint(stage: Stage, moments: Moments) -> None:
    moments.add_script("count_types.py", COUNT_SCRIPT)
    stage.open(moments)
    card = stage.propose(moments)
    assert card.foot is not None
    press(stage, card.foot.details_button)
    shown = words(card)
    assert 'print("png 19")' in shown
    assert "local::count_types" in shown
    assert "5f1d7a3b9c2e4d6f" in shown
    press(stage, card.foot.details_button)
    assert 'print("png 19")' not in words(card)


def test_data_is_told_by_the_reply_and_set_out_for_reading_when_asked_for(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.SUCCEEDED, stdout='{"png": 19}', data={"png": 19}))
    assert "png" not in words(card)
    (fold,) = [button for button in card.findChildren(QPushButton) if "record" in button.text()]
    press(stage, fold)
    assert '"png": 19\n}' in words(card)


def test_who_allowed_a_run_is_said_when_it_was_not_the_person_just_now(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    decision = DecisionEvent(
        conversation_id="c1", action_id="a1", outcome="allow", scope="always", by="grant"
    )
    stage.do(lambda: chat.deliver(decision))
    stage.do(lambda: chat.change("a1", ActionStatus.RUNNING))
    assert "Allowed by what you granted before." in words(card)


def test_a_waiting_card_says_until_when_and_can_be_run_again_when_it_timed_out(
    stage: Stage, chat: Chat
) -> None:
    chat.open()
    until = stage.clock.now() + timedelta(minutes=30)
    card = stage.propose(chat, waits_until=until)
    assert f"waits until {until.astimezone():%H:%M}" in words(card)
    stage.do(lambda: chat.change("a1", ActionStatus.EXPIRED))
    assert "timed out" in words(card)
    assert "waits until" not in words(card)
    stage.let_listen(card)
    press(stage, button(card, "again"))
    assert chat.sent == [("again", "a1")]


def test_what_is_done_for_good_is_not_offered_again_and_a_failure_of_it_is(stage: Stage, chat: Chat) -> None:
    chat.open()
    kept, failed = (stage.propose(chat, each, once=True) for each in ("a1", "a2"))
    stage.do(lambda: chat.change("a1", ActionStatus.SUCCEEDED, stdout="It is kept."))
    stage.do(lambda: chat.change("a2", ActionStatus.FAILED, error="The disk is full."))
    assert kept.foot is not None
    assert "again" not in kept.foot.buttons
    assert button(failed, "again").isVisible()


def test_a_card_says_that_an_earlier_version_was_allowed(stage: Stage, chat: Chat) -> None:
    chat.open()
    said = "You had allowed an earlier version of this; it was edited since."
    assert said not in words(stage.propose(chat, "a1"))
    assert said in words(stage.propose(chat, "a2", was_allowed=True))


def test_what_a_cancelled_run_wrote_to_its_log_stays_on_its_card(
    stage: Stage, chat: Chat, card: ActionCard
) -> None:
    stage.do(lambda: chat.change("a1", ActionStatus.CANCELLED, stderr="half of it done"))
    assert "half of it done" in words(card)
