"""A plan's card at every size of text, in both languages, and for those who hear it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.parts.controls import Pill

from .chain_samples import backup, chain_action, done, failed, long_chain, running
from .chat import Chat
from .on_card import button, press
from .stage import Stage
from .test_card_fit import place
from .test_chain_card import show
from .test_fit import cut, outside
from .test_names import controls
from .verified_samples import GROUPED, LISTED, MOVED, branching, checked, rerouted
from .walk import texts

pytestmark = pytest.mark.integration


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def plans(stage: Stage, chat: Chat) -> dict[str, ActionCard]:
    """A plan in every state, unfolded, and one that is being edited."""
    checks = checked(LISTED, GROUPED, MOVED, action_id="a6")
    records = (chain_action("a1"), backup("a2"), long_chain("a5"), checks, rerouted("a7"), branching("a8"))
    found = {record.id: show(stage, chat, record) for record in records}
    drawn = found["a8"].plan
    assert drawn is not None
    assert drawn.graph is not None
    stage.do(drawn.graph.toggle)
    for card in found.values():
        stage.do(card.toggle_details)
    press(stage, button(found["a1"], "edit"))
    plan = found["a1"].plan
    assert plan is not None
    assert plan.editor is not None
    for row in plan.editor.rows.values():
        stage.do(row.open_form)
    return found


_AS_LOOKED_AT = [(1.0, (900, 600)), (2.0, (900, 600)), (1.5, (1800, 900))]


@pytest.mark.slow
def test_nothing_of_a_plan_is_cut(stage: Stage, chat: Chat, language: Language) -> None:
    window = chat.open(size=(900, 600))
    plans(stage, chat)
    for choice in (LanguageChoice.CHINESE, LanguageChoice.ENGLISH):
        stage.do(lambda choice=choice: language.choose(choice))  # type: ignore[misc] # bound early
        for zoom, size in _AS_LOOKED_AT:
            stage.do(lambda size=size: window.resize(*size))  # type: ignore[misc] # bound early
            stage.do(lambda zoom=zoom: stage.theme.set_zoom(zoom))  # type: ignore[misc] # bound early
            stage.settle()
            assert (cut(window.page), outside(window)) == ([], []), (choice, zoom, size)


def test_every_control_of_a_plan_has_a_name(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    plans(stage, chat)
    nameless = [repr(widget) for widget in controls(window) if not widget.accessibleName().strip()]
    assert not nameless


def test_a_plan_follows_the_language_and_what_was_typed_stays(
    stage: Stage, chat: Chat, language: Language
) -> None:
    window = chat.open()
    for record in (running("r1"), done("r2"), failed("r3")):
        show(stage, chat, record)
    found = plans(stage, chat)
    plan = found["a1"].plan
    assert plan is not None
    editor = plan.editor
    assert editor is not None
    press(stage, editor.rows["s2"].drop)
    before = set(texts(window))
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    chinese = {text for _, text in texts(window)}
    english = {"Save plan", "Leave out", "All details ▴", "together", "Put back", "plan · 3 steps"}
    english |= {"verified", "check failed", "Check again", "pinned", "Graph", "Fit", "Pin"}
    assert english & chinese == set()
    assert english <= {text for _, text in before}
    assert not [text for text in chinese if "from step" in text or "Replanned" in text]
    assert editor.draft.dropped == {"s2"}
    stage.do(lambda: language.choose(LanguageChoice.ENGLISH))
    after = set(texts(window))
    assert (after - before, before - after) == (set(), set())


def test_the_button_to_the_latest_lies_over_no_chip_of_a_plan(stage: Stage, chat: Chat) -> None:
    window = chat.open(size=(900, 600))
    stage.do(lambda: chat.stream("c1", "r0", ["a line\n\n"] * 20))
    card = show(stage, chat, backup("a2"))
    stage.do(lambda: chat.stream("c1", "r1", ["a line\n\n"] * 40))
    feed = window.page.feed
    bar, jump = feed.column.verticalScrollBar(), feed.jump_button
    lowest = set()
    for value in range(0, min(bar.maximum() - 30, 900), 6):
        stage.do(lambda value=value: bar.setValue(value))  # type: ignore[misc] # bound early
        assert jump.isVisible()
        lowest.add(jump.y())
        for chip in card.findChildren(Pill):
            over = QRect(place(chip, feed), chip.size()).intersects(jump.geometry())
            assert not (chip.isVisible() and over), (chip.text(), value)
    assert len(lowest) > 1, "a chip of the card was in its way"
