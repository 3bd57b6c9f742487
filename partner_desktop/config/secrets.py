"""Keys of servers: in the system's keyring, or visibly in a file where there is none.

Contract: a key is never lost and never shown: what cannot be kept in the one place is kept in the other
before anything is removed, and no message, log line or repr quotes one. What the file holds is newer than
what the keyring holds of the same name, because a key that the keyring takes leaves the file.

`keyring` may wait for a bus that is not there, or for a person to unlock it. It is therefore asked on a
thread of its own, one call at a time, and given up after a time limit; a call that hangs ends with the app.

The file is closed to others, replaced whole and never half written; it is read and written off the loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from partner_desktop.base import log, private
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.messages import LazySentence, sentence_of, system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.tasks import uninterrupted
from partner_desktop.config.toml_text import toml_key, toml_value
from partner_desktop.files.atomic import write_whole

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

_log = log.area("config")

#: A keyring that takes longer waits for something; a person who unlocks it has this long.
LIMIT_S = 5.0

T = TypeVar("T")

#: What people call the keyrings that the library knows by their modules.
_SHOWN = {
    "SecretService": "Secret Service",
    "libsecret": "Secret Service",
    "kwallet": "KWallet",
    "macOS": "macOS Keychain",
    "Windows": "Windows Credential Manager",
}

_Trouble = Literal["none", "silent", "failed"]


class _NoKeyring(Exception):  # noqa: N818 - not an error of the tree: it never leaves this file
    """The keyring was not of use. Without the library's own words: they could quote a key."""

    def __init__(self, trouble: _Trouble) -> None:
        super().__init__(trouble)
        self.trouble: _Trouble = trouble


class SecretStore:
    """The keys of one home. `limit_s`: the longest wait for one answer of the keyring."""

    def __init__(self, home: Home, *, limit_s: float = LIMIT_S) -> None:
        # The folder's path, so that two homes do not share keys and a person finds them in the keyring.
        self._service = f"partner-desktop {os.fsencode(home.root.absolute()).decode('utf-8', 'replace')}"
        self._file = SecretFile(home.root / "secrets.toml")
        self._limit_s = limit_s
        self._one_by_one = asyncio.Lock()
        self._working: threading.Thread | None = None
        self._given_up = False
        self._trouble: _Trouble | None = None

    async def get(self, name: str) -> str:
        """The key of that name; empty where there is none.

        Raises:
            ConfigError: The keyring or the file could not be asked.
        """
        async with self._one_by_one:
            kept = await asyncio.to_thread(self._file.read)
            if name in kept:
                return kept[name]
            try:
                return await self._ask(lambda: _read(self._service, name))
            except _NoKeyring as error:
                if error.trouble == "none":
                    return ""
                raise ConfigError("config.key_unread", name=name, because=_because(error.trouble)) from None

    async def set(self, name: str, value: str) -> str:
        """Keep a key; what was kept under that name goes. Says where it is now, as `where` does.

        Raises:
            ConfigError: It could be kept nowhere, or it is none; what was kept before still is.
        """
        key = usable(value)
        async with self._one_by_one:
            return await uninterrupted(self._keep(name, key))

    async def _keep(self, name: str, key: str) -> str:
        try:
            shown = await self._ask(lambda: _write(self._service, name, key))
        except _NoKeyring as error:
            await asyncio.to_thread(self._file.put, name, key)
            _log.info("a key is kept in a file because %s", _because(error.trouble))
            return self._in_file(error.trouble)
        await asyncio.to_thread(self._file.remove, name)
        return _in_keyring(shown)

    async def delete(self, name: str) -> None:
        """Keep it no longer, in neither place.

        Raises:
            ConfigError: The keyring or the file could not be asked, and may still hold it.
        """
        async with self._one_by_one:
            await uninterrupted(self._forget(name))

    async def _forget(self, name: str) -> None:
        await asyncio.to_thread(self._file.remove, name)
        try:
            await self._ask(lambda: _remove(self._service, name))
        except _NoKeyring as error:
            if error.trouble != "none":
                raise ConfigError("config.key_may_stay", name=name, because=_because(error.trouble)) from None

    async def where(self) -> str:
        """Where the next key goes, as the end of a sentence."""
        async with self._one_by_one:
            try:
                shown = await self._ask(_name_of_keyring)
            except _NoKeyring as error:
                return self._in_file(error.trouble)
        # That it is there does not mean that it takes keys: what it did last time counts.
        return self._in_file(self._trouble) if self._trouble else _in_keyring(shown)

    def _in_file(self, trouble: _Trouble) -> str:
        path = display_path(self._file.path)
        return sentence_of("config.in_file", path=path, because=_because(trouble))

    async def _ask(self, work: Callable[[], T]) -> T:
        """What `work` makes of the keyring, on a thread that nobody has to wait for.

        Raises:
            _NoKeyring: There is none, or it failed, or it took too long.
        """
        try:
            answer = await self._bounded(work)
        except _NoKeyring as error:
            self._trouble = error.trouble
            raise
        if work is not _name_of_keyring:
            self._trouble = None
        return answer

    async def _bounded(self, work: Callable[[], T]) -> T:
        if self._working is not None and self._working.is_alive():
            if self._given_up:
                raise _NoKeyring("silent")
            await asyncio.to_thread(self._working.join, self._limit_s)  # whoever asked did not wait
        self._given_up = False
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        self._working = threading.Thread(target=_run, args=(work, loop, done), name="keyring", daemon=True)
        self._working.start()
        try:
            async with asyncio.timeout(self._limit_s):
                return await done
        except TimeoutError:
            self._given_up = True
            raise _NoKeyring("silent") from None


