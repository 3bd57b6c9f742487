"""Cuts growing Markdown into top-level blocks, each line looked at once.

A block is settled when nothing that follows can change how it reads: a paragraph at its blank line, a list
where unindented text follows, a fence at its closing line. Only the last, open block is ever read again.
Fences and blank lines as in CommonMark 0.31 (sections 4.5, 4.9, 5.2); tables as in GFM 0.29 (section 4.10).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

BlockKind: TypeAlias = Literal["prose", "table", "code"]

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})(.*)$")
_ITEM = re.compile(r"^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)")
_DELIMITERS = re.compile(r"^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")


@dataclass(frozen=True)
class Block:
    """One top-level piece: Markdown for `prose` and `table`, the bare lines for `code`."""

    kind: BlockKind
    text: str
    language: str = ""


class BlockReader:
    """Takes text as it comes; `feed` returns what has settled, `tail` what is still open."""

    def __init__(self) -> None:
        self._partial = ""
        self._lines: list[str] = []
        self._fence = ""
        self._language = ""
        self._is_list = False
        self._is_table = False
        self._settled: list[Block] = []

    def feed(self, text: str) -> list[Block]:
        """Read on; returns the blocks that this settled, in order."""
        *lines, self._partial = (self._partial + text).split("\n")
        for line in lines:
            self._read(line.rstrip("\r"))
        return self._take()

    def tail(self) -> Block | None:
        """The open block with its unfinished last line."""
        if not self._fence and self._partial.lstrip()[:1] in ("`", "~") and self._partial.strip("` ~") == "":
            return self._block(self._lines)  # a fence may be about to open; a moment more will tell
        return self._block([*self._lines, self._partial] if self._partial else self._lines)

    def finish(self) -> list[Block]:
        """The text is whole: everything settles."""
        if self._partial:
            self._read(self._partial.rstrip("\r"))
            self._partial = ""
        self._close()
        return self._take()

    def _take(self) -> list[Block]:
        settled, self._settled = self._settled, []
        return settled

    def _read(self, line: str) -> None:
        if self._fence:
            self._read_code(line)
        elif (opening := _FENCE.match(line)) and "`" not in opening[2]:
            self._close()
            self._fence, self._language = opening[1], opening[2].strip().partition(" ")[0]
        elif not line.strip():
            self._read_blank()
        else:
            self._read_text(line)

    def _read_code(self, line: str) -> None:
        closing = line.strip()
        if closing and set(closing) == {self._fence[0]} and len(closing) >= len(self._fence):
            self._close()
        else:
            self._lines.append(line)

    def _read_blank(self) -> None:
        if self._is_list:
            self._lines.append("")
        else:
            self._close()

    def _read_text(self, line: str) -> None:
        item = _ITEM.match(line) is not None
        if self._is_list and self._lines[-1:] == [""] and not item and not line.startswith("  "):
            self._close()
        if not self._lines:
            self._is_list = item
        elif len(self._lines) == 1 and "|" in self._lines[0] and "|" in line and _DELIMITERS.match(line):
            self._is_table = True
        self._lines.append(line)

    def _close(self) -> None:
        block = self._block(self._lines)
        if block is not None:
            self._settled.append(block)
        self._lines = []
        self._fence = self._language = ""
        self._is_list = self._is_table = False

    def _block(self, lines: list[str]) -> Block | None:
        if self._fence:
            return Block("code", "\n".join(lines), self._language)
        text = "\n".join(lines).rstrip()
        if not text:
            return None
        return Block("table" if self._is_table else "prose", text)
