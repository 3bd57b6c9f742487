"""Where things lie: what the app ships, and what a home holds."""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.text import shown

_PACKAGE = Path(__file__).resolve().parent.parent

#: `sun_path` holds 108 bytes on Linux and 104 on macOS; what Partner adds to the folder takes up to 46.
_RUNTIME_PATH_LIMIT_BYTES = 55
_SOCKET = "host.sock"
_PROOF = "proof"


def shipped(name: str) -> Path:
    """The path of something shipped (`resources`, `action`), in a wheel and in a checkout alike."""
    inside_wheel = _PACKAGE / "_shipped" / name
    return inside_wheel if inside_wheel.exists() else _PACKAGE.parent / name


def expanded_path(path: str | Path) -> Path:
    """With the person's home in the place of `~`; that of a user whom nobody knows stays as it is written."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - `Path.expanduser` raises


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
    def action_dir(self) -> Path:
        """The user's own abilities, with the shipped samples from the first start on."""
        return self.root / "action"

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
    def key_file(self) -> Path:
        """What this home signs its backups with, and in none of them.

        It is there since Partner asks before servers start.
        """
        return self.root / "home.key"

    @property
    def restore_journal(self) -> Path:
        """There while a restore counts and is not finished."""
        return self.root / "restore.json"

    @property
    def restore_note(self) -> Path:
        """What a restore left out of another home's backup, until a window has said it."""
        return self.root / "restored.txt"

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
    def pictures(self) -> Path:
        """What came with messages; a file goes with the last message that names it."""
        return self.root / "pictures"

    @property
    def models(self) -> Path:
        """Models that were fetched, `owner/name/file`; in no backup, for a hub has them."""
        return self.root / "models"

    @property
    def updates_file(self) -> Path:
        """What the last question for a newer version came to; in no backup."""
        return self.root / "updates.json"

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
    def runtime(self) -> Path:
        """Where a host of this process meets its commands: outside of the home, and kept by no restart."""
        import hashlib  # noqa: PLC0415 - start-up counts every import

        digest = hashlib.sha256(os.fsencode(self.root)).hexdigest()[:16]
        return _runtime_base() / f"partner-{os.getuid()}-{digest}"

    @property
    def socket(self) -> Path:
        """The private socket of a host in this process."""
        return self.runtime / _SOCKET

    @property
    def proof(self) -> Path:
        """What a host in this process wants to be shown: who can read it, no sandbox holds."""
        return self.runtime / _PROOF

    @property
    def host_file(self) -> Path:
        """What the host wrote down about itself."""
        return self.lock_file.with_suffix(".json")

    def of_host(self) -> tuple[Path, Path]:
        """Socket and proof of the host that holds the home; its surroundings may name other folders."""
        try:
            folder = Path(json.loads(self.host_file.read_text(encoding="utf-8"))["runtime"])
        except (OSError, ValueError, KeyError, TypeError):
            folder = self.runtime
        return folder / _SOCKET, folder / _PROOF

    def prepare(self) -> None:
        """Make the folders, closed to other users.

        Raises:
            OSError: The home cannot be written.
        """
        for folder in (self.root, self.backups, self.runs, self.log_file.parent):
            # What was there before keeps its rights: somebody may have named a folder of theirs.
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        info = self.root.stat()
        if info.st_uid != os.getuid() or info.st_mode & 0o022:
            raise _not_private(self.root)

    def prepare_runtime(self) -> None:
        """Make the folder of the socket, or find the one of an earlier host.

        Raises:
            OSError: It cannot be made, or what lies there is not a folder of this user alone.
        """
        folder = self.runtime
        folder.mkdir(mode=0o700, exist_ok=True)
        info = folder.lstat()
        if not stat.S_ISDIR(info.st_mode) or info.st_uid != os.getuid() or info.st_mode & 0o077:
            raise _not_private(folder)


def _not_private(folder: Path) -> PermissionError:
    return PermissionError(errno.EPERM, "others can write there, so it cannot be private", str(folder))


def _runtime_base() -> Path:
    """The user's runtime folder, which ends with the last log-out; without one that of temporary files."""
    for folder in (Path(os.environ.get("XDG_RUNTIME_DIR", "")), Path(f"/run/user/{os.getuid()}")):
        with suppress(OSError):  # often named, where a user was changed, and not there or another's
            info = folder.stat()
            private = info.st_uid == os.getuid() and not info.st_mode & 0o022
            if folder.is_absolute() and folder.is_dir() and private and _is_short(folder):
                return folder
    import tempfile  # noqa: PLC0415 - start-up counts every import

    folder = Path(tempfile.gettempdir())
    return folder if _is_short(folder) else Path("/tmp")  # noqa: S108 - what is made there is checked


def _is_short(folder: Path) -> bool:
    return len(os.fsencode(folder)) <= _RUNTIME_PATH_LIMIT_BYTES
