"""Keys in a file, for systems without a keyring: closed to others, replaced whole, never half written.

Blocking; for use off the loop. No message quotes what the file holds.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from partner_desktop.base import private
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.paths import display_path
from partner_desktop.config.toml_value import toml_key, toml_value
from partner_desktop.files.atomic import write_whole

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
            raise ConfigError(f"{self._shown} cannot be read ({error.strerror}).") from error
        except (ValueError, RecursionError):
            tables = {"": 0}
        found = {name: value for name, value in tables.items() if isinstance(value, str)}
        if len(found) < len(tables):
            raise ConfigError(
                f'{self._shown} is damaged: each line must be `name = "key"`. Correct it, or delete it and '
                "give the keys again."
            )
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
            raise ConfigError(
                f"The key could not be kept: {self._shown} cannot be written ({error.strerror})."
            ) from error

    @property
    def _shown(self) -> str:
        return display_path(self.path)
