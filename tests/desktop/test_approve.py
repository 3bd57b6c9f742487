"""The card decides over the real Partner: every decision by the mouse and by the keyboard alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.domain.action import ActionRecord, ActionStatus
from tests.support import UPPER_SCRIPT

from .on_card import button, line, scope_menu, words
from .scene import Scene, played

pytestmark = [pytest.mark.promise("desktop.approve"), pytest.mark.integration]

Press = Callable[[Scene, QPushButton], Awaitable[None]]
HELLO = 'shout "hello" in capital letters'


async def by_mouse(scene: Scene, wanted: QPushButton) -> None:
    await scene.click(wanted)


async def by_keyboard(scene: Scene, wanted: QPushButton) -> None:
    await scene.tab_to(wanted)
    await scene.key(Qt.Key.Key_Space)


async def by_enter(scene: Scene, wanted: QPushButton) -> None:
    await scene.tab_to(wanted)
    await scene.key(Qt.Key.Key_Return)


both_ways = pytest.mark.parametrize("pressing", [by_mouse, by_keyboard])


@pytest.fixture(autouse=True)
def tried_out(action_dir: Path) -> None:
    """One script lies in `tmp/`."""
    (action_dir / "tmp" / "upper.py").write_text(UPPER_SCRIPT)


def record(card: ActionCard) -> ActionRecord:
    assert card.record is not None
    return card.record


def offered(card: ActionCard) -> set[str]:
    """The verbs whose buttons can be seen."""
    assert card.foot is not None
    return {verb for verb, each in card.foot.buttons.items() if each.isVisible()}


@pytest.mark.parametrize("pressing", [by_mouse, by_keyboard, by_enter])
@played
async def test_approve_runs_it_once_and_the_next_time_asks_again(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(HELLO)
    await pressing(scene, button(card, "once"))
    assert (await scene.ended(card)).stdout.strip() == "HELLO"
    assert record(await scene.ask(HELLO)).status is ActionStatus.WAITING


@both_ways
@played
async def test_edited_parameters_are_what_runs(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(HELLO)
    text = line(card, "Text")
    if pressing is by_mouse:
        await scene.do(lambda: QTest.mouseClick(text, Qt.MouseButton.LeftButton))
        text.selectAll()
    else:
        await scene.tab_to(text)
    await scene.type("edited")
    await pressing(scene, button(card, "once"))
    assert (await scene.ended(card)).stdout.strip() == "EDITED"


@both_ways
@played
async def test_what_is_rejected_never_runs(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(HELLO)
    await pressing(scene, button(card, "reject"))
    assert (await scene.ended(card)).status is ActionStatus.REJECTED
    assert [entry.kind for entry in await scene.partner.audit.newest()] == ["decision"]


async def choose(scene: Scene, card: ActionCard, scope: str, pressing: Press) -> None:
    """Open the menu beside Approve, and choose from it."""
    await pressing(scene, button(card, "allow"))
    menu = scope_menu()
    action = next(each for each in menu.actions() if each.data() == scope)
    if pressing is by_mouse:
        place, nothing = menu.actionGeometry(action).center(), Qt.KeyboardModifier.NoModifier
        await scene.do(lambda: QTest.mouseClick(menu, Qt.MouseButton.LeftButton, nothing, place))
        return
    while menu.activeAction() is not action:
        await scene.do(lambda: QTest.keyClick(menu, Qt.Key.Key_Down))
    await scene.do(
        lambda: QTest.keyPress(menu, Qt.Key.Key_Return)
    )  # it is released elsewhere: the menu is gone


@both_ways
@played
async def test_always_allow_runs_the_next_one_without_a_question(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(HELLO)
    await choose(scene, card, "always", pressing)
    assert (await scene.ended(card)).stdout.strip() == "HELLO"
    assert "You allowed it from now on." in words(card)
    again = await scene.ask('shout "more" in capital letters')
    assert (await scene.ended(again)).stdout.strip() == "MORE"
    assert "Allowed by what you granted before." in words(again)


@both_ways
@played
async def test_before_it_ran_it_is_kept_and_its_card_goes_on_with_what_was_kept(
    scene: Scene, pressing: Press
) -> None:
    card = await scene.ask(HELLO)
    await pressing(scene, button(card, "keep"))
    form = await scene.form_on(card)
    assert scene.focused() is form.name
    assert offered(card) == set(), "one thing at a time"
    await scene.type("loud")
    await pressing(scene, form.save_button)
    await scene.until(lambda: record(card).key == "local::loud")
    await scene.until(lambda: offered(card) == {"once", "allow", "reject", "try"})
    assert (scene.action_dir / "dynamic" / "loud.py").read_text() == UPPER_SCRIPT
    await scene.let_listen(card)
    await pressing(scene, button(card, "once"))
    assert (await scene.ended(card)).stdout.strip() == "HELLO"


@both_ways
@played
async def test_after_it_ran_it_is_kept_and_runs_again_from_its_card(scene: Scene, pressing: Press) -> None:
    card = await scene.ask(HELLO)
    await pressing(scene, button(card, "once"))
    await scene.ended(card)
    await scene.until(lambda: offered(card) == {"again", "keep"})
    await pressing(scene, button(card, "keep"))
    await pressing(scene, (await scene.form_on(card)).save_button)
    await scene.until(lambda: offered(card) == {"again"})
    assert scene.toasts() == ["“upper” is kept. It asks again before it runs."]
    await scene.let_listen(card)
    before = set(scene.cards)
    await pressing(scene, button(card, "again"))
    again = record(await scene.next_card(before))
    assert (again.key, again.status) == ("local::upper", ActionStatus.WAITING)
    assert again.params == {"text": "hello"}


@both_ways
@played
async def test_keeping_can_be_called_off_and_what_comes_back_does_not_listen_at_once(
    scene: Scene, pressing: Press
) -> None:
    card = await scene.ask(HELLO)
    await pressing(scene, button(card, "keep"))
    await pressing(scene, (await scene.form_on(card)).cancel_button)
    await scene.until(lambda: "once" in offered(card))
    await scene.click(button(card, "once"), at_once=True)
    assert button(card, "once").isEnabled(), "nothing was sent"
    assert record(card).status is ActionStatus.WAITING
    await scene.let_listen(card)
    await pressing(scene, button(card, "once"))
    assert (await scene.ended(card)).status is ActionStatus.SUCCEEDED


@played
async def test_a_name_that_does_not_do_is_said_in_the_form_and_can_be_mended(scene: Scene) -> None:
    card = await scene.ask(HELLO)
    await scene.click(button(card, "keep"))
    form = await scene.form_on(card)
    await scene.type("a/b")
    await scene.key(Qt.Key.Key_Return)
    await scene.until(lambda: any("cannot be a name" in label.text() for label in form.findChildren(QLabel)))
    form.name.selectAll()
    await scene.type("fine")
    await scene.key(Qt.Key.Key_Return)
    await scene.until(lambda: record(card).key == "local::fine")


@played
async def test_esc_calls_keeping_off(scene: Scene) -> None:
    card = await scene.ask(HELLO)
    await scene.click(button(card, "keep"))
    await scene.form_on(card)
    await scene.key(Qt.Key.Key_Escape)
    await scene.until(lambda: "keep" in offered(card))
    assert card.findChildren(DraftForm) == []


@played
async def test_what_is_typed_in_the_form_outlives_the_end_of_the_run(scene: Scene) -> None:
    card = await scene.ask(HELLO)
    await scene.click(button(card, "keep"))
    form = await scene.form_on(card)
    await scene.type("half typed")
    await scene.partner.actions.approve(record(card).id, scope="once")
    await scene.ended(card)
    assert card.findChildren(DraftForm) == [form]
    assert form.isVisible()
    assert form.name.text() == "half typed"


@both_ways
@played
async def test_run_from_the_panel_is_filled_in_on_its_card(scene: Scene, pressing: Press) -> None:
    await scene.until(lambda: scene.ability("origin::upper.py"))
    scene.window.panel.abilities_tab.asked.emit("run", scene.ability("origin::upper.py"))
    card = await scene.next_card(set())
    await pressing(scene, button(card, "once"))
    assert "This is needed." in words(card)
    await scene.tab_to(line(card, "Text"))
    await scene.type("by hand")
    await pressing(scene, button(card, "once"))
    assert (await scene.ended(card)).stdout.strip() == "BY HAND"
