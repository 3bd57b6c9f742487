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

from partner_desktop.desktop.audit.desk import PAGE
from partner_desktop.desktop.audit.page import MOST, AuditPage
from partner_desktop.desktop.audit.paint import AuditSheet
from partner_desktop.desktop.language import Language, LanguageChoice
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.audit import AuditEntry, AuditQuery
from partner_desktop.domain.events import DecisionEvent

from .fake_partner import FakePartner
from .fake_permissions import audit_entry, audit_story
from .samples import ability
from .stage import Stage
from .test_fit import cut
from .test_language import left_in_english
from .test_names import controls

pytestmark = pytest.mark.integration

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
def told(partner: FakePartner) -> FakePartner:
    """A Partner with a few days of a log."""
    partner.known_audit = audit_story(datetime.now(UTC))
    partner.known_abilities = [ability("count_words", "Count words")]
    return partner


def open_page(stage: Stage, partner: FakePartner, *, size: tuple[int, int] = (1280, 800)) -> AuditPage:
    """The page in view, with its first entries."""
    window = stage.open(partner, size=size)
    stage.do(window.audit_wanted.emit)
    page = stage.session.later.audit.page
    stage.until(lambda: page.entries or not partner.known_audit)
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


def test_every_way_leads_to_the_page_and_back(stage: Stage, told: FakePartner) -> None:
    window = stage.open(told)

    def shown() -> bool:
        return isinstance(window.page.shown, AuditPage)

    ways: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyClick(window, Qt.Key.Key_L, KEYS),
        window.panel.actions_tab.audit_button.click,
        stage.session.later.permissions.page.audit_button.click,
    )
    for way in ways:
        stage.do(way)
        assert shown()
        stage.do(stage.session.later.audit.page.close_button.click)
        assert not shown()


def test_rows_say_in_plain_words_what_happened_newest_first(stage: Stage, told: FakePartner) -> None:
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
    assert row.more == "a path of this run holds Partner's own data · local::tidy_downloads"
    assert (row.version, row.tag, row.tag_kind) == ("3fa9c2d1", "refused", "bad")
    assert row.time == f"{datetime.fromisoformat(told.known_audit[8].at).astimezone():%H:%M:%S}"
    assert len(heads(page)) >= 3, "each day has its head"


def test_what_another_part_wrote_is_shown_and_can_be_looked_for(stage: Stage, partner: FakePartner) -> None:
    partner.known_audit = [audit_entry(1, kind="dry_run", outcome="too_long", by_whom="", scope="")]
    page = open_page(stage, partner)
    assert titles(page) == ["Count words · dry run · too long"]


def test_enter_unfolds_all_that_an_entry_says(stage: Stage, told: FakePartner) -> None:
    page = open_page(stage, told)
    stage.do(page.list.setFocus)
    press(stage, page.list)
    newest = told.known_audit[-1]
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


def test_a_filter_asks_for_what_fits_alone(stage: Stage, told: FakePartner) -> None:
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
    assert ("audit_page", page.filters.query(), None, PAGE) in told.asked


def test_a_hundred_thousand_entries_come_a_page_at_a_time_by_position(stage: Stage) -> None:
    count = 100_000
    pages: list[int | None] = []

    class Endless(FakePartner):
        async def audit_page(
            self, query: AuditQuery, *, before: int | None = None, limit: int = 100
        ) -> list[AuditEntry]:
            del query
            pages.append(before)
            top = count if before is None else before - 1
            return [audit_entry(at) for at in range(top, max(0, top - limit), -1)]

    page = open_page(stage, Endless())
    stage.until(lambda: len(page.entries) >= PAGE)
    assert len(page.entries) <= 3 * PAGE, "what nobody has scrolled to is not read"
    bar = page.list.verticalScrollBar()
    before = len(page.entries)
    stage.do(lambda: bar.setValue(bar.maximum()))
    stage.until(lambda: len(page.entries) > before)
    positions = [entry.position for entry in page.entries]
    assert positions == list(range(count, count - len(positions), -1)), "none twice, none left out"
    assert pages[:2] == [None, count - PAGE + 1]
    most = [audit_entry(at) for at in range(positions[-1] - 1, count - MOST, -1)]
    stage.do(lambda: page.add_older(most, more=True))
    assert len(page.entries) == MOST
    assert "Narrow them down" in page.foot


def test_what_happens_meanwhile_comes_on_top_and_what_is_read_stays_in_view(
    stage: Stage, partner: FakePartner
) -> None:
    partner.known_audit = [audit_entry(at) for at in range(1, 81)]
    page = open_page(stage, partner)
    bar = page.list.verticalScrollBar()
    stage.do(lambda: bar.setValue(900))
    seen = page.list.rows.rows[page.list.indexAt(page.list.viewport().rect().center()).row()].key
    partner.known_audit = [*partner.known_audit, audit_entry(81, outcome="deny")]
    decided = DecisionEvent(action_id="a81", outcome="deny", scope="once", by="person")
    stage.do(lambda: partner.deliver(decided))
    stage.until(lambda: titles(page)[0] == "You turned down Count words")
    assert page.list.rows.rows[page.list.indexAt(page.list.viewport().rect().center()).row()].key == seen
    assert len(heads(page)) == len({entry.at[:10] for entry in page.entries})


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_what_is_found_is_exported_and_a_sentence_says_where(
    stage: Stage, told: FakePartner, tmp_path: Path, ending: str
) -> None:
    page = open_page(stage, told)
    choose(stage, page, "outcome", "failed")
    stage.until(lambda: len(titles(page)) == 1)
    press(stage, page.export_button)
    (dialog,) = stage.window.findChildren(QFileDialog)
    target = tmp_path / f"log.{ending}"
    stage.do(lambda: dialog.fileSelected.emit(str(target)))
    stage.do(dialog.close)
    assert told.asked[-1] == ("export_audit", AuditQuery(outcome="failed"), target, None, True)
    assert stage.window.page.toasts.toasts[-1].notice.words() == f"Wrote 1 entry to {target}."


def test_a_log_that_cannot_be_read_is_told_on_the_page(stage: Stage, told: FakePartner) -> None:
    told.audit_error = "The disk has no room left."
    window = stage.open(told)
    stage.do(window.audit_wanted.emit)
    page = stage.session.later.audit.page
    stage.until(lambda: page.fault)
    assert page.fault == "The disk has no room left."


def test_letters_typed_on_the_list_are_looked_for(stage: Stage, told: FakePartner) -> None:
    page = open_page(stage, told)
    stage.do(page.list.setFocus)
    stage.do(lambda: QTest.keyClicks(page.list, "z"))
    assert stage.window.focusWidget() is page.filters.search
    stage.until(lambda: titles(page) == ["You turned down Convert"])


def test_every_control_has_a_name(stage: Stage, told: FakePartner) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.toggle(page.list.rows.index(1)))
    nameless = [repr(widget) for widget in controls(page) if not widget.accessibleName().strip()]
    assert not nameless


def test_the_page_follows_the_language(stage: Stage, told: FakePartner, language: Language) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.toggle(page.list.rows.index(1)))
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
    stage: Stage, told: FakePartner, language: Language, zoom: float, choice: LanguageChoice
) -> None:
    page = open_page(stage, told)
    stage.do(lambda: page.list.toggle(page.list.rows.index(1)))
    stage.do(lambda: language.choose(choice))
    stage.do(lambda: stage.theme.set_zoom(zoom))
    for size in ((1280, 800), (900, 600), (480, 600)):
        stage.window.resize(*size)
        stage.settle()
        assert cut(stage.window) == []
