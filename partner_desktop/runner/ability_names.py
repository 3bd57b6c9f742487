"""Names of abilities: which do, and which is free. A name is part of a key and of a path at once."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from partner_desktop.base.errors import UsageError
from partner_desktop.base.text import cut
from partner_desktop.runner.ability_content import is_noise

_LONGEST = 60
_NAME = re.compile(r"\w(?:[\w. -]*[\w-])?")
#: Names that other systems keep for devices: a synchronised folder with one of them breaks there.
_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}
)
#: What a generated file's name begins with: the moment it was made.
_STAMP = re.compile(r"^\d{10,}-")


def checked_name(name: str) -> str:
    """The name in its one form.

    Raises:
        UsageError: It cannot be the name of an ability; the sentence says why.
    """
    name = unicodedata.normalize("NFC", name.strip())
    shown = cut(name, _LONGEST)
    if not name:
        raise UsageError("The ability needs a name.")
    if len(name) > _LONGEST or len(name.encode("utf-8", "replace")) > 3 * _LONGEST:
        raise UsageError(f"“{shown}” is too long for a name; use at most {_LONGEST} characters.")
    if not _NAME.fullmatch(name):
        raise UsageError(
            f"“{shown}” cannot be a name: begin with a letter or a digit, and use letters, digits, spaces, "
            "“_”, “-” and “.” only."
        )
    if name.casefold().partition(".")[0] in _RESERVED:
        raise UsageError(f"“{shown}” cannot be a name: some systems keep it for a device.")
    if is_noise(name):
        raise UsageError(f"“{shown}” cannot be a name: files that end like this are passed over.")
    return name


def free_ability_name(wanted: str, taken: Iterable[str]) -> str:
    """`wanted`, or `wanted_2`, `wanted_3`, … where it is taken; upper and lower case are one."""
    used = {_fold(name) for name in taken}
    number, name = 1, wanted
    while _fold(name) in used:
        number += 1
        end = f"_{number}"
        name = wanted[: _LONGEST - len(end)] + end
    return name


def taken_names(folder: Path) -> list[str]:
    """The names that a live folder's entries have, broken ones too. Blocking."""
    return [path.name if path.is_dir() else path.stem for path in folder.iterdir() if not is_noise(path.name)]


def suggested_name(path: Path) -> str:
    """A name for what lies in `tmp/`: its own, without the moment it was made and what no name may hold."""
    stem = _STAMP.sub("", path.name if path.is_dir() else path.stem)
    words = re.sub(r"[^\w.-]+", "_", unicodedata.normalize("NFC", stem)).strip("_.-")
    try:
        return checked_name(words[:_LONGEST])
    except UsageError:
        return "ability"


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
