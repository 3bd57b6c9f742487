"""System keyrings for tests: real backends of the keyring library, as systems have them, good and bad."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import keyring
from keyring import errors
from keyring.backend import KeyringBackend
from keyring.backends import fail


class FileKeyring(KeyringBackend):
    """Keeps passwords in a file, in the open."""

    priority = 1.0
    name = "test keyring"

    def __init__(self, path: Path) -> None:
        super().__init__()  # type: ignore[no-untyped-call]  # the library leaves it so
        self.path = path

    def entries(self) -> dict[str, dict[str, str]]:
        if not self.path.exists():
            return {}
        found: dict[str, dict[str, str]] = json.loads(self.path.read_text(encoding="utf-8"))
        return found

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries().get(service, {}).get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        entries = self.entries()
        entries.setdefault(service, {})[username] = password
        self.path.write_text(json.dumps(entries), encoding="utf-8")

    def delete_password(self, service: str, username: str) -> None:
        entries = self.entries()
        if username not in entries.get(service, {}):
            raise errors.PasswordDeleteError("none")
        del entries[service][username]
        self.path.write_text(json.dumps(entries), encoding="utf-8")


class MoodyKeyring(FileKeyring):
    """Does what its mood says: works, is locked, hangs until it is let go, or forgets what it is given."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.mood = "works"
        self.asked = 0
        self.let_go = threading.Event()

    def _feel(self, password: str = "") -> None:
        self.asked += 1
        if self.mood == "locked":
            raise errors.KeyringLocked(f"cannot take {password}")
        if self.mood == "broken":
            raise OSError(f"the bus fell off with {password}")
        if self.mood == "hangs":
            self.let_go.wait(30)

    def get_password(self, service: str, username: str) -> str | None:
        self._feel()
        return super().get_password(service, username)

    def set_password(self, service: str, username: str, password: str) -> None:
        self._feel(password)
        if self.mood != "forgets":
            super().set_password(service, username, password)

    def delete_password(self, service: str, username: str) -> None:
        self._feel()
        super().delete_password(service, username)


@contextmanager
def installed(backend: Any) -> Iterator[None]:
    """Make it the system's keyring."""
    before = keyring.get_keyring()
    keyring.set_keyring(backend)
    try:
        yield
    finally:
        keyring.set_keyring(before)


@contextmanager
def system_keyring(path: Path) -> Iterator[FileKeyring]:
    """A keyring that works."""
    backend = FileKeyring(path)
    with installed(backend):
        yield backend


@contextmanager
def moody_keyring(path: Path) -> Iterator[MoodyKeyring]:
    """One whose mood changes."""
    backend = MoodyKeyring(path)
    try:
        with installed(backend):
            yield backend
    finally:
        backend.let_go.set()


@contextmanager
def no_keyring() -> Iterator[None]:
    """What the library finds on a system without one."""
    with installed(fail.Keyring()):  # type: ignore[no-untyped-call]  # as above
        yield
