"""`${env:NAME}`, `${keyring:NAME}` and their like: parts of a configuration that are filled in at the start.

Pure. Known forms: `${env:NAME}` and `${NAME}` (a variable), each with `:-default` behind the name,
`${keyring:NAME}`, `${input:NAME}` (VS Code's question for a secret; here the keyring's entry of that
name), `${userHome}` and `${pathSeparator}` or `${/}`. What was filled in is not looked at again.
"""

from __future__ import annotations

import re
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

_PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
#: VS Code's variables for an editor's window; a companion on the desktop has no such folder.
_WORKSPACE = ("workspaceFolder", "workspaceRoot", "workspaceFolderBasename", "cwd", "file", "relativeFile")

Kind = Literal["text", "env", "keyring", "home", "unknown"]


@dataclass(frozen=True)
class PlaceholderPiece:
    """A stretch of a text: as it is, or a placeholder."""

    kind: Kind
    text: str
    """The text itself, the name referred to, or the placeholder that is not known."""
    default: str | None = None
    asked: bool = False
    """Written as `${input:…}`."""


def pieces(text: str) -> list[PlaceholderPiece]:
    """A text in its stretches, in order."""
    found, at = [], 0
    for match in _PLACEHOLDER.finditer(text):
        if match.start() > at:
            found.append(PlaceholderPiece("text", text[at : match.start()]))
        found.append(_placeholder(match.group(1)))
        at = match.end()
    if at < len(text):
        found.append(PlaceholderPiece("text", text[at:]))
    return found


def _placeholder(inside: str) -> PlaceholderPiece:
    if inside in ("pathSeparator", "/"):
        return PlaceholderPiece("text", "/")
    if inside == "userHome":
        return PlaceholderPiece("home", inside)
    kind, colon, rest = inside.partition(":")
    if colon and kind in ("keyring", "input") and rest.strip() and rest.isprintable():
        return PlaceholderPiece("keyring", rest.strip(), asked=kind == "input")
    name, dash, default = (rest if colon and kind == "env" else inside).partition(":-")
    if inside.partition(":")[0] not in _WORKSPACE and _NAME.fullmatch(name):
        return PlaceholderPiece("env", name, default=default if dash else None)
    return PlaceholderPiece("unknown", inside)


def why_unknown(inside: str) -> str:
    """What to write in place of a placeholder that is not known, as a clause."""
    kind, _, _ = inside.partition(":")
    if kind in _WORKSPACE:
        return f"`${{{inside}}}` stands for an editor's folder, and there is none here; write the path"
    return (
        f"`${{{inside}}}` is not known here; write `${{env:NAME}}`, `${{keyring:NAME}}` or the value itself"
    )


def without_placeholders(text: str) -> str:
    """The text as it could look when everything is filled in."""
    return _PLACEHOLDER.sub("x", text)


def asked_for(text: str) -> list[str]:
    """The names that `${input:…}` refers to."""
    return [piece.text for piece in pieces(text) if piece.asked]
