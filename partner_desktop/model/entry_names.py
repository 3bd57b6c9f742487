"""Entries of `config/model.toml` made from what a person points at: a file, or a server."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

from partner_desktop.base.errors import ModelError
from partner_desktop.base.paths import display_path
from partner_desktop.base.spoken import sentence_of, system_reason

_MAGIC = b"GGUF"
_LONGEST = 60
#: What a name may not hold; see `FileModel.name`.
_UNFIT = re.compile(r"[/\\\n\r]|^\s+|\s+$")


def whole_path(written: str) -> Path:
    """The path that somebody wrote, from the root on; never raises."""
    return Path(os.path.abspath(os.path.expanduser(written)))  # noqa: PTH100, PTH111 - never raises


def require_gguf(path: Path) -> None:
    """See that a file can be read and begins as models do. Blocking.

    Raises:
        ModelError: It does not; the sentence says why.
    """
    reason = unfit_reason(path)
    if reason:
        raise ModelError("common.told", text=reason)


def unfit_reason(path: Path) -> str:
    """Why this file is no model, in one sentence; empty if it may be one. Blocking."""
    shown_path = display_path(path)
    try:
        if not path.exists():
            return sentence_of("model.no_file", path=shown_path)
        if not path.is_file():
            return sentence_of("model.not_a_file", path=shown_path)
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
        str(path).encode()
    except OSError as error:
        return sentence_of("model.file_unread", path=shown_path, reason=system_reason(error))
    except ValueError:  # a null byte, or half a character
        return sentence_of("model.name_no_text", path=shown_path)
    return "" if begin == _MAGIC else sentence_of("model.not_gguf", path=shown_path)


def free_name(wanted: str, taken: Collection[str]) -> str:
    """A name like the wanted one that no other model has."""
    base = _UNFIT.sub("", wanted)[:_LONGEST].rstrip() or "model"
    name, number = base, 2
    while name in taken or name == "starter":
        name, number = f"{base} {number}", number + 1
    return name


def server_name(base_url: str) -> str:
    """What a server is called where nobody said it."""
    try:
        return urlsplit(base_url).hostname or "server"
    except ValueError:
        return "server"
