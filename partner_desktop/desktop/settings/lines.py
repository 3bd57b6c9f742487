"""The lines of the page as data: what there is to show and to find, before any of it is a widget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from partner_desktop.config.field import ANY_NAME, ConfigField, ConfigFile
from partner_desktop.desktop.settings.row_words import haystack

#: What has a page of its own, by the names of the files.
ON_THE_MODELS_PAGE = {"model": frozenset((("use",), ("file",), ("endpoint",)))}


@dataclass(frozen=True)
class Line:
    """A setting, or the head of a table whose settings follow it. `place` counts within the file."""

    field: ConfigField
    place: int
    head: bool
    haystack: str

    @property
    def key(self) -> tuple[str, ...]:
        return self.field.key


def title_of(file: ConfigFile) -> str:
    """The file's name in words."""
    words = file.name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def listed(fields: Iterable[ConfigField]) -> list[ConfigField]:
    """What has a place on the page; what stands under names of the person's own is in the file only."""
    return [field for field in fields if ANY_NAME not in field.key]


def lines_of(file: ConfigFile) -> tuple[Line, ...]:
    """Every line of a file, in its order."""
    elsewhere = ON_THE_MODELS_PAGE.get(file.name, frozenset())
    fields = [field for field in listed(file.fields) if field.key not in elsewhere]
    above = {field.key[:-1] for field in fields}
    tables = {field.key: f"{field.title} {field.description}" for field in fields if field.key in above}
    lines = []
    for place, field in enumerate(fields):
        over = (tables.get(field.key[:size], "") for size in range(1, len(field.key)))
        words = haystack(field, " ".join((title_of(file), file.description, file.name, *over)))
        lines.append(Line(field, place, field.key in tables, words))
    return tuple(lines)


def found(lines: Sequence[Line], words: Sequence[str]) -> list[Line]:
    """The settings in which all `words` occur, and the heads over them."""
    hits = {line.key for line in lines if not line.head and all(word in line.haystack for word in words)}
    heads = {key[:size] for key in hits for size in range(1, len(key))}
    return [line for line in lines if line.key in (heads if line.head else hits)]
