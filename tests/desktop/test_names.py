"""Every control has a name that a screen reader can say."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import NoticeEvent
from partner_desktop.domain.message import Role
from partner_desktop.domain.run_facts import Risk

from .moments import Moments
from .samples import BROKEN_SCRIPT, OPEN, count_action
from .stage import Stage

_CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QTextEdit)


def controls(window: QWidget) -> list[QWidget]:
    """Every control of the house; parts that Qt makes inside its own widgets are Qt's."""
    return [
        widget
        for widget in window.findChildren(QWidget)
        if isinstance(widget, _CONTROLS)
        and not widget.objectName().startswith("qt_")
        and not _inside_combo(widget)
    ]


def _inside_combo(widget: QWidget) -> bool:
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QComboBox):
            return True
        parent = parent.parentWidget()
    return False


@pytest.mark.integration
def test_every_control_of_a_filled_window_has_a_name(stage: Stage, moments: Moments) -> None:
    moments.add_ability("now", "Say what time it is")
    moments.add_script("weather.py", BROKEN_SCRIPT)
    moments.add_message("c1", Role.PARTNER, "Look:\n\n```py\nx = 1\n```\n\n- a\n- b")
    window = stage.open(moments)
    stage.propose(moments)
    stage.propose(moments, "a2", isolation=OPEN, risk=Risk.SYSTEM)
    stage.do(lambda: moments.propose(count_action("a3")))
    stage.do(lambda: moments.change("a3", ActionStatus.RUNNING))
    stage.do(lambda: moments.propose(count_action("a4")))
    stage.do(lambda: moments.change("a4", ActionStatus.FAILED, error="No.", stdout="x\n" * 30, stderr="y"))
    stage.do(lambda: moments.deliver(NoticeEvent(title="Tea", text="It has boiled.")))
    stage.do(lambda: window.files_dropped.emit([Path("/home/user/x.py")]))
    card = window.page.feed.card("a1")
    assert card is not None
    stage.do(card.toggle_details)
    stage.do(window.toggle_keys)
    stage.do(window.open_appearance)
    tab = window.panel.abilities_tab
    stage.do(lambda: window.show_tab(1))
    stage.until(lambda: "local::now" in tab.known.abilities)
    lying_here = tab.known.abilities["local::now"]
    stage.do(lambda: tab.asked.emit("remove", lying_here))
    stage.do(
        lambda: card.show_form(
            DraftForm(
                AbilityDraft("shout", description="Shout a text", params={"text": "what to shout"}),
                title="Keep",
                verb="Keep",
            )
        )
    )
    stage.do(lambda: tab.asked.emit("edit", lying_here))
    stage.until(lambda: tab.form is not None)
    found = controls(window)
    assert len(found) > 70
    nameless = [repr(widget) for widget in found if not widget.accessibleName().strip()]
    assert not nameless
