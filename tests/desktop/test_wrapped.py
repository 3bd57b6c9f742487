"""Words in lines: a word that fits a line stays whole, and no word is cut."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QLabel

from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.parts.controls import text_label
from partner_desktop.desktop.parts.wrapped import PathSentence, WrappedLabel
from partner_desktop.desktop.theme.theme import Theme

from .stage import Stage

_SENTENCE = "Partner asks you first, with everything that it would do, before an ability changes anything."
_LONG_WORD = "Rechtsschutzversicherungsgesellschaften_ohne_ein_einziges_Leerzeichen_" * 3


def wrapped(text: str) -> WrappedLabel:
    label = text_label(text, wrap=True)
    assert isinstance(label, WrappedLabel)
    return label


def inked(image: QImage) -> list[tuple[int, int]]:
    """Where there is something on the white ground."""
    white = QColor("white").rgb()
    return [(x, y) for y in range(image.height()) for x in range(image.width()) if image.pixel(x, y) != white]


def picture(label: QLabel, width: int, height: int) -> QImage:
    label.resize(width, height)
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    label.render(image)
    return image


def test_a_sentence_never_breaks_within_a_word_that_fits_the_line(theme: Theme) -> None:
    label = wrapped(_SENTENCE)
    longest = max(label.fontMetrics().horizontalAdvance(word) for word in _SENTENCE.split())
    for width in range(longest + 2, 600, 7):
        words = " ".join(label.lines(width)).split()
        assert words == _SENTENCE.split(), width


def test_a_word_that_is_longer_than_the_line_is_broken(theme: Theme) -> None:
    label = wrapped(f"see {_LONG_WORD}")
    lines = label.lines(200)
    assert "".join(lines).replace(" ", "") == f"see{_LONG_WORD}"
    assert all(label.fontMetrics().horizontalAdvance(line.strip()) <= 200 for line in lines)


def test_the_height_is_that_of_the_lines(theme: Theme) -> None:
    label = wrapped(f"one\ntwo\n{_SENTENCE}")
    assert label.lines(2000)[0].strip("\u2028") == "one"
    assert len(label.lines(2000)) == 3
    for width in (120, 300, 2000):
        least = len(label.lines(width)) * label.fontMetrics().height()
        assert least - 1 <= label.heightForWidth(width) <= least + len(label.lines(width))


@pytest.mark.parametrize("selectable", [False, True])
def test_a_long_word_is_drawn_whole_whether_it_can_be_marked_or_not(theme: Theme, selectable: bool) -> None:
    label = text_label(_LONG_WORD, wrap=True, selectable=selectable)
    height = label.heightForWidth(200)
    assert height > 3 * label.fontMetrics().height()
    ink = inked(picture(label, 200, height))
    wide = text_label(_LONG_WORD, selectable=selectable)
    all_ink = inked(picture(wide, wide.sizeHint().width(), wide.sizeHint().height()))
    assert len(ink) > 0.9 * len(all_ink)
    assert max(y for _, y in ink) > height - label.fontMetrics().height()


def test_two_toasts_at_once_both_show_their_words_and_their_buttons(stage: Stage) -> None:
    window = stage.open()
    undo = NoticeAction("Undo", lambda: None, undoes=True)

    def post() -> None:
        window.notices.tell("The first is deleted", action=undo)
        window.notices.tell("The second is deleted", _LONG_WORD, action=undo)

    stage.do(post)
    toasts = window.page.toasts.toasts
    assert len(toasts) == 2
    for toast in toasts:
        assert toast.height() >= toast.heightForWidth(toast.width())
        assert toast.height() >= toast.minimumSizeHint().height()
        for label in toast.findChildren(QLabel):
            assert label.height() >= label.heightForWidth(label.width())
        assert toast.action_button is not None
        assert toast.action_button.height() >= toast.action_button.sizeHint().height()
    assert toasts[0].geometry().bottom() < toasts[1].geometry().top()
    assert window.page.toasts.rect().contains(toasts[1].geometry())


def test_a_path_that_is_longer_than_a_line_loses_its_middle(theme: Theme) -> None:
    sentence = PathSentence("muted")
    folder = "~/Documents/a_folder_with_a_long_name/another_one_of_these/dynamic"
    sentence.say("Save it into {folder}.", folder=folder)
    sentence.resize(900, 40)
    assert sentence.text() == f"Save it into {folder}."
    assert sentence.toolTip() == ""
    sentence.resize(240, 40)
    picture(sentence, 240, 40)
    lines = sentence.lines(240)
    assert "into ~/Doc" in sentence.text()
    assert "…" in sentence.text()
    assert sentence.text().endswith("/dynamic.")
    assert all(line[-1] in " /…" for line in lines[:-1])
    assert sentence.toolTip() == sentence.accessibleName() == f"Save it into {folder}."
    sentence.resize(900, 40)
    picture(sentence, 900, 40)
    assert "…" not in sentence.text()
