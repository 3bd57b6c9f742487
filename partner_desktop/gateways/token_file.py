"""The token of the websocket gateway: a file in the home that only its owner can read. Blocking."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from partner_desktop.base.errors import GatewayError
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.private import building_beside
from partner_desktop.base.spoken import system_reason

_BYTES = 32
#: `secrets.token_urlsafe(32)` gives 43 signs; less is no token of ours, and an empty one must open nothing.
_LEAST_LENGTH = 40


def token_path(home: Home) -> Path:
    """Where it lies."""
    return home.root / "gateway.token"


def read_token(home: Home) -> str:
    """The token; made when there is none yet.

    Raises:
        GatewayError: It cannot be read or written, or holds no token.
    """
    path = token_path(home)
    try:
        token = path.read_text(encoding="ascii", errors="replace").strip()
        if path.stat().st_mode & 0o077:
            path.chmod(0o600)
    except FileNotFoundError:
        return renew_token(home)
    except OSError as error:
        raise GatewayError(
            "common.unreadable", path=display_path(path), reason=system_reason(error)
        ) from error
    if len(token) < _LEAST_LENGTH or not token.isascii():
        raise GatewayError("gateways.no_token", path=display_path(path))
    return token


def renew_token(home: Home) -> str:
    """A new token in place of the old; clients that came in with that one are let go.

    Raises:
        GatewayError: It cannot be written; the old one is as it was.
    """
    path, token = token_path(home), secrets.token_urlsafe(_BYTES)
    building = building_beside(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(building, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(token + "\n")
            file.flush()
            os.fsync(file.fileno())
        building.replace(path)
    except OSError as error:
        building.unlink(missing_ok=True)
        raise GatewayError(
            "common.unwritable", path=display_path(path), reason=system_reason(error)
        ) from error
    return token
