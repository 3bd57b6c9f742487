"""Days on which something is planned: cards, what is listed of it, its page, its form, and reminders."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QTimer

from partner_desktop.desktop.panel.schedules.schedule_form import ScheduleForm
from partner_desktop.desktop.panel.schedules.schedule_page import SchedulePage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ReminderEvent, SchedulesEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role
from partner_desktop.domain.run_facts import PathUse, Risk
from partner_desktop.domain.schedule import Cycle, Firing, Schedule, Terms

from .day import NOW, Day
from .samples import OPEN, count_action
from .schedule_samples import every_weekday, firing, pdf_lands, schedule, tomorrow_at_nine, wall

_BACKUP = (PathUse("source", "/home/user/Notes", "read"), PathUse("target", "/home/user/Backup", "write"))


def planned(day: Day) -> None:
    """A card that waits, and some that were said yes to."""
    day.add_message("c1", Role.USER, "every weekday at 18:00 back up ~/Notes to ~/Backup")
    day.add_message("c1", Role.PARTNER, "I can back up `~/Notes` every weekday at 18:00. Shall I?")
    day.put(
        count_action(
            "a1",
            title="Back up notes",
            key="local::backup",
            params={"source": "/home/user/Notes", "target": "/home/user/Backup"},
            schema=BACKUP_SCHEMA,
            risk=Risk.WRITE,
            paths=_BACKUP,
            created_at=NOW,
            terms=every_weekday(NOW),
        )
    )
    _listed(day)


BACKUP_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "source": {"type": "string", "format": "path", "access": "read", "description": "what to copy"},
        "target": {"type": "string", "format": "path", "access": "write", "description": "where to"},
    },
    "required": ["source", "target"],
}


def set_up(day: Day) -> None:
    """Cards of a reminder, of one that asks each time, of one that is armed, and of one of its runs."""
    day.add_message("c1", Role.USER, "remind me tomorrow at nine to call Ann")
    day.put(
        count_action(
            "a1",
            title="Call Ann",
            params={},
            schema={},
            paths=(),
            isolation=None,
            description="",
            risk=Risk.READ,
            created_at=NOW,
            terms=tomorrow_at_nine(NOW),
        ),
        count_action(
            "a2",
            title="Clean up",
            risk=Risk.SYSTEM,
            isolation=OPEN,
            grantable=False,
            created_at=NOW,
            paths=(),
            params={},
            schema={},
            terms=replace(pdf_lands(), missed="skip"),
        ),
        count_action(
            "a3",
            title="Back up notes",
            status=ActionStatus.SUCCEEDED,
            created_at=NOW,
            paths=_BACKUP,
            params={"source": "/home/user/Notes"},
            terms=every_weekday(NOW),
            schedule_id="s1",
        ),
        count_action(
            "a4",
            title="Back up notes",
            status=ActionStatus.SUCCEEDED,
            created_at=NOW,
            paths=_BACKUP,
            started_at=NOW,
            duration_ms=3_100,
            finished_at=NOW,
            stdout="12 files, 4.1 MB",
            schedule_id="s1",
        ),
    )
    _listed(day)


def reminded(day: Day) -> None:
    """Two reminders at once."""
    set_up(day)
    for number, words in enumerate(
        ("Call Ann", "给妈妈打电话，问一下周末的安排，还有她要不要我带什么东西过去")
    ):
        one = schedule(f"r{number}", words, tomorrow_at_nine(NOW, words), now=NOW, state="over")
        day.told.append(ReminderEvent(conversation_id="c1", schedule=one, firing=firing(one.id, NOW)))


def stage_schedules(window: MainWindow, scene: str) -> None:
    """The page or the form, a moment later."""

    window.columns.show_panel()

    def act() -> None:
        planned_ones = window.panel.actions_tab.planned
        known = planned_ones.schedule("s1")
        assert known is not None
        if scene == "schedule-menu":
            listed = window.panel.actions_tab.list
            row = listed.row_at(listed.rows.index_of("schedule/s1"))
            listed.open_menu(row, listed.parts_of("schedule/s1").dots.bottomLeft())
        if scene == "schedule-page":
            window.panel.actions_tab.planned.chosen.emit(known)
            page = window.panel.actions_tab.page
            assert isinstance(page, SchedulePage)
            QTimer.singleShot(50, page, lambda: page.show_firings(PAST))
        if scene in ("schedule-edit", "schedule-edit-once", "schedule-edit-cron"):
            wanted = {"schedule-edit": "s1", "schedule-edit-once": "s2", "schedule-edit-cron": "s5"}[scene]
            one = planned_ones.schedule(wanted)
            window.panel.actions_tab.planned.asked.emit("edit", one)
            assert isinstance(window.panel.actions_tab.page, ScheduleForm)

    QTimer.singleShot(100, window, act)


def _listed(day: Day) -> None:
    day.told.append(SchedulesEvent(conversation_id="", changed=SCHEDULES))


_YESTERDAY = NOW.replace(hour=18, minute=0) - timedelta(days=1)
PAST: tuple[Firing, ...] = (
    firing("s1", _YESTERDAY),
    firing("s1", _YESTERDAY - timedelta(days=1), "failed", why="The folder ~/Backup is not there."),
    firing("s1", _YESTERDAY - timedelta(days=2), "skipped"),
    firing("s1", _YESTERDAY - timedelta(days=3), "missed", count=3, why="Partner was closed"),
    firing("s1", _YESTERDAY - timedelta(days=7), "called_off"),
    firing("s1", _YESTERDAY - timedelta(days=8), "refused", why="A rule denies it."),
)
SCHEDULES: tuple[Schedule, ...] = (
    schedule("s1", "Back up notes", every_weekday(NOW), now=NOW, last=PAST[0]),
    schedule("s2", "Call Ann", tomorrow_at_nine(NOW), now=NOW),
    schedule("s3", "Move PDFs that land in the downloads to the documents", pdf_lands(), now=NOW),
    schedule("s4", "Fetch weather", Terms(cycle=Cycle(wall(NOW), every_s=1800)), now=NOW, last=PAST[1]),
    schedule(
        "s5",
        "周报整理",
        Terms(cycle=Cycle(wall(NOW), cron="0 17 * * 5")),
        now=NOW,
        state="paused",
        next_at=None,
    ),
    schedule(
        "s6",
        "Tidy up the desktop",
        every_weekday(NOW),
        now=NOW,
        state="stopped",
        next_at=None,
        why="Its script was edited since you said yes.",
    ),
)

SCENES = {
    **dict.fromkeys(
        (
            "schedule",
            "schedule-page",
            "schedule-menu",
            "schedule-edit",
            "schedule-edit-once",
            "schedule-edit-cron",
        ),
        planned,
    ),
    "schedule-cards": set_up,
    "reminder": reminded,
}
