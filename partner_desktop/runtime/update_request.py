"""The process that asks which version of Partner is the newest: one address, one answer, and its end.

The address is an argument; a line of JSON comes out, as `update_check.UpdateAnswer` reads it. It is a process
of its own because a name that is looked up, a proxy or a server can each take as long as it likes, and a
thread cannot be ended. No redirect is followed, for one address was allowed; nothing is said of the person or
the machine.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import sys
import urllib.error
import urllib.request
from typing import IO
from urllib.parse import urlsplit

from partner_desktop.base.processes import behave

#: PyPI tells of every file of every version: that is the largest of what is read here.
MOST_BYTES = 4_000_000
_SILENCE_S = 10.0
_VERSION = re.compile(
    r"v?([0-9]{1,6}(?:\.[0-9]{1,6}){0,3}(?:[-.]?(?:a|b|rc|alpha|beta|pre|dev)[-.]?[0-9]*)?)"
)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> None:
        """Follow none: it becomes an HTTPError."""


def ask(url: str) -> dict[str, str]:
    """Ask, whatever comes. Blocking, for as long as whoever answers likes."""
    request = urllib.request.Request(  # noqa: S310 - the settings take https only
        url, headers={"User-Agent": "partner-desktop", "Accept": "application/json"}
    )
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=_SILENCE_S) as response:
            body = response.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        moved = 300 <= error.code < 400
        return {"failure": "elsewhere" if moved else "refused", "detail": str(error.code)}
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        return {"failure": "silent" if isinstance(reason, TimeoutError) else "unreached"}
    if len(body) > MOST_BYTES:
        return {"failure": "too_large"}
    return version_in(body)


def version_in(body: bytes) -> dict[str, str]:
    """The version in an answer of one of the forms that are known."""
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return {"failure": "not_understood"}
    if not isinstance(told, dict):
        return {"failure": "not_understood"}
    of_pypi = told.get("info")
    if isinstance(of_pypi, dict):
        version, page = of_pypi.get("version"), of_pypi.get("release_url")
    else:
        version = told.get("version") or told.get("tag_name")
        page = told.get("page") or told.get("html_url")
    match = _VERSION.fullmatch(version.strip()) if isinstance(version, str) else None
    if match is None:
        return {"failure": "not_understood"}
    return {"version": match[1], "page": _web_page(page)}


def _web_page(told: object) -> str:
    """An address that can be shown and opened; a version is worth telling without one, too."""
    if not isinstance(told, str) or len(told) > 500 or not told.isascii() or not told.isprintable():
        return ""
    try:
        parts = urlsplit(told)
    except ValueError:
        return ""
    return told if parts.scheme == "https" and parts.hostname and " " not in told else ""


if __name__ == "__main__":
    behave()
    sys.stdout.write(json.dumps(ask(sys.argv[1])))
    sys.stdout.flush()
    os._exit(0)  # without waiting for what a server still sends
