"""The page of one server: its reason, its log, its missing secrets, and everything that it offers."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from partner_desktop.desktop.panel.abilities.ability_page import AbilityPage
from partner_desktop.desktop.panel.server.forms import AddServerForm, config_of
from partner_desktop.desktop.panel.server.offers import BlanksForm, LogView, Reader, blanks, fill
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.schema_view import SchemaView
from partner_desktop.desktop.rows.row_model import ROW_ROLE
from partner_desktop.desktop.wording import resolve_text
from partner_desktop.domain.events import ServersEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from tests.action.mcp.serving import PLAIN, plain, write
from tests.config.keyrings import FileKeyring, system_keyring

from .in_panel import go_to, key, titles
from .moments import Moments
from .server_samples import ZONE_SCHEMA, failed, full, server, zone_tools
from .stage import Stage

#: Real windows, with pages of many parts: for the whole gate.
pytestmark = pytest.mark.integration


def texts(part: QWidget) -> str:
    """Everything that can be read on it."""
    labels = [label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part)]
    views = [view.toPlainText() for view in part.findChildren(QPlainTextEdit) if view.isVisibleTo(part)]
    return "\n".join([*labels, *views])


#: What a server says that has something of everything.
OFFERS: JsonObject = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}, "resources": {}, "prompts": {}},
        "serverInfo": {"name": "mcp-server-time", "version": "1.26.0"},
    },
    "tools/list": {
        "tools": [
            {"name": name, "description": f"{name} by the clock", "inputSchema": ZONE_SCHEMA}
            for name in ("get_current_time", "convert_time")
        ]
    },
    "resources/list": {"resources": [{"uri": "time://zones", "name": "Zones"}]},
    "resources/templates/list": {
        "resourceTemplates": [{"uriTemplate": "time://zone/{area}/{city}", "name": "One zone"}]
    },
    "prompts/list": {
        "prompts": [{"name": "meeting", "arguments": [{"name": "cities", "required": True}, {"name": "day"}]}]
    },
    "time://zones": "Europe/Berlin\nAsia/Tokyo",
}


@pytest.fixture(autouse=True)
def own_keyring(tmp_path: Path) -> Iterator[FileKeyring]:
    """A keyring of this test."""
    with system_keyring(tmp_path / "keyring.json") as one:
        yield one


def phase(moments: Moments, name: str) -> ServerPhase:
    """Where a server stands."""
    return next(one.phase for one in moments.partner.servers.list() if one.id == name)


def run(stage: Stage, moments: Moments) -> None:
    """The server `time`, with the person's yes, once it is ready."""
    config = json.dumps({"time": plain("--offers", json.dumps(OFFERS))})
    moments.ask(moments.partner.servers.add(config, "time", allow=True))
    stage.until(lambda: phase(moments, "time") is ServerPhase.READY)


def tell(stage: Stage, moments: Moments, *servers: ServerStatus, removed: tuple[str, ...] = ()) -> None:
    """These servers are as they are now, and everyone hears."""
    stage.do(lambda: moments.deliver(ServersEvent(changed=servers, removed=removed)))


def open_page(
    stage: Stage, moments: Moments, *told_of: ServerStatus, name: str = "time", beside: str = ""
) -> ServerPage:
    """The page, by the keyboard: of a server that is there, or that everyone has heard of.

    What comes `beside` it later would fill the list anew while a row is chosen.
    """
    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    tell(stage, moments, *told_of)
    stage.until(lambda: {name, beside or name} <= set(titles(stage)))
    go_to(stage, name)
    key(stage, Qt.Key.Key_Return)
    page = stage.window.panel.abilities_tab.form
    assert isinstance(page, ServerPage)
    return page


def unfold(stage: Stage, fold: Fold) -> QWidget:
    stage.do(fold.button.click)
    assert fold.inside is not None
    return fold.inside


