"""The keyboard is never lost: what goes out of view says who has it next."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.draft_form import DraftForm
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import Route

from .fake_partner import FakePartner
from .in_panel import show_abilities, view
from .on_card import button
from .samples import ability, lying
from .stage import Stage

pytestmark = pytest.mark.integration


def focused(stage: Stage) -> QWidget:
    found: QWidget | None = stage.window.focusWidget()
    assert found is not None
    return found


def key(stage: Stage, name: Qt.Key) -> None:
    stage.do(lambda: QTest.keyClick(focused(stage), name))


def test_after_approving_by_keyboard_the_keyboard_stays_on_the_card_and_decides_nothing(
    stage: Stage, partner: FakePartner
) -> None:
    window = stage.open(partner)
    card = stage.propose(partner)
    stage.do(button(card, "once").setFocus)
    key(stage, Qt.Key.Key_Space)
    for status in (ActionStatus.RUNNING, ActionStatus.SUCCEEDED):
        assert card.foot is not None
        assert focused(stage) is card.foot.details_button
        stage.do(lambda status=status: partner.change("a1", status))  # type: ignore[misc]
        stage.let_listen(card)
    assert card.foot is not None
    assert focused(stage) is card.foot.details_button
    assert window.page.header.title == "Tidy up my downloads"


def sources(card: ActionCard) -> list[CodeView]:
    """The views of code in sight; the fields of a card are made of them, too."""
    return [view for view in card.findChildren(CodeView) if type(view) is CodeView and view.isVisible()]


def test_folding_the_details_in_from_within_leads_to_the_fold(stage: Stage, partner: FakePartner) -> None:
    partner.source = "print(1)\n"
    stage.open(partner)
    card = stage.propose(partner)
    assert card.foot is not None
    stage.do(card.foot.details_button.click)
    stage.until(lambda: sources(card))
    stage.do(sources(card)[0].setFocus)
    stage.do(card.foot.details_button.click)
    assert focused(stage) is card.foot.details_button


def test_keeping_in_the_panel_leads_to_the_row_of_what_was_kept(stage: Stage, partner: FakePartner) -> None:
    note = lying(ability("note.sh", "Append a line", route=Route.ORIGIN), "/home/user/a/tmp/note.sh")
    partner.known_abilities = [note, ability("zoo", "List the animals")]
    window = stage.open(partner)
    show_abilities(stage, count=4)
    stage.do(lambda: window.panel.abilities_tab.asked.emit("keep", note))
    stage.until(lambda: window.panel.findChildren(DraftForm))
    form = window.panel.findChildren(DraftForm)[0]
    form.name.setText("kept")
    stage.do(form.save_button.setFocus)
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: focused(stage) is view(stage))
    kept = ability("kept", "Append a line")
    stage.do(lambda: partner.deliver(AbilitiesEvent(changed=(kept,), removed=())))
    stage.until(lambda: view(stage).ability_at(view(stage).currentIndex()) == kept)


def test_whatever_else_goes_out_of_view_leaves_the_keyboard_to_the_message(
    stage: Stage, partner: FakePartner
) -> None:
    window = stage.open(partner)
    banner = Banner("Really?")
    choice: QPushButton = banner.add_choice("No", None)
    stage.do(lambda: window.page.add_banner(banner))
    stage.do(choice.setFocus)
    key(stage, Qt.Key.Key_Space)
    assert focused(stage) is window.page.composer.edit
