"""External servers in the Abilities panel: where each stands, why it does not run, and what can be done."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest

from partner_desktop.desktop.memory import WindowMemory
from partner_desktop.desktop.panel.ability_delegate import AbilityDelegate
from partner_desktop.desktop.panel.ability_rows import AbilityRow
from partner_desktop.desktop.panel.server_words import phase_words
from partner_desktop.desktop.parts.rows import ROW_ROLE
from partner_desktop.desktop.wording import told
from partner_desktop.domain.mcp_server import ServerPhase
from partner_desktop.domain.meta_action import Route

from .fake_partner import FakePartner
from .in_panel import choose, click, first_line, go_to, index_of, key, menu_words, titles, view
from .samples import ability, broken_ability
from .server_samples import failed, full, server, tool, unsteady, zone_tools
from .stage import Stage

# Whole stories, with processes or windows of their own: for the whole gate.
pytestmark = pytest.mark.integration


class Paints(QObject):
    """Counts how often what it watches is painted."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.Paint
        return False


def show(stage: Stage, partner: FakePartner, *, count: int) -> None:
    """The panel's second tab, with so many rows in view."""
    stage.open(partner)
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: len(titles(stage)) == count)


def row_of(stage: Stage, title: str) -> AbilityRow:
    row: AbilityRow = index_of(stage, title).data(ROW_ROLE)
    return row


def words_of(stage: Stage, title: str) -> str:
    """What a server's second line says now."""
    server_row = row_of(stage, title)
    assert server_row.server is not None
    return phase_words(server_row.server, stage.clock.now())