def test_the_page_says_what_runs_and_where_it_is_configured(stage: Stage, moments: Moments) -> None:
    run(stage, moments)
    (there,) = moments.partner.servers.list()
    page = open_page(stage, moments)
    said = texts(page)
    for words in ("ready · 2 tools", "mcp-server-time 1.26.0", there.shown, "mcp/time.json"):
        assert words in said
    stage.do(page.facts.copy_button.click)
    assert QGuiApplication.clipboard().text() == there.shown
    log = moments.home.log_file.parent / "mcp" / "time.log"
    stage.do(page.state.restart_button.click)
    stage.until(lambda: log.read_text().count("plain server is here") == 2)
    stage.until(lambda: page.state.words.text() == "ready · 2 tools")
    stage.do(page.state.switch_button.click)
    stage.until(lambda: page.state.words.text() == "off")
    assert phase(moments, "time") is ServerPhase.STOPPED


def test_esc_leads_back_to_the_list_and_to_the_row(stage: Stage, moments: Moments) -> None:
    open_page(stage, moments, full())
    key(stage, Qt.Key.Key_Escape)
    tab = stage.window.panel.abilities_tab
    assert tab.form is None
    assert stage.window.focusWidget() is tab.list
    assert tab.list.currentIndex().data(ROW_ROLE).server == full()


def test_a_failure_shows_step_exit_code_and_last_lines(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments, failed(), name="weather")
    assert "ended before it answered" in page.failure.message.text()
    assert page.failure.step.text() == "while connecting · exit code 1"
    assert "KeyError: 'API_KEY'" in page.failure.stderr.toPlainText()
    stage.do(page.failure.copy_button.click)
    copied = QGuiApplication.clipboard().text()
    assert "exit code 1" in copied
    assert "KeyError" in copied
    tell(stage, moments, server("weather", tools=1))
    stage.until(page.failure.isHidden)
    assert page.state.words.text() == "ready · 1 tool"


def test_what_waits_for_a_yes_says_what_it_would_start_and_takes_the_yes_to_that_and_the_no(
    stage: Stage, moments: Moments
) -> None:
    for name in ("weather", "mail"):
        write(moments.action_dir, f"{name}.json", {name: plain()})
    page = open_page(stage, moments, name="weather", beside="mail")
    stage.until(lambda: page.state.words.text() == "waits for your yes")
    assert f"{Path(sys.executable).name} -S -E {PLAIN}" in page.question.sentence.text()
    let_listen(stage, page)
    stage.do(page.question.allow_button.click)
    stage.until(lambda: page.state.words.text() == "ready · 1 tool")
    assert page.question.isHidden()
    key(stage, Qt.Key.Key_Escape)
    go_to(stage, "mail")
    key(stage, Qt.Key.Key_Return)
    other = stage.window.panel.abilities_tab.form
    assert isinstance(other, ServerPage)
    stage.do(other.question.refuse_button.click)
    stage.until(lambda: other.state.words.text() == "off")
    assert phase(moments, "mail") is ServerPhase.STOPPED


def let_listen(stage: Stage, page: ServerPage) -> None:
    """Wait until the question was painted, then past its quiet moment."""
    stage.until(lambda: page.question.seen)
    stage.clock.move(timedelta(seconds=1))


def test_a_press_in_the_moment_after_the_question_became_another_is_no_yes_to_that(
    stage: Stage, moments: Moments, tmp_path: Path
) -> None:
    def ask(words: str) -> None:
        command = {"command": "touch", "args": [str(tmp_path / words)]}
        write(moments.action_dir, "weather.json", {"weather": command})

    ask("kind")
    page = open_page(stage, moments, name="weather")
    stage.until(lambda: "kind" in page.question.sentence.text())
    let_listen(stage, page)
    button = page.question.allow_button
    ask("evil")
    stage.until(lambda: "evil" in page.question.sentence.text())
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    stage.do(button.click)
    stage.until(lambda: page.question.seen)
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    stage.do(button.click)
    assert phase(moments, "weather") is ServerPhase.WAITING
    let_listen(stage, page)
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    stage.until((tmp_path / "evil").exists)
    assert not (tmp_path / "kind").exists()


def test_plain_text_secrets_of_a_file_are_named_and_moved_with_one_press(
    stage: Stage, moments: Moments
) -> None:
    write(moments.action_dir, "weather.json", {"weather": plain(env={"API_KEY": "ghp_0123456789"})})
    page = open_page(stage, moments, name="weather")
    stage.until(lambda: "API_KEY" in page.plain.words.text())
    stage.do(page.plain.move_button.click)
    stage.until(page.plain.isHidden)
    assert "ghp_" not in (moments.action_dir / "mcp" / "weather.json").read_text()


