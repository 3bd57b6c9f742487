"""The page of one server: its reason, its log, its missing secrets, and everything that it offers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget

from partner_desktop.desktop.panel.ability_page import AbilityPage
from partner_desktop.desktop.panel.server.add_form import AddServerForm, config_of
from partner_desktop.desktop.panel.server.offers import BlanksForm, blanks, fill
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.desktop.panel.server.reader import LogView, Reader
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.schema_view import SchemaView
from partner_desktop.desktop.wording import told
from partner_desktop.domain.mcp_server import ServerPhase, StartQuestion
from partner_desktop.domain.meta_action import RunnerResponse

from .fake_partner import FakePartner
from .in_panel import go_to, key, titles
from .samples import ability, lying
from .server_samples import failed, full, server, zone_tools
from .stage import Stage

#: Real windows, with pages of many parts: for the whole gate.
pytestmark = pytest.mark.integration


def texts(part: QWidget) -> str:
    """Everything that can be read on it."""
    labels = [label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part)]
    views = [view.toPlainText() for view in part.findChildren(QPlainTextEdit) if view.isVisibleTo(part)]
    return "\n".join([*labels, *views])


def open_page(stage: Stage, partner: FakePartner, name: str = "time") -> ServerPage:
    """The page, by the keyboard."""
    stage.open(partner)
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: name in titles(stage))
    go_to(stage, name)
    key(stage, Qt.Key.Key_Return)
    page = stage.window.panel.abilities_tab.form
    assert isinstance(page, ServerPage)
    return page


def unfold(stage: Stage, fold: Fold) -> QWidget:
    stage.do(fold.button.click)
    assert fold.inside is not None
    return fold.inside


def test_the_page_says_what_runs_and_where_it_is_configured(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    page = open_page(stage, partner)
    said = texts(page)
    for words in ("ready · 2 tools", "mcp-server-time 1.26.0", "/usr/bin/uvx mcp-server-time", "time.json"):
        assert words in said
    stage.do(page.facts.copy_button.click)
    assert QGuiApplication.clipboard().text() == "/usr/bin/uvx mcp-server-time"
    stage.do(page.state.restart_button.click)
    stage.do(page.state.switch_button.click)
    assert partner.asked == [("server", "restart", "time"), ("server", "switch", "time", False)]
    stage.until(lambda: page.state.words.text() == "off")


def test_esc_leads_back_to_the_list_and_to_the_row(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    open_page(stage, partner)
    key(stage, Qt.Key.Key_Escape)
    tab = stage.window.panel.abilities_tab
    assert tab.form is None
    assert stage.window.focusWidget() is tab.list
    assert tab.list.server_at(tab.list.currentIndex()) == partner.known_servers["time"]


def test_a_failure_shows_step_exit_code_and_last_lines(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(failed())
    page = open_page(stage, partner, "weather")
    assert "ended before it answered" in page.failure.message.text()
    assert page.failure.step.text() == "while connecting · exit code 1"
    assert "KeyError: 'API_KEY'" in page.failure.stderr.toPlainText()
    stage.do(page.failure.copy_button.click)
    copied = QGuiApplication.clipboard().text()
    assert "exit code 1" in copied
    assert "KeyError" in copied
    stage.do(lambda: partner.show_servers(server("weather", tools=1)))
    stage.until(page.failure.isHidden)
    assert page.state.words.text() == "ready · 1 tool"


def test_what_waits_for_a_yes_says_what_it_would_start_and_takes_the_yes_to_that_and_the_no(
    stage: Stage, partner: FakePartner
) -> None:
    sentence = "It would run `npx weather`. weather wants `KEY` of the keyring."
    question = StartQuestion(sentence, "abc123", ("KEY",))
    partner.show_servers(server("weather", phase=ServerPhase.WAITING, question=question))
    page = open_page(stage, partner, "weather")
    assert page.state.words.text() == "waits for your yes"
    assert page.question.sentence.text() == sentence
    let_listen(stage, page)
    stage.do(page.question.allow_button.click)
    stage.do(page.question.refuse_button.click)
    assert partner.asked[-2:] == [
        ("server", "allow", "weather", "abc123"),
        ("server", "switch", "weather", False),
    ]
    stage.do(lambda: partner.show_servers(server("weather", tools=1)))
    stage.until(page.question.isHidden)


def let_listen(stage: Stage, page: ServerPage) -> None:
    """Wait until the question was painted, then past its quiet moment."""
    stage.until(lambda: page.question.seen)
    stage.clock.move(timedelta(seconds=1))


def test_a_press_in_the_moment_after_the_question_became_another_is_no_yes_to_that(
    stage: Stage, partner: FakePartner
) -> None:
    def ask(sentence: str, shown_hash: str) -> None:
        question = StartQuestion(sentence, shown_hash)
        partner.show_servers(server("weather", phase=ServerPhase.WAITING, question=question))

    ask("It would run `npx weather`.", "first")
    page = open_page(stage, partner, "weather")
    let_listen(stage, page)
    before = list(partner.asked)
    button = page.question.allow_button
    stage.do(lambda: ask("It would run `sh -c evil`.", "second"))
    stage.until(lambda: "evil" in page.question.sentence.text())
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    stage.do(button.click)
    stage.until(lambda: page.question.seen)
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    stage.do(button.click)
    assert partner.asked == before
    let_listen(stage, page)
    stage.do(lambda: QTest.mouseClick(button, Qt.MouseButton.LeftButton))
    assert partner.asked[len(before) :] == [("server", "allow", "weather", "second")]


def test_plain_text_secrets_of_a_file_are_named_and_moved_with_one_press(
    stage: Stage, partner: FakePartner
) -> None:
    partner.show_servers(server("weather", tools=1, plain=("API_KEY",)))
    page = open_page(stage, partner, "weather")
    assert "API_KEY" in page.plain.words.text()
    stage.do(page.plain.move_button.click)
    assert partner.asked[-1] == ("server", "move", "weather")
    stage.do(lambda: partner.show_servers(server("weather", tools=1)))
    stage.until(page.plain.isHidden)


def test_a_missing_secret_is_typed_unseen_and_kept(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(failed(needs=("WEATHER_KEY",)))
    page = open_page(stage, partner, "weather")
    line = page.secrets.lines["WEATHER_KEY"]
    assert line.edit.echoMode() is line.edit.EchoMode.Password
    stage.until(lambda: "kept in the system keyring" in texts(page.secrets))
    stage.do(lambda: QTest.keyClicks(line.edit, "s3cret"))
    stage.do(lambda: partner.show_servers(failed(needs=("WEATHER_KEY",))))
    assert line.edit.text() == "s3cret"
    stage.do(lambda: QTest.keyClick(line.edit, Qt.Key.Key_Return))
    assert partner.asked[-1] == ("server", "secret", "WEATHER_KEY", "s3cret", "weather")
    assert line.edit.text() == ""
    told_so = [told(toast.notice.text) for toast in stage.window.page.toasts.toasts]
    assert told_so == ["The secret “WEATHER_KEY” is kept in the system keyring (Secret Service)."]


def test_a_secret_that_cannot_be_kept_is_asked_for_again(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(failed(needs=("WEATHER_KEY",)))
    partner.server_error = "The keyring is locked; unlock it and try again."
    page = open_page(stage, partner, "weather")
    line = page.secrets.lines["WEATHER_KEY"]
    stage.do(lambda: QTest.keyClicks(line.edit, "s3cret"))
    stage.do(line.keep_button.click)
    stage.until(lambda: partner.server_error in texts(line))
    assert line.keep_button.isEnabled()


def test_the_log_is_followed_only_from_its_end(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    partner.known_logs["time"] = "".join(f"line {number}\n" for number in range(60))
    page = open_page(stage, partner)
    log = unfold(stage, page.log)
    assert isinstance(log, LogView)
    stage.until(lambda: log.view.toPlainText().endswith("line 59"))
    bar = log.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    partner.known_logs["time"] += "line 60\n"
    stage.do(log.wanted.emit)
    assert bar.value() == bar.maximum()
    bar.setValue(3)
    partner.known_logs["time"] += "line 61\n"
    stage.do(log.wanted.emit)
    assert log.view.toPlainText().endswith("line 61")
    assert bar.value() == 3
    read = len(partner.read)
    stage.do(page.log.button.click)
    stage.settle()
    assert len(partner.read) == read


def test_tools_have_their_schemas_and_can_be_tried(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = zone_tools()
    partner.show_servers(full())
    page = open_page(stage, partner)
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
    assert partner.asked[-1] == ("offer", "time::convert_time", "c1", "Run Convert time")


def test_what_is_unfolded_stays_while_the_server_restarts(stage: Stage, partner: FakePartner) -> None:
    partner.known_abilities = zone_tools()
    partner.show_servers(full())
    page = open_page(stage, partner)
    unfold(stage, page.tools.folds[0])
    stage.do(lambda: partner.show_servers(replace(full(), phase=ServerPhase.STARTING)))
    stage.until(lambda: page.state.words.text() == "starting…")
    assert page.tools.folds[0].is_open


def test_a_resource_is_read_and_put_into_the_message(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    partner.server_answer = RunnerResponse(ok=True, stdout="Europe/Berlin\nAsia/Tokyo")
    page = open_page(stage, partner)
    stage.window.page.composer.set_text("which of these is nearest?")
    inside = unfold(stage, page.resources.folds[0])
    (form,) = inside.findChildren(BlanksForm)
    (reader,) = inside.findChildren(Reader)
    stage.do(form.button.click)
    assert partner.asked[-1] == ("server", "read", "time", "time://zones")
    assert reader.view.toPlainText() == "Europe/Berlin\nAsia/Tokyo"
    stage.do(reader.insert_button.click)
    wanted = "which of these is nearest?\nEurope/Berlin\nAsia/Tokyo"
    assert stage.window.page.composer.text == wanted


def test_a_template_asks_for_its_parts_first(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    page = open_page(stage, partner)
    stage.until(lambda: len(page.resources.folds) > 1)  # made one by one
    inside = unfold(stage, page.resources.folds[1])
    (form,) = inside.findChildren(BlanksForm)
    stage.do(lambda: QTest.keyClicks(form.edits["area"], "Europe"))
    stage.do(form.button.click)
    assert partner.asked == []
    assert "This is needed: city" in texts(form)
    stage.do(lambda: QTest.keyClicks(form.edits["city"], "Ulm an der Donau"))
    stage.do(form.button.click)
    assert partner.asked[-1] == ("server", "read", "time", "time://zone/Europe/Ulm%20an%20der%20Donau")


def test_templates_are_filled_as_they_are_meant() -> None:
    template = "db://{+path}/{table}{?limit,offset}{#part}"
    assert blanks(template) == ("path", "table", "limit", "offset", "part")
    assert fill(template, {"path": "a/b", "table": "x y", "limit": "5"}) == "db://a/b/x%20y?limit=5"


def test_a_prompt_is_filled_in_and_put_into_the_message(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    partner.server_answer = RunnerResponse(ok=True, stdout="Find an hour for Ulm and Tokyo.")
    page = open_page(stage, partner)
    (form,) = unfold(stage, page.prompts.folds[0]).findChildren(BlanksForm)
    stage.do(lambda: QTest.keyClicks(form.edits["cities"], "Ulm, Tokyo"))
    stage.do(lambda: QTest.keyClick(form.edits["day"], Qt.Key.Key_Return))
    assert partner.asked[-1] == ("server", "prompt", "time", "meeting", {"cities": "Ulm, Tokyo"})
    assert stage.window.page.composer.text == "Find an hour for Ulm and Tokyo."


def test_what_cannot_be_read_says_why_below_it(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    partner.server_error = "The server “time” is not ready; see why on its page."
    page = open_page(stage, partner)
    inside = unfold(stage, page.resources.folds[0])
    stage.do(inside.findChildren(BlanksForm)[0].button.click)
    stage.until(lambda: partner.server_error in texts(inside))


def test_a_server_that_is_gone_takes_its_page_along(stage: Stage, partner: FakePartner) -> None:
    partner.show_servers(full())
    open_page(stage, partner)
    stage.do(lambda: partner.show_servers(removed=("time",)))
    stage.until(lambda: stage.window.panel.abilities_tab.form is None)


# Adding one.


def open_form(stage: Stage, partner: FakePartner) -> AddServerForm:
    stage.open(partner)
    stage.do(lambda: stage.window.show_tab(1))
    stage.do(stage.window.panel.abilities_tab.server_wanted.emit)
    form = stage.window.panel.abilities_tab.form
    assert isinstance(form, AddServerForm)
    return form


def test_a_pasted_configuration_is_handed_over_as_it_is(stage: Stage, partner: FakePartner) -> None:
    form = open_form(stage, partner)
    text = '{"mcpServers": {"time": {"command": "uvx", "args": ["mcp-server-time"]}}}'
    stage.do(lambda: form.config.setPlainText(text))
    stage.do(form.save_button.click)
    assert partner.asked[-1] == ("server", "config", text, "", "allowed")
    stage.until(lambda: stage.window.panel.abilities_tab.form is None)


def test_a_command_line_becomes_a_configuration(stage: Stage, partner: FakePartner) -> None:
    form = open_form(stage, partner)
    stage.do(form.save_button.click)
    assert form.problem == "Paste a configuration, or type a command line."
    stage.do(lambda: QTest.keyClicks(form.command, 'uvx "mcp-server-time'))
    stage.do(form.save_button.click)
    assert form.problem == "A quote in the command line is not closed."
    stage.do(lambda: QTest.keyClicks(form.command, '"'))
    partner.server_error = "There is a server “time” already; choose another name."
    stage.do(form.save_button.click)
    stage.until(lambda: form.problem == partner.server_error)
    partner.server_error = ""
    stage.do(form.save_button.click)
    wanted = '{\n  "command": "uvx",\n  "args": [\n    "mcp-server-time"\n  ]\n}'
    assert partner.asked[-1] == ("server", "config", wanted, "mcp-server-time", "allowed")


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


def test_a_dropped_configuration_can_become_servers(
    stage: Stage, partner: FakePartner, tmp_path: Path
) -> None:
    stage.open(partner)
    file = tmp_path / "claude.json"
    file.write_text('{"mcpServers": {}}', encoding="utf-8")
    stage.do(lambda: stage.window.files_dropped.emit([file]))
    buttons = {each.text(): each for each in stage.window.findChildren(QPushButton)}
    stage.do(buttons["Add its servers"].click)
    stage.until(lambda: partner.asked)
    assert partner.asked == [("server", "config", '{"mcpServers": {}}', "claude")]


# Details of an ability.


class Opened(QObject):
    """Takes what would open elsewhere."""

    def __init__(self) -> None:
        super().__init__()
        self.urls: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.urls.append(url)


@pytest.fixture
def opened() -> Iterator[Opened]:
    one = Opened()
    QDesktopServices.setUrlHandler("file", one, "take")  # type: ignore[arg-type] # the stub says bytes
    yield one
    QDesktopServices.unsetUrlHandler("file")


def test_the_details_of_an_ability_tell_what_it_takes_and_where_it_lies(
    stage: Stage, partner: FakePartner
) -> None:
    one = lying(ability("count", "Count things"), "/home/user/partner/action/dynamic/count", script="run.py")
    partner.known_abilities = [one]
    stage.open(partner)
    stage.do(lambda: stage.window.show_tab(1))
    stage.until(lambda: "Count" in titles(stage))
    stage.do(lambda: stage.window.panel.abilities_tab.asked.emit("details", one))
    page = stage.window.panel.abilities_tab.form
    assert isinstance(page, AbilityPage)
    said = texts(page)
    for words in ("local::count", "It takes no parameters.", "count/run.py", "count/desc.json"):
        assert words in said
    stage.do(page.try_button.click)
    assert partner.asked[-1] == ("offer", "local::count", "c1", "Run Count")
    stage.do(page.back_button.click)
    assert stage.window.panel.abilities_tab.form is None
