"""The text of one block as runs: bold, code, links. Nothing here is ever HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from markdown_it.common.utils import normalizeReference
from markdown_it.token import Token

from partner_desktop.desktop.markup.grammar import inline_parser, is_east_asian
from partner_desktop.desktop.markup.parts import PLAIN, Runs, Style, TextRun

#: Link definitions by their normalised label, as markdown-it keeps them.
Definitions: TypeAlias = Mapping[str, dict[str, Any]]

#: Nobody writes such a paragraph; reading it for marks would cost more than a frame, so it is shown as it is.
_MOST_CHARACTERS = 3_072
_MOST_BRACKETS = 160

_LABEL = re.compile(r"\[([^\[\]]{1,200})\](?!\()")
#: Ends a bare address in East Asian text, where no space does.
_STOP = re.compile(r"[\u3000-\u303f\uff01-\uff0f\uff1a-\uff1f\uff3b-\uff40\uff5b-\uff65\u2018-\u201f\u2026]")
_FLAGS = {"strong": "strong", "em": "emphasis", "s": "struck"}


def read_inline(raw: str, definitions: Definitions) -> Runs:
    """The runs of a block's raw text."""
    if as_it_is(raw):
        return (TextRun(raw.replace("\n", "\u2028")),)
    tokens = inline_parser().parseInline(raw, {"references": dict(definitions)})
    return _joined(_runs(tokens[0].children or []))


def as_it_is(raw: str) -> bool:
    """Whether a text is shown without being read for marks."""
    return len(raw) > _MOST_CHARACTERS or raw.count("[") > _MOST_BRACKETS


def labels_used(raw: str) -> set[str]:
    """The labels that a later link definition could give an address to."""
    return {normalizeReference(label) for label in _LABEL.findall(raw)} if "[" in raw else set()


def _runs(tokens: list[Token]) -> Iterator[TextRun]:
    style = PLAIN
    open_styles: list[Style] = []
    before = ""
    for number, token in enumerate(tokens):
        if token.nesting > 0:
            open_styles.append(style)
            style = _styled(style, token)
        elif token.nesting < 0:
            style = open_styles.pop() if open_styles else PLAIN
        elif token.type == "softbreak":
            after = next((one.content for one in tokens[number + 1 : number + 4] if one.content), "")
            joined = is_east_asian(before[-1:] or " ") and is_east_asian(after[:1] or " ")
            yield TextRun("" if joined else " ", style)
        else:
            yield from _content(token, style)
            before = token.content or before


def _styled(style: Style, token: Token) -> Style:
    if token.type == "link_open":
        return replace(style, link=str(token.attrGet("href") or ""))
    flag = _FLAGS.get(token.tag)
    return replace(style, **{flag: True}) if flag else style  # type: ignore[arg-type] # every flag is a bool


def _content(token: Token, style: Style) -> Iterator[TextRun]:
    if token.type == "hardbreak":
        yield TextRun("\u2028", style)
    elif token.type == "code_inline":
        yield TextRun(token.content, replace(style, code=True))
    elif token.type == "image":
        address = str(token.attrGet("src") or "")
        name = " ".join(token.content.split()) or address.rpartition("/")[2][:80]
        # Data in an address leads nowhere.
        link = style.link or ("" if address.lower().startswith("data:") else address)
        yield TextRun(name, replace(style, image=True, link=link))
    else:
        yield TextRun(token.content, style)


def _joined(runs: Iterator[TextRun]) -> Runs:
    found: list[TextRun] = []
    for run in runs:
        for piece in _cut_address(run):
            if found and found[-1].style == piece.style:
                found[-1] = TextRun(found[-1].text + piece.text, piece.style)
            elif piece.text:
                found.append(piece)
    return tuple(found)


def _cut_address(run: TextRun) -> Iterator[TextRun]:
    """A bare address ends where East Asian punctuation begins."""
    stop = _STOP.search(run.text) if run.style.link and "://" in run.text[:10] else None
    if stop is None:
        yield run
        return
    address = run.text[: stop.start()]
    normal = inline_parser().normalizeLink(address)
    yield TextRun(address, replace(run.style, link=normal))
    yield TextRun(run.text[stop.start() :], replace(run.style, link=""))
