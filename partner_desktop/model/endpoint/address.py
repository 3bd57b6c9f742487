"""A server's address as people paste it, made into the one that calls are added to."""

from __future__ import annotations

import re
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit, urlunsplit

from partner_desktop.base.errors import ModelError

#: What documentation shows behind the base address; the longest first.
_CALLS = ("/chat/completions", "/completions", "/responses", "/embeddings", "/models", "/chat")
#: Names that no server of the world has.
_NEARBY = (".localhost", ".local", ".lan", ".internal", ".home.arpa")
_VERSION = re.compile(r"/v\d+\w*(/|$)")
_HERE = re.compile(
    r"^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[|[^.:/]+(:|/|$))", re.IGNORECASE
)


def tidy_address(text: str) -> str:
    """`http://host/v1` out of what was typed: without a call, blanks, the last slash; `/v1` where no path is.

    Raises:
        ModelError: It is no address.
    """
    typed = text.strip().strip("\"'<>").strip()
    if typed and "://" not in typed:
        typed = ("http://" if _HERE.match(typed) else "https://") + typed
    try:
        parts = urlsplit(typed)
        _ = parts.port  # raises for one that is none
    except ValueError:
        raise _no_address(text) from None
    if parts.scheme not in ("http", "https") or not parts.hostname or re.search(r"\s", typed):
        raise _no_address(text)
    return urlunsplit((parts.scheme, parts.netloc, _path(parts), "", ""))


def _path(parts: SplitResult) -> str:
    path = re.sub(r"/{2,}", "/", parts.path).rstrip("/")
    for call in _CALLS:
        if path.endswith(call):
            # Somebody who named a call named what stands before it as well, be it nothing.
            return path.removesuffix(call)
    return path or "/v1"


def _no_address(text: str) -> ModelError:
    return ModelError("model.no_address", address=shown_address(text.strip())[:80])


def is_overheard(address: str) -> bool:
    """Whether what goes there can be read on the way: unencrypted, and out of this machine's own network."""
    parts = urlsplit(address)
    host = (parts.hostname or "").rstrip(".")
    if parts.scheme != "http":
        return False
    try:
        there = ip_address(host)
    except ValueError:
        return "." in host and not host.lower().endswith(_NEARBY)
    return not (there.is_loopback or there.is_private or there.is_link_local)


def has_version(address: str) -> bool:
    """Whether its path has a part such as `/v1`."""
    return _VERSION.search(address) is not None


def is_on_this_machine(address: str) -> bool:
    """Whether what goes there stays here."""
    host = (urlsplit(address).hostname or "").rstrip(".")
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def shown_address(address: str) -> str:
    """Without a password in it."""
    return re.sub(r"//[^/@\s]*@", "//", address)