def needs_a_secret(stage: Stage, moments: Moments) -> ServerPage:
    """The page of a server that waits for one."""
    entry = plain(env={"API_KEY": "${keyring:WEATHER_KEY}"})
    servers = moments.partner.servers
    moments.ask(servers.add(json.dumps({"weather": entry}), "weather", allow=True))
    stage.until(lambda: phase(moments, "weather") is ServerPhase.WAITING)
    question = moments.ask(servers.status("weather")).question
    assert question is not None
    moments.ask(servers.allow("weather", shown_hash=question.shown_hash))
    page = open_page(stage, moments, name="weather")
    stage.until(lambda: "WEATHER_KEY" in page.secrets.lines)
    return page


def test_a_missing_secret_is_typed_unseen_and_kept(
    stage: Stage, moments: Moments, own_keyring: FileKeyring
) -> None:
    page = needs_a_secret(stage, moments)
    line = page.secrets.lines["WEATHER_KEY"]
    assert line.edit.echoMode() is line.edit.EchoMode.Password
    stage.until(lambda: "kept in the system keyring (test keyring)" in texts(page.secrets))
    stage.do(lambda: QTest.keyClicks(line.edit, "s3cret"))
    tell(stage, moments, *moments.partner.servers.list())
    assert line.edit.text() == "s3cret"
    stage.do(lambda: QTest.keyClick(line.edit, Qt.Key.Key_Return))
    assert line.edit.text() == ""
    stage.until(lambda: phase(moments, "weather") is ServerPhase.READY)
    (kept,) = own_keyring.entries().values()
    assert "s3cret" in kept.values()
    (toast,) = stage.window.page.toasts.toasts
    assert resolve_text(toast.notice.title) == "Secret “WEATHER_KEY”"
    where = "It is never shown again, and kept in the system keyring (test keyring)."
    assert resolve_text(toast.notice.text) == where


def test_a_secret_that_cannot_be_kept_is_asked_for_again(stage: Stage, moments: Moments) -> None:
    line = needs_a_secret(stage, moments).secrets.lines["WEATHER_KEY"]
    stage.do(lambda: QTest.keyClicks(line.edit, "two words"))
    stage.do(line.keep_button.click)
    stage.until(lambda: "This is no key: a key is one line" in texts(line))
    assert line.keep_button.isEnabled()


def test_the_log_is_followed_only_from_its_end(stage: Stage, moments: Moments) -> None:
    earlier = moments.home.log_file.parent / "mcp" / "time.log"
    earlier.parent.mkdir(exist_ok=True)
    earlier.write_text("".join(f"line {number}\n" for number in range(60)))
    run(stage, moments)
    page = open_page(stage, moments)
    log = unfold(stage, page.log)
    assert isinstance(log, LogView)

    def read(number: int) -> None:
        """The server writes one line more."""
        moments.ask(moments.partner.servers.read_resource("time", f"time://{number}"))
        stage.do(log.wanted.emit)

    stage.until(lambda: log.view.toPlainText().endswith("plain server is here"))
    assert "line 59" in log.view.toPlainText()
    bar = log.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    read(60)
    stage.until(lambda: log.view.toPlainText().endswith("read time://60"))
    assert bar.value() == bar.maximum()
    bar.setValue(3)
    read(61)
    stage.until(lambda: log.view.toPlainText().endswith("read time://61"))
    assert bar.value() == 3
    wanted: list[object] = []
    log.wanted.connect(lambda: wanted.append(log))
    stage.do(page.log.button.click)
    stage.settle()
    assert wanted == []
    assert not log.isVisible()


