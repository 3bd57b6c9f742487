"""AbilityDraft: the part of an ability's description that a person edits, before it is written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class AbilityDraft:
    """What stands in the form. Types, annotations and permissions stay as the script's author wrote them."""

    name: str
    """The part of the key after `local::`, and the name of the file or folder."""
    title: str = ""
    """Shown instead of the name; empty: made from the name."""
    description: str = ""
    aliases: tuple[str, ...] = ()
    """Other ways to ask for it."""
    params: Mapping[str, str] = field(default_factory=dict)
    """Parameter → what it means, in the parameters' order."""
    timeout_s: float = 120.0
