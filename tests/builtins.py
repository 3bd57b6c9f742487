"""The builtin abilities of a real Partner, which is not launched for it."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.domain.meta_action import MetaActionInfo


@cache
def builtin_infos() -> tuple[MetaActionInfo, ...]:
    """What the app's list of builtins describes, in its order."""
    with tempfile.TemporaryDirectory() as folder:
        partner = Partner(Home(Path(folder) / "home"), Path(folder) / "action", meaning=False)
        return tuple(ability.info for ability in partner.abilities.list() if ability.info is not None)
