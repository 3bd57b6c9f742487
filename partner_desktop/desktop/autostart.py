"""Whether Partner opens by itself, hidden, when the person logs in: an entry of XDG autostart.

The file is there, or it is not; nothing else keeps the choice. One that another program changed is left as
it is until the person chooses anew.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from pathlib import Path

from partner_desktop.base.own_program import start_command
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.desktop.notices import Notices
from partner_desktop.desktop.wording import tr

FILE_NAME = "partner-desktop.desktop"
#: Both keys say that an entry is not to be started.
_OFF = ("hidden=true", "x-gnome-autostart-enabled=false")
#: What stands for itself in no argument of an Exec line.
_RESERVED = frozenset(" \t\n\"'\\><~|&;$*?#()`")


class OddPathError(Exception):
    """A path with a line break, or with bytes that are no text; `path`: which."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def can_be() -> bool:
    """Whether the system has such entries."""
    return sys.platform.startswith("linux")


def entry_path() -> Path:
    """Where the entry is, or would be."""
    folder = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(folder) if folder.startswith("/") else Path.home() / ".config"
    return base / "autostart" / FILE_NAME


def is_on() -> bool:
    """Whether there is an entry that is started."""
    try:
        text = entry_path().read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    lines = {line.replace(" ", "").lower() for line in text.splitlines()}
    return not any(off in lines for off in _OFF)


def turn(*, on: bool, home: Path | None = None) -> None:
    """Write the entry, or take it away; `home`: whose Partner it is to open.

    Raises:
        OSError: It could not be written or removed.
        OddPathError: No entry can name what it is to start.
    """
    path = entry_path()
    if not on:
        path.unlink(missing_ok=True)
        return
    text = entry_text(home)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def turn_or_tell(notices: Notices, *, on: bool, home: Path | None) -> bool:
    """The same, or say why it could not be; whether it was done."""
    try:
        turn(on=on, home=home)
    except OddPathError as error:
        odd = shown(error.path)
        notices.fault(
            lambda: tr(
                "Partner cannot be opened at login: the path {path} holds a line break, or what is no text."
            ).format(path=odd)
        )
        return False
    except OSError as error:
        reason = error.strerror or str(error)
        path = display_path(entry_path())
        notices.fault(lambda: tr("{path} could not be changed: {reason}").format(path=path, reason=reason))
        return False
    return True


def entry_text(home: Path | None = None) -> str:
    """The entry for the Partner that runs.

    Raises:
        OddPathError: No entry can name what it is to start.
    """
    words = (*start_command(), *(("--home", str(home)) if home is not None else ()), "--hidden")
    odd = next((word for word in words if not _is_plain(word)), None)
    if odd is not None:
        raise OddPathError(odd)
    why = tr("Opens hidden, so that what is planned is done in time")
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=Partner",
        f"Comment={why}",
        f"Exec={' '.join(map(_quoted, words))}",
        "Icon=partner-desktop",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
    )
    return "\n".join(lines) + "\n"


def _is_plain(word: str) -> bool:
    """Whether an entry can hold it: a line break would begin a line of its own, and an entry is UTF-8."""
    return not any(unicodedata.category(sign) in ("Cc", "Cs", "Zl", "Zp") for sign in word)


def _quoted(word: str) -> str:
    """An argument of an Exec line, by the rules of the desktop entry specification."""
    word = word.replace("%", "%%")
    if not _RESERVED & set(word):
        return word
    for sign in ("\\", '"', "`", "$"):
        word = word.replace(sign, f"\\{sign}")
    return '"' + word.replace("\\", "\\\\") + '"'
