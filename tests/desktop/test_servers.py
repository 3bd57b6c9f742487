"""External servers in the Abilities panel: where each stands, why it does not run, and what can be done."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtTest import QTest

from partner_desktop.desktop.panel.abilities.ability_rows import AbilityRow
from partner_desktop.desktop.rows.row_model import ROW_ROLE
from partner_desktop.desktop.window_memory import WindowMemory
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.events import ServersEvent
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.domain.meta_action import Route

from .chat import Chat
from .in_panel import choose, click, first_line, go_to, index_of, key, menu_words, titles, view
from .moments import Moments
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


def show(
    stage: Stage, chat: Chat, *servers: ServerStatus, count: int, abilities: Sequence[Ability] = ()
) -> None:
    """The panel's second tab, with so many rows in view."""
    chat.open()
    stage.do(lambda: stage.window.show_tab(1))
    stage.do(lambda: stage.session.store.abilities.take(abilities))
    know(stage, *servers)
    stage.until(lambda: len(titles(stage)) == count)


def know(stage: Stage, *servers: ServerStatus, removed: tuple[str, ...] = ()) -> None:
    """These servers are as they are now."""
    stage.do(lambda: stage.session.store.servers.take(servers, removed))


def asked(stage: Stage) -> list[tuple[str, str]]:
    """What is asked of servers and abilities from now on: verb, and of what."""
    found: list[tuple[str, str]] = []
    tab = stage.window.panel.abilities_tab
    tab.server_asked.connect(lambda verb, one: found.append((verb, one.id)))
    tab.asked.connect(lambda verb, one: found.append((verb, one.key)))
    return found


def row_of(stage: Stage, title: str) -> AbilityRow:
    row: AbilityRow = index_of(stage, title).data(ROW_ROLE)
    return row


def words_of(stage: Stage, title: str) -> str:
    """What a server's second line says now."""
    server_row = row_of(stage, title)
    assert isinstance(server_row.about, ServerStatus)
    return server_row.lines[0].text


def test_abilities_stand_by_where_they_come_from(stage: Stage, chat: Chat) -> None:
    known = [
        ability("now", "Say what time it is", route=Route.BUILTIN),
        ability("note", "Append a line", route=Route.ORIGIN),
        ability("count", "Count things"),
        broken_ability(),
        *zone_tools(),
    ]
    show(stage, chat, full(), failed("zebra"), server("mail", ServerPhase.STOPPED), count=14, abilities=known)
    assert titles(stage) == [
        *("Needs attention", "weather", "zebra"),
        *("Yours", "Count", "Temporary", "Note"),
        *("Servers", "mail", "time", "Convert time", "Get current time"),
        *("Built in", "Now"),
    ]
    assert words_of(stage, "time") == "ready · 2 tools"
    assert words_of(stage, "mail") == "off"


def test_a_failed_server_says_why_and_never_only_shows_red(stage: Stage, chat: Chat) -> None:
    show(stage, chat, failed(), count=2)
    row = row_of(stage, "weather")
    assert words_of(stage, "weather") == "failed · while connecting · exit code 1"
    assert row.lines[1].text == "The server “weather” ended before it answered; see its last lines."
    spoken = str(index_of(stage, "weather").data(Qt.ItemDataRole.AccessibleTextRole))
    assert "failed" in spoken
    assert row.lines[1].text in spoken
    stage.until(lambda: "1 server failed" in stage.window.sidebar.status.words)


def test_what_is_tried_again_counts_down(stage: Stage, chat: Chat) -> None:
    show(stage, chat, unsteady(stage.clock.now()), count=2)
    assert words_of(stage, "search") == "failed · again in 8 s"
    stage.settle()
    stage.clock.move(timedelta(seconds=3))
    paints = Paints()
    view(stage).viewport().installEventFilter(paints)
    stage.until(lambda: paints.count)
    assert words_of(stage, "search") == "failed · again in 5 s"


def test_a_server_that_recovers_moves_back_and_is_counted(stage: Stage, moments: Moments) -> None:
    def tell(*changed: ServerStatus, removed: tuple[str, ...] = ()) -> None:
        stage.do(lambda: moments.deliver(ServersEvent(changed=changed, removed=removed)))

    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    tell(failed("time"))
    stage.until(lambda: titles(stage)[:2] == ["Needs attention", "time"])
    tell(full())
    stage.until(lambda: titles(stage)[:2] == ["Servers", "time"])
    stage.until(lambda: "1 server" in stage.window.sidebar.status.words)
    tell(removed=("time",))
    stage.until(lambda: "time" not in titles(stage))


def test_many_tools_are_folded_away_until_they_are_asked_for(stage: Stage, chat: Chat) -> None:
    known = [tool("git", f"verb_{number}") for number in range(9)]
    show(stage, chat, server("git", tools=9), count=2, abilities=known)
    row = row_of(stage, "git")
    assert row.folded
    click(stage, view(stage).parts_of(row.key).fold.center())
    assert len(titles(stage)) == 11
    go_to(stage, "git")
    key(stage, Qt.Key.Key_Left)
    assert len(titles(stage)) == 2
    key(stage, Qt.Key.Key_Right)
    assert len(titles(stage)) == 11


