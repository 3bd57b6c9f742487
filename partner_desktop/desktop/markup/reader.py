"""Reads Markdown that is still being written: what has settled is never read again.

Text is taken in steps of a few milliseconds. A step reads the open end with the next piece; every unit but
the last settles (see `page.py`). Of code and tables that go on, only the new lines are read. What a text
comes down to does not depend on how it was cut into pieces; the tests hold that.

Two things are decided here. A link definition that comes after its use has that use read again, the one
exception to the above; tables keep what they read. And a unit that is too long is cut at a line's end, so
that no step takes long: nobody misses the mark that went from one side of such a cut to the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Any

from partner_desktop.desktop.markup.grammar import (
    Definitions,
    as_it_is,
    is_east_asian,
    labels_used,
    read_inline,
)
from partner_desktop.desktop.markup.parts import Code, CodeText, Line, OpenCode, Part, Runs, Table, TextRun
from partner_desktop.desktop.markup.walk import TOP, Page, PartDraft, Start, read_page

#: Characters taken in one step.
STEP = 1_024

#: Longer units are cut; but code inside of an item must not fall apart before it gets this long.
MOST_UNIT = 3_072
MOST_ITEM = 65_536
_UNCUT = ("fence", "table_open")

#: What Qt's documents use for their own structure, and halves of characters.
_UNFIT = re.compile("[\ud800-\udfff\ufdd0-\ufddf\ufffc\u2029]")

#: A last line that cannot be told yet: signs alone, or a fence without its end.
_UNTOLD = re.compile(r"[\s>]*(?:[-=*+_#`~|:\\]+|\d{1,9}[.)]?|(?:`{3}|~{3}).*)?\s*")
_FENCE = re.compile(r" *(?:`{3,}|~{3,})")
_CLOSING = re.compile(r"\s*(?:`+|~+)\s*")


class MarkdownReader:
    """`parts` has settled; `revised` names those that a later definition changed, until someone takes them.

    `parsed` counts the characters that were given to the parser for settling, `looked_at` those that were
    read to show the open end: what tests watch.
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.revised: list[int] = []
        self.parsed = 0
        self.looked_at = 0
        self._pending, self._taken = "", 0
        self._whole = False
        self._open = ""
        self._prefix = ""
        self._grown: OpenCode | Table | None = None
        self._start = TOP
        self._length_read = 0
        self._told = 0
        self._last = OpenText()
        self._definitions: dict[str, dict[str, Any]] = {}
        self._waiting: dict[str, list[int]] = {}
        self._kept: dict[int, PartDraft] = {}
        self._memo: dict[str, Runs] = {}

    @property
    def busy(self) -> bool:
        if self._whole:
            return bool(self.waiting or self._open or self._grown)
        return self.waiting > 1 or (self.waiting == 1 and self._pending[-1] != "\r")

    def feed(self, text: str) -> None:
        """More text came."""
        self._pending = self._pending[self._taken :] + text
        self._taken = 0

    def finish(self) -> None:
        """The text is whole: with the next steps everything settles."""
        self._whole = True

    def step(self) -> None:
        at, left = self._taken, self.waiting
        size = min(STEP, left)
        if size and self._pending[at + size - 1] == "\r" and not (self._whole and size == left):
            size += 1 if size < left else -1
        taken = self._pending[at : at + size].replace("\r\n", "\n").replace("\r", "\n")
        self._open += _UNFIT.sub("\ufffd", taken)
        self._taken += size
        while self._settle():
            pass

    def tail(self) -> list[Part]:
        """What is still open, as it reads now."""
        text = self._prefix + self._showable()
        page = read_page(text, self._start)
        before = self._last.read_again
        memo, self._memo = self._memo, {}
        parts: list[Part] = []
        for draft in page.drafts:
            for raw in draft.raws:
                self._memo[raw] = (
                    memo[raw] if raw in memo else self._look_at(raw, last=draft is page.drafts[-1])
                )
            parts.append(draft.filled([self._memo[raw] for raw in draft.raws]))
        self.looked_at += len(text) + self._last.read_again - before
        if self._grown is not None:
            parts[0] = _shown(self._grown, parts[0])
        end = parts[-1] if parts else None
        if isinstance(end, Table):
            parts[-1] = replace(end, closed=False)
        return parts

    def _look_at(self, raw: str, *, last: bool) -> Runs:
        """The last text is the one that grows."""
        return self._last.read(raw, self._definitions) if last else read_inline(raw, self._definitions)

    @property
    def waiting(self) -> int:
        """How much has come that was not taken yet."""
        return len(self._pending) - self._taken

    @property
    def _final(self) -> bool:
        return self._whole and not self.waiting

    def _settle(self) -> bool:
        """Settle what can be; returns whether to try again."""
        text = self._open if self._final else self._open[: self._open.rfind("\n") + 1]
        if self._grown is not None:
            return self._go_on(self._grown, text) if text or self._final else False
        if not self._open or (not self._final and len(self._open) < self._length_read * 1.25):
            return False
        if not text:
            return self._cut() if len(self._open) > MOST_UNIT else False
        if not self._final and len(text) == self._told and len(self._open) <= MOST_UNIT:
            return False  # no line has ended since
        page = self._read(text)
        if not page.units:
            self._take_lines(text, len(_line_starts(text)))
            return False
        again = self._settle_units(page, text)
        if not again:
            self._told = self._open.rfind("\n") + 1
        return again

    def _read(self, text: str) -> Page:
        self.parsed += len(text)
        return read_page(text, self._start)

    def _go_on(self, grown: OpenCode | Table, text: str) -> bool:
        """More of the open code or table came."""
        page = self._read(self._prefix + text)
        first = page.drafts[0]
        more = first.filled(self._runs(first.raws))
        part = _joined(grown, more)
        before = self._prefix.count("\n")
        is_open = first.end - before >= text.count("\n") and not (isinstance(more, Code) and more.closed)
        if is_open and not self._final:
            self._grown = part
            self._take_lines(text, text.count("\n"))
            return False
        self._grown, self._prefix = None, ""
        self.parts.append(_whole(part) if isinstance(part, OpenCode) else part)
        self._take_lines(text, first.end - before)
        return bool(self._open)

    def _settle_units(self, page: Page, text: str) -> bool:
        """Every unit but the last, up to the first that is too long."""
        starts = _line_starts(text)
        bounds = [starts[unit.line] for unit in page.units]
        ends = [*bounds[1:], len(self._open)]
        for unit, start, end in zip(page.units, bounds, ends, strict=True):
            if unit.kind in _UNCUT or end - start <= MOST_UNIT:
                continue
            if start > 0:
                self._keep_until(page, text, unit.line, unit.start)
                return True
            if self._cut():
                return True
        if self._final:
            self._keep_until(page, text, len(starts), TOP)
            return False
        last = page.units[-1]
        if page.follows_definition(text):
            # What follows may still turn out to be its title.
            last = page.units[-2]
        self._keep_until(page, text, last.line, last.start)
        grown = page.grown()
        if grown is not None:
            self._begin_growing(grown, starts, text)
        return False

    def _begin_growing(self, draft: PartDraft, starts: list[int], text: str) -> None:
        part = draft.filled(self._runs(draft.raws))
        assert isinstance(part, (Code, Table))
        opening = text[starts[draft.start] :]
        # A fence without its words: with a "|" in them, a line of code could make a table of it.
        fence = _FENCE.match(opening)
        rows = starts[draft.start + 2] - starts[draft.start] if isinstance(part, Table) else 0
        self._prefix = opening[:rows] if fence is None or rows else fence[0] + "\n"
        self._grown = _opened(part) if isinstance(part, Code) else part
        # A table that an empty line ended is told by reading that line again.
        end = min(draft.end, len(starts) - 1)
        self._take_lines(text[starts[draft.start] :], end - draft.start)

    def _cut(self) -> bool:
        """Settle the first part of a unit that is too long."""
        at = self._open.rfind("\n", 0, MOST_UNIT) + 1 or self._open.rfind(" ", 0, MOST_UNIT) + 1 or MOST_UNIT
        head = self._open[:at]
        page = self._read(head)
        last = page.drafts[-1].template if page.drafts else None
        if isinstance(last, Code) and not last.closed and len(self._open) < MOST_ITEM:
            return False
        self._keep_until(page, head, len(_line_starts(head)), TOP)
        return bool(self._open)

    def _keep_until(self, page: Page, text: str, line: int, start: Start) -> None:
        """What stands before a line has settled."""
        known = sorted(page.definitions.items(), key=lambda item: item[1]["map"][1])
        for draft in page.drafts:
            if draft.start >= line:
                break
            while known and known[0][1]["map"][1] <= draft.start:
                self._define(*known.pop(0))
            self._keep(draft)
        for label, definition in known:
            if definition["map"][1] <= line:
                self._define(label, definition)
        self._take_lines(text, line)
        self._start = replace(start, after_gap=self._start.after_gap)

    def _keep(self, draft: PartDraft) -> None:
        part = draft.filled(self._runs(draft.raws))
        self.parts.append(replace(part, closed=True) if isinstance(part, Code) else part)
        if isinstance(draft.template, Line):
            labels = {label for raw in draft.raws for label in labels_used(raw)} - set(self._definitions)
            for label in labels:
                self._waiting.setdefault(label, []).append(len(self.parts) - 1)
                self._kept[len(self.parts) - 1] = draft

    def _define(self, label: str, definition: dict[str, Any]) -> None:
        """The first definition of a label counts, wherever it stands."""
        if label in self._definitions:
            return
        self._definitions[label] = definition
        self._memo.clear()
        self._last.forget()
        for index in self._waiting.pop(label, ()):
            self.parts[index] = self._kept[index].filled(self._runs(self._kept[index].raws))
            self.revised.append(index)

    def _runs(self, raws: Iterable[str]) -> list[Runs]:
        return [self._memo[raw] if raw in self._memo else read_inline(raw, self._definitions) for raw in raws]

    def _take_lines(self, text: str, lines: int) -> None:
        """The first lines of the open end are done."""
        starts = _line_starts(text)
        size = starts[lines] if lines < len(starts) else len(text)
        if size:
            done = text[:size]
            after_gap = not done.removesuffix("\n").rpartition("\n")[2].strip(" \t>")
            self._start = Start(after_gap=after_gap)
            self._open = self._open[size:]
            self._told = 0
        self._length_read = len(self._open) if len(self._open) > MOST_UNIT else 0

    def _showable(self) -> str:
        """The open end without last lines that would only flash."""
        *lines, last = self._open.split("\n")
        if isinstance(self._grown, OpenCode):
            return "\n".join([*lines, "" if _CLOSING.fullmatch(last) else last])
        if last and not _UNTOLD.fullmatch(last):
            lines.append(last)
        if self._grown is None:
            # A head and what stands under it: whether they make a table is told by the line after.
            rows = len(list(takewhile(lambda line: line.lstrip().startswith("|"), reversed(lines))))
            lines = lines[:-rows] if 0 < rows <= 2 else lines
        return "".join(f"{line}\n" for line in lines)


