"""The card of what is to be done later: when, what if Partner is closed then, and what a yes is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop import autostart
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import SchedulesEvent
from partner_desktop.domain.plan import CHAIN_KEY, Plan, StepInput
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.schedule import LANDED, Cycle, Terms, Threshold

from .chain_samples import chain_action, step
from .chat import Chat
from .in_actions import entries
from .moments import Moments
from .on_card import button, press, words
from .samples import NOON, OPEN
from .schedule_samples import every_weekday, pdf_lands, schedule, tomorrow_at_nine, wall
from .stage import Stage

pytestmark = pytest.mark.integration


@pytest.fixture
def stage(qapp: QApplication, theme: Theme) -> Iterator[Stage]:
    """It is noon on a Tuesday."""
    one = Stage(qapp, theme, now=NOON)
    yield one
    one.close()


@pytest.fixture
def chat(stage: Stage) -> Chat:
    """A window in a chat, in view."""
    one = Chat(stage)
    one.open()
    return one


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's folder of settings; nothing is opened at login."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


def test_it_shows_when_and_the_next_three_times_before_a_yes(stage: Stage, chat: Chat) -> None:
    card = stage.propose(chat, terms=replace(every_weekday(), missed="once"))
    said = words(card)
    assert "Every weekday at 18:00" in said
    assert "today at 18:00\ntomorrow at 18:00\nThu 16 May at 18:00" in said
    assert "Nothing happens while Partner is closed; what was missed is done once afterwards." in said
    assert button(card, "once").text() == "Schedule"
    assert set(card.foot.buttons if card.foot else ()) == {"once", "reject"}
    assert "You are asked each time" not in said
    (item,) = entries(stage, "waiting")
    assert "Every weekday at 18:00" in item.words


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        (every_weekday(), "the settings say what becomes of missed ones."),
        (replace(every_weekday(), missed="all"), "each time that was missed is done afterwards."),
        (replace(every_weekday(), missed="skip"), "what was missed is left out."),
        (replace(every_weekday(), message="Stretch"), "what was missed is told when it is open again."),
        (pdf_lands(), "What lands while Partner is closed is seen to when it is open again."),
        (replace(pdf_lands(), missed="skip"), "What lands while Partner is closed is left alone."),
        (Terms(crosses=Threshold("memory", 90)), "It is noticed only while Partner is open."),
    ],
)
def test_it_says_what_becomes_of_missed_times(stage: Stage, chat: Chat, terms: Terms, said: str) -> None:
    assert said in words(stage.propose(chat, terms=terms))


def test_it_says_which_value_the_file_that_lands_is(stage: Stage, chat: Chat) -> None:
    moves = step("s1", feeds=(StepInput("folder", LANDED),), params={}, paths=())
    record = chain_action("a1", moves, terms=pdf_lands())
    stage.do(lambda: chat.propose(record))
    said = words(stage.card("a1"))
    assert "When a new PDF file lands in /home/user/Downloads" in said
    assert "← the file that landed" in said
    assert "a step that is left out" not in said


def test_a_reminder_is_shown_with_what_it_says_and_nothing_else(stage: Stage, chat: Chat) -> None:
    facts: dict[str, Any] = {
        "key": CHAIN_KEY,
        "chain": Plan(()),
        "schema": {},
        "params": {},
        "paths": (),
        "description": "",
    }
    card = stage.propose(chat, title="Call Ann", terms=tomorrow_at_nine(), grantable=False, **facts)
    said = words(card)
    assert "Call Ann" in said
    assert "tomorrow at 09:00" in said
    assert button(card, "once").text() == "Remind me"
    assert set(card.foot.buttons if card.foot else ()) == {"once", "reject"}
    assert not card.head.risk.isVisibleTo(card)
    assert "You are asked each time" not in said


def test_what_no_yes_is_enough_for_says_that_it_asks_each_time(stage: Stage, chat: Chat) -> None:
    card = stage.propose(chat, terms=every_weekday(), grantable=False, risk=Risk.SYSTEM, isolation=OPEN)
    assert "You are asked each time before it runs" in words(card)
    assert button(card, "once").text() == "Schedule without sandbox"


def test_in_another_zone_the_zone_is_said(stage: Stage, chat: Chat) -> None:
    terms = Terms(cycle=Cycle(wall(NOON), every_s=3600), zone="Asia/Tokyo")
    assert "Every hour (Asia/Tokyo)" in words(stage.propose(chat, terms=terms))


def test_the_yes_is_sent_and_what_became_of_it_reads_as_scheduled(stage: Stage, chat: Chat) -> None:
    card = stage.propose(chat, terms=every_weekday(), schema={}, params={}, paths=())
    press(stage, button(card, "once"))
    assert chat.sent == [("approve", "a1", "once", None)]
    assert card.record is not None
    armed = replace(card.record, status=ActionStatus.SUCCEEDED, schedule_id="s1")
    stage.do(lambda: card.show_record(armed))
    assert card.head.status.text() == "scheduled"
    assert "It finished without saying anything." not in words(card)
    assert "again" not in (card.foot.buttons if card.foot else ())
    assert card.terms is not None
    assert card.terms.schedule_button is not None


def test_the_card_offers_to_open_partner_at_login(stage: Stage, moments: Moments, config: Path) -> None:
    stage.open(moments)
    card = stage.propose(moments, terms=every_weekday())
    assert card.terms is not None
    assert card.terms.autostart_button is not None
    press(stage, card.terms.autostart_button)
    assert (config / "autostart" / "partner-desktop.desktop").exists()
    assert autostart.is_on()
    assert "Partner opens by itself when you log in." in words(card)
    another = stage.propose(moments, "a2", terms=every_weekday())
    assert another.terms is not None
    assert another.terms.autostart_button is None


def test_an_armed_card_leads_to_its_schedule_and_a_run_says_so(stage: Stage, moments: Moments) -> None:
    armed: dict[str, Any] = {"status": ActionStatus.SUCCEEDED, "schedule_id": "s1"}
    stage.open(moments)
    one = schedule("s1", "Back up notes", every_weekday())
    stage.do(lambda: moments.deliver(SchedulesEvent(conversation_id="", changed=(one,))))
    card = stage.propose(moments, terms=every_weekday(), **armed)
    run = stage.propose(moments, "a2", **armed)
    assert "As scheduled: every weekday at 18:00" in words(run)
    tab = stage.window.panel.actions_tab
    assert [item.record.id for item in entries(stage, "done")] == ["a2"]
    assert card.terms is not None
    assert card.terms.schedule_button is not None
    press(stage, card.terms.schedule_button)
    assert tab.page is not None
    assert tab.page.title.text() == "Back up notes"
