"""Who may even knock: the headers of a connection, looked at before anything else.

A web page in the person's browser can reach 127.0.0.1 too: browsers then send its `Origin`. With DNS
rebinding the page's own name leads here, and the `Host` shows it.
"""

from __future__ import annotations

from collections.abc import Sequence

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
