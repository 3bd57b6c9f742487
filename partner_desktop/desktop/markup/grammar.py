"""The Markdown we read: CommonMark with tables, struck text, task lists and bare addresses.

One parser cuts into blocks and leaves their text alone, the other reads the text of one block: so a long text
can be read in steps, and what did not change is not read again. HTML is text in both.
"""

from __future__ import annotations

import re
from functools import cache

from linkify_it import LinkifyIt
from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline, emphasis, strikethrough

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
