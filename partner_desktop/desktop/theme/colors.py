"""The named colours of the window: light and dark, and both again with high contrast.

Every text keeps 4.5 : 1 on every ground of `TEXT_PAIRS`, and 7 : 1 with high contrast, where lines and the
ring of the keyboard keep 3 : 1 too; a test computes it.
"""

from __future__ import annotations

from typing import NamedTuple


class Colors(NamedTuple):
    """One theme's colours, as `#RRGGBB`."""

    background: str
    surface: str
    """Cards and inputs."""
    raised: str
    """The panel and plain buttons."""
    line: str
    sunken: str
    """The ground of what is pressed, and of a bar that is not filled."""
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
    sunken="#E4E1DA",
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
    sunken="#32373E",
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

#: For whoever needs more: black on white with lines that are seen, 7 : 1 for every text.
HIGH_LIGHT = Colors(
    background="#FFFFFF",
    surface="#FFFFFF",
    raised="#FFFFFF",
    line="#5F5F5F",
    sunken="#CFCFCF",
    ink="#000000",
    muted="#33373C",
    own_message="#E6EFF7",
    accent="#0A4477",
    on_accent="#FFFFFF",
    accent_hover="#06335B",
    accent_soft="#DCEBF8",
    good="#0C4A2C",
    good_soft="#E2F4EA",
    careful="#5E3300",
    careful_soft="#FFF3DC",
    bad="#84140F",
    bad_soft="#FDEAE8",
    code="#F5F5F5",
    hover="#EAEAEA",
    inline_code="#EDEDED",
    code_keyword="#6A1A6C",
    code_string="#0C4A2C",
    code_number="#5E3300",
    code_name="#0A4477",
    code_type="#06474E",
)

HIGH_DARK = Colors(
    background="#000000",
    surface="#000000",
    raised="#0A0A0A",
    line="#A6A6A6",
    sunken="#3C3C3C",
    ink="#FFFFFF",
    muted="#D5D9DE",
    own_message="#16222E",
    accent="#93CFFF",
    on_accent="#000000",
    accent_hover="#B8E0FF",
    accent_soft="#0F2B42",
    good="#93EBBF",
    good_soft="#0C2A1C",
    careful="#FFD28C",
    careful_soft="#2E2006",
    bad="#FFB8B3",
    bad_soft="#3A1513",
    code="#0A0A0A",
    hover="#242424",
    inline_code="#1C1C1C",
    code_keyword="#EBC6F5",
    code_string="#A8E6B5",
    code_number="#FFD28C",
    code_name="#A6D3FF",
    code_type="#93E3E5",
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
    ("ink", "sunken"),
)

#: Lines around what can be used and the ring of the keyboard, with the grounds that they stand on.
EDGE_PAIRS: tuple[tuple[str, str], ...] = tuple(
    (edge, ground) for edge in ("line", "accent") for ground in ("background", "surface", "raised", "code")
)
