"""The Markdown we read: CommonMark with tables, struck text, task lists and bare addresses.

One parser cuts into blocks and leaves their text alone, the other reads the text of one block as runs (bold,
code, links): so a long text can be read in steps, and what did not change is not read again. HTML is text in
both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

from linkify_it import LinkifyIt
from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, emphasis, strikethrough
from markdown_it.token import Token

from partner_desktop.desktop.markup.parts import PLAIN, Runs, Style, TextRun

#: Chinese, Japanese and Korean writing with its punctuation.
_EAST_ASIAN = re.compile(
    r"[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]"
)


@cache
def block_parser() -> MarkdownIt:
    """Cuts a text into blocks; `inline` tokens keep their raw content."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    return parser.disable(["inline", "text_join"])


@cache
def inline_parser() -> MarkdownIt:
    """Reads the text of one block. Use `parseInline`."""
    parser = MarkdownIt("commonmark", {"html": False, "linkify": True})
    parser.enable(["strikethrough", "linkify"])
    # Only what has a scheme is an address: "main.py" and "e.g." are words.
    parser.linkify = LinkifyIt(options={"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
    parser.inline.ruler.at("emphasis", _emphasis)
    parser.inline.ruler.at("strikethrough", _strikethrough)
    default = parser.validateLink
    parser.validateLink = lambda url: url.lower().startswith("file:") or default(url)  # type: ignore[method-assign] # its documented hook
    return parser


def is_east_asian(character: str) -> bool:
    """Whether a character is written without spaces around it."""
    return _EAST_ASIAN.match(character) is not None


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """No table begins where an item of a list goes on: read in its list, it would not be one either."""
    if start == 0 and state.env.get("goes_on"):
        return False
    return table(state, start, end, silent)


def _emphasis(state: StateInline, silent: bool) -> bool:
    known = len(state.delimiters)
    start = state.pos
    found = emphasis.tokenize(state, silent)
    if found and state.src[start] == "*":
        _free_among_ideographs(state, known, start)
    return found


def _strikethrough(state: StateInline, silent: bool) -> bool:
    known = len(state.delimiters)
    start = state.pos
    found = strikethrough.tokenize(state, silent)
    if found:
        _free_among_ideographs(state, known, start)
    return found


def _free_among_ideographs(state: StateInline, known: int, start: int) -> None:
    """CommonMark tells words by their spaces; "**重点。**后面" has none and would stay unread."""
    before = state.src[start - 1] if start > 0 else " "
    after = state.src[state.pos] if state.pos < state.posMax else " "
    for delimiter in state.delimiters[known:]:
        delimiter.open = delimiter.open or (is_east_asian(before) and not after.isspace())
        delimiter.close = delimiter.close or (is_east_asian(after) and not before.isspace())


#: Link definitions by their normalised label, as markdown-it keeps them.
Definitions: TypeAlias = Mapping[str, dict[str, Any]]

#: Nobody writes such a paragraph; reading it for marks would cost more than a frame, so it is shown as it is.
_MOST_CHARACTERS = 3_072
_MOST_BRACKETS = 160

_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.){1,200})\]", re.DOTALL)
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
        name = " ".join(_plain(token.children or []).split()) or address.rpartition("/")[2][:80]
        # Data in an address leads nowhere.
        link = style.link or ("" if address.lower().startswith("data:") else address)
        yield TextRun(name, replace(style, image=True, link=link))
    else:
        yield TextRun(token.content.replace("\n", " "), style)


def _plain(tokens: list[Token]) -> str:
    """The words of tokens, without their marks."""
    return "".join(
        _plain(one.children) if one.children else " " if one.tag == "br" else one.content for one in tokens
    )


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
