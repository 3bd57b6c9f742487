"""The one list of the window, by itself: what its rows say, what keys and the mouse do, how many it bears."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QVBoxLayout

from partner_desktop.desktop.rows.placed_view import RowSheet
from partner_desktop.desktop.rows.row_list import RowList
from partner_desktop.desktop.rows.row_painter import RowLook
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb, head_row
from partner_desktop.desktop.theme.theme import Theme

NAMES = ("ant", "bee", "cat")


class Under(RowSheet[str]):
    """What stands below an open row."""

    def __init__(self, row: RowSpec[str]) -> None:
        super().__init__()
        self.label = QLabel(row.about)
        QVBoxLayout(self).addWidget(self.label)

    def show_row(self, row: RowSpec[str]) -> None:
        self.label.setText(row.about)


def animal(name: str, **facts: object) -> RowSpec[str]:
    line = RowLine(f"about the {name}")
    return RowSpec(name, name.title(), name, lines=(line,), **facts)  # type: ignore[arg-type] # a test's own


def verbs(row: RowSpec[str]) -> Iterator[RowVerb]:
    yield RowVerb("feed", "Feed")
    yield RowVerb("drop", "Drop", key="Del", parted=True)


class Zoo:
    """A list in view, and what was heard of it."""

    def __init__(self, theme: Theme) -> None:
        self.list: RowList[str] = RowList(
            theme, "Animals", look=RowLook(dots="always"), verbs=verbs, sheet=Under
        )
        self.heard: list[tuple[str, str]] = []
        self.list.chosen.connect(lambda row: self.heard.append(("chosen", row.key)))
        self.list.asked.connect(lambda verb, row: self.heard.append((verb, row.key)))
        self.list.fold_wanted.connect(lambda row, folded: self.heard.append((f"fold {folded}", row.key)))
        self.list.renamed.connect(lambda key, title: self.heard.append((title, key)))
        self.list.resize(300, 400)
        self.list.show()
        self.list.setFocus()

    def show(self, *rows: RowSpec[str]) -> None:
        self.list.show_rows(rows)

    def key(self, *keys: Qt.Key) -> None:
        for key in keys:
            QTest.keyClick(self.list, key)

    def click(self, place: QPoint) -> None:
        QTest.mouseClick(
            self.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place
        )


@pytest.fixture
def zoo(theme: Theme) -> Iterator[Zoo]:
    one = Zoo(theme)
    yield one
    one.list.close()


def test_the_keyboard_passes_over_heads_and_notes(zoo: Zoo) -> None:
    zoo.show(
        head_row("h", "Small", ""), animal("ant"), RowSpec("n", "and more", "", kind="note"), animal("bee")
    )
    zoo.key(Qt.Key.Key_Home)
    assert zoo.list.marked == "ant"
    zoo.key(Qt.Key.Key_Down)
    assert zoo.list.marked == "bee"
    zoo.key(Qt.Key.Key_Up, Qt.Key.Key_Up)
    assert zoo.list.marked == "ant"
    zoo.key(Qt.Key.Key_Return, Qt.Key.Key_End, Qt.Key.Key_Space)
    assert zoo.heard == [("chosen", "ant"), ("chosen", "bee")]


def test_letters_lead_to_a_row_that_begins_with_them_unless_they_are_for_a_search(zoo: Zoo) -> None:
    typed: list[str] = []
    zoo.list.typed.connect(typed.append)
    zoo.show(*map(animal, NAMES))
    zoo.key(Qt.Key.Key_C)
    assert zoo.list.marked == "cat"
    zoo.list.seeks = True
    zoo.key(Qt.Key.Key_B)
    assert (typed, zoo.list.marked) == (["b"], "cat")


def test_a_verb_is_asked_for_by_the_menu_by_its_key_by_a_switch_and_by_a_link(zoo: Zoo) -> None:
    zoo.show(animal("ant", on=True), animal("bee", link=RowVerb("stop", "Stop")))
    zoo.key(Qt.Key.Key_Home, Qt.Key.Key_Delete, Qt.Key.Key_Space)
    zoo.click(zoo.list.parts_of("ant").switch.center())
    zoo.click(zoo.list.parts_of("bee").link.center())
    zoo.click(zoo.list.parts_of("ant").dots.center())
    words = [action.text() for action in zoo.list.menu.actions() if not action.isSeparator()]
    assert words == ["Feed", "Drop\tDel"]
    zoo.list.menu.actions()[0].trigger()
    zoo.list.menu.close()
    assert zoo.heard == [
        *(("drop", "ant"), ("switch", "ant"), ("switch", "ant"), ("stop", "bee"), ("feed", "ant"))
    ]


def test_a_link_of_a_head_is_reached_by_the_keyboard(zoo: Zoo) -> None:
    zoo.show(head_row("h", "All", "", link=RowVerb("pause", "Pause all")), animal("ant"))
    zoo.key(Qt.Key.Key_Home, Qt.Key.Key_Return)
    assert zoo.heard == [("pause", "h")]


def test_left_on_an_inner_row_goes_to_its_outer_one_and_then_folds_it(zoo: Zoo) -> None:
    zoo.show(animal("ant", folded=False), animal("bee", inner=True), animal("cat", inner=True))
    zoo.key(Qt.Key.Key_End, Qt.Key.Key_Left)
    assert zoo.list.marked == "ant"
    zoo.key(Qt.Key.Key_Left, Qt.Key.Key_Right)
    assert zoo.heard == [("fold True", "ant"), ("fold False", "ant")]


def test_what_is_open_and_marked_stays_so_among_other_rows(zoo: Zoo) -> None:
    zoo.show(*(animal(name, opens=True) for name in NAMES))
    zoo.key(Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Right)
    (sheet,) = zoo.list.findChildren(Under)
    closed, opened = zoo.list.parts_of("ant"), zoo.list.visualRect(zoo.list.rows.index_of("bee"))
    assert sheet.isVisible()
    assert opened.height() > closed.card.height() + sheet.height()
    changed = RowSpec("bee", "Bee", "a wasp", opens=True)
    zoo.show(animal("asp", opens=True), animal("ant", opens=True), changed)
    assert (zoo.list.marked, zoo.list.is_open("bee"), sheet.label.text()) == ("bee", True, "a wasp")
    zoo.key(Qt.Key.Key_Left)
    assert not zoo.list.is_open("bee")


def test_a_title_is_written_anew_in_its_place(zoo: Zoo) -> None:
    zoo.show(*map(animal, NAMES))
    for last, heard in ((Qt.Key.Key_Escape, []), (Qt.Key.Key_Return, [("A wasp", "bee")])):
        zoo.list.rename("bee")
        editor = QApplication.focusWidget()
        assert isinstance(editor, QLineEdit)
        assert editor.text() == "Bee"
        editor.insert("A wasp")
        QTest.keyClick(editor, last)
        assert zoo.heard == heard
        assert zoo.list.hasFocus()


def test_a_row_says_all_of_itself_to_those_who_cannot_see_it(zoo: Zoo) -> None:
    zoo.show(animal("ant", tag="new", moment="10:42", before="1"), animal("bee", spoken="a bee"))
    said = [str(zoo.list.rows.index(at).data(Qt.ItemDataRole.AccessibleTextRole)) for at in range(2)]
    assert said == ["1, Ant, new, 10:42, about the ant", "a bee"]
    assert zoo.list.accessibleName() == "Animals"


def test_words_that_do_not_fit_take_more_lines_and_no_more_than_they_may(zoo: Zoo) -> None:
    def high(words: str, most: int) -> int:
        zoo.show(RowSpec("x", "X", "", lines=(RowLine(words, most=most),)))
        return zoo.list.visualRect(zoo.list.rows.index(0)).height()

    one, two, many = high("short", 5), high("long " * 12, 5), high("long " * 200, 5)
    assert one < two < many
    assert high("long " * 2_000, 5) == many


def test_of_ten_thousand_rows_only_what_is_seen_costs_anything(zoo: Zoo) -> None:
    older: list[None] = []
    zoo.list.older_wanted.connect(lambda: older.append(None))
    rows = [animal(f"a{number}", opens=True) for number in range(10_000)]
    zoo.show(*rows)
    zoo.key(Qt.Key.Key_End)
    assert zoo.list.marked == "a9999"
    last = zoo.list.visualRect(zoo.list.rows.index_of("a9999"))
    assert zoo.list.viewport().rect().intersects(last)
    assert older, "near the end more are asked for"
    assert zoo.list.findChildren(Under) == []
    heard: list[str] = []
    zoo.list.rows.rowsInserted.connect(lambda *_: heard.append("in"))
    zoo.list.rows.modelReset.connect(lambda: heard.append("reset"))
    zoo.show(*rows[:5_000], animal("new"), *rows[5_000:])
    assert heard == ["in"], "what changed is all that is told"


@pytest.mark.parametrize("width", [90, 232, 900])
def test_whatever_a_row_holds_keeps_its_place_at_any_width(zoo: Zoo, width: int) -> None:
    long = "整理🎉 " * 40
    zoo.show(
        head_row("h", long, "", moment="12", link=RowVerb("all", "Pause all")),
        RowSpec(
            *("x", long, ""),
            tag="last good version works",
            moment="10:42",
            before="10:42:00",
            dot="good",
            on=True,
            folded=True,
            opens=True,
            link=RowVerb("stop", "Cancel"),
            lines=(RowLine(long, "right"), RowLine(long, most=3, marks=((0, 4),))),
            share=0.4,
        ),
    )
    zoo.list.resize(width, 300)
    assert not zoo.list.grab().isNull()
    parts = zoo.list.parts_of("x")
    assert parts.dots.right() <= parts.card.right()
    assert all(
        above.bottom() < below.top() for above, below in zip(parts.lines, parts.lines[1:], strict=False)
    )
