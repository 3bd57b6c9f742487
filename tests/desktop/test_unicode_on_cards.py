"""Unicode's own samples of what misleads the eye, on cards: every sign shows, paths read as they are meant.

From UAX #9 (bidirectional text), UTS #39 (confusables), UTR #36 and UTS #55 (security, source code), and
"Trojan Source" (Boucher and Anderson, 2021).
"""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextLayout, QTextOption

from partner_desktop.base.text import shown
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.domain.run_facts import PathUse
from tests.tables import all_rows

from .on_card import words
from .samples import count_action
from .test_card_complete import read

pytestmark = [pytest.mark.promise("actions.card.complete"), pytest.mark.integration]

SAMPLES = (
    # Trojan Source: an early return, code that is a comment, a comment that is code, a stretched string.
    "'''Subtract funds then \u2067''' ;return",
    "/*\u202e } \u2066if (isAdmin)\u2069 \u2066 begin admins only */",
    '"user\u202e \u2066// Check if admin\u2069 \u2066"',
    # What ends in other letters than it seems to.
    "/srv/photo_high_re\u202egnp.exe",
    "/srv/\u202dinvoice\u202c\u2068.pdf\u2069.sh",
    "cp a\u200eb \u200fc\u061cd",
    # Signs without a look: joiners, ignorable ones, tags, fillers, blanks.
    "rm\u200b -rf\u2060 \ufeff/",
    "pass\u00adword\u034f",
    "a\u115fb\u1160c\u3164d\uffa0e\u2800f",
    "b\u2002c\u2003d\u3000e\u00a0f\u202fg\u205fh",
    "note\U000e0041\U000e0042\U000e007f",
    "x\u2061y\u2062z\u2063\u2064",
    "line\u2028two\u2029three\x85four\x0bfive",
    # Signs of a path or a command that are none.
    "/srv\u2215etc\u2215passwd",
    "..\u2044..\u29f8notes",
    "C:\u29f5Windows\u2216x",
    "report\u2024pdf\ua4f8exe",
    "ls\u037e rm x",
    "a \u2223 sh \u01c0 sh",
    "http\u2236//example.org\ua789443",
    # Letters of another writing in a Latin word.
    "/home/\u0430nn/notes",
    "p\u0430yp\u0430l.com",
    "\u0455\u0441\u043epe",
    "micr\u03bfsoft",
    "\u0406nvoice",
)

#: Paths and commands with words from right to left: each part stands right of the one before it.
ORDERED = (
    "/srv/\u05d0\u05d1\u05d2/1/\u05d3\u05d4\u05d5/2",
    "/srv/\u062a\u0642\u0631\u064a\u0631/2024/final.txt",
    "/srv/\u05de\u05e1\u05de\u05da (1).pdf/x",
    "a/\u05d1/\u05d2/d",
    "https://example.org/\u05d0\u05d1/\u05d2\u05d3/1",
    "/1/\u0661\u0662/\u0627/2",
    "/srv/\u05d0-1/\u05d1-2/\u05d2_3",
    "/\u05d0/--force/\u05d1",
    "/\u0662\u0660\u0662\u0664/\u0660\u0665/\u0661\u0662",
    "/\u0627\u0628\u0663/\u0664/x",
    "/\u0665\u0660\u066a/\u0663/\u0664-\u0665",
)


def of(theme: Theme, text: str) -> ActionCard:
    """A card that asks to write there."""
    card = ActionCard(theme)
    schema = {"type": "object", "properties": {"place": {"type": "string"}}}
    places = (PathUse("place", text, "write"),)
    card.show_record(count_action(params={"place": text}, title=text, schema=schema, paths=places))
    return card


@all_rows("text", SAMPLES)
def test_no_sign_of_a_sample_is_hidden_or_looks_like_another(theme: Theme, text: str) -> None:
    card = of(theme, text)
    try:
        said = read(card)
        assert text not in said
        assert shown(text) in said
        odd = [sign for sign in said if unicodedata.category(sign) in ("Cf", "Cc", "Zl", "Zp", "Co")]
        assert not set(odd) - {"\n"}
        named = [f"U+{ord(sign):04X}" for sign in text if not sign.isascii()]
        marked = re.findall(r"⟨(U\+[0-9A-F]+)", shown(text))
        assert marked
        assert set(marked) <= {*named, "U+000B", "U+0085"}
        assert card.body is not None
        assert card.body.form is not None
        assert card.body.form.read() == {"place": text}
    finally:
        card.deleteLater()


@all_rows("text", ORDERED)
def test_the_parts_of_a_path_stand_in_their_order_whatever_they_are_written_in(
    theme: Theme, text: str
) -> None:
    card = of(theme, text)
    try:
        assert shown(text) in read(card)
        assert shown(text) in words(card)
    finally:
        card.deleteLater()
    assert in_order(shown(text))


def in_order(text: str) -> bool:
    """Whether what stands between two slashes is laid out between them, from left to right."""
    layout = QTextLayout(text)
    option = QTextOption()
    option.setTextDirection(Qt.LayoutDirection.LeftToRight)
    layout.setTextOption(option)
    layout.beginLayout()
    line = layout.createLine()
    line.setLineWidth(1e6)
    layout.endLayout()
    edges = [
        sorted(_x(line, at) for at in range(part.start(), part.end() + 1))
        for part in re.finditer(r"[^/⟨⟩]+|/", text)
    ]
    return all(before[-1] <= after[0] + 0.5 for before, after in pairwise(edges))


def _x(line: object, at: int) -> float:
    x = line.cursorToX(at)  # type: ignore[attr-defined]  # PySide's stubs give no type for it
    return float(x[0] if isinstance(x, tuple) else x)


@all_rows("text", ["/srv/\u05d0\u05d1\u05d2/1/\u05d3\u05d4\u05d5/2"])
def test_what_is_not_marked_would_not_stand_in_order(dressed_app: Theme, text: str) -> None:
    del dressed_app
    assert not in_order(text), "the look at the order sees what it should"
