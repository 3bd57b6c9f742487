"""What names and describes things comes from outside: it is shown as it stands, and loads nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QWidget

from partner_desktop.desktop.wording import plain_tip
from partner_desktop.domain.message import Role

from .moments import Moments
from .stage import Stage
from .walk import texts

pytestmark = pytest.mark.integration

#: Tabs of the panel.
ACTIONS, ABILITIES = 0, 1
#: Stands for a picture in a text.
_PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"


@pytest.fixture
def picture(tmp_path: Path) -> str:
    """Markup that shows a picture of the disk, and a link."""
    path = tmp_path / "private.png"
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(0)
    assert image.save(str(path))
    return f'<b>yes</b> <img src="{path.as_uri()}"> <a href="https://example.org">go</a> & more {"x" * 80}'


def read(tip: str) -> str:
    """A tip as it is read on the screen."""
    if not GuiQt.mightBeRichText(tip):
        return tip
    document = QTextDocument()
    document.setHtml(tip)
    return document.toPlainText()


def rich_labels(window: QWidget) -> Iterator[str]:
    for label in window.findChildren(QLabel):
        if label.textFormat() is not Qt.TextFormat.PlainText and GuiQt.mightBeRichText(label.text()):
            yield label.text()


def test_a_tip_reads_as_the_text_it_is_made_of(picture: str) -> None:
    assert read(picture) != picture  # what Qt makes of the text itself
    for text in ("plain", "a < b & c", picture, f"{picture}\n  <table>", "</p><img src=x>"):
        assert read(plain_tip(text)) == text


def test_titles_descriptions_and_arguments_are_shown_as_they_stand(
    stage: Stage, moments: Moments, picture: str
) -> None:
    conversation = moments.add_conversation(picture)
    moments.add_message(conversation.id, Role.USER, picture)
    moments.add_message(conversation.id, Role.PARTNER, picture)
    moments.add_ability("liar", picture, aliases=json.dumps([picture]))
    window = stage.open(moments, size=(900, 700))
    schema = {
        "type": "object",
        "properties": {"note": {"type": "string", "title": picture, "description": picture}},
    }
    stage.propose(moments, title=picture, description=picture, params={"note": picture}, schema=schema)
    for tab in (ACTIONS, ABILITIES):
        window.show_tab(tab)
        stage.settle()
        tips = [text for where, text in texts(window) if where.endswith(("toolTip", "ToolTipRole"))]
        assert not [tip for tip in tips if _PICTURE in read(tip)]
        assert list(rich_labels(window)) == []
        if tab == ACTIONS:
            assert any(picture in read(tip) for tip in tips)
