"""The graph of a plan that is not a line: it is opened, walked through, zoomed, and goes on with the plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.card.plan.graph_view import GraphCanvas, PlanGraph
from partner_desktop.desktop.theme.theme import ThemeChoice
from partner_desktop.domain.plan import StepStatus

from .chain_samples import chain_action, chain_of, with_steps
from .chat import Chat
from .on_card import press, words
from .stage import Stage
from .test_chain_card import Pressing, change, every_way, plan, row, show
from .verified_samples import branching, branching_on_its_way

pytestmark = [pytest.mark.promise("desktop.plan"), pytest.mark.integration]


@pytest.fixture
def card(stage: Stage, chat: Chat) -> ActionCard:
    """A plan with several steps a stage."""
    chat.open()
    return show(stage, chat, branching())


def graph(card: ActionCard) -> PlanGraph:
    found = plan(card).graph
    assert found is not None
    return found


def canvas(card: ActionCard) -> GraphCanvas:
    found = graph(card).canvas
    assert found is not None
    return found


def opened(stage: Stage, card: ActionCard) -> GraphCanvas:
    press(stage, graph(card).switch)
    return canvas(card)


def key(stage: Stage, target: QWidget, which: Qt.Key) -> None:
    stage.do(lambda: QTest.keyClick(target, which))


def test_a_plan_that_is_a_line_has_no_graph(stage: Stage, chat: Chat) -> None:
    chat.open()
    card = show(stage, chat, chain_action())
    assert plan(card).graph is None


@every_way
def test_the_graph_is_shown_and_folded_away(stage: Stage, card: ActionCard, pressing: Pressing) -> None:
    assert graph(card).canvas is None
    pressing(stage, graph(card).switch)
    assert graph(card).switch.isChecked()
    assert [*canvas(card).nodes] == [each.id for each in chain_of(branching()).steps]
    assert all(each.isVisible() for each in plan(card).rows.values()), "the rows stay"
    assert "a dashed one is only the order" in words(card)
    pressing(stage, graph(card).switch)
    assert graph(card).canvas is None
    assert not graph(card).larger.isVisible()


def test_each_node_is_read_out_as_its_step(stage: Stage, card: ActionCard) -> None:
    node = opened(stage, card).nodes["g1-1"]
    assert node.accessibleName() == row(card, "g1-1").button.accessibleName()
    assert node.accessibleName().startswith("Step 3 of 8: Look through the folder g1-1")


def test_arrows_walk_from_step_to_step_and_enter_opens_the_row(stage: Stage, card: ActionCard) -> None:
    nodes = opened(stage, card).nodes
    nodes["g0-0"].setFocus(Qt.FocusReason.TabFocusReason)
    key(stage, nodes["g0-0"], Qt.Key.Key_Down)
    here = stage.window.focusWidget()
    assert here in [nodes[f"g1-{each}"] for each in range(3)]
    assert here is not None
    key(stage, here, Qt.Key.Key_Up)
    assert stage.window.focusWidget() is nodes["g0-0"]
    key(stage, nodes["g0-0"], Qt.Key.Key_Return)
    assert row(card, "g0-0").details is not None
    assert stage.window.focusWidget() is row(card, "g0-0").button


def test_tab_goes_through_the_steps_in_their_order(stage: Stage, card: ActionCard) -> None:
    nodes = [*opened(stage, card).nodes.values()]
    nodes[0].setFocus(Qt.FocusReason.TabFocusReason)
    for node in nodes:
        assert stage.window.focusWidget() is node
        key(stage, node, Qt.Key.Key_Tab)


def test_it_is_zoomed_by_buttons_by_keys_and_by_the_wheel(stage: Stage, card: ActionCard) -> None:
    drawn = opened(stage, card)
    fits, width = graph(card).zoom, drawn.width()
    press(stage, graph(card).larger)
    assert graph(card).zoom > fits
    assert drawn.width() > width
    press(stage, graph(card).smaller)
    assert graph(card).zoom == pytest.approx(fits)
    node = drawn.nodes["g0-0"]
    stage.do(lambda: QTest.keyClicks(node, "++"))
    assert graph(card).zoom > fits
    wheel(stage, drawn, -120, Qt.KeyboardModifier.ControlModifier)
    wheel(stage, drawn, -120, Qt.KeyboardModifier.ControlModifier)
    assert graph(card).zoom == pytest.approx(fits)
    wheel(stage, drawn, -120, Qt.KeyboardModifier.NoModifier)
    assert graph(card).zoom == pytest.approx(fits), "without Ctrl it scrolls"
    stage.do(lambda: QTest.keyClicks(node, "-"))
    press(stage, graph(card).fit)
    assert graph(card).zoom == pytest.approx(fits)
    for _ in range(20):
        press(stage, graph(card).smaller)
    assert graph(card).zoom > 0.3


def wheel(stage: Stage, target: QWidget, by: int, held: Qt.KeyboardModifier) -> None:
    at = QPointF(10, 10)
    event = QWheelEvent(
        at,
        QPointF(target.mapToGlobal(QPoint(10, 10))),
        QPoint(),
        QPoint(0, by),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    stage.do(lambda: QApplication.sendEvent(target, event))


def test_it_goes_on_with_the_plan_and_grows_with_it(stage: Stage, chat: Chat, card: ActionCard) -> None:
    nodes = opened(stage, card).nodes
    change(stage, chat, branching_on_its_way())
    assert "failed" in nodes["g1-1"].accessibleName()
    assert "running" in nodes["g1-2"].accessibleName()
    record = branching_on_its_way()
    chain = chain_of(record)
    extra = replace(chain.steps[-1], id="x", title="Look once more", feeds=())
    grown = replace(chain, stages=(*chain.stages, replace(chain.stages[-1], steps=(extra,))))
    change(stage, chat, replace(record, chain=grown))
    assert "x" in canvas(card).nodes
    assert nodes["x"].isVisible()
    first = replace(chain.steps[0], status=StepStatus.CANCELLED)
    change(stage, chat, with_steps(record, first))
    assert "x" not in canvas(card).nodes
    assert "cancelled" in nodes["g0-0"].accessibleName()


def test_sixty_steps_are_in_view_at_once_in_both_themes(stage: Stage, chat: Chat) -> None:
    chat.open()
    card = show(stage, chat, branching(layers=8, beside=10))
    drawn = opened(stage, card)
    assert len(drawn.nodes) == 62
    around = drawn.parentWidget()
    assert around is not None
    assert drawn.width() <= around.width()
    assert drawn.height() <= around.height()
    before = drawn.grab().toImage()
    stage.do(lambda: stage.theme.choose(ThemeChoice.DARK))
    assert drawn.grab().toImage() != before
    stage.do(lambda: stage.theme.choose(ThemeChoice.LIGHT))
