"""Which folder is Partner's home: `--home`, `PARTNER_HOME`, or the platform's data folder."""

from __future__ import annotations

import os
from pathlib import Path

from partner_desktop.base.paths import Home


def resolve_home(given: Path | None) -> Home:
    """The home to use, absolute; it is not made here."""
    if given is not None:
        return Home(Path(os.path.expanduser(given)).absolute())  # noqa: PTH111 - never raises
    from_environment = os.environ.get("PARTNER_HOME")
    if from_environment:
        return Home(Path(os.path.expanduser(from_environment)).absolute())  # noqa: PTH111
    from platformdirs import user_data_path  # noqa: PLC0415 - only where nothing was named

    return Home(user_data_path("partner-desktop", appauthor=False))
