"""What is said of one row of a list, whatever the list is about: plain data, compared by value."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.desktop.parts.controls import PillKind

T = TypeVar("T")

#: Colours that a row may name; see `Colors` of the theme.
RowColor = Literal["ink", "muted", "good", "careful", "bad", "accent", "line"]


@dataclass(frozen=True)
class RowLine:
    """Small words below a title, and what stands at their right."""

    text: str
    right: str = ""
    color: RowColor = "muted"
    right_color: RowColor = "muted"
    most: int = 1
    """So many lines they may take; where they need more, the last ends in an ellipsis."""
    marks: tuple[tuple[int, int], ...] = ()
    """Stretches that are bold."""


@dataclass(frozen=True)
class RowVerb:
    """What can be done with a row: `asked(name, row)` of the list tells that it is wanted."""

    name: str
    words: str
    key: str = ""
    """Does the same where the keyboard is on the row: `Del`, `F2`."""
    parted: bool = False
    """A line stands above it in the menu."""
    under: str = ""
    """The name of the smaller menu that it stands in; those of one stand together."""
    checked: bool | None = None
    """Whether it is how things are at present; `None`: it is nothing of that kind."""


@dataclass(frozen=True)
class RowSpec(Generic[T]):
    """A row, or a head over some. Equal ones are painted alike."""

    key: str
    """Of one list's rows each has its own; what keeps it is the same row."""
    title: str
    about: T
    """What it stands for."""
    kind: str = "row"
    """`head` and `note` cannot be reached; all others are the list's own words."""
    tag: str = ""
    tag_kind: PillKind = "plain"
    tag_short: str | None = None
    """In place of a tag that would take half of its line; `None`: the tag stands as it is."""
    tag_below: bool = False
    """The tag leaves the title's line to the title where the second one has room for it."""
    before: str = ""
    """Small, in front of the title."""
    moment: str = ""
    """Small, at the end of the title's line."""
    lines: tuple[RowLine, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()
    """Stretches of the title that are bold."""
    dot: RowColor | None = None
    """Of a dot before the title."""
    ring: RowColor = "line"
    """Of the line around it."""
    quiet: bool = False
    """Its title is as muted as its lines."""
    set_back: bool = False
    """Its ground is that of the panel."""
    menu: bool = True
    """The sign of its menu shows, in a list that shows such signs."""
    share: float | None = None
    """Of a thin bar at its foot, 0 to 1."""
    on: bool | None = None
    """Whether its switch is on; `None`: it has none."""
    link: RowVerb | None = None
    """A verb that is written on it: at the end of its second line, or of its head."""
    strong: bool = False
    """Its title is strong in a list whose titles are not."""
    folded: bool | None = None
    """Whether the inner rows below it are folded away; `None`: it has none. Of one without lines the whole
    row folds."""
    inner: bool = False
    """It belongs to the row above that is not inner."""
    opens: bool = False
    """It can be opened in its place."""
    leads: bool = False
    """It leads elsewhere, and has the sign of what opens."""
    tip: str = ""
    spoken: str = ""
    """What screen readers say; put together from the rest where nothing is given."""

    @property
    def folds(self) -> bool:
        """Whether what is done with it is to fold its inner rows."""
        return self.folded is not None and not self.lines

    @property
    def reachable(self) -> bool:
        """Whether the keyboard stops at it."""
        return self.kind not in ("head", "note") or self.link is not None

    @property
    def words(self) -> str:
        if self.spoken:
            return self.spoken
        lines = [part for line in self.lines for part in (line.text, line.right)]
        said = (self.before, self.title, self.tag, self.moment, *lines)
        return ", ".join(part for part in said if part)


def head_row(key: str, title: str, about: T, *, moment: str = "", link: RowVerb | None = None) -> RowSpec[T]:
    """The name of a section; `moment`: how much it holds."""
    return RowSpec(key, title, about, kind="head", moment=moment, link=link)
