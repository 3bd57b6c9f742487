"""Referent: what a finished action left that words can mean: `the second one`, `the zip you made`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject


@dataclass(frozen=True)
class ResultItem:
    """One file or folder of a result."""

    path: str
    """Absolute."""
    is_folder: bool = False
    size_bytes: int | None = None
    """`None`: of a folder, where the result does not tell it."""
    group: int = 0
    """Which of the groups of a result it belongs to, from 1, such as copies of one file; 0: to none."""
    made: bool = False
    """It came to be there by the action: made, copied or moved."""
    given: bool = False
    """It was named for the action, rather than found or made by it."""
    gone: bool = False
    """It is not there any more."""
    modified_s: float | None = None
    """When it was changed last, in seconds of the epoch."""
    source: bool = False
    """What was made was made of it, and the result does not name it."""


#: `Referent.key` of what came with a message of the person's.
ATTACHED = "attached"


@dataclass(frozen=True)
class Referent:
    """One finished action or step of a plan; or a message that came with files, by its id as `action_id`."""

    action_id: str
    key: str
    title: str
    params: JsonObject
    items: tuple[ResultItem, ...] = ()
    """What it found, as the person was shown it, then what it made or took away, then what it was given."""
    place: str = ""
    """The folder that `there` means; empty: none."""
    counts: Mapping[str, float] = field(default_factory=dict)
    """The numbers that its result names."""
    parent_id: str = ""
    """The plan that it was a step of."""
    searched: bool = False
    """It was given words to look for, so that what it found is what it was about, not where it looked."""
    chief: str = ""
    """The one item that the result's own sentence names besides what it was given; empty: none or many."""
    proposed: bool = False
    """Nothing was done: what it is given stands on a card that waits, or was turned down."""
