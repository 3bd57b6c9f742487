"""A text cut into drafts of parts, and into the units that settle one by one.

A unit is a top-level block, an item of a top-level list, or a link definition: what comes later can change
the last unit only. CommonMark decides line by line, and what another block follows is never opened again.
(Whether a list is loose would be known at its end only; so spacing goes by the empty lines themselves.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from partner_desktop.desktop.markup.parts import Code, Line, Runs, Table, Whole


@dataclass(frozen=True, slots=True)
class Draft:
    """A part of the lines `start` to `end` whose text was not read yet: `raws`, cell by cell for a table."""

    start: int
    end: int
    template: Whole
    raws: tuple[str, ...] = ()

    def filled(self, runs: Sequence[Runs]) -> Whole:
        """The part with the runs of `raws`."""
        template = self.template
        if isinstance(template, Code):
            return template
        if isinstance(template, Line):
            return replace(template, runs=runs[0] if runs else ())
        columns = len(template.aligns)
        rows = [tuple(runs[at : at + columns]) for at in range(0, len(runs), columns)]
        return replace(template, header=rows[0], rows=tuple(rows[1:]))


@dataclass(frozen=True, slots=True)
class Start:
    """What a text goes on from."""

    in_list: bool = False
    """Whether it begins with a further item of a list."""
    number: int | None = None
    """The number of that item, if it has one."""
    after_gap: bool = False
    """Whether an empty line stands before it."""


TOP = Start()


@dataclass(frozen=True, slots=True)
class Unit:
    """Where a unit begins, the type of its token, and how a text goes on that begins with it."""

    line: int
    kind: str
    start: Start = TOP


@dataclass(slots=True)
class Page:
    """What a text holds. `definitions`: label → what markdown-it keeps, with the lines as "map"."""

    drafts: list[Draft] = field(default_factory=list)
    units: list[Unit] = field(default_factory=list)
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict)

    def follows_definition(self, text: str) -> bool:
        """Whether the last unit is a paragraph right under a link definition."""
        if len(self.units) < 2 or self.units[-2].kind != "definition":
            return False
        last = self.units[-1]
        return last.kind == "paragraph_open" and bool(text.split("\n")[last.line - 1].strip())

    def grown(self) -> Draft | None:
        """The last part, when more of the same may come and need not read it again: open code, a table."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or not self.units or self.units[-1].line != last.start:
            return None
        template = last.template
        # A fence shows what it is with the line after it: "```a|b" could be the head of a table.
        is_fence = isinstance(template, Code) and not template.closed and last.end - last.start > 1
        is_open = isinstance(template, Table) or is_fence
        return last if is_open and self.units[-1].kind in ("fence", "table_open") else None
