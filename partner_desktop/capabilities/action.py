"""Action: what can be done here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from partner_desktop.domain.meta_action import MetaActionInfo


class ActionCapability(Protocol):
    """What the action modules offer to others."""

    def usable(self) -> Sequence[MetaActionInfo]:
        """Every ability that can be called now."""
        ...
