"""What is planned, in the panel: its items, its page, its form, and what is asked of Partner there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QMenu, QWidget

from partner_desktop.desktop.language import LanguageChoice
from partner_desktop.desktop.panel.actions.actions_tab import ActionsTab
from partner_desktop.desktop.panel.record.page import RecordPage
from partner_desktop.desktop.panel.schedules.schedule_form import ScheduleForm
from partner_desktop.desktop.panel.schedules.schedule_item import ScheduleItem
from partner_desktop.desktop.panel.schedules.schedule_page import FiringItem, SchedulePage
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import SchedulesEvent
from partner_desktop.domain.schedule import Cycle, Once, Schedule, Terms

from .moments import Moments
from .on_card import press
from .samples import count_action
from .schedule_samples import every_weekday, firing, pdf_lands, schedule, tomorrow_at_nine, wall
from .stage import Stage

pytestmark = pytest.mark.integration
NOW = datetime.now(UTC)
DRINK = Terms(cycle=Cycle(wall(NOW), every_s=7200), message="Drink something")


def tab(stage: Stage) -> ActionsTab:
    return stage.window.panel.actions_tab


def items(stage: Stage) -> list[ScheduleItem]:
    return [item for item in tab(stage).planned.section.items if item.isVisible()]


def titles(stage: Stage) -> list[str]:
    return [item.schedule.title for item in items(stage)]


def words(inside: QWidget) -> str:
    return "\n".join(label.text() for label in inside.findChildren(QLabel) if label.isVisibleTo(inside))


def tell(stage: Stage, moments: Moments, *changed: Schedule, removed: tuple[str, ...] = ()) -> None:
    event = SchedulesEvent(conversation_id="", changed=changed, removed=removed)
    stage.do(lambda: moments.deliver(event))


def planned(moments: Moments, *found: Schedule) -> None:
    for one in found:
        moments.add_schedule(one)


def page(stage: Stage) -> SchedulePage:
    found = tab(stage).page
    assert isinstance(found, SchedulePage)
    return found


def past(stage: Stage) -> str:
    """What came of it, as it is read out."""
    return "\n".join(item.accessibleName() for item in page(stage).findChildren(FiringItem))


def form(stage: Stage) -> ScheduleForm:
    found = tab(stage).page
    assert isinstance(found, ScheduleForm)
    return found


def choose(stage: Stage, title: str, verb: str) -> None:
    """By the menu of an item."""
    item = next(item for item in items(stage) if item.schedule.title == title)
    stage.do(item.more_button.click)
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(action for action in menu.actions() if action.data() == verb)
    stage.do(action.trigger)
    stage.do(menu.close)


def kept(moments: Moments, schedule_id: str) -> Schedule:
    """As Partner has it."""
    return moments.ask(moments.partner.schedules.find(schedule_id))


def test_the_soonest_comes_first_and_what_does_not_go_on_last(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    assert not tab(stage).planned.section.isVisible()
    weekday, once = every_weekday(NOW), tomorrow_at_nine(NOW)
    tell(
        stage,
        moments,
        schedule("s1", "Paused", weekday, now=NOW, state="paused", next_at=None),
        schedule("s2", "Soon", once, now=NOW, next_at=NOW + timedelta(minutes=5)),
        schedule("s3", "Later", weekday, now=NOW, next_at=NOW + timedelta(days=2)),
        schedule("s4", "PDFs", pdf_lands(), now=NOW),
        schedule("s5", "Over", once, now=NOW, state="over"),
    )
    assert titles(stage) == ["Soon", "Later", "Paused", "PDFs"]
    tell(stage, moments, schedule("s3", "Later", weekday, now=NOW, next_at=NOW), removed=("s1",))
    assert titles(stage) == ["Later", "Soon", "PDFs"]


def test_an_item_says_when_how_it_stands_and_what_came_of_it(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    weekday = every_weekday(NOW)
    failed = firing("s1", NOW - timedelta(days=1), "failed")
    tell(
        stage,
        moments,
        schedule("s1", "Back up", weekday, now=NOW, last=failed),
        schedule("s2", "Tidy", weekday, now=NOW, state="stopped", next_at=None, why="It was edited."),
    )
    backup, tidy = (item.accessibleName() for item in items(stage))
    assert backup.startswith("Back up, failed, Every weekday at 18:00, next ")
    assert "last: failed, yesterday at " in backup
    assert tidy == "Tidy, stopped, Every weekday at 18:00, It was edited."


def test_more_than_anybody_reads_are_counted(stage: Stage, moments: Moments) -> None:
    many = [schedule(f"s{number}", f"Number {number}", every_weekday(NOW), now=NOW) for number in range(130)]
    planned(moments, *many)
    stage.open(moments)
    stage.until(lambda: len(items(stage)) == 40)
    assert "and 90 more later" in words(tab(stage).planned.section)
    search = tab(stage).search
    assert search is not None
    stage.do(lambda: search.setText("number 12"))
    stage.until(lambda: len(items(stage)) == 12)
    assert "more later" not in words(tab(stage).planned.section)
    stage.do(lambda: search.setText("number 129 nowhere"))
    stage.until(lambda: "Nothing here matches." in words(tab(stage)))
    stage.do(search.clear)
    stage.until(lambda: len(items(stage)) == 40)
    gone = items(stage)[0].schedule
    moments.ask(moments.partner.schedules.cancel(gone.id))
    stage.until(lambda: "and 89 more later" in words(tab(stage).planned.section))
    assert gone.title not in titles(stage)
    assert len(items(stage)) == 40


def test_one_that_is_not_listed_is_opened_by_its_card(stage: Stage, moments: Moments) -> None:
    soon = [schedule(f"s{number}", f"Number {number}", DRINK, now=NOW) for number in range(40)]
    planned(moments, *soon, schedule("last", "The last", pdf_lands(), now=NOW, next_at=None))
    stage.open(moments)
    stage.until(lambda: len(items(stage)) == 40)
    assert "The last" not in titles(stage)
    stage.do(lambda: stage.session.schedules.open_by_id("last"))
    stage.until(lambda: tab(stage).page is not None)
    assert page(stage).schedule.title == "The last"


def test_what_does_not_go_on_comes_before_what_has_no_time(stage: Stage, moments: Moments) -> None:
    planned(
        moments,
        schedule("s1", "Waits", pdf_lands(), now=NOW, next_at=None),
        schedule("s2", "Paused", every_weekday(NOW), now=NOW, state="paused", next_at=None),
        schedule("s3", "Timed", every_weekday(NOW), now=NOW),
    )
    stage.open(moments)
    stage.until(lambda: titles(stage) == ["Timed", "Paused", "Waits"])
    listed = moments.ask(moments.partner.schedules.list(limit=2))
    assert [one.title for one in listed] == ["Timed", "Paused"]
    assert moments.ask(moments.partner.schedules.count()) == 3


def test_it_is_found_by_its_words(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    weekday = every_weekday(NOW)
    tell(stage, moments, *(schedule(f"s{n}", f"Number {n}", weekday, now=NOW) for n in range(8)))
    search = tab(stage).search
    assert search is not None
    stage.do(lambda: search.setText("number 7 weekday"))
    assert titles(stage) == ["Number 7"]


def test_pause_and_resume_by_the_menu(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Drink something", DRINK, now=NOW))
    stage.open(moments)
    stage.until(lambda: titles(stage) == ["Drink something"])
    choose(stage, "Drink something", "pause")
    stage.until(lambda: items(stage)[0].schedule.state == "paused")
    assert kept(moments, "s1").state == "paused"
    assert "paused" in items(stage)[0].accessibleName()
    choose(stage, "Drink something", "resume")
    stage.until(lambda: items(stage)[0].schedule.state == "armed")
    assert kept(moments, "s1").next_at is not None


def test_pause_all_and_go_on(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Drink something", DRINK, now=NOW))
    stage.open(moments)
    stage.until(lambda: items(stage))
    button = tab(stage).planned.pause_button
    press(stage, button)
    stage.until(lambda: button.text() == "Resume all")
    assert moments.partner.schedules.all_paused
    assert "paused" in items(stage)[0].accessibleName()
    press(stage, button)
    stage.until(lambda: button.text() == "Pause all")
    assert not moments.partner.schedules.all_paused


def test_the_page_says_all_of_it_and_leads_to_what_was_done(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Back up", DRINK, now=NOW))
    done = replace(firing("s1", NOW - timedelta(days=1)), action_id="a7")
    for one in (done, firing("s1", NOW - timedelta(days=2), "missed", why="It was closed.", count=3)):
        moments.add_firing(one)
    moments.add_action(count_action("a7", status=ActionStatus.SUCCEEDED, title="The backup"))
    stage.open(moments)
    stage.until(lambda: items(stage))
    stage.do(items(stage)[0].click)
    stage.until(lambda: page(stage).findChildren(FiringItem))
    said = words(page(stage))
    assert "Every 2 hours" in said
    assert "Nothing happens while Partner is closed" in said
    first, second = (item.accessibleName() for item in page(stage).findChildren(FiringItem))
    assert first.endswith(", done")
    assert second.endswith(", missed, 3 times · It was closed.")
    stage.do(page(stage).findChildren(FiringItem)[0].click)
    stage.until(lambda: isinstance(tab(stage).page, RecordPage))
    assert tab(stage).page_of("a7") is not None


def test_esc_leads_back_to_the_item(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Back up", DRINK, now=NOW))
    stage.open(moments)
    stage.until(lambda: items(stage))
    (item,) = items(stage)
    stage.do(lambda: item.setFocus(Qt.FocusReason.TabFocusReason))
    stage.do(lambda: QTest.keyClick(item, Qt.Key.Key_Return))
    stage.do(lambda: QTest.keyClick(page(stage), Qt.Key.Key_Escape))
    assert tab(stage).page is None
    assert stage.window.focusWidget() is item


def test_the_next_time_is_left_out_and_it_is_cancelled_from_its_page(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Drink something", DRINK, now=NOW))
    stage.open(moments)
    stage.until(lambda: items(stage))
    before = kept(moments, "s1").next_at
    stage.do(items(stage)[0].click)
    press(stage, page(stage).buttons["skip"])
    stage.until(lambda: "left out" in past(stage))
    after = kept(moments, "s1").next_at
    assert before is not None
    assert after == before + timedelta(hours=2)
    press(stage, page(stage).buttons["cancel"])
    stage.until(lambda: tab(stage).page is None)
    assert not items(stage)
    assert kept(moments, "s1").state == "over"


def test_what_cannot_be_done_is_said_on_the_page(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    tell(stage, moments, schedule("nowhere", "Not kept", DRINK, now=NOW))
    stage.do(items(stage)[0].click)
    press(stage, page(stage).buttons["pause"])
    stage.until(lambda: "There is no schedule nowhere." in words(page(stage)))
    assert page(stage).buttons["pause"].isEnabled()


# The form.


def line(stage: Stage, name: str) -> QLineEdit:
    found = [edit for edit in form(stage).findChildren(QLineEdit) if edit.accessibleName() == name]
    return next(edit for edit in found if edit.isVisible())


def type_into(stage: Stage, name: str, text: str) -> None:
    def act() -> None:
        edit = line(stage, name)
        edit.selectAll()
        QTest.keyClicks(edit, text)

    stage.do(act)


def take(stage: Stage, name: str, choice: str) -> None:
    def act() -> None:
        box = next(box for box in form(stage).findChildren(QComboBox) if box.accessibleName() == name)
        box.setCurrentText(choice)
        box.activated.emit(box.currentIndex())

    stage.do(act)


def edit(stage: Stage, title: str) -> None:
    stage.until(lambda: items(stage))
    choose(stage, title, "edit")


def test_a_single_reminder_is_moved_at_once(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Call Ann", tomorrow_at_nine(NOW), now=NOW))
    stage.open(moments)
    edit(stage, "Call Ann")
    assert form(stage).kind == "once"
    day = (NOW + timedelta(days=3)).date()
    type_into(stage, "Day", day.isoformat())
    type_into(stage, "Time", "06:30")
    press(stage, form(stage).entry.save_button)
    stage.until(lambda: isinstance(tab(stage).page, SchedulePage))
    once = kept(moments, "s1").terms.once
    assert once is not None
    assert once.at.isoformat() == f"{day}T06:30:00"


def test_what_comes_again_and_again_asks_anew(stage: Stage, moments: Moments) -> None:
    planned(moments, schedule("s1", "Drink something", DRINK, now=NOW))
    stage.open(moments)
    edit(stage, "Drink something")
    take(stage, "When", "on certain days")
    type_into(stage, "Times", "08:00, 16:00")
    assert "Every day at 08:00 and 16:00" in words(form(stage))
    for box in form(stage).findChildren(QCheckBox)[5:]:
        stage.do(box.click)
    assert "Every weekday at 08:00 and 16:00" in words(form(stage))
    take(stage, "What was missed", "leave it out")
    press(stage, form(stage).entry.save_button)
    stage.until(lambda: stage.window.page.feed.cards)
    (card,) = stage.window.page.feed.cards
    record = card.record
    assert record is not None
    assert record.terms is not None
    assert record.terms.replaces == "s1"
    assert record.terms.missed == "skip"
    assert kept(moments, "s1").terms == DRINK
    moments.ask(moments.partner.actions.approve(record.id))
    stage.until(lambda: page(stage).schedule.terms.cycle != DRINK.cycle)
    assert "Every weekday at 08:00 and 16:00" in words(page(stage))
    assert [one.id for one in moments.ask(moments.partner.schedules.list())] == ["s1"]


@pytest.mark.parametrize(
    ("kind", "name", "text", "said"),
    [
        ("by a cron line (advanced)", "Cron line", "nonsense", "This cron line cannot be read."),
        ("on days of the month", "Days of the month", "40", "“40” is not a day of a month."),
        ("on certain days", "Times", "25:00", "“25:00” is not a time, such as 18:00."),
        ("every so often", "Every", "0", "At least 1."),
    ],
)
def test_what_does_not_do_is_said_and_nothing_is_sent(
    stage: Stage, moments: Moments, kind: str, name: str, text: str, said: str
) -> None:
    planned(moments, schedule("s1", "Drink something", DRINK, now=NOW))
    stage.open(moments)
    edit(stage, "Drink something")
    take(stage, "When", kind)
    type_into(stage, name, text)
    press(stage, form(stage).entry.save_button)
    assert said in words(form(stage))
    assert form(stage).entry.save_button.isEnabled()
    assert not stage.window.page.feed.cards


def test_in_another_language_the_form_keeps_what_was_typed(stage: Stage, moments: Moments) -> None:
    once = Terms(once=Once(wall(NOW) + timedelta(days=1)), message="Call Ann")
    stage.open(moments)
    tell(stage, moments, schedule("s1", "Call Ann", once, now=NOW))
    edit(stage, "Call Ann")
    type_into(stage, "Time", "06:30")
    try:
        stage.do(lambda: stage.window.language.choose(LanguageChoice.CHINESE))
        assert "提醒内容" in words(form(stage))
        assert line(stage, "时间").text() == "06:30"
        assert "What to say" not in words(form(stage))
    finally:
        stage.do(lambda: stage.window.language.choose(LanguageChoice.ENGLISH))
