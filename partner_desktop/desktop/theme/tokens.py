"""The named values of the look: colours for both themes, type sizes, spacing, radii.

Every text keeps 4.5 : 1 on every ground of `TEXT_PAIRS`; a test computes it.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Colors(NamedTuple):
    """One theme's colours, as `#RRGGBB`."""

    background: str
    surface: str
    """Cards and inputs."""
    raised: str
    """The panel and plain buttons."""
    line: str
    ink: str
    muted: str
    own_message: str
    accent: str
    on_accent: str
    accent_hover: str
    accent_soft: str
    """The ground of what is selected."""
    good: str
    good_soft: str
    careful: str
    careful_soft: str
    bad: str
    bad_soft: str
    code: str
    """The ground of code."""
    hover: str
    """The ground of a plain control under the pointer."""
    inline_code: str
    """The ground of code within a sentence."""
    code_keyword: str
    code_string: str
    code_number: str
    code_name: str
    code_type: str


LIGHT = Colors(
    background="#F6F5F2",
    surface="#FFFFFF",
    raised="#FBFAF8",
    line="#E4E1DA",
    ink="#1F2328",
    muted="#666A71",
    own_message="#E9EFF4",
    accent="#2F6F9F",
    on_accent="#FFFFFF",
    accent_hover="#285F88",
    accent_soft="#E6F0F7",
    good="#2A7554",
    good_soft="#E4F3EC",
    careful="#9A5A0E",
    careful_soft="#FBF0DD",
    bad="#B3403A",
    bad_soft="#FAE7E5",
    code="#F3F1EC",
    hover="#EFEDE8",
    inline_code="#EFEDE8",
    code_keyword="#8A3A8C",
    code_string="#2C6E49",
    code_number="#96500F",
    code_name="#245F96",
    code_type="#12666E",
)

DARK = Colors(
    background="#17191C",
    surface="#1E2125",
    raised="#23272C",
    line="#32373E",
    ink="#E7E9EC",
    muted="#9AA1AA",
    own_message="#27323B",
    accent="#6DB3E2",
    on_accent="#0E1A22",
    accent_hover="#86C1E9",
    accent_soft="#1F3342",
    good="#6CC79E",
    good_soft="#1B3329",
    careful="#E2AE62",
    careful_soft="#372A16",
    bad="#EE8A83",
    bad_soft="#3A2120",
    code="#191B1E",
    hover="#2A2F35",
    inline_code="#262A30",
    code_keyword="#D39BE2",
    code_string="#8CCB9B",
    code_number="#E2AE62",
    code_name="#82B9EC",
    code_type="#6FC7C9",
)

_GROUNDS = ("background", "surface", "raised", "code", "own_message", "accent_soft", "hover")

#: Every text colour with every ground it is written on.
TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *(("ink", ground) for ground in _GROUNDS),
    *(("muted", ground) for ground in _GROUNDS),
    *(("accent", ground) for ground in ("background", "surface", "raised", "code", "accent_soft")),
    *(("bad", ground) for ground in ("background", "surface", "raised", "hover", "bad_soft")),
    *(("good", ground) for ground in ("background", "surface", "raised", "good_soft")),
    *(("careful", ground) for ground in ("background", "surface", "raised", "careful_soft")),
    *(("ink", ground) for ground in ("careful_soft", "bad_soft", "good_soft")),
    *((ink, "inline_code") for ink in ("ink", "muted", "accent")),
    *((f"code_{kind}", "code") for kind in ("keyword", "string", "number", "name", "type")),
    *((ink, "code") for ink in ("good", "bad")),
    ("on_accent", "accent"),
    ("on_accent", "accent_hover"),
)


class Space(IntEnum):
    """Distances in pixels."""

    XS = 4
    S = 8
    M = 12
    L = 16
    XL = 24
    XXL = 32


class Radius(IntEnum):
    """Corner radii in pixels."""

    CONTROL = 8
    ITEM = 10
    CARD = 12
    BUBBLE = 14


class Sizes(NamedTuple):
    """Type sizes in points, so that they zoom and follow the screen's resolution."""

    head: float = 8.25
    small: float = 9.0
    mono: float = 9.5
    body: float = 10.5
    title: float = 12.5
    welcome: float = 17.0

    def scaled(self, factor: float) -> Sizes:
        """The same sizes under a zoom factor."""
        return self if factor == 1.0 else Sizes(*(points * factor for points in self))


SIDEBAR_WIDTH = 232
PANEL_WIDTH = 328
HEADER_HEIGHT = 48
#: The text column is never wider.
COLUMN_WIDTH = 760
#: Below this width of the window, the panel folds away.
PANEL_FOLDS_BELOW = 1000
#: Below this width, the conversation list folds away too.
SIDEBAR_FOLDS_BELOW = 720
