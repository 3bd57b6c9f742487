"""Where things lie: what the app ships, and what a home holds."""

from __future__ import annotations

import errno
import os
import re
from dataclasses import dataclass
from pathlib import Path

from partner_desktop.base.text import shown

_PACKAGE = Path(__file__).resolve().parent.parent

#: `sun_path` holds 108 bytes on Linux and 104 on macOS; longer socket paths cannot be bound.
_SOCKET_PATH_LIMIT_BYTES = 100


def shipped(name: str) -> Path:
    """The path of something shipped (`resources`, `action`), in a wheel and in a checkout alike."""
    inside_wheel = _PACKAGE / "_shipped" / name
    return inside_wheel if inside_wheel.exists() else _PACKAGE.parent / name


def display_path(path: Path) -> str:
    """The path as a person writes it: `~` for the user's folder, every sign `shown`."""
    text = shown(os.fsencode(path).decode("utf-8", "replace"))
    user_home = os.path.expanduser("~")  # noqa: PTH111 - Path.home() raises where no home is known
    if user_home not in ("~", "/") and (text == user_home or text.startswith(user_home + os.sep)):
        return "~" + text[len(user_home) :]
    return text


def display_text(text: str) -> str:
    """A text with every path below the user's folder as a person writes it.

    A script in the sandbox cannot do this itself: it knows no home, or another one.
    """
    user_home = os.path.expanduser("~").rstrip(os.sep)  # noqa: PTH111 - Path.home() raises where none is known
    if user_home in ("~", "") or user_home not in text:
        return text
    whole = rf"(?<![\w/.~\-]){re.escape(user_home)}(?=$|[/\s,;:!?)\]}}>”\"'’…。，；：！？）、]|\.(?:\s|$))"
    return re.sub(whole, "~", text)


@dataclass(frozen=True)
class Home:
    """Partner's own folder: everything it must not lose."""

    root: Path

    @property
    def database(self) -> Path:
        return self.root / "partner.db"

    @property
    def backups(self) -> Path:
        return self.root / "backups"

    @property
    def config(self) -> Path:
        """The person's settings: one TOML file a package."""
        return self.root / "config"

    @property
    def traces(self) -> Path:
        return self.root / "traces"

    @property
    def restore_journal(self) -> Path:
        """There while a restore counts and is not finished."""
        return self.root / "restore.json"

    @property
    def restore_stage(self) -> Path:
        """What a restore has unpacked and not put in place yet."""
        return self.root / "restore.new"

    @property
    def runs(self) -> Path:
        """One folder a run: what its output spilled, what it left in its workspace."""
        return self.root / "runs"

    @property
    def undo(self) -> Path:
        """One folder a run: what its changes to the person's files replaced."""
        return self.root / "undo"

    @property
    def log_file(self) -> Path:
        return self.root / "logs" / "partner.log"

    @property
    def reports(self) -> Path:
        """The last reports of unexpected errors."""
        return self.root / "logs" / "reports"

    @property
    def fatal_file(self) -> Path:
        """What the interpreter writes when it crashes itself."""
        return self.root / "logs" / "fatal.txt"

    @property
    def lock_file(self) -> Path:
        return self.root / "host.lock"

    @property
    def socket(self) -> Path:
        """The host's private socket; in a short private folder where the home's path is too long."""
        path = self.root / "host.sock"
        if len(os.fsencode(path)) <= _SOCKET_PATH_LIMIT_BYTES:
            return path
        import hashlib  # noqa: PLC0415 - rarely needed, and start-up counts every import
        import tempfile  # noqa: PLC0415

        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        base = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
        return Path(base) / f"partner-{os.getuid()}-{digest}" / "host.sock"

    def prepare(self) -> None:
        """Make the folders, closed to other users.

        Raises:
            OSError: The home cannot be written.
        """
        for folder in (self.root, self.backups, self.runs, self.log_file.parent, self.socket.parent):
            # What was there before keeps its rights: somebody may have named a folder of theirs.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in {self.root, self.socket.parent}:
            info = folder.stat()
            if info.st_uid != os.getuid() or info.st_mode & 0o022:
                raise PermissionError(
                    errno.EPERM, "others can write there, so it cannot be private", str(folder)
                )
