"""Days on which a plan of several steps waits, runs and ends."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QLineEdit

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.save_form import PlanSaveForm
from partner_desktop.desktop.forms.fields import FieldProblemError
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionRecord, ActionStatus
from partner_desktop.domain.events import OutputEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.message import Role

from . import chain_samples, verified_samples
from .day import NOW, Day
from .samples import NOON, count_action

_ASKED = "tidy up my downloads by file type, but leave the PDFs where they are"
_PRINTED = "reading the list of 58 files\nImages 19\nArchives 9\n"


def _show(day: Day, record: ActionRecord) -> None:
    if record.started_at is not None:
        record = replace(record, started_at=NOW - (NOON - record.started_at))
    if record.waits_until is not None:
        record = replace(record, waits_until=NOW + timedelta(minutes=28))
    day.put(replace(record, created_at=NOW))


def _said(day: Day) -> None:
    day.add_message("c1", Role.USER, _ASKED)
    day.add_message(
        "c1", Role.PARTNER, "I found **58 files**. I would sort them like this; the 17 PDFs stay."
    )


def waiting(day: Day) -> None:
    """The plan of the sketch."""
    _said(day)
    _show(day, replace(chain_samples.chain_action(), waits_until=NOON))


def together(day: Day) -> None:
    """Two steps run together, one is not held."""
    _said(day)
    _show(day, chain_samples.backup())


def runs(day: Day) -> None:
    """In the middle."""
    _said(day)
    record = chain_samples.running()
    _show(day, record)
    day.told.append(OutputEvent(conversation_id="c1", action_id="s2", stream="stdout", text=_PRINTED))


def ended(day: Day) -> None:
    """Well."""
    _said(day)
    record = chain_samples.done()
    _show(day, record)
    day.add_action(chain_samples.moved(record))


def broken(day: Day) -> None:
    """Badly."""
    _said(day)
    record = chain_samples.failed()
    _show(day, record)
    day.add_action(
        chain_samples.child_of(
            record,
            "s2",
            status=ActionStatus.FAILED,
            error="It ended with exit code 1.",
            stderr="Traceback (most recent call last):\nKeyError: '.xyz'\n",
            exit_code=1,
        )
    )


def many(day: Day) -> None:
    """Twelve steps with long names."""
    _said(day)
    _show(day, chain_samples.long_chain())


def asks(day: Day) -> None:
    """A step of a running plan asks by itself."""
    _said(day)
    record = chain_samples.running()
    _show(day, record)
    _show(day, chain_samples.child_of(record, "s3", status=ActionStatus.WAITING))


def _day_of(make: Callable[[], ActionRecord]) -> Callable[[Day], None]:
    """A day with one plan."""

    def begin(day: Day) -> None:
        _said(day)
        _show(day, make())

    return begin


def _one() -> ActionRecord:
    return chain_samples.chain_action("a1", chain_samples.step(pinned=True))


FIELDS: JsonObject = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date", "description": "on which day"},
        "begin": {"type": "string", "format": "date-time", "description": "when it begins"},
        "at": {"type": "string", "format": "time", "description": "at which time of the day"},
        "patience": {
            "type": "integer",
            "minimum": 1,
            "maximum": 600,
            "x-unit": "seconds",
            "description": "how long to wait",
        },
        "kinds": {"type": "array", "items": {"enum": ["png", "pdf", "zip"]}, "description": "which of them"},
        "sizes": {"type": "array", "items": {"type": "integer"}, "description": "widths of the copies"},
        "folders": {
            "type": "array",
            "items": {"type": "string", "format": "path", "access": "read"},
            "description": "the folders to look through",
        },
    },
    "required": ["day"],
}


def fields(day: Day) -> None:
    """A field of each kind that few abilities need."""
    _said(day)
    values: JsonObject = {
        "day": "2030-05-14",
        "begin": "2030-05-14T18:00:00+00:00",
        "kinds": ["pdf"],
        "sizes": [640, 1600],
        "folders": ["/home/user/Downloads", "/home/user/Pictures/Ulm"],
    }
    _show(day, count_action("a1", schema=FIELDS, params=values, paths=()))


def act(window: MainWindow, scene: str) -> None:
    """What the person does on such a day."""
    card = window.page.feed.card("a1")
    if card is None:
        return
    if scene.startswith("chain-fields"):
        _look_at_fields(window, card, scene)
    if card.plan is None:
        return
    if scene.endswith("-open"):
        rows = list(card.plan.rows.values())
        row = rows[{"chain-running-open": 1, "chain-failed-open": 1}.get(scene, -1)]
        row.toggle()
        if scene == "chain-running-open":
            row.show_output("stdout", _PRINTED)
    if "save" in scene:
        form = PlanSaveForm(verified_samples.SAVED)
        card.show_form(form)
        column = window.page.feed.column
        QTimer.singleShot(150, window, lambda: column.ensureWidgetVisible(form.save_button, 0, 60))
    if "graph" in scene and card.plan.graph is not None:
        card.plan.graph.toggle()
    if "-edit" in scene and card.foot is not None:
        _edit(card, scene)
    if scene.endswith(("-top", "-open", "-edit-form")):
        QTimer.singleShot(150, window, lambda: window.page.feed.column.ensureWidgetVisible(card.head, 0, 60))


def _look_at_fields(window: MainWindow, card: ActionCard, scene: str) -> None:
    top = window.page.feed.column.verticalScrollBar()
    if "down" not in scene:
        QTimer.singleShot(100, window, lambda: top.setValue(0))
    wrong = next(each for each in card.findChildren(QLineEdit) if each.accessibleName() == "At")
    if "wrong" in scene:
        wrong.setText("noon")
        assert card.body is not None
        assert card.body.form is not None
        with contextlib.suppress(FieldProblemError):
            card.body.form.read()


def _edit(card: ActionCard, scene: str) -> None:
    assert card.plan is not None
    card._press("edit")  # the clock of a picture stands still, and the guard with it
    editor = card.plan.editor
    if editor is not None and scene.endswith("form"):
        rows = list(editor.rows.values())
        rows[0].open_form()
        rows[1].toggled.emit()


SCENES: dict[str, Callable[[Day], None]] = {
    "chain": waiting,
    "chain-open": waiting,
    "chain-edit": waiting,
    "chain-edit-form": waiting,
    "chain-together": together,
    "chain-together-edit": together,
    "chain-running": runs,
    "chain-running-open": runs,
    "chain-done": ended,
    "chain-done-open": ended,
    "chain-failed": broken,
    "chain-failed-open": broken,
    "chain-many": many,
    "chain-many-top": many,
    "chain-asks": asks,
    **dict.fromkeys(("plan-verified", "plan-verified-open"), _day_of(verified_samples.verified)),
    **dict.fromkeys(
        ("plan-check-failed", "plan-check-failed-open"),
        _day_of(
            lambda: verified_samples.checked(
                verified_samples.LISTED, verified_samples.GROUPED, verified_samples.MOVED
            )
        ),
    ),
    "plan-save": _day_of(verified_samples.verified),
    "plan-checking": _day_of(lambda: verified_samples.checked(verified_samples.LISTED, ended=False)),
    "plan-rerouted-top": _day_of(verified_samples.rerouted),
    "plan-one": _day_of(_one),
    "plan-one-edit": _day_of(_one),
    **dict.fromkeys(("plan-twenty", "plan-twenty-top"), _day_of(verified_samples.long_verified)),
    **dict.fromkeys(("plan-graph-top", "plan-graph"), _day_of(verified_samples.branching_on_its_way)),
    "plan-graph-sixty-top": _day_of(lambda: verified_samples.branching(layers=8, beside=10)),
    "plan-graph-wide-top": _day_of(lambda: verified_samples.branching(layers=3, beside=20)),
    "chain-fields-wrong": fields,
    "chain-fields-down": fields,
}