def _opened(code: Code) -> OpenCode:
    text = CodeText(code.text)
    return OpenCode(text, len(text), "", code.language, code.depth, code.quote)


def _whole(code: OpenCode) -> Code:
    return Code(code.text.whole(), code.language, code.depth, code.quote)


def _joined(grown: OpenCode | Table, more: Part) -> OpenCode | Table:
    """With what settled of it."""
    if isinstance(grown, OpenCode):
        assert isinstance(more, Code)
        grown.text.append(more.text)
        return replace(grown, settled=len(grown.text))
    assert isinstance(more, Table)
    return replace(grown, rows=grown.rows + more.rows)


def _shown(grown: OpenCode | Table, more: Part) -> OpenCode | Table:
    """With the line that is still being written."""
    if isinstance(grown, OpenCode):
        assert isinstance(more, Code)
        return replace(grown, last=more.text)
    assert isinstance(more, Table)
    return replace(grown, rows=grown.rows + more.rows)


def _line_starts(text: str) -> list[int]:
    """Where each line begins."""
    starts = [0]
    while (found := text.find("\n", starts[-1])) >= 0:
        starts.append(found + 1)
    return starts


#: As long as less than this is open, it is simply read again.
_LONG = 200
#: The end is left open: a word, or an address, may go on.
_END = 60
#: What may stand next to such a place.
_ORDINARY = re.compile(r"[^\W_]|[,.;:?，。；：？、]")
#: Signs that could still mean something. Stars between spaces and strokes inside of words never do.
_WAITING = re.compile(r"(?<!\s)\*|\*(?!\s)|(?<![^\W_])_|_(?![^\W_])|~~|[`\[<&\\]")


