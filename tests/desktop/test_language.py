"""Both languages, switched while the window runs: every text follows, and what the person has stays."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from partner_desktop.base.errors import UsageError
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.message_actions import TakeSwitch
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.chat.suggestions import Welcome
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.desktop.runs.pictures import ask_about_link
from partner_desktop.desktop.session.takes_controller import again_button
from partner_desktop.desktop.sidebar.status import StatusState
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.window_memory import FILE_NAME, WindowMemory
from partner_desktop.desktop.wording import bind_text, in_every_language, retranslate_others
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.events import ConversationEvent, DecisionEvent, NoticeEvent, ReplyEvent
from partner_desktop.domain.message import Conversation, Fork, Role
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.run_facts import Risk
from tests.support import REPOSITORY

from .chat import Chat
from .moments import Moments
from .samples import NOON, OPEN, ability, broken_ability
from .server_samples import failed, full, question, zone_tools
from .stage import Stage
from .walk import texts

pytestmark = pytest.mark.integration

#: What is the person's own, or a name, or stands on a key: the same in every language.
SAME = (
    *("Partner", "English", "JSON Schema", "JSON", "GGUF", "HTTP", "MCP", "dynamic", "tmp"),
    *(
        "Ctrl",
        "Shift",
        "Alt",
        "Up",
        "Down",
        "Left",
        "Right",
        "Home",
        "End",
        "Enter",
        "Return",
        "Esc",
        "Del",
        "F1",
        "F2",
        "F9",
        "Space",
    ),
    *("Tidy up my downloads", "tidy up my downloads", "Trip to Ulm", "half a thought", "hello from outside"),
    *("A reply in English", "It was denied.", "No such folder.", "x = 1", "Tea", "It has boiled."),
    *("https://example.org/page", "example.org", "/home/user/partner/action", "resize.py", "typed by me"),
)
#: What comes from abilities and their records, in whatever language they were written.
DATA = (
    *("Count types", "Count how often each file type occurs in a folder", "count the types in my downloads"),
    *("/home/user/Downloads", "/home/user/partner/action/dynamic/count_types.py", "local::count_types"),
    *("the folder to look through", "how deep to go", "count hidden files too", "how to sort"),
    *(
        "names to leave out",
        "the heading of the result",
        "Folder",
        "Depth",
        "Hidden",
        "Order",
        "Skip",
        "Title",
    ),
    *("folder", "count", "name", ".git", "node_modules", "python3", "5f1d7a3b9c2e4d6f", "print('hello')"),
    *(
        "local::weather",
        "/home/user/partner/action/dynamic/weather.py",
        "weather",
        "builtin::now",
        "Now",
        "now",
    ),
    *("The parameter “city” has no description; add one to [params.city].", "Say what time it is"),
    *("say what time it is", "said on stdout", "said on stderr", "/home/user/out.txt", "origin::note"),
    *("travel", "Who travels, and how?", "Your e-mail", "for the ticket", "Seats", "At the window", "Class"),
    *("First", "Second", "Extras", "A bike", "A dog", "ann@example.org", "time://zones", "text/plain"),
    *("convert_time", "get_current_time", "Get the current time in a time zone", "Convert time", "Zones"),
    *("Convert a time from one zone to another", "Get current time", "Every time zone that I know"),
    *("The name of a time zone, such as Europe/Berlin", "timezone", "format", "offset", "hours to add"),
    *("short", "long", "One zone", "What I know of a zone", "Plan a meeting", "cities", "where people are"),
    *("Finds an hour that suits everybody", "day", "/usr/bin/uvx mcp-server-time", "mcp-server-time 1.26.0"),
    *(
        "convert time",
        "get current time",
        "The server “weather” ended before it answered; see its last lines.",
    ),
    *("/usr/bin/uvx mcp-server-weather", "Secret Service"),
    *("Ask me for the time anywhere.", "/home/user/partner/action/mcp/time.json", "time"),
    *("Append a line", "append a line", "Note", "note", "py"),
)


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


def left_in_english(window: MainWindow) -> list[str]:
    """Texts in which words remain that are nobody's own."""
    same = re.compile("|".join(re.escape(each) for each in sorted({*SAME, *DATA}, key=len, reverse=True)))
    return [
        f"{where}: {text}" for where, text in texts(window) if re.search("[A-Za-z]{2,}", same.sub("", text))
    ]