def test_abilities_stand_by_where_they_come_from(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = [
        ability("now", "Say what time it is", route=Route.BUILTIN),
        ability("note", "Append a line", route=Route.ORIGIN),
        ability("count", "Count things"),
        broken_ability(),
        *zone_tools(),
    ]
    partner.show_servers(full(), failed("zebra"), server("mail", ServerPhase.STOPPED))
    show(stage, partner, count=14)
    assert titles(stage) == [
        *("Needs attention", "weather", "zebra"),
        *("Yours", "Count", "Temporary", "Note"),
        *("Servers", "mail", "time", "Convert time", "Get current time"),
        *("Built in", "Now"),
    ]
    assert words_of(stage, "time") == "ready · 2 tools"
    assert words_of(stage, "mail") == "off"


def test_a_failed_server_says_why_and_never_only_shows_red(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(failed())
    show(stage, partner, count=2)
    row = row_of(stage, "weather")
    assert words_of(stage, "weather") == "failed · while connecting · exit code 1"
    assert row.text == "The server “weather” ended before it answered; see its last lines."
    spoken = str(index_of(stage, "weather").data(Qt.ItemDataRole.AccessibleTextRole))
    assert "failed" in spoken
    assert row.text in spoken
    stage.until(lambda: "1 server failed" in stage.window.sidebar.status.words)


def test_what_is_tried_again_counts_down(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(unsteady(stage.clock.now()))
    show(stage, partner, count=2)
    assert words_of(stage, "search") == "failed · again in 8 s"
    stage.settle()
    stage.clock.move(timedelta(seconds=3))
    paints = Paints()
    view(stage).viewport().installEventFilter(paints)
    stage.until(lambda: paints.count)
    assert words_of(stage, "search") == "failed · again in 5 s"


def test_a_server_that_recovers_moves_back_and_is_counted(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(failed("time"))
    show(stage, partner, count=2)
    assert titles(stage) == ["Needs attention", "time"]
    stage.do(lambda: partner.show_servers(full()))
    stage.until(lambda: titles(stage) == ["Servers", "time"])
    stage.until(lambda: "1 server" in stage.window.sidebar.status.words)
    stage.do(lambda: partner.show_servers(removed=("time",)))
    stage.until(lambda: not titles(stage))


def test_many_tools_are_folded_away_until_they_are_asked_for(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = [tool("git", f"verb_{number}") for number in range(9)]
    partner.show_servers(server("git", tools=9))
    show(stage, partner, count=2)
    row = row_of(stage, "git")
    assert row.folded
    delegate = view(stage).itemDelegate()
    assert isinstance(delegate, AbilityDelegate)
    place = delegate.fold_place(view(stage).visualRect(index_of(stage, "git")), row)
    click(stage, place.center())
    assert len(titles(stage)) == 11
    go_to(stage, "git")
    key(stage, Qt.Key.Key_Left)
    assert len(titles(stage)) == 2
    key(stage, Qt.Key.Key_Right)
    assert len(titles(stage)) == 11


def test_what_was_folded_is_remembered(stage: Stage, partner: FakePartner, tmp_path: Path) -> None:
    partner.known_abilities = zone_tools()
    partner.show_servers(full())
    stage.open(partner, memory=WindowMemory(tmp_path))
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: len(titles(stage)) == 4)
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Left)
    stage.do(stage.window.close)
    stage.open(partner, memory=WindowMemory(tmp_path))
    stage.until(lambda: titles(stage) == ["Servers", "time"])


def test_the_filter_finds_tools_that_are_folded_away(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = [tool("git", f"verb_{number}") for number in range(9)]
    partner.show_servers(server("git", tools=9), full("other"))
    show(stage, partner, count=3)
    stage.do(lambda: stage.window.panel.abilities_tab.filter.setText("verb 7"))
    assert titles(stage) == ["Servers", "git", "Verb 7"]


def test_the_switch_turns_a_server_off_and_undo_turns_it_on(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    show(stage, partner, count=2)
    switch, _ = first_line(stage, "time")
    click(stage, switch)
    assert partner.asked[-1] == ("server", "switch", "time", False)
    stage.until(lambda: row_of(stage, "time").off)
    (toast,) = stage.window.page.toasts.toasts
    assert told(toast.notice.text) == "The server “time” is off, and its tools with it."
    assert toast.notice.action is not None
    stage.do(toast.notice.action.callback)
    assert partner.asked[-1] == ("server", "switch", "time", True)


def test_a_server_that_its_file_switches_off_has_no_switch(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(server("time", ServerPhase.STOPPED, can_switch=False))
    show(stage, partner, count=2)
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Space)
    assert partner.asked == []


def test_the_menu_of_a_server_offers_what_fits(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = zone_tools()
    partner.show_servers(full(), failed("zebra"))
    show(stage, partner, count=6)
    _, dots = first_line(stage, "time")
    click(stage, dots)
    assert menu_words(stage) == [
        *("Details", "Restart", "Show log", "Open its file", "Turn off", "Fold its tools away"),
    ]
    choose(stage, "Restart")
    assert partner.asked[-1] == ("server", "restart", "time")
    _, dots = first_line(stage, "zebra")
    click(stage, dots)
    assert "Copy the reason" in menu_words(stage)


def test_what_cannot_be_done_is_said(stage: Stage, partner: FakePartner) -> None:
    partner.server_error = "There is no server “time” any more."
    partner.show_servers(full())
    show(stage, partner, count=2)
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: stage.window.page.toasts.toasts)
    assert told(stage.window.page.toasts.toasts[0].notice.text) == partner.server_error


def test_choosing_a_tool_brings_its_form_into_the_chat(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = zone_tools()
    partner.show_servers(full())
    show(stage, partner, count=4)
    go_to(stage, "Convert time")
    key(stage, Qt.Key.Key_Return)
    stage.until(lambda: partner.asked)
    assert partner.asked[-1] == ("offer", "time::convert_time", "c1", "Run Convert time")


def test_a_tool_whose_server_is_not_known_has_a_section_of_its_name(
    stage: Stage, partner: FakePartner
) -> None:
    partner.known_abilities = zone_tools("far")
    show(stage, partner, count=3)
    assert titles(stage) == ["far", "Convert time", "Get current time"]


def test_fifty_servers_with_a_thousand_tools_become_ready_one_after_the_other(
    stage: Stage, partner: FakePartner
) -> None:
    stage.open(partner)
    stage.do(lambda: stage.window.show_tab(1))
    names = [f"server-{number:02}" for number in range(50)]
    tools = tuple(tool(name, f"tool_{one}", "Does it. " * 30) for name in names for one in range(20))
    partner.known_abilities = list(tools)
    stage.do(lambda: stage.window.panel.abilities_tab.change(tools, ()))
    stage.do(lambda: partner.show_servers(*(server(name, ServerPhase.STARTING) for name in names)))
    stage.until(lambda: len(titles(stage)) == 51)
    for name in names:
        stage.do(lambda name=name: partner.show_servers(server(name, tools=20)))  # type: ignore[misc] # early
    stage.until(lambda: words_of(stage, names[-1]) == "ready · 20 tools")
    assert len(titles(stage)) == 51
    go_to(stage, names[7])
    key(stage, Qt.Key.Key_Right)
    assert len(titles(stage)) == 71
    QTest.keyClick(view(stage), Qt.Key.Key_End)