class OpenText:
    """The text of a block that is still being written, read on from where nothing can change any more.

    Such a place is a space (or an ideograph, where no spaces are) with ordinary characters around it, before
    which every sign has found its partner: no star, bracket or backtick of what stands there waits for
    another. What was read up to there stays; a long paragraph then costs a few words a frame, and comes to
    the same runs as if it were read as a whole. Another text is simply read anew.
    """

    def __init__(self, *, long: int = _LONG, end: int = _END) -> None:
        self._long, self._end = long, end
        self._raw = ""
        self._runs: Runs = ()
        self._try_at = long
        self.read_again = 0
        """Characters that were read, in all: what tests watch."""

    def read(self, raw: str, definitions: Definitions) -> Runs:
        """The runs of the text as it is now."""
        if as_it_is(raw):
            return read_inline(raw, definitions)
        if not raw.startswith(self._raw):
            self.forget()
        self._advance(raw, definitions)
        return joined(self._runs, self._read(raw[len(self._raw) :], definitions))

    def forget(self) -> None:
        self._raw, self._runs, self._try_at = "", (), self._long

    def _read(self, raw: str, definitions: Definitions) -> Runs:
        self.read_again += len(raw)
        return read_inline(raw, definitions)

    def _advance(self, raw: str, definitions: Definitions) -> None:
        """Go on to the last place that is safe, now and then."""
        rest = raw[len(self._raw) :]
        if len(rest) < self._try_at:
            return
        place = next(_places(rest, len(rest) - self._end), 0)
        runs = self._read(rest[:place], definitions) if place else ()
        if not place or any(_WAITING.search(run.text) for run in runs if not run.style.code):
            self._try_at = int(len(rest) * 1.5)
            return
        self._raw, self._runs, self._try_at = self._raw + rest[:place], joined(self._runs, runs), self._long


def joined(first: Runs, more: Runs) -> Runs:
    """Both, with what meets in one style as one run."""
    if first and more and first[-1].style == more[0].style:
        return (*first[:-1], TextRun(first[-1].text + more[0].text, more[0].style), *more[1:])
    return first + more


def _places(text: str, end: int) -> Iterator[int]:
    """Where a text could be cut before `end`, the last first."""
    for at in range(end, 1, -1):
        before, here, after = text[at - 1], text[at], text[at + 1]
        if not (_ORDINARY.match(before) and _ORDINARY.match(after)):
            continue
        if here == " " or (
            _ORDINARY.match(here) and _apart(before, here) and "://" not in text[at - 200 : at]
        ):
            yield at


def _apart(before: str, here: str) -> bool:
    return is_east_asian(before) and is_east_asian(here)
