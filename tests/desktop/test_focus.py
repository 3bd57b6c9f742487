"""The keyboard is never lost: what goes out of view says who has it next."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.panel.abilities.ability_rows import AbilityRow
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.rows.row_model import ROW_ROLE
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionStatus

from .in_panel import view
from .moments import Moments
from .on_card import button
from .samples import COUNT_SCRIPT
from .stage import Stage

pytestmark = pytest.mark.integration


def focused(stage: Stage) -> QWidget:
    found: QWidget | None = stage.window.focusWidget()
    assert found is not None
    return found


def key(stage: Stage, name: Qt.Key) -> None:
    stage.do(lambda: QTest.keyClick(focused(stage), name))


def test_after_approving_by_keyboard_the_keyboard_stays_on_the_card_and_decides_nothing(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    card = stage.propose(moments)
    stage.do(button(card, "once").setFocus)
    key(stage, Qt.Key.Key_Space)
    for status in (ActionStatus.RUNNING, ActionStatus.SUCCEEDED):
        assert card.foot is not None
        assert focused(stage) is card.foot.details_button
        stage.do(lambda status=status: moments.change("a1", status))  # type: ignore[misc]
        stage.let_listen(card)
    assert card.foot is not None
    assert focused(stage) is card.foot.details_button
    assert window.page.header.title == "Tidy up my downloads"


def sources(card: ActionCard) -> list[CodeView]:
    """The views of code in sight; the fields of a card are made of them, too."""
    return [view for view in card.findChildren(CodeView) if type(view) is CodeView and view.isVisible()]


def test_folding_the_details_in_from_within_leads_to_the_fold(stage: Stage, moments: Moments) -> None:
    moments.add_script("count_types.py", COUNT_SCRIPT)
    stage.open(moments)
    card = stage.propose(moments)
    assert card.foot is not None
    stage.do(card.foot.details_button.click)
    stage.until(lambda: sources(card))
    stage.do(sources(card)[0].setFocus)
    stage.do(card.foot.details_button.click)
    assert focused(stage) is card.foot.details_button


def test_keeping_in_the_panel_leads_to_the_row_of_what_was_kept(stage: Stage, moments: Moments) -> None:
    moments.add_ability("note", "Append a line", folder="tmp")
    window = stage.open(moments)
    stage.do(lambda: window.show_tab(1))
    stage.until(lambda: any(one.temporary for one in window.panel.abilities_tab.known.abilities.values()))
    (note,) = [one for one in window.panel.abilities_tab.known.abilities.values() if one.temporary]
    stage.do(lambda: window.panel.abilities_tab.asked.emit("keep", note))
    stage.until(lambda: window.panel.findChildren(DraftForm))
    form = window.panel.findChildren(DraftForm)[0]
    form.name.setText("kept")
    stage.do(form.save_button.setFocus)
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: focused(stage) is view(stage))

    def at() -> str:
        row: AbilityRow | None = view(stage).currentIndex().data(ROW_ROLE)
        return row.about.key if row is not None and isinstance(row.about, Ability) else ""

    stage.until(lambda: at() == "local::kept")


def test_whatever_else_goes_out_of_view_leaves_the_keyboard_to_the_message(
    stage: Stage, moments: Moments
) -> None:
    window = stage.open(moments)
    banner = Banner("Really?")
    choice: QPushButton = banner.add_choice("No", None)
    stage.do(lambda: window.page.add_banner(banner))
    stage.do(choice.setFocus)
    key(stage, Qt.Key.Key_Space)
    assert focused(stage) is window.page.composer.edit