def test_tools_have_their_schemas_and_can_be_tried(stage: Stage, moments: Moments) -> None:
    run(stage, moments)
    page = open_page(stage, moments)
    stage.until(lambda: page.tools.folds)
    inside = unfold(stage, page.tools.folds[0])
    said = texts(inside)
    for words in (
        *("timezone", "text · required", "The name of a time zone"),
        *("one of short, long · optional · default short", "whole number · optional · at least -12"),
    ):
        assert words in said
    assert '"required"' not in said
    (schema,) = inside.findChildren(SchemaView)
    assert '"required"' in texts(unfold(stage, schema.raw))
    (try_it,) = [each for each in inside.findChildren(QPushButton) if each.text() == "Try it…"]
    stage.do(try_it.click)
    stage.until(moments.records)
    (card,) = moments.records()
    wanted = ("time::convert_time", "c1", "Run Convert time")
    assert (card.key, card.conversation_id, card.request_text) == wanted


def test_what_is_unfolded_stays_while_the_server_restarts(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments, full())
    stage.do(lambda: stage.session.store.abilities.take(zone_tools()))
    stage.until(lambda: page.tools.folds)
    unfold(stage, page.tools.folds[0])
    tell(stage, moments, replace(full(), phase=ServerPhase.STARTING))
    stage.until(lambda: page.state.words.text() == "starting…")
    assert page.tools.folds[0].is_open


def test_a_resource_is_read_and_put_into_the_message(stage: Stage, moments: Moments) -> None:
    run(stage, moments)
    page = open_page(stage, moments)
    stage.window.page.composer.set_text("which of these is nearest?")
    inside = unfold(stage, page.resources.folds[0])
    (form,) = inside.findChildren(BlanksForm)
    (reader,) = inside.findChildren(Reader)
    stage.do(form.button.click)
    stage.until(lambda: reader.view.toPlainText() == "Europe/Berlin\nAsia/Tokyo")
    stage.do(reader.insert_button.click)
    wanted = "which of these is nearest?\nEurope/Berlin\nAsia/Tokyo"
    assert stage.window.page.composer.text == wanted


def test_a_template_asks_for_its_parts_first(stage: Stage, moments: Moments) -> None:
    run(stage, moments)
    page = open_page(stage, moments)
    stage.until(lambda: len(page.resources.folds) > 1)  # made one by one
    inside = unfold(stage, page.resources.folds[1])
    (form,) = inside.findChildren(BlanksForm)
    (reader,) = inside.findChildren(Reader)
    stage.do(lambda: QTest.keyClicks(form.edits["area"], "Europe"))
    stage.do(form.button.click)
    assert "This is needed." in texts(form)
    assert form.rows["city"].problem
    assert not form.rows["area"].problem
    stage.do(lambda: QTest.keyClicks(form.edits["city"], "Ulm an der Donau"))
    stage.do(form.button.click)
    stage.until(lambda: reader.text)
    assert reader.text == "time://zone/Europe/Ulm%20an%20der%20Donau", "the server says what it was asked"
    read = moments.ask(moments.partner.servers.log("time")).count("read time://")
    assert read == 1, "nothing was asked before all was typed"


def test_templates_are_filled_as_they_are_meant() -> None:
    template = "db://{+path}/{table}{?limit,offset}{#part}"
    assert blanks(template) == ("path", "table", "limit", "offset", "part")
    assert fill(template, {"path": "a/b", "table": "x y", "limit": "5"}) == "db://a/b/x%20y?limit=5"


def test_a_prompt_is_filled_in_and_put_into_the_message(stage: Stage, moments: Moments) -> None:
    run(stage, moments)
    page = open_page(stage, moments)
    (form,) = unfold(stage, page.prompts.folds[0]).findChildren(BlanksForm)
    stage.do(lambda: QTest.keyClicks(form.edits["cities"], "Ulm, Tokyo"))
    stage.do(lambda: QTest.keyClick(form.edits["day"], Qt.Key.Key_Return))
    stage.until(lambda: stage.window.page.composer.text == 'meeting {"cities": "Ulm, Tokyo"}')


def test_what_cannot_be_read_says_why_below_it(stage: Stage, moments: Moments) -> None:
    page = open_page(stage, moments, full())
    inside = unfold(stage, page.resources.folds[0])
    stage.do(inside.findChildren(BlanksForm)[0].button.click)
    stage.until(lambda: "There is no server called time; there are: none." in texts(inside))


def test_a_server_that_is_gone_takes_its_page_along(stage: Stage, moments: Moments) -> None:
    open_page(stage, moments, full())
    tell(stage, moments, removed=("time",))
    stage.until(lambda: stage.window.panel.abilities_tab.form is None)


