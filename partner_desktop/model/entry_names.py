"""Entries of `config/model.toml` made from what a person points at: a file, or a server."""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path
from urllib.parse import urlsplit

from partner_desktop.base.errors import ModelError
from partner_desktop.base.paths import display_path

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
        raise ModelError(reason)


def unfit_reason(path: Path) -> str:
    """Why this file is no model, in one sentence; empty if it may be one. Blocking."""
    shown = display_path(path)
    try:
        if not path.exists():
            return f"The file {shown} is not there."
        if not path.is_file():
            return f"{shown} is no file; a model is one file in the GGUF format."
        with path.open("rb") as file:
            begin = file.read(len(_MAGIC))
        str(path).encode()
    except OSError as error:
        return f"The file {shown} cannot be read ({error.strerror})."
    except ValueError:  # a null byte, or half a character
        return f"The name of {shown} is not text; rename the file or its folder."
    return "" if begin == _MAGIC else f"{shown} is not a model in the GGUF format."


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
