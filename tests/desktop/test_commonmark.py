"""The examples of the CommonMark specification through the reply view: what it means is what is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple

import pytest
from markdown_it import MarkdownIt
from PySide6.QtGui import QFont, QTextBlock
from PySide6.QtWidgets import QApplication

from partner_desktop.desktop.chat.reply.chunk_view import TextBlock
from partner_desktop.desktop.chat.reply.code_block import CodeBlock
from partner_desktop.desktop.chat.reply.reply import ReplyView
from partner_desktop.desktop.markup.parts import Code, Line
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme
from tests.tables import all_rows

pytestmark = pytest.mark.integration

#: Its licence stands in the file.
_FILE = Path(__file__).with_name("commonmark.json")
EXAMPLES: list[tuple[int, str, str]] = json.loads(_FILE.read_text(encoding="utf-8"))["examples"]
#: Where we show something else on purpose: bare addresses lead somewhere, and a picture without words has the
#: name of its file.
_OTHERWISE = {
    581: "url",
    602: "<https://foo.bar/baz bim>",
    608: "< https://foo.bar >",
    611: "https://example.com",
}
#: HTML is text here, never read as such.
_WITHOUT_HTML = MarkdownIt("commonmark", {"html": False})


class Words(NamedTuple):
    """Words of one look; the look as letters: strong, emphasis, code, image."""

    text: str
    look: str = ""
    link: str = ""


class Part(NamedTuple):
    """A paragraph, a heading, a rule or code, with how many lists and quotes it stands in."""

    kind: str
    depth: int
    quotes: int
    words: tuple[Words, ...]


class Page(NamedTuple):
    """What a text comes down to; items by the signs before them."""

    parts: list[Part]
    items: list[str]


def joined(words: list[Words]) -> tuple[Words, ...]:
    """Neighbours of one look as one."""
    found: list[Words] = []
    for one in words:
        if found and found[-1][1:] == one[1:]:
            found[-1] = Words(found[-1].text + one.text, *one[1:])
        elif one.text:
            found.append(one)
    return tuple(found)


_LOOKS = {"strong": "s", "em": "e", "code": "c"}


class _Meant(HTMLParser):
    """The page that HTML stands for."""

    def __init__(self) -> None:
        super().__init__()
        self.page = Page([], [])
        self._kind = ""
        self._words: list[Words] = []
        self._open: list[tuple[str, str]] = []
        self._lists: list[int | None] = []
        self._quotes = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        if self._kind == "pre":
            return
        if tag in _LOOKS:
            self._open.append((_LOOKS[tag], ""))
        elif tag == "a":
            self._open.append(("", told["href"]))
        elif tag == "img":
            self._say(told["alt"], image=told["src"])
        elif tag == "br":
            self._say("\u2028")
        else:
            self._block(tag, told)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def _block(self, tag: str, told: dict[str, str]) -> None:
        self._end()
        if tag in ("ul", "ol"):
            self._lists.append(int(told.get("start", 1)) if tag == "ol" else None)
        elif tag == "li":
            number = self._lists[-1]
            self.page.items.append("bullet" if number is None else str(number))
            if number is not None:
                self._lists[-1] = number + 1
        elif tag == "blockquote":
            self._quotes += 1
        elif tag == "hr":
            self.page.parts.append(Part("rule", len(self._lists), self._quotes, ()))
        else:
            self._kind = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in _LOOKS or tag == "a":
            if self._kind != "pre":
                self._open.pop()
            return
        self._end()
        if tag in ("ul", "ol"):
            self._lists.pop()
        elif tag == "blockquote":
            self._quotes -= 1

    def handle_data(self, data: str) -> None:
        if self._kind == "pre":
            self._words.append(Words(data))
        elif self._words and self._words[-1].text.endswith("\u2028"):
            self._say(data.removeprefix("\n").replace("\n", " "))
        elif data.strip("\n") or self._words:
            self._say(data.replace("\n", " "))

    def _say(self, text: str, *, image: str = "") -> None:
        look = "".join(sorted({letter for letter, _ in self._open} | ({"i"} if image else set())))
        link = next((link for _, link in reversed(self._open) if link), image)
        self._words.append(Words(text, look, link))

    def _end(self) -> None:
        kind, self._kind = self._kind or "p", ""
        words, self._words = joined(self._words), []
        if words and kind != "pre" and "c" not in words[0].look:
            words = joined([words[0]._replace(text=words[0].text.lstrip(" ")), *words[1:]])
        if words and kind != "pre" and "c" not in words[-1].look:
            words = joined([*words[:-1], words[-1]._replace(text=words[-1].text.rstrip(" "))])
        if words or kind != "p":
            self.page.parts.append(Part(kind, len(self._lists), self._quotes, words))


def meant(html: str) -> Page:
    reader = _Meant()
    reader.feed(html)
    reader.close()
    return reader.page


def seen(view: ReplyView) -> Page:
    """What a person has before them: of documents and widgets, not of what was read."""
    page = Page([], [])
    code = iter(part for part in view.reader.parts if isinstance(part, Code))
    for segment in view.body.segments:
        if isinstance(segment, CodeBlock):
            part = next(code)
            text = segment.view.toPlainText()
            words = joined([Words(text + "\n" if part.text else "")])
            page.parts.append(Part("pre", part.depth, part.quote, words))
            continue
        assert isinstance(segment, TextBlock)
        block = segment.document().begin()
        for line in segment.lines:
            if line.mark:
                page.items.append(line.mark.rstrip(".)"))
            kind = line.kind if line.kind == "rule" else f"h{line.level}" if line.level else "p"
            words = joined(list(_fragments(block, line)))
            if words or kind != "p":
                page.parts.append(Part(kind, line.depth, line.quote, words))
            block = block.next()
        assert not block.isValid()
    return page


def _fragments(block: QTextBlock, line: Line) -> Iterator[Words]:
    where = block.begin()
    while not where.atEnd():
        fragment = where.fragment()
        look = fragment.charFormat()
        letters = "c" * look.fontFixedPitch() + "e" * look.fontItalic()
        text = fragment.text()
        if text.startswith("[image: ") and look.anchorHref():
            letters, text = letters + "i", text.removeprefix("[image: ").removesuffix("]")
        if look.fontWeight() >= QFont.Weight.DemiBold and not line.level:
            letters += "s"
        yield Words(text, letters, look.anchorHref())
        where += 1


@all_rows("number, markdown, html", EXAMPLES)
def test_what_the_specification_means_is_what_a_reply_shows(
    theme: Theme, number: int, markdown: str, html: str
) -> None:
    safe = _WITHOUT_HTML.render(markdown)
    has_html = MarkdownIt("commonmark").render(markdown) != safe
    slices = Slices()
    view = ReplyView(theme, slices)
    try:
        view.add(markdown[: number % len(markdown)])
        view.finish(markdown)
        while slices.busy:
            QApplication.processEvents()
        if number in _OTHERWISE:
            assert view.body.segments[0].plain() == _OTHERWISE[number]
        else:
            assert seen(view) == meant(safe if has_html else html)
        for text in view.findChildren(TextView):
            assert "<img" not in text.document().toHtml()
    finally:
        view.deleteLater()