def fill(stage: Stage, chat: Chat) -> MainWindow:
    """A window in which nearly everything there is stands at once."""
    window = chat.open()
    tab = window.panel.abilities_tab
    tab.show_folder(Path("/home/user/partner/action"))
    known = [
        ability("now", "Say what time it is", route=Route.BUILTIN),
        ability("note", "Append a line", route=Route.ORIGIN),
        broken_ability(),
        *zone_tools(),
    ]
    stage.do(lambda: stage.session.store.abilities.take(known))
    stage.do(lambda: stage.session.store.servers.take((full(), failed(needs=("NOTE",)))))
    state = StatusState(started=True, finding="ready", abilities=4, broken=1, servers=1, failed_servers=1)
    stage.do(lambda: window.sidebar.status.show_state(state))
    for number, (title, days_ago) in enumerate((("Trip to Ulm", 1), ("", 5)), start=2):
        moment = NOON - timedelta(days=days_ago)
        other = Conversation(f"c{number}", title, moment, moment)
        stage.do(lambda one=other: chat.deliver(ConversationEvent(conversation_id=one.id, conversation=one)))  # type: ignore[misc] # bound early
    code = "A reply in English\n\n```py\nx = 1\n```\n\n```\nx = 1\n```"
    stage.do(lambda: chat.add_message(Role.PARTNER, code))
    said, reply = window.page.feed.entry("m1"), window.page.feed.entry("m2")
    assert said is not None
    assert reply is not None
    assert isinstance(said.widget, Bubble)
    assert isinstance(reply.widget, ReplyView)
    said.widget.set_foot(TakeSwitch(stage.theme, Fork(("t1", "t2"), 1, "m1")))
    reply.widget.add_to_foot(again_button(asks=False))
    stage.do(lambda: window.page.go_to_message(-1))
    stage.do(lambda: stage.session.takes.edit("m1"))
    stage.do(lambda: chat.deliver(NoticeEvent(title="Tea", text="It has boiled.", level="error")))
    stage.do(lambda: window.notices.unexpected(ValueError()))
    stage.do(lambda: window.files_dropped.emit([Path("/home/user/resize.py")]))
    stage.do(lambda: ask_about_link(window.page, "https://example.org/page"))
    cards(stage, chat)
    stage.do(window.toggle_keys)
    stage.do(window.sidebar.status.appearance_button.click)
    stage.do(lambda: window.drop_sign.show_over(window.page))
    page = ServerPage(full(), stage.theme, tab.now, stage.clock)
    page.show_server(full(), zone_tools())
    page.secrets.show_place("in the system keyring (Secret Service)")
    stage.do(lambda: tab.show_form(page))
    for offers in (page.tools, page.resources, page.prompts):
        stage.do(offers.folds[0].toggle)
    stage.do(page.show_log)
    return window


def cards(stage: Stage, chat: Chat) -> None:
    """A card in every state, with its details open."""
    stage.propose(chat)
    stage.propose(chat, "a2", isolation=OPEN, risk=Risk.SYSTEM, grantable=False)
    ends: dict[ActionStatus, dict[str, object]] = {
        ActionStatus.RUNNING: {},
        ActionStatus.ASKING: {},
        ActionStatus.REJECTED: {},
        ActionStatus.CANCELLED: {},
        ActionStatus.INTERRUPTED: {},
        ActionStatus.EXPIRED: {"error": "No such folder."},
        ActionStatus.FAILED: {"error": "No such folder.", "stderr": "said on stderr\n" * 30, "exit_code": 1},
        ActionStatus.SUCCEEDED: {
            "stdout": "said on stdout",
            "truncated": True,
            "stdout_path": "/home/user/out.txt",
        },
    }
    for number, (status, facts) in enumerate(ends.items(), start=3):
        key = f"a{number}"
        stage.propose(chat, key)
        stage.do(lambda key=key, status=status, facts=facts: chat.change(key, status, **facts))  # type: ignore[misc] # bound early
    allowed = DecisionEvent(
        conversation_id="c1", action_id="a3", outcome="allow", scope="once", by="grant", reason=""
    )
    stage.do(lambda: chat.deliver(allowed))
    asking = stage.card("a3")
    stage.do(lambda: asking.ask(question(action_id="a3")))
    for key in ("a1", "a2", "a9"):
        card = stage.window.page.feed.card(key)
        assert card is not None
        stage.do(card.toggle_details)


#: Said of a card until all of it was in view: words of another length bring more or less of it there.
_WHY = "Scroll through the whole card first: not all of it was in view."
UNSEEN = {
    (f"{kind}.{part}", _WHY)
    for kind in ("GuardedButton", "ScopeButton", "WrappedLabel")
    for part in ("text", "toolTip")
}


