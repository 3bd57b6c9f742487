"""The name of the machine's own time zone."""

from __future__ import annotations

import os
from pathlib import Path
from zoneinfo import ZoneInfo

#: Where a system says which zone it is in: a link into the table of zones.
_LINK = "/etc/localtime"
_TABLE = "/zoneinfo/"


def machine_zone() -> str:
    """A name as `Europe/Berlin`; empty where the machine does not say it so."""
    said = os.environ.get("TZ", "").removeprefix(":")
    name = said or os.path.realpath(Path(_LINK)).partition(_TABLE)[2]
    for table in ("posix/", "right/"):
        name = name.removeprefix(table)
    try:
        return ZoneInfo(name).key if name and not name.startswith("/") else ""
    except (ValueError, OSError, KeyError):  # a rule as `CET-1CEST`, or a zone that is not there
        return ""