def test_what_was_folded_is_remembered(stage: Stage, tmp_path: Path) -> None:
    def open_with_memory() -> None:
        window = stage.open(memory=WindowMemory(tmp_path))
        stage.do(lambda: window.show_tab(1))
        stage.do(lambda: stage.session.store.abilities.take(zone_tools()))
        know(stage, full())

    open_with_memory()
    stage.until(lambda: len(titles(stage)) == 4)
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Left)
    stage.do(stage.window.close)
    open_with_memory()
    stage.until(lambda: titles(stage) == ["Servers", "time"])


def test_the_filter_finds_tools_that_are_folded_away(stage: Stage, chat: Chat) -> None:
    known = [tool("git", f"verb_{number}") for number in range(9)]
    show(stage, chat, server("git", tools=9), full("other"), count=3, abilities=known)
    stage.do(lambda: stage.window.panel.abilities_tab.filter.setText("verb 7"))
    assert titles(stage) == ["Servers", "git", "Verb 7"]


def test_the_switch_turns_a_server_off_and_undo_turns_it_on(stage: Stage, moments: Moments) -> None:
    folder = moments.action_dir / "mcp"
    folder.mkdir()
    (folder / "time.json").write_text('{"mcpServers": {"time": {"command": "/usr/bin/false"}}}')
    stage.open(moments)

    def phase() -> ServerPhase:
        (one,) = moments.partner.servers.list()
        return one.phase

    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: "time" in titles(stage))
    stage.do(lambda: view(stage).scrollTo(index_of(stage, "time")))
    switch, _ = first_line(stage, "time")
    click(stage, switch)
    stage.until(lambda: phase() is ServerPhase.STOPPED)
    stage.until(lambda: not row_of(stage, "time").on)
    (toast,) = stage.window.page.toasts.toasts
    assert resolve_text(toast.notice.text) == "The server “time” is off, and its tools with it."
    assert toast.notice.action is not None
    stage.do(toast.notice.action.callback)
    stage.until(lambda: phase() is not ServerPhase.STOPPED)


def test_a_server_that_its_file_switches_off_has_no_switch(stage: Stage, chat: Chat) -> None:
    show(stage, chat, server("time", ServerPhase.STOPPED, can_switch=False), count=2)
    heard = asked(stage)
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Space)
    assert heard == []


def test_the_menu_of_a_server_offers_what_fits(stage: Stage, chat: Chat) -> None:
    known = zone_tools()
    show(stage, chat, full(), failed("zebra"), count=6, abilities=known)
    _, dots = first_line(stage, "time")
    click(stage, dots)
    assert menu_words(stage) == [
        *("Details", "Restart", "Show log", "Open its file", "Turn off", "Fold its tools away"),
    ]
    heard = asked(stage)
    choose(stage, "Restart")
    assert heard == [("restart", "time")]
    _, dots = first_line(stage, "zebra")
    click(stage, dots)
    assert "Copy the reason" in menu_words(stage)


def test_what_cannot_be_done_is_said(stage: Stage, moments: Moments) -> None:
    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    gone = ServersEvent(changed=(full(),), removed=())
    stage.do(lambda: moments.deliver(gone))
    stage.until(lambda: "time" in titles(stage))
    go_to(stage, "time")
    key(stage, Qt.Key.Key_Space)
    stage.until(lambda: stage.window.page.toasts.toasts)
    assert "time" in resolve_text(stage.window.page.toasts.toasts[0].notice.text)


def test_choosing_a_tool_brings_its_form_into_the_chat(stage: Stage, chat: Chat) -> None:
    known = zone_tools()
    show(stage, chat, full(), count=4, abilities=known)
    heard = asked(stage)
    go_to(stage, "Convert time")
    key(stage, Qt.Key.Key_Return)
    assert heard == [("run", "time::convert_time")]


def test_a_tool_whose_server_is_not_known_has_a_section_of_its_name(stage: Stage, chat: Chat) -> None:
    known = zone_tools("far")
    show(stage, chat, count=3, abilities=known)
    assert titles(stage) == ["far", "Convert time", "Get current time"]


def test_fifty_servers_with_a_thousand_tools_become_ready_one_after_the_other(
    stage: Stage, chat: Chat
) -> None:
    chat.open()
    stage.do(lambda: stage.window.show_tab(1))
    names = [f"server-{number:02}" for number in range(50)]
    tools = tuple(tool(name, f"tool_{one}", "Does it. " * 30) for name in names for one in range(20))
    stage.do(lambda: stage.session.store.abilities.take(tools))
    know(stage, *(server(name, ServerPhase.STARTING) for name in names))
    stage.until(lambda: len(titles(stage)) == 51)
    for name in names:
        know(stage, server(name, tools=20))
    stage.until(lambda: words_of(stage, names[-1]) == "ready · 20 tools")
    assert len(titles(stage)) == 51
    go_to(stage, names[7])
    key(stage, Qt.Key.Key_Right)
    assert len(titles(stage)) == 71
    QTest.keyClick(view(stage), Qt.Key.Key_End)