@pytest.mark.promise("desktop.theme")
def test_every_text_follows_the_language_and_comes_back(stage: Stage, chat: Chat, language: Language) -> None:
    window = fill(stage, chat)
    before = sorted(set(texts(window)) - UNSEEN)
    assert len(before) > 150
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    assert left_in_english(window) == []
    assert "等你决定" in {text for _, text in texts(window)}
    stage.do(lambda: language.choose(LanguageChoice.ENGLISH))
    after = set(texts(window)) - UNSEEN
    assert (after - set(before), set(before) - after) == (set(), set())


def test_an_error_is_told_in_the_language_of_the_window(language: Language) -> None:
    error = UsageError("message.empty")
    language.choose(LanguageChoice.CHINESE)
    assert str(error) == "这条消息里什么都没有。"
    language.choose(LanguageChoice.ENGLISH)
    assert str(error) == "There is nothing in this message."


def test_what_was_typed_stays_when_the_language_changes(stage: Stage, chat: Chat, language: Language) -> None:
    window = chat.open()
    stage.do(lambda: window.page.composer.set_text("half a thought"))
    card = stage.propose(chat)
    field = next(each for each in card.findChildren(QLineEdit) if each.accessibleName() == "Title")
    stage.do(lambda: QTest.keyClicks(field, "typed by me"))
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    stage.let_listen(card)
    assert window.page.composer.text == "half a thought"
    assert card.foot is not None
    assert card.foot.buttons["once"].text() == "允许一次"
    stage.do(card.foot.buttons["once"].click)
    ((_, _, _, params),) = chat.sent
    assert isinstance(params, dict)
    assert params["title"] == "typed by me"


def test_a_reply_that_streams_is_not_disturbed(stage: Stage, moments: Moments, language: Language) -> None:
    window = stage.open(moments)
    stage.do(lambda: moments.stream("c1", "r1", ["one ", "two "], done=False))
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    last = ReplyEvent(
        conversation_id="c1", reply_id="r1", seq=2, content="", done=True, text="one two ", stopped=True
    )
    stage.do(lambda: moments.deliver(last))
    view = window.page.feed.reply("r1")
    assert view.text == "one two "
    assert view.note == "你停止了这条回复。"


def test_the_sheet_switches_and_the_window_remembers(
    stage: Stage, moments: Moments, language: Language, tmp_path: Path
) -> None:
    window = stage.open(moments, memory=WindowMemory(tmp_path))
    stage.do(window.sidebar.status.appearance_button.click)
    sheet = window.appearance
    stage.do(sheet.languages.buttons["zh_CN"].click)
    assert window.language.name == "zh_CN"
    assert window.page.composer.send_button.text() == "发送"
    stage.do(window.close)
    window.language.choose(LanguageChoice.ENGLISH)
    WindowMemory(tmp_path).restore_language(language)
    assert language.choice is LanguageChoice.CHINESE


def test_a_language_that_is_not_known_is_as_good_as_none(language: Language, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("[General]\nlanguage=klingon\n", encoding="utf-8")
    WindowMemory(tmp_path).restore_language(language)
    assert language.choice is LanguageChoice.SYSTEM


@pytest.mark.parametrize(
    ("locale", "spoken"), [("zh_CN.UTF-8", "zh_CN"), ("zh_TW.UTF-8", "zh_CN"), ("de_DE.UTF-8", "en")]
)
def test_the_system_decides_where_nothing_was_chosen(locale: str, spoken: str) -> None:
    code = "from partner_desktop.desktop.language import system_language; print(system_language())"
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))}
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=kept | {"PYTHONPATH": str(REPOSITORY), "LC_ALL": locale, "LANG": locale},
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )
    assert ended.stdout.strip() == spoken


def test_a_subclass_says_what_its_base_class_says(language: Language) -> None:
    class Special(Welcome):
        pass

    language.choose(LanguageChoice.CHINESE)
    assert Special().tr("Try one of these:") == "可以试试："


def test_words_end_with_their_owner() -> None:
    heard: list[str] = []
    owner, other = QObject(), QObject()
    bind_text(owner, heard.append, lambda: "said")
    in_every_language(other, lambda: heard.append("other"))
    owner.deleteLater()
    QApplication.sendPostedEvents(owner, QEvent.Type.DeferredDelete)
    retranslate_others()
    assert heard == ["said", "other"]
