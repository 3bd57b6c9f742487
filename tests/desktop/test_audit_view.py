"""The page of the audit log: newest first, a page at a time, narrowed, unfolded, exported."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from partner_desktop.desktop.audit.audit_controller import PAGE
from partner_desktop.desktop.audit.page import MOST, AuditPage
from partner_desktop.desktop.audit.words import AuditSheet
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.audit import AuditQuery
from partner_desktop.domain.events import DecisionEvent

from .moments import Moments
from .permission_samples import audit_entry, audit_story
from .stage import Stage
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

pytestmark = pytest.mark.integration

#: So many decisions of the person's.
MANY = """
WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
INSERT INTO audit (at, kind, action_id, action_key, outcome, scope, by_whom)
SELECT '2030-05-14T12:00:00+00:00', 'decision', 'a' || n, 'local::count_words', 'allow', 'once', 'person'
FROM number
"""
KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def language(stage: Stage) -> Iterator[Language]:
    """English at the start and again at the end."""
    app = QApplication.instance()
    assert app is not None
    one = Language(app)
    one.choose(LanguageChoice.ENGLISH)
    yield one
    one.choose(LanguageChoice.ENGLISH)


@pytest.fixture
def told(moments: Moments) -> Moments:
    """A Partner with a few days of a log."""
    moments.add_ability("count_words", "Count words")
    moments.add_audit(*audit_story(datetime.now(UTC)))
    return moments


def open_page(stage: Stage, moments: Moments, *, size: tuple[int, int] = (1280, 800)) -> AuditPage:
    """The page in view, with its first entries."""
    window = stage.open(moments, size=size)
    stage.do(window.audit_wanted.emit)
    page = stage.session.audit.page
    logged = moments.ask(moments.partner.audit.page(AuditQuery(), limit=1))
    stage.until(lambda: page.entries or not logged)
    return page


def titles(page: AuditPage) -> list[str]:
    """What the rows say, without the heads."""
    return [row.title for row in page.list.rows.rows if row.opens]


def heads(page: AuditPage) -> list[str]:
    return [row.title for row in page.list.rows.rows if not row.opens]


def press(stage: Stage, widget: QWidget, key: Qt.Key = Qt.Key.Key_Return) -> None:
    stage.do(lambda: QTest.keyClick(widget, key))


def choose(stage: Stage, page: AuditPage, what: str, value: str) -> None:
    """Choose a kind or an outcome by its words."""
    box = {"kind": page.filters.kind, "outcome": page.filters.outcome}[what]

    def act() -> None:
        box.setCurrentIndex(box.findText(value))
        box.activated.emit(box.currentIndex())

    stage.do(act)


def test_every_way_leads_to_the_page_and_back(stage: Stage, told: Moments) -> None:
    window = stage.open(told)

    def shown() -> bool:
        return isinstance(window.page.shown, AuditPage)

    ways: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyClick(window, Qt.Key.Key_L, KEYS),
        window.panel.actions_tab.audit_button.click,
        stage.session.permissions.page.audit_button.click,
    )
    for way in ways:
        stage.do(way)
        assert shown()
        stage.do(stage.session.audit.page.close_button.click)
        assert not shown()


def test_rows_say_in_plain_words_what_happened_newest_first(stage: Stage, told: Moments) -> None:
    page = open_page(stage, told)
    assert titles(page) == [
        "You allowed Count words, once",
        "Count words was cancelled",
        "Count words was allowed beforehand",
        "You turned down Convert",
        "A rule refused Execute",
        "Policy refused Tidy downloads",
        "List needed no question",
        "Count words failed",
        "Count words began again after a restart",
        "Count words began",
        "Your grant allowed Count words",
        "Count words succeeded",
        "Count words began",
        "You allowed Count words, always",
    ]
    row = next(row for row in page.list.rows.rows if row.title == "Policy refused Tidy downloads")
    (refused,) = told.ask(told.partner.audit.page(AuditQuery(action="tidy_downloads")))
    assert row.lines[0].text == "a path of this run holds Partner's own data · local::tidy_downloads"
    assert (row.lines[0].right, row.tag, row.tag_kind) == ("3fa9c2d1", "refused", "bad")
    assert row.before == f"{datetime.fromisoformat(refused.at).astimezone():%H:%M:%S}"
    assert len(heads(page)) >= 3, "each day has its head"


def test_what_another_part_wrote_is_shown_and_can_be_looked_for(stage: Stage, moments: Moments) -> None:
    moments.add_audit(audit_entry(1, kind="dry_run", outcome="too_long", by_whom="", scope=""))
    page = open_page(stage, moments)
    assert titles(page) == ["Count words · dry run · too long"]


def test_enter_unfolds_all_that_an_entry_says(stage: Stage, told: Moments) -> None:
    page = open_page(stage, told)
    stage.do(page.list.setFocus)
    press(stage, page.list)
    (newest,) = told.ask(told.partner.audit.page(AuditQuery(), limit=1))
    sheet = page.list.sheet_of(page.list.rows.rows[page.list.currentIndex().row()])
    assert isinstance(sheet, AuditSheet)
    assert sheet.isVisible()
    for part in (
        newest.action_key,
        newest.content_hash,
        newest.params_hash,
        newest.action_id,
        "you",
        "this once",
    ):
        assert part in sheet.text
    stage.do(sheet.copy.click)
    assert newest.params_hash in QApplication.clipboard().text()
    press(stage, page.list)
    assert page.list.sheet_of(page.list.rows.rows[page.list.currentIndex().row()]) is None


def test_a_filter_asks_for_what_fits_alone(stage: Stage, told: Moments) -> None:
    page = open_page(stage, told)
    choose(stage, page, "kind", "Results")
    stage.until(lambda: len(titles(page)) == 3)
    choose(stage, page, "outcome", "failed")
    stage.until(lambda: titles(page) == ["Count words failed"])
    choose(stage, page, "outcome", "refused")
    stage.until(lambda: not page.entries)
    assert "No entry fits" in page.nothing
    assert not page.export_button.isEnabled()
    choose(stage, page, "kind", "Every kind")
    stage.until(lambda: len(titles(page)) == 3)
    stage.do(lambda: QTest.keyClicks(page.filters.search, "SHELL"))
    stage.until(lambda: titles(page) == ["A rule refused Execute"])
    press(stage, page.filters.search, Qt.Key.Key_Escape)
    choose(stage, page, "outcome", "Every outcome")
    stage.do(page.filters.spans.buttons["week"].click)
    midnight = datetime.now().astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    since = page.filters.query().since
    assert since is not None
    assert abs(since - (midnight - timedelta(days=6))) <= timedelta(hours=1), (
        "whole days, whatever the clocks do"
    )
    found = told.ask(told.partner.audit.page(page.filters.query()))
    stage.until(lambda: [entry.position for entry in page.entries] == [one.position for one in found])


def test_a_hundred_thousand_entries_come_a_page_at_a_time_by_position(stage: Stage, moments: Moments) -> None:
    count = 100_000
    moments.write(MANY, count)
    page = open_page(stage, moments)
    stage.until(lambda: len(page.entries) >= PAGE)
    assert len(page.entries) <= 3 * PAGE, "what nobody has scrolled to is not read"
    bar = page.list.verticalScrollBar()
    before = len(page.entries)
    stage.do(lambda: bar.setValue(bar.maximum()))
    stage.until(lambda: len(page.entries) > before)
    positions = [entry.position for entry in page.entries]
    assert positions == list(range(count, count - len(positions), -1)), "none twice, none left out"
    most = [audit_entry(at) for at in range(positions[-1] - 1, count - MOST, -1)]
    stage.do(lambda: page.add_older(most, more=True))
    assert len(page.entries) == MOST
    assert "Narrow them down" in page.foot


def test_what_happens_meanwhile_comes_on_top_and_what_is_read_stays_in_view(
    stage: Stage, moments: Moments
) -> None:
    moments.add_audit(*(audit_entry(at) for at in range(1, 81)))
    page = open_page(stage, moments)
    bar = page.list.verticalScrollBar()
    stage.do(lambda: bar.setValue(900))
    seen = page.list.rows.rows[page.list.indexAt(page.list.viewport().rect().center()).row()].key
    moments.add_audit(audit_entry(81, outcome="deny"))
    decided = DecisionEvent(action_id="a81", outcome="deny", scope="once", by="person")
    stage.do(lambda: moments.deliver(decided))
    stage.until(lambda: titles(page)[0] == "You turned down Count words")
    assert page.list.rows.rows[page.list.indexAt(page.list.viewport().rect().center()).row()].key == seen
    assert len(heads(page)) == len({entry.at[:10] for entry in page.entries})


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_what_is_found_is_exported_and_a_sentence_says_where(
    stage: Stage, told: Moments, tmp_path: Path, ending: str
) -> None:
    page = open_page(stage, told)
    choose(stage, page, "outcome", "failed")
    stage.until(lambda: len(titles(page)) == 1)
    press(stage, page.export_button)
    (dialog,) = stage.window.findChildren(QFileDialog)
    target = tmp_path / f"log.{ending}"
    stage.do(lambda: dialog.fileSelected.emit(str(target)))
    stage.do(dialog.close)
    assert "failed" in target.read_text(encoding="utf-8")
    assert "cancelled" not in target.read_text(encoding="utf-8")
    assert stage.window.page.toasts.toasts[-1].notice.words() == f"Wrote 1 entry to {target}."


def test_a_log_that_cannot_be_read_is_told_on_the_page(stage: Stage, told: Moments) -> None:
    window = stage.open(told)
    told.write("ALTER TABLE audit RENAME TO elsewhere")
    stage.do(window.audit_wanted.emit)
    page = stage.session.audit.page
    stage.until(lambda: page.fault)
    assert "audit" in page.fault


def test_letters_typed_on_the_list_are_looked_for(stage: Stage, told: Moments) -> None:
    page = open_page(stage, told)
    stage.do(page.list.setFocus)
    stage.do(lambda: QTest.keyClicks(page.list, "z"))
    assert stage.window.focusWidget() is page.filters.search
    stage.until(lambda: titles(page) == ["You turned down Convert"])


def test_every_control_has_a_name(stage: Stage, told: Moments) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.act(page.list.rows.index(1)))
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless


def test_the_page_follows_the_language(stage: Stage, told: Moments, language: Language) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.act(page.list.rows.index(1)))
    stage.do(lambda: language.choose(LanguageChoice.CHINESE))
    given = (
        "Count words",
        "Convert",
        "Execute",
        "Tidy downloads",
        "List",
        "local::",
        "count_words",
        "shell::execute",
        "builtin::file::list",
        "zone::convert",
        "tidy_downloads",
        "nothing that deletes",
        "sandboxed",
        "no network",
        "--approve all",
        "Partner",
        "fa9c2d1",
        "aa00ff",
        "JSON",
    )
    left = []
    for words in left_in_english(cast("MainWindow", page)):
        said = words.partition(": ")[2]
        for one in given:
            said = said.replace(one, "")
        if any(part.isascii() and part.isalpha() and len(part) > 1 for part in said.split()):
            left.append(words)
    assert left == []


@pytest.mark.parametrize("zoom", [1.0, 2.0])
@pytest.mark.parametrize("choice", [LanguageChoice.ENGLISH, LanguageChoice.CHINESE])
def test_nothing_of_it_is_cut(
    stage: Stage, told: Moments, language: Language, zoom: float, choice: LanguageChoice
) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.act(page.list.rows.index(1)))
    stage.do(lambda: language.choose(choice))
    stage.do(lambda: stage.theme.set_zoom(zoom))
    for size in ((1280, 800), (900, 600), (480, 600)):
        stage.window.resize(*size)
        stage.settle()
        assert cut(stage.window) == []
