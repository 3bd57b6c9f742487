"""From markdown-it's tokens to drafts: boxes are walked through, what they hold stands in one flat list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markdown_it.token import Token

from partner_desktop.desktop.markup.grammar import block_parser
from partner_desktop.desktop.markup.parts import Align, Code, Line, LineKind, Mark, Runs, Table, Whole

_TASKS = {"[ ]": "todo", "[x]": "done", "[X]": "done"}
_ALIGNS: dict[str, Align] = {
    "text-align:left": "left",
    "text-align:center": "center",
    "text-align:right": "right",
}


@dataclass(frozen=True, slots=True)
class PartDraft:
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
class BlockUnit:
    """Where a unit begins, the type of its token, and how a text goes on that begins with it."""

    line: int
    kind: str
    start: Start = TOP


@dataclass(slots=True)
class Page:
    """What a text holds. `definitions`: label → what markdown-it keeps, with the lines as "map".

    A unit is a top-level block, an item of a top-level list, or a link definition: what comes later can
    change the last unit only. CommonMark decides line by line, and what another block follows is never opened
    again. (Whether a list is loose would be known at its end only; so spacing goes by the empty lines.)
    """

    drafts: list[PartDraft] = field(default_factory=list)
    units: list[BlockUnit] = field(default_factory=list)
    definitions: dict[str, dict[str, Any]] = field(default_factory=dict)

    def follows_definition(self, text: str) -> bool:
        """Whether the last unit is a paragraph right under a link definition."""
        if len(self.units) < 2 or self.units[-2].kind != "definition":
            return False
        last = self.units[-1]
        return last.kind == "paragraph_open" and bool(text.split("\n")[last.line - 1].strip())

    def grown(self) -> PartDraft | None:
        """The last part, when more of the same may come and need not read it again: open code, a table."""
        last = self.drafts[-1] if self.drafts else None
        if last is None or not self.units or self.units[-1].line != last.start:
            return None
        template = last.template
        # A fence shows what it is with the line after it: "```a|b" could be the head of a table.
        is_fence = isinstance(template, Code) and not template.closed and last.end - last.start > 1
        is_open = isinstance(template, Table) or is_fence
        return last if is_open and self.units[-1].kind in ("fence", "table_open") else None


def read_page(text: str, start: Start = TOP) -> Page:
    """Cut a text that goes on from `start`."""
    env: dict[str, Any] = {"goes_on": start.in_list}
    tokens = block_parser().parse(text, env)
    walk = _Walk(text.split("\n"), start)
    walk.through(tokens)
    page = walk.page
    page.definitions = env.get("references", {})
    _add_definitions(page, tokens, [*page.definitions.values(), *env.get("duplicate_refs", ())])
    return page


def _add_definitions(page: Page, tokens: list[Token], definitions: list[dict[str, Any]]) -> None:
    """Definitions that stand in no other block are units of their own."""
    taken = [token.map for token in tokens if token.level == 0 and token.map]
    for definition in definitions:
        line = definition["map"][0]
        if not any(start <= line < end for start, end in taken):
            page.units.append(BlockUnit(line, "definition"))
    page.units.sort(key=lambda unit: unit.line)


@dataclass
class _List:
    """An open list: the number of its next item, if it counts."""

    number: int | None
    begun: bool = False


@dataclass
class _Item:
    """An open item. Its mark goes before its first line only."""

    mark: Mark
    line: int
    used: bool = False


@dataclass
class _Walk:
    """One walk through the tokens of a text."""

    lines: list[str]
    start: Start
    page: Page = field(default_factory=Page)
    _quote: int = 0
    _lists: list[_List] = field(default_factory=list)
    _items: list[_Item] = field(default_factory=list)

    def through(self, tokens: list[Token]) -> None:
        at = 0
        while at < len(tokens):
            token = tokens[at]
            self._note_unit(token)
            if token.type == "table_open":
                at = self._take_table(tokens, at)
            elif token.type == "inline":
                self._take_text(token, tokens[at - 1])
            else:
                self._take(token)
            at += 1

    def _note_unit(self, token: Token) -> None:
        """A top-level list is no unit, its items are."""
        if token.map is None or token.type == "inline":
            return
        if token.level == 0 and not token.type.endswith("list_open"):
            self.page.units.append(BlockUnit(token.map[0], token.type))
        elif token.level == 1 and token.type == "list_item_open":
            one = self._lists[-1]
            self.page.units.append(BlockUnit(token.map[0], token.type, Start(one.begun, one.number)))

    def _take(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._quote += 1
            case "blockquote_close":
                self._quote -= 1
            case "ordered_list_open" | "bullet_list_open":
                self._open_list(token)
            case "ordered_list_close" | "bullet_list_close":
                self._lists.pop()
            case "list_item_open":
                self._open_item(token)
            case "list_item_close":
                self._show_mark()
                self._items.pop()
            case "fence" | "code_block":
                self._take_code(token)
            case "hr":
                self._add_line(token, (), "rule")

    def _open_list(self, token: Token) -> None:
        if self.start.in_list and token.level == 0 and _span(token)[0] == 0:
            self._lists.append(_List(self.start.number, begun=True))
            return
        first = token.attrGet("start")
        number = None if token.tag == "ul" else 1 if first is None else int(first)
        self._lists.append(_List(number))

    def _open_item(self, token: Token) -> None:
        self._show_mark()
        one = self._lists[-1]
        mark = "bullet" if one.number is None else f"{one.number}{token.markup}"
        one.begun = True
        if one.number is not None:
            one.number += 1
        self._items.append(_Item(mark, _span(token)[0]))

    def _show_mark(self) -> None:
        """An item that does not begin with words shows its mark on a line of its own."""
        if self._items and not self._items[-1].used:
            line = self._items[-1].line
            self._add(PartDraft(line, line + 1, self._placed(Line(()), line)))

    def _take_text(self, token: Token, opening: Token) -> None:
        raw = token.content
        if opening.type == "heading_open":
            self._add_line(token, (raw,), "heading", int(opening.tag[1]))
            return
        item = self._items[-1] if self._items else None
        if item is not None and not item.used and raw[:3] in _TASKS and raw[3:4].isspace():
            item.mark = _TASKS[raw[:3]]
            raw = raw[4:]
        self._add_line(token, (raw,))

    def _add_line(self, token: Token, raws: tuple[str, ...], kind: LineKind = "text", level: int = 0) -> None:
        start, end = _span(token)
        self._add(PartDraft(start, end, self._placed(Line((), kind, level), start), raws))

    def _placed(self, line: Line, start: int) -> Line:
        """The line with its mark, where it stands."""
        mark = ""
        if self._items and not self._items[-1].used:
            self._items[-1].used = True
            mark = self._items[-1].mark
        gap = not self.lines[start - 1].strip(" \t>") if start else self.start.after_gap
        return Line(line.runs, line.kind, line.level, len(self._items), mark, self._quote, gap)

    def _take_code(self, token: Token) -> None:
        self._show_mark()
        start, end = _span(token)
        text = token.content if token.content.endswith("\n") or not token.content else token.content + "\n"
        closed = token.type == "code_block" or text.count("\n") < end - start - 1
        language = (token.info.split() or [""])[0]
        self._add(PartDraft(start, end, Code(text, language, len(self._items), self._quote, closed)))

    def _take_table(self, tokens: list[Token], at: int) -> int:
        """Returns the place of the table's last token."""
        self._show_mark()
        close = next(n for n in range(at, len(tokens)) if tokens[n].type == "table_close")
        inside = tokens[at:close]
        heads = [token for token in inside if token.type == "th_open"]
        aligns = tuple(_ALIGNS.get(str(head.attrGet("style")), "") for head in heads)
        raws = tuple(token.content for token in inside if token.type == "inline")
        start, end = _span(tokens[at])
        table = Table(aligns, (), (), len(self._items), self._quote)
        self._add(PartDraft(start, end, table, raws))
        return close

    def _add(self, draft: PartDraft) -> None:
        self.page.drafts.append(draft)


def _span(token: Token) -> tuple[int, int]:
    start, end = token.map or (0, 0)
    return start, end
