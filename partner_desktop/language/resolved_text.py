"""A message with what its words mean written into it: `zip the shopping list` becomes `zip '~/Notes/shopping
list.txt'`, for what is literal is understood. What is free text gets the person's own words back.
"""

from __future__ import annotations

from collections.abc import Iterable

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.surroundings import NOWHERE, Surroundings
from partner_desktop.language.spans import find_spans
from partner_desktop.language.spoken_words import PlainWords
from partner_desktop.language.terms import has_cjk


@dataclass(frozen=True)
class Reference:
    """Words that mean something known: `words` stand at `start` of what was said."""

    words: str
    paths: tuple[str, ...]
    """Absolute, at least one."""
    start: int
    new: bool = False
    """It need not be there yet: the name and the place of a thing to make."""
    absorbed: bool = False
    """A place that another reference says already, with what is in it: nothing is written for it."""
    lead: str = ""
    """What is written before it: `to ` for `there`."""
    doubtful: bool = False
    """It may be any one of the paths, the likeliest first: the words stay as they are."""

    @property
    def end(self) -> int:
        return self.start + len(self.words)

    def shown(self, home: str) -> str:
        """Its first path, as people write it."""
        return _short(self.paths[0], home)


@dataclass(frozen=True)
class ResolvedText:
    """What was said, and what it says with its references written out."""

    said: str
    text: str
    references: tuple[Reference, ...] = ()
    doubtful: tuple[Reference, ...] = ()
    home: str = ""
    plain: str = ""
    """`text` without what is free in it: quotations, what to note, what to search for."""
    plainly: tuple[PlainWords, ...] = ()
    """How `said`, or what it is a part of, was said by the person."""
    surroundings: Surroundings = NOWHERE
    """What it was read with."""

    def is_there(self, path: object) -> bool:
        """Whether a path stands here for something that is there already."""
        made = {each.paths for each in self.references if each.new}
        there = [each for each in self.references if not (each.absorbed or each.paths in made)]
        return any(as_written(each, self.home, self.said).strip(" '\"") == path for each in there)

    def restored(self, value: str) -> str:
        """A piece of `text` as the person said it."""
        for reference in self.references:
            written = as_written(reference, self.home, self.said)
            for form in (f"{reference.lead}{written}", written, written.strip(), written.strip(" '\"")):
                if form and form not in self.said:
                    value = value.replace(form, reference.words)
        for words in self.plainly:
            value = words.own(value)
        return value


def resolved_text(said: str, found: Iterable[Reference], *, home: str) -> ResolvedText:
    """Write into a text what was found in it; of two that overlap the first given holds."""
    kept: list[Reference] = []
    for each in found:
        if all(each.end <= other.start or other.end <= each.start for other in kept):
            kept.append(each)
    references = sorted((each for each in kept if not each.doubtful), key=lambda each: each.start)
    doubtful = tuple(each for each in kept if each.doubtful)
    text, position = "", 0
    for reference in references:
        text += f"{said[position : reference.start]}{reference.lead}{as_written(reference, home, said)}"
        position = reference.end
    return ResolvedText(said, text + said[position:], tuple(references), doubtful, home)


def as_written(reference: Reference, home: str, said: str) -> str:
    """How a reference stands in a text: each path as people write them, in quotes where it would break."""
    if reference.absorbed:
        return ""
    shown = [_shown(path, home) for path in reference.paths]
    before, behind = said[: reference.start][-1:], said[reference.end :][:1]
    written = "、".join(shown) if has_cjk(said) else " and ".join(shown)
    return f"{' ' * before.isalnum()}{written}{' ' * behind.isalnum()}"


def _short(path: str, home: str) -> str:
    inside = home and (path == home or path.startswith(home.rstrip("/") + "/"))
    return "~" + path[len(home.rstrip("/")) :] if inside else path


def _shown(path: str, home: str) -> str:
    short = _short(path, home)
    whole = [(span.start, span.end) for span in find_spans(short)] == [(0, len(short))]
    mark = '"' if "'" in short else "'"
    return short if whole and not has_cjk(short) else f"{mark}{short}{mark}"
