"""What Markdown comes down to: a flat list of lines, code blocks and tables, in reading order.

Lists and quotes are not boxes here: a line knows how deep it stands and which mark goes before it. So a list
can grow line by line, and code inside of it is code like any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

Align: TypeAlias = Literal["", "left", "center", "right"]
LineKind: TypeAlias = Literal["text", "heading", "rule"]

#: "bullet", "todo", "done", or the number of an item with its sign, such as "3." and "3)".
Mark: TypeAlias = str


@dataclass(frozen=True, slots=True)
class Style:
    """How a run of text is set; `link` is the address it leads to."""

    strong: bool = False
    emphasis: bool = False
    struck: bool = False
    code: bool = False
    image: bool = False
    link: str = ""


PLAIN = Style()


@dataclass(frozen=True, slots=True)
class TextRun:
    """A piece of text in one style; of an image, its name. U+2028 breaks the line."""

    text: str
    style: Style = PLAIN


Runs: TypeAlias = tuple[TextRun, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph, heading, list item or rule."""

    runs: Runs
    kind: LineKind = "text"
    level: int = 0
    """1 to 6, of a heading."""
    depth: int = 0
    """How many lists it stands in."""
    mark: Mark = ""
    quote: int = 0
    """How many quotes it stands in."""
    gap: bool = False
    """Whether an empty line stood before it."""


@dataclass(frozen=True, slots=True)
class Code:
    """A block of code, each of its lines with its end; `closed` once nothing more can come."""

    text: str
    language: str = ""
    depth: int = 0
    quote: int = 0
    closed: bool = True

    @property
    def size(self) -> int:
        """Characters, without the last line's end."""
        return len(self.text) - self.text.endswith("\n")

    @property
    def lines(self) -> int:
        return self.text.count("\n", 0, self.size) + 1

    def since(self, start: int) -> str:
        """What stands from there on."""
        return self.text[start : self.size]


@dataclass(frozen=True, slots=True)
class OpenCode:
    """A long block of code that goes on: the first `settled` characters of `text`, and a `last` line."""

    text: CodeText
    settled: int
    last: str = ""
    language: str = ""
    depth: int = 0
    quote: int = 0
    closed: ClassVar[bool] = False

    @property
    def size(self) -> int:
        """Characters, without the last line's end."""
        return max(0, self.settled + len(self.last) - 1)

    @property
    def lines(self) -> int:
        return self.text.lines + bool(self.last)

    def since(self, start: int) -> str:
        """What stands from there on."""
        last = self.last if start <= self.settled else self.last[start - self.settled :]
        return (self.text.since(start, self.settled) + last)[:-1]


@dataclass(frozen=True, slots=True)
class Table:
    """Cells by row; every row is as long as the header. Unless it is `closed`, its last row may go on."""

    aligns: tuple[Align, ...]
    header: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]
    depth: int = 0
    quote: int = 0
    closed: bool = True


#: What a text comes down to; and with what is still being written.
Whole: TypeAlias = Line | Code | Table
Part: TypeAlias = Whole | OpenCode


def plain_text(part: Part) -> str:
    """A part as words alone, for screen readers and the clipboard."""
    if isinstance(part, (Code, OpenCode)):
        return part.since(0)
    if isinstance(part, Table):
        rows = (part.header, *part.rows)
        return "\n".join("\t".join(_words(cell) for cell in row) for row in rows)
    return mark_text(part) + _words(part.runs)


def mark_text(line: Line) -> str:
    """What stands before the words of a line, as text."""
    mark = {"bullet": "• ", "todo": "☐ ", "done": "☑ ", "": ""}.get(line.mark, f"{line.mark} ")
    return "  " * max(0, line.depth - 1) + mark


def _words(runs: Runs) -> str:
    return "".join(run.text for run in runs).replace("\u2028", "\n")


class CodeText:
    """Whole lines, one behind the other. `lines` counts them."""

    def __init__(self, text: str = "") -> None:
        self._pieces: list[str] = []
        self._size = 0
        self.lines = 0
        self.append(text)

    def __len__(self) -> int:
        return self._size

    def append(self, text: str) -> None:
        """More lines."""
        if text:
            self._pieces.append(text)
            self._size += len(text)
            self.lines += text.count("\n")

    def whole(self) -> str:
        """All of it."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def since(self, start: int, end: int) -> str:
        """A stretch near the end; costs what stands behind its start."""
        found: list[str] = []
        at = self._size
        for piece in reversed(self._pieces):
            if at <= start:
                break
            at -= len(piece)
            found.append(piece)
        return "".join(reversed(found))[max(0, start - at) : end - at]
