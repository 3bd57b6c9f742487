"""Reminders: in the chat until they are answered, and outside the window while nobody looks at it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from partner_desktop.desktop.chat.toasts import Toast
from partner_desktop.desktop.session.reminder_controller import put_off_until
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ActionEvent, NoticeEvent, ReminderEvent
from partner_desktop.domain.schedule import Schedule

from .moments import Moments
from .on_card import press
from .samples import count_action
from .schedule_samples import firing, schedule, tomorrow_at_nine
from .session_bus import SessionBus, session_bus
from .stage import Stage

pytestmark = pytest.mark.integration
NOW = datetime.now(UTC)
ONE = schedule("s1", "Call Ann", tomorrow_at_nine(NOW, "Call Ann, and ask about Sunday"), now=NOW)


def ascii_of(text: str) -> str:
    """What it is made of, and how long it is."""
    return ascii(f"{text[:2]} {len(text)}")


@pytest.fixture
def bus(stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionBus:
    """A desktop that shows notifications."""
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path / 'bus'}")
    stack = AsyncExitStack()
    stage.closes(stack.aclose)
    return stage.run(stack.enter_async_context(session_bus(tmp_path / "bus")))


@pytest.fixture
def opened(stage: Stage, moments: Moments) -> Moments:
    """A window, and a reminder that Partner has."""
    moments.add_schedule(ONE)
    stage.open(moments)
    return moments


def remind(stage: Stage, moments: Moments, *, quiet: bool = False) -> None:
    told = ReminderEvent(conversation_id="c1", schedule=ONE, firing=firing("s1", NOW), quiet=quiet)
    stage.do(lambda: moments.deliver(told))


def toasts(stage: Stage) -> list[Toast]:
    return list(stage.window.page.toasts.toasts)


def kept(moments: Moments) -> Schedule:
    return moments.ask(moments.partner.schedules.find("s1"))


def listed(stage: Stage) -> Schedule | None:
    """As the panel has it."""
    return stage.window.panel.actions_tab.planned.schedule("s1")


def next_at(stage: Stage) -> datetime:
    known = listed(stage)
    assert known is not None
    assert known.next_at is not None
    return known.next_at


def choose(stage: Stage, words: str) -> None:
    (toast,) = toasts(stage)
    press(stage, next(button for button in toast.choice_buttons if button.text() == words))


def test_it_stays_in_the_chat_until_it_is_answered(stage: Stage, opened: Moments) -> None:
    remind(stage, opened)
    (toast,) = toasts(stage)
    assert toast.notice.stays
    assert toast.notice.words() == "Reminder Call Ann, and ask about Sunday"
    assert [button.text() for button in toast.choice_buttons] == [
        *("Done", "Snooze 10 min", "Snooze 1 h", "Tomorrow")
    ]
    assert toast.choice_buttons[0].accessibleName() == "Done: Reminder Call Ann, and ask about Sunday"
    choose(stage, "Done")
    assert not toasts(stage)
    stage.until(lambda: listed(stage) is None)
    assert kept(opened).state == "over"


@pytest.mark.parametrize(("words", "least", "most"), [("Snooze 10 min", 9, 11), ("Snooze 1 h", 59, 61)])
def test_it_is_put_off(stage: Stage, opened: Moments, words: str, least: int, most: int) -> None:
    remind(stage, opened)
    choose(stage, words)
    soon = stage.clock.now() + timedelta(minutes=most)
    stage.until(lambda: next_at(stage) < soon)
    until = kept(opened).next_at
    assert until is not None
    assert until > stage.clock.now() + timedelta(minutes=least)
    stage.until(lambda: any("You are reminded again" in toast.notice.words() for toast in toasts(stage)))


def test_tomorrow_is_nine_on_the_wall_of_the_day_after() -> None:
    until = put_off_until("tomorrow", NOW)
    local = until.astimezone()
    assert local.date() == NOW.astimezone().date() + timedelta(days=1)
    assert f"{local:%H:%M}" == "09:00"


def test_told_anew_it_takes_the_place_of_what_stood_there(stage: Stage, opened: Moments) -> None:
    remind(stage, opened)
    remind(stage, opened)
    assert len(toasts(stage)) == 1


def test_nobody_is_told_outside_while_the_window_is_in_front(
    stage: Stage, bus: SessionBus, opened: Moments
) -> None:
    remind(stage, opened)
    assert not bus.shown


def away(stage: Stage) -> None:
    stage.do(stage.window.hide)


def test_outside_it_is_put_off_by_its_button(stage: Stage, bus: SessionBus, opened: Moments) -> None:
    away(stage)
    remind(stage, opened)
    stage.until(lambda: bus.shown)
    assert bus.shown[0][3:5] == ("Reminder", "Call Ann, and ask about Sunday")
    bus.press(1, "soon")
    soon = stage.clock.now() + timedelta(minutes=11)
    stage.until(lambda: next_at(stage) < soon)
    assert kept(opened).state == "armed"
    assert all("Call Ann" not in toast.notice.words() for toast in toasts(stage))


def test_a_click_on_it_brings_the_window_to_front(stage: Stage, bus: SessionBus, opened: Moments) -> None:
    away(stage)
    remind(stage, opened)
    stage.until(lambda: bus.shown)
    bus.press(1, "default")
    stage.until(stage.window.isVisible)
    assert len(toasts(stage)) == 1


def test_answered_in_the_chat_the_notification_goes(stage: Stage, bus: SessionBus, opened: Moments) -> None:
    away(stage)
    remind(stage, opened)
    stage.until(lambda: bus.shown)
    stage.do(stage.window.show)
    choose(stage, "Done")
    stage.until(lambda: bus.closed == [1])


def test_what_a_schedule_asks_for_is_called_for_outside_until_it_is_decided(
    stage: Stage, bus: SessionBus, opened: Moments
) -> None:
    away(stage)
    asked = count_action("a1", title="Clean up", schedule_id="s1")
    stage.do(lambda: opened.propose(asked))
    stage.until(lambda: bus.shown)
    assert bus.shown[0][3:5] == ("Waiting for you", "Clean up")
    rejected = replace(asked, status=ActionStatus.REJECTED)
    stage.do(lambda: opened.deliver(ActionEvent(conversation_id="c1", action=rejected)))
    stage.until(lambda: bus.closed == [1])
    stage.do(lambda: opened.propose(replace(asked, id="a2", terms=tomorrow_at_nine(NOW))))
    assert len(bus.shown) == 1


def remind_of(stage: Stage, moments: Moments, count: int, *, quiet: bool = False) -> None:
    """Several in one round, each of its own schedule."""
    many = [schedule(f"m{n}", f"t{n}", tomorrow_at_nine(NOW, f"call {n}"), now=NOW) for n in range(count)]

    def tell() -> None:
        for one in many:
            fired = firing(one.id, NOW)
            moments.deliver(ReminderEvent(conversation_id="c1", schedule=one, firing=fired, quiet=quiet))

    stage.do(tell)


def test_a_few_at_once_are_told_one_by_one(stage: Stage, opened: Moments) -> None:
    remind_of(stage, opened, 4)
    assert [toast.notice.words() for toast in toasts(stage)] == [f"Reminder call {n}" for n in range(4)]


def test_many_at_once_are_one_notice_with_their_count_and_the_latest(
    stage: Stage, bus: SessionBus, opened: Moments
) -> None:
    away(stage)
    remind_of(stage, opened, 400)
    stage.until(lambda: len(toasts(stage)) == 1 and len(bus.shown) - len(bus.closed) == 1)
    (toast,) = toasts(stage)
    assert toast.notice.words() == "400 reminders call 396\ncall 397\ncall 398\ncall 399"
    assert bus.shown[-1][3:5] == ("400 reminders", "call 396\ncall 397\ncall 398\ncall 399")
    assert len(bus.shown) <= 5
    bus.press(len(bus.shown), "default")
    stage.until(stage.window.isVisible)
    assert [button.text() for button in toast.choice_buttons] == ["Show the latest"]
    press(stage, toast.choice_buttons[0])
    assert not toasts(stage)


def test_many_in_quiet_hours_call_for_no_attention(stage: Stage, bus: SessionBus, opened: Moments) -> None:
    away(stage)
    remind_of(stage, opened, 6, quiet=True)
    stage.until(lambda: len(toasts(stage)) == 1)
    assert not bus.shown


def test_one_that_comes_long_after_many_is_told_for_itself(stage: Stage, opened: Moments) -> None:
    remind_of(stage, opened, 5)
    stage.until(lambda: len(toasts(stage)) == 1)
    stage.clock.move(timedelta(seconds=11))
    remind(stage, opened)
    assert [toast.notice.words() for toast in toasts(stage)][1:] == [
        "Reminder Call Ann, and ask about Sunday"
    ]


@pytest.mark.parametrize(
    "text", ["x " * 50_000, "x" * 100_000, "\n" * 5_000, "a\n" * 5_000, "\u2028" * 5_000], ids=ascii_of
)
def test_of_a_long_text_the_notice_shows_the_beginning(stage: Stage, opened: Moments, text: str) -> None:
    long = schedule("s2", "t", tomorrow_at_nine(NOW, text), now=NOW)
    told = ReminderEvent(conversation_id="c1", schedule=long, firing=firing("s2", NOW), quiet=False)
    stage.do(lambda: opened.deliver(told))
    (toast,) = toasts(stage)
    assert toast.notice.words().endswith("…")
    assert 0 < toast.height() < stage.window.height() / 2
    assert toast.width() <= 400
    wrong = NoticeEvent(title="Wrong", text=text, level="error")
    stage.do(lambda: opened.deliver(wrong))
    assert all(0 < one.height() < stage.window.height() for one in toasts(stage))
    assert len(toasts(stage)[-1].accessibleName()) <= 1_200


def test_in_quiet_hours_nothing_calls_for_attention(stage: Stage, bus: SessionBus, opened: Moments) -> None:
    away(stage)
    remind(stage, opened, quiet=True)
    stage.do(lambda: None)
    stage.run(asyncio.sleep(0))
    assert not bus.shown
    assert len(toasts(stage)) == 1


def test_without_notifications_of_the_desktop_it_is_in_the_chat(stage: Stage, opened: Moments) -> None:
    away(stage)
    remind(stage, opened)
    assert len(toasts(stage)) == 1
