"""Triggers in words: `whenever a PDF lands in ~/Downloads`, `when the backup is done`, `下载文件夹超过 5GB`.

The patterns are the tables `triggers.toml`. What was read is taken out of the text: the rest says what is to
be done. Whether there is such a thing is not known here: paths and titles are as they were said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.schedule import ActionEnds, FileLands, Threshold
from partner_desktop.language.disk_names import folder_mentions, known_folder, path_of
from partner_desktop.language.rule_table import RuleTable, groups_of, rule_tables
from partner_desktop.language.spans import SCAN_LIMIT, SpanKind, find_spans, masked_text, unquoted
from partner_desktop.language.values.quantities import meanings

#: In place of each character of a path, and of what else is quoted.
_PATH, _QUOTED = "\ue020", "\ue021"
#: An ending of a file.
_ENDING = re.compile(r"[a-z0-9]{2,5}")
_FOLDER = re.compile(r"\b(?:(?:the|my|our)\s+)?\w+\s+(?:folder|directory)\b", re.IGNORECASE)
_MEASURES: tuple[Literal["folder", "free_space", "memory", "processor"], ...] = (
    "free_space", "folder", "memory", "processor",
)  # fmt: skip


@dataclass(frozen=True)
class SaidTrigger:
    """What a text waits for, and what it wants then."""

    happening: FileLands | Threshold | ActionEnds
    """Folders and titles as they were said."""
    rest: str
    """What is to be done then; empty: only to tell."""
    message: str = ""
    """What is to be told, where nothing else is wanted."""


def read_trigger(text: str) -> SaidTrigger | None:
    """What a request waits for to happen; `None`: nothing that can be waited for."""
    if len(text) > SCAN_LIMIT:
        return None
    for table in rule_tables("triggers", text):
        found = _Reader(table, text).read()
        if found is not None:
            return found
    return None


class _Reader:
    """One text by one table."""

    def __init__(self, table: RuleTable, text: str) -> None:
        self._table, self._text = table, text
        spans = find_spans(text)
        self._paths = {span.start: span.value for span in spans if span.is_path}
        paths = [(span.start, span.end) for span in spans if span.is_path]
        for start, end, path in _named_folders(text):
            if not any(span.start < end and start < span.end for span in spans):
                self._paths[start] = path
                paths.append((start, end))
        quoted = [
            (span.start, span.end) for span in spans if span.kind is SpanKind.QUOTE and not span.is_path
        ]
        self._plain = masked_text(masked_text(text, paths, _PATH), quoted, _QUOTED)

    def read(self) -> SaidTrigger | None:
        """See `read_trigger`."""
        for rule in ("lands", *_MEASURES, "ends"):
            match = self._table[rule].search(self._plain)
            if match is None:
                continue
            happening = self._happening(rule, match)
            found = self._with_rest(happening, match) if happening is not None else None
            if found is not None:
                return found
        return None

    def _happening(self, rule: str, match: re.Match[str]) -> FileLands | Threshold | ActionEnds | None:
        got = groups_of(match)
        marks = {
            name.rstrip("_0123456789"): name for name, value in match.groupdict().items() if value is not None
        }
        at = self._plain.index(_PATH, match.start(marks["folder"])) if "folder" in marks else -1
        folder = self._paths.get(at, "")
        if rule == "lands":
            pattern = self._pattern(got.get("kind", ""))
            return FileLands(folder, pattern) if folder and pattern else None
        if rule == "ends":
            title = self._text[slice(*match.span(marks["title"]))]
            return self._ends(unquoted(title), marks, match)
        measure = next(each for each in _MEASURES if each == rule)
        if rule == "folder" and not folder:
            return None
        limit = _limit(got)
        return Threshold(measure, limit, "over" in marks, folder) if limit is not None else None

    def _pattern(self, kind: str) -> str:
        """The names that are meant; empty: it is no kind of file that names tell."""
        said = kind.casefold()
        known = self._table.section("kinds")
        if said in known:
            return known[said]
        if "." in said or "*" in said:
            return f"*{said}" if said.startswith(".") else kind
        return f"*.{said}" if not self._is_english and _ENDING.fullmatch(said) else ""

    @property
    def _is_english(self) -> bool:
        return "file" in self._table.section("kinds")

    def _ends(self, title: str, marks: Mapping[str, str], match: re.Match[str]) -> ActionEnds | None:
        if self._table["pronoun"].fullmatch(title.strip()):
            return None
        how: Literal["any", "done", "failed"] = "any"
        if "failed" in marks:
            how = "failed"
        elif "done" in marks:
            how = "done"
        again = self._table["again"].search(match.group().strip()) is not None
        return ActionEnds(title.strip(), how=how, again=again)

    def _with_rest(
        self, happening: FileLands | Threshold | ActionEnds, match: re.Match[str]
    ) -> SaidTrigger | None:
        rest = re.sub(r"\s{2,}", " ", f"{self._text[: match.start()]} {self._text[match.end() :]}").strip()
        before = ""
        while rest != before:
            before, rest = rest, self._table["glue"].sub("", rest).strip()
        if not rest:
            return None
        if self._table["tell"].fullmatch(rest):
            return SaidTrigger(happening, "", self._clause(match))
        said = self._table["tell_of"].search(rest)
        leads = match.start() == 0 and self._table["marked"].search(match.group()) is not None
        if isinstance(happening, ActionEnds) and said is None and not leads:
            return None  # `备份完成后压缩`: first the one and then the other
        return SaidTrigger(happening, rest, said["message"].strip() if said is not None else "")

    def _clause(self, match: re.Match[str]) -> str:
        """What happens, without the word for when: `the backup is done`."""
        clause = self._table["conjunction"].sub("", self._text[match.start() : match.end()]).strip(" ，,就")
        return clause[:1].upper() + clause[1:] if clause[:1].islower() else clause


def _named_folders(text: str) -> Iterator[tuple[int, int, str]]:
    """Folders that everybody has, wherever in a sentence they are named."""
    for start, end, folder in folder_mentions(text):
        yield start, end, path_of(folder)
    for match in _FOLDER.finditer(text):
        path = known_folder(match.group())
        if path is not None:
            yield *match.span(), path


def _limit(got: Mapping[str, str]) -> float | None:
    number, said = float(got["limit"].replace(",", ".")), got.get("unit", "").casefold()
    if said in {"", "%", "％", "percent"} or said.startswith("per"):
        return number if 0 < number <= 100 else None
    found = next((unit for unit in meanings(said) if unit.dimension == "data"), None)
    return number * float(found.factor) if found is not None else None
