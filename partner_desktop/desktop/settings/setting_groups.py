"""The settings as a person looks for them: sections, groups in them, lines in those, and a search over all.

A setting belongs where its model says (`section`, `place`). A group is what stands in one table of a file, or
in no table of it; settings that belong to a section as a whole stand before its groups.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.config.field import ANY_NAME, SECTIONS, ConfigField, ConfigFile, Section, section_words

#: What has a page of its own, by the names of the files.
ON_THE_MODELS_PAGE = {"model": frozenset((("use",), ("file",), ("endpoint",)))}


@dataclass(frozen=True)
class SettingsLine:
    """A setting, or the head of a table whose settings follow it. `place` counts within the group."""

    field: ConfigField
    place: int
    head: bool
    haystack: str

    @property
    def key(self) -> tuple[str, ...]:
        return self.field.key

    @property
    def where(self) -> tuple[str, tuple[str, ...]]:
        """The setting among all: its file, and its key there."""
        return self.field.file, self.field.key


@dataclass(frozen=True)
class SettingsGroup:
    """What stands on one card."""

    section: Section
    file: ConfigFile
    table: ConfigField | None
    """The table that all of it stands in, if there is one."""
    apart: bool
    lines: tuple[SettingsLine, ...]
    leads_to_file: bool = False
    """Whether it is the first of its file in its section, and there is such a file."""

    @property
    def title(self) -> str:
        """What is written over it; empty where the section's own title says it."""
        title = "" if self.apart else self.table.told.title if self.table is not None else self.file.title
        return "" if title == section_words(self.section)[0] else title

    @property
    def text(self) -> str:
        """What it is about; empty where it has no title."""
        if not self.title:
            return ""
        return self.table.told.description if self.table is not None else self.file.text

    @property
    def key(self) -> tuple[str, str, tuple[str, ...], bool]:
        """What tells it from the others."""
        return self.section, self.file.name, self.table.key if self.table is not None else (), self.apart


def listed(fields: Iterable[ConfigField]) -> list[ConfigField]:
    """What has a place on the page; what stands under names of the person's own is in the file only."""
    return [field for field in fields if ANY_NAME not in field.key]


def setting_groups(files: Iterable[ConfigFile]) -> tuple[SettingsGroup, ...]:
    """All groups in the order of the page."""
    found = [group for file in files for group in _groups_of_file(file)]
    found.sort(key=lambda one: (SECTIONS.index(one.section), not one.apart, _place(one)))
    first = {(one.section, one.file.name): one for one in reversed(found) if one.file.path.name}
    return tuple(replace(one, leads_to_file=one in first.values()) for one in found)


def matching_lines(lines: Sequence[SettingsLine], words: Sequence[str]) -> list[SettingsLine]:
    """The settings in which all `words` occur, and the heads over them."""
    hits = {line.key for line in lines if not line.head and all(word in line.haystack for word in words)}
    heads = {key[:size] for key in hits for size in range(1, len(key))}
    return [line for line in lines if line.key in (heads if line.head else hits)]


def _place(group: SettingsGroup) -> int:
    return group.lines[0].field.place


def _groups_of_file(file: ConfigFile) -> list[SettingsGroup]:
    elsewhere = ON_THE_MODELS_PAGE.get(file.name, frozenset())
    fields = [field for field in listed(file.fields) if field.key not in elsewhere]
    tables = {field.key: field for field in fields if any(one.key[:-1] == field.key for one in fields)}
    sorted_out: dict[tuple[Section, tuple[str, ...], bool], list[ConfigField]] = {}
    for field in fields:
        if field.key in tables and len(field.key) == 1:
            continue  # it is the head of its group
        table = field.key[:1] if field.key[:1] in tables and not field.apart else ()
        sorted_out.setdefault((field.section, table, field.apart), []).append(field)
    return [
        SettingsGroup(section, file, tables.get(table), apart, tuple(_lines(file, section, some, tables)))
        for (section, table, apart), some in sorted_out.items()
    ]


def _lines(
    file: ConfigFile,
    section: Section,
    fields: Iterable[ConfigField],
    tables: dict[tuple[str, ...], ConfigField],
) -> Iterable[SettingsLine]:
    about = " ".join((*section_words(section), file.title, file.text, file.description, file.name))
    for place, field in enumerate(fields):
        over = (tables[key] for key in _above(field.key) if key in tables)
        words = " ".join((about, *(_words_of(one) for one in over), _words_of(field)))
        yield SettingsLine(field, place, field.key in tables, words.casefold())


def _above(key: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [key[:size] for size in range(1, len(key))]


def _words_of(field: ConfigField) -> str:
    """Everything that a search may hit."""
    told = field.told
    choices = (f"{choice} {field.choice_title(choice)}" for choice in field.choices)
    names = (field.title, told.title, field.name, field.unit, told.unit, *choices)
    return " ".join((*names, field.description, told.description))