# Adding one.


def open_form(stage: Stage, moments: Moments) -> AddServerForm:
    stage.open(moments)
    stage.do(lambda: stage.window.show_tab(1))
    stage.do(stage.window.panel.abilities_tab.server_wanted.emit)
    form = stage.window.panel.abilities_tab.form
    assert isinstance(form, AddServerForm)
    return form


def test_a_pasted_configuration_is_handed_over_as_it_is(stage: Stage, moments: Moments) -> None:
    form = open_form(stage, moments)
    text = json.dumps({"mcpServers": {"time": plain()}})
    stage.do(lambda: form.config.setPlainText(text))
    stage.do(form.save_button.click)
    stage.until(lambda: stage.window.panel.abilities_tab.form is None)
    assert (moments.action_dir / "mcp" / "time.json").read_text().strip() == text
    stage.until(lambda: phase(moments, "time") is ServerPhase.READY)  # whoever pastes it has said yes


def test_a_command_line_becomes_a_configuration(stage: Stage, moments: Moments) -> None:
    taken = write(moments.action_dir, "mine.json", {"mcp-server-time": {"command": "uvx", "disabled": True}})
    form = open_form(stage, moments)
    stage.do(form.save_button.click)
    assert form.problem == "Paste a configuration, or type a command line."
    stage.do(lambda: QTest.keyClicks(form.command, 'uvx "mcp-server-time'))
    stage.do(form.save_button.click)
    assert form.problem == "A quote in the command line is not closed."
    stage.do(lambda: QTest.keyClicks(form.command, '"'))
    stage.do(form.save_button.click)
    stage.until(lambda: "mcp-server-time is configured already" in form.problem)
    taken.unlink()
    stage.do(form.save_button.click)
    stage.until(lambda: stage.window.panel.abilities_tab.form is None)
    written = json.loads((moments.action_dir / "mcp" / "mcp-server-time.json").read_text())
    assert written == {"mcpServers": {"mcp-server-time": {"command": "uvx", "args": ["mcp-server-time"]}}}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything", "server-everything"),
        ("https://mcp.example.org:8443/mcp", "mcp.example.org"),
        ("python3 /home/user/my server.py", "my"),
        ("weather", "weather"),
    ],
)
def test_the_name_is_made_from_what_runs(command: str, name: str) -> None:
    assert config_of(command)[1] == name


def test_a_dropped_configuration_can_become_servers(stage: Stage, moments: Moments, tmp_path: Path) -> None:
    stage.open(moments)
    file = tmp_path / "claude.json"
    file.write_text(json.dumps({"mcpServers": {"time": plain()}}), encoding="utf-8")
    stage.do(lambda: stage.window.files_dropped.emit([file]))
    buttons = {each.text(): each for each in stage.window.findChildren(QPushButton)}
    stage.do(buttons["Add its servers"].click)
    stage.until(moments.partner.servers.list)
    stage.until(lambda: phase(moments, "time") is ServerPhase.WAITING)
    assert (moments.action_dir / "mcp" / "claude.json").read_text().strip() == file.read_text()


# Details of an ability.


def test_the_details_of_an_ability_tell_what_it_takes_and_where_it_lies(
    stage: Stage, moments: Moments
) -> None:
    folder = moments.action_dir / "dynamic" / "count"
    folder.mkdir()
    (folder / "run.py").write_text("print(1)\n")
    (folder / "desc.json").write_text(json.dumps({"description": "Count things"}))
    stage.open(moments)
    tab = stage.window.panel.abilities_tab
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: "Count" in titles(stage))
    stage.do(lambda: tab.asked.emit("details", tab.known.abilities["local::count"]))
    page = tab.form
    assert isinstance(page, AbilityPage)
    said = texts(page)
    for words in ("local::count", "It takes no parameters.", "count/run.py", "count/desc.json"):
        assert words in said
    stage.do(page.try_button.click)
    stage.until(moments.records)
    (card,) = moments.records()
    assert (card.key, card.conversation_id, card.request_text) == ("local::count", "c1", "Run Count")
    stage.do(page.back_button.click)
    assert tab.form is None
