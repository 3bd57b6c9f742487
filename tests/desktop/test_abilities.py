"""The live list of abilities."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from partner_desktop.desktop.rows.row_model import ROW_ROLE
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import AbilitiesEvent
from partner_desktop.domain.meta_action import Route

from .chat import Chat
from .moments import Moments
from .samples import ability, broken_ability
from .stage import Stage

pytestmark = pytest.mark.integration


def titles(stage: Stage) -> list[str]:
    return [row.title for row in stage.window.panel.abilities_tab.list.rows.rows]


def change(stage: Stage, where: Chat | Moments, *changed: Ability, removed: tuple[str, ...] = ()) -> None:
    before = list(stage.window.panel.abilities_tab.list.rows.rows)
    stage.do(lambda: where.deliver(AbilitiesEvent(changed=changed, removed=removed)))
    stage.until(lambda: list(stage.window.panel.abilities_tab.list.rows.rows) != before)


def test_what_is_broken_stands_first_with_file_line_and_reason(stage: Stage, chat: Chat) -> None:
    chat.open()
    change(stage, chat, ability("now", "Say what time it is", route=Route.BUILTIN), broken_ability())
    stage.until(lambda: titles(stage))
    assert titles(stage) == ["Needs attention", "weather", "Built in", "Now"]
    row = stage.window.panel.abilities_tab.list.rows.rows[1]
    assert "weather.py:7" in row.lines[0].text
    assert "has no description" in row.lines[0].text


def test_a_saved_file_appears_and_a_deleted_one_goes(stage: Stage, chat: Chat) -> None:
    chat.open()
    change(stage, chat, ability("now", "Say what time it is"))
    stage.until(lambda: titles(stage))
    change(stage, chat, ability("count_types", "Count file types"))
    assert titles(stage) == ["Yours", "Count types", "Now"]
    change(stage, chat, removed=("local::now",))
    assert titles(stage) == ["Yours", "Count types"]


def test_a_broken_edit_is_named_and_its_last_good_version_stays(stage: Stage, chat: Chat) -> None:
    good = ability("weather", "Fetch the weather")
    chat.open()
    change(stage, chat, good)
    stage.until(lambda: titles(stage))
    change(stage, chat, Ability(good.key, good.info, broken_ability().fault))
    assert titles(stage) == ["Needs attention", "Weather", "Yours", "Weather"]
    change(stage, chat, good)
    assert titles(stage) == ["Yours", "Weather"]


def test_a_thousand_abilities_arrive(stage: Stage, moments: Moments) -> None:
    window = stage.open(moments)
    window.show_tab(1)
    stage.until(lambda: "Tell the time" in titles(stage))
    stage.settle()
    before = len(titles(stage))
    usable = sum(one.usable for one in moments.partner.abilities.list())
    many = tuple(ability(f"ability_{number:04}", f"Does thing number {number}") for number in range(1000))
    change(stage, moments, *many)
    stage.until(lambda: len(titles(stage)) == before + 1001)
    change(stage, moments, ability("ability_0500", "Does something else"), removed=("local::ability_0007",))
    assert len(titles(stage)) == before + 1000
    words = f"{usable + 999} abilities"
    stage.until(lambda: words in window.sidebar.status.words)


def test_a_change_touches_only_the_rows_it_is_about(stage: Stage, chat: Chat) -> None:
    chat.open()
    change(stage, chat, *(ability(f"a{number}", "x") for number in range(9)))
    stage.until(lambda: titles(stage))
    model = stage.window.panel.abilities_tab.list.rows
    heard: list[tuple[str, int, int]] = []
    model.rowsInserted.connect(lambda _parent, first, last: heard.append(("in", first, last)))
    model.rowsRemoved.connect(lambda _parent, first, last: heard.append(("out", first, last)))
    model.modelReset.connect(lambda: heard.append(("reset", 0, 0)))
    change(stage, chat, ability("a44", "new"))
    change(stage, chat, removed=("local::a0",))
    assert heard == [("in", 6, 6), ("out", 1, 1)]


def test_a_click_puts_a_request_into_the_composer(stage: Stage, chat: Chat) -> None:
    window = chat.open()
    change(stage, chat, ability("find_duplicates", "Find files with the same content"))
    stage.do(lambda: window.show_tab(1))
    stage.until(lambda: titles(stage))
    view = window.panel.abilities_tab.list
    index = view.rows.index(1)
    assert index.data(ROW_ROLE).title == "Find duplicates"
    stage.do(
        lambda: QTest.mouseClick(
            view.viewport(),
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
            view.visualRect(index).center(),
        )
    )
    assert window.page.composer.text == "find duplicates"
