"""Who is let in, how much a client may ask, and how a connection ends.

The headers of a connection are looked at first.
A web page in the person's browser can reach 127.0.0.1 too: browsers then send its `Origin`. With DNS
rebinding the page's own name leads here, and the `Host` shows it.

The token is a file in the home that only its owner can read; reading it blocks.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path

from partner_desktop.base.errors import GatewayError
from partner_desktop.base.messages import system_reason
from partner_desktop.base.paths import Home, display_path
from partner_desktop.base.private import building_beside
from partner_desktop.base.recent import Recent

_OWN_NAMES = ("localhost", "127.0.0.1")
_BEARER = "bearer "


def refusal(*, hosts: Sequence[str], origins: Sequence[str], allowed: Sequence[str]) -> str:
    """Why this connection is not taken; empty when it is."""
    if len(hosts) != 1 or hosts[0].partition(":")[0].lower() not in _OWN_NAMES:
        return "Partner answers to localhost and 127.0.0.1 only."
    if any(origin not in allowed for origin in origins):
        return (
            "This web page may not talk to Partner; `allowed_origins` in config/gateways.toml names those "
            "that may."
        )
    return ""


def bearer(headers: Sequence[str]) -> str:
    """The token of an `Authorization` header; empty without one."""
    for header in headers:
        if header.lower().startswith(_BEARER):
            return header[len(_BEARER) :].strip()
    return ""


_FIRST_DELAY_S = 0.1
_MOST_DELAY_S = 3.0
_MOST_PEERS = 1_000


class FrameBucket:
    """So many frames at once, so many a second in the long run."""

    def __init__(self, *, per_second: float, burst: int, now_s: float) -> None:
        self._per_second = per_second
        self._burst = float(burst)
        self._left = float(burst)
        self._at_s = now_s

    def take(self, now_s: float) -> bool:
        """Whether one more frame is within the limit."""
        self._left = min(self._burst, self._left + (now_s - self._at_s) * self._per_second)
        self._at_s = now_s
        if self._left < 1:
            return False
        self._left -= 1
        return True


class WrongTokens:
    """A peer that guesses waits longer each time; those who know the token never wait."""

    def __init__(self) -> None:
        self._counts: Recent[str, int] = Recent(_MOST_PEERS)

    def wait_s(self, peer: str) -> float:
        """Count one more wrong token; the seconds before it is answered."""
        count = self._counts.get(peer, 0)
        self._counts[peer] = count + 1
        return min(_MOST_DELAY_S, _FIRST_DELAY_S * 2.0 ** min(count, 10))

    def forget(self, peer: str) -> None:
        """It knew the token."""
        self._counts.pop(peer, None)


WRONG_TOKEN, NO_HELLO, TOO_SLOW, TOO_MANY = 4401, 4408, 4410, 4429

#: A close frame holds 123 bytes of reason.
_REASON_BYTES = 120


class FarewellError(Exception):
    """The connection ends; with a code when it is we who end it. Never leaves the gateway."""

    def __init__(self, code: int = 0, sentence: str = "") -> None:
        super().__init__(sentence)
        self.code = code


def too_slow() -> FarewellError:
    """For a client that does not read what it asked for."""
    return FarewellError(TOO_SLOW, "This client reads too slowly; it may come back and miss nothing.")


def close_reason(sentence: str) -> str:
    """As much of a sentence as a close frame holds."""
    return sentence.encode()[:_REASON_BYTES].decode("utf-8", "ignore")


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