def usable(value: str) -> str:
    """The key without the blanks around it that come along when it is pasted.

    Raises:
        ConfigError: No key looks like this.
    """
    key = value.strip()
    if not key or len(key) > 10_000 or not key.isascii() or not key.isprintable() or " " in key:
        raise ConfigError("config.no_key")
    return key


def _in_keyring(shown: str) -> str:
    return sentence_of("config.in_keyring", shown=shown)


def _because(trouble: _Trouble) -> LazySentence:
    return LazySentence(f"config.because_{trouble}")


def _run(work: Callable[[], T], loop: asyncio.AbstractEventLoop, done: asyncio.Future[T]) -> None:
    def settle(answer: T | None, trouble: _Trouble | None) -> None:
        if done.done():
            return
        if trouble is not None:
            done.set_exception(_NoKeyring(trouble))
        else:
            done.set_result(answer)  # type: ignore[arg-type]  # with no trouble it is what `work` gave

    answer, trouble = None, None
    try:
        answer = work()
    except _NoKeyring as error:
        trouble = error.trouble
    except Exception as error:  # noqa: BLE001 - a keyring of somebody else's may raise whatever it likes
        _log.info("the system keyring raised %s", type(error).__name__)
        trouble = "failed"
    with suppress(RuntimeError):  # the loop is closed: nobody waits for it any more
        loop.call_soon_threadsafe(settle, answer, trouble)


def _keyring() -> KeyringBackend:
    import keyring  # noqa: PLC0415 - slow, and only where there are endpoints
    from keyring.backends import chainer, fail, null  # noqa: PLC0415

    found = keyring.get_keyring()
    if isinstance(found, chainer.ChainerBackend):
        found = next(iter(found.backends), found)
    if isinstance(found, (chainer.ChainerBackend, fail.Keyring, null.Keyring)):
        raise _NoKeyring("none")
    return found


def _name_of_keyring() -> str:
    found = _keyring()
    module = type(found).__module__.rpartition(".")[2]
    return _SHOWN.get(module, str(found.name))


def _read(service: str, name: str) -> str:
    return _keyring().get_password(service, name) or ""


def _write(service: str, name: str, key: str) -> str:
    """Returns the keyring's name, once it gives back what it was given."""
    found = _keyring()
    found.set_password(service, name, key)
    if found.get_password(service, name) != key:
        raise _NoKeyring("failed")
    return _name_of_keyring()


def _remove(service: str, name: str) -> None:
    found = _keyring()
    if found.get_password(service, name) is not None:
        found.delete_password(service, name)


_HEAD = (
    "# Keys that Partner keeps here because no keyring of the system took them. Nobody else may read this.\n"
)


class SecretFile:
    """The file `path`; it is there as long as it holds something."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[str, str]:
        """Name → key; empty where there is no file.

        Raises:
            ConfigError: It is there and cannot be read.
        """
        private.close(self.path)
        try:
            tables = tomllib.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise ConfigError("common.unreadable", path=self._shown, reason=system_reason(error)) from error
        except (ValueError, RecursionError):
            tables = {"": 0}
        found = {name: value for name, value in tables.items() if isinstance(value, str)}
        if len(found) < len(tables):
            raise ConfigError("config.keys_damaged", path=self._shown)
        return found

    def put(self, name: str, value: str) -> None:
        """Keep a key in place of the one of that name.

        Raises:
            ConfigError: It could not be written; what was there still is.
        """
        self._write({**self.read(), name: value})

    def remove(self, name: str) -> None:
        """Keep it no longer; nothing where it is not kept.

        Raises:
            ConfigError: It could not be written; what was there still is.
        """
        kept = self.read()
        if kept.pop(name, None) is not None:
            self._write(kept)

    def _write(self, kept: dict[str, str]) -> None:
        lines = [f"{toml_key((name,))} = {toml_value(value)}\n" for name, value in sorted(kept.items())]
        try:
            private.make_folder(self.path.parent)
            if lines:
                write_whole(self.path, "".join([_HEAD, *lines]).encode(), private=True)
            else:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise ConfigError("config.key_unkept", path=self._shown, reason=system_reason(error)) from error

    @property
    def _shown(self) -> str:
        return display_path(self.path)
