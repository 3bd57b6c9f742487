"""AskedAbout: a question about what was done, what is open, what can be done, or about Partner itself."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord

#: What is done to files; `run`: anything at all.
FileDeed = Literal["run", "removed", "moved", "changed", "made"]


class Topic(StrEnum):
    """What the question is about."""

    OPEN = "open"
    """What runs or waits."""
    PLAN = "plan"
    """What that would do, and with what."""
    RISK = "risk"
    """Whether it is dangerous."""
    DEEDS = "deeds"
    """What was done, or whether something was."""
    OUTCOME = "outcome"
    FAILURE = "failure"
    PLACE = "place"
    """Where what was made or moved is now."""
    COUNT = "count"
    TIME = "time"
    """When it was done, and how long it took."""
    REVERSAL = "reversal"
    """Whether and how it can be taken back."""
    ABILITY = "ability"
    """What an ability does."""
    SKILL = "skill"
    """Whether something can be done, or how."""
    SKILLS = "skills"
    """What can be done with things of a kind."""
    PRIVACY = "privacy"
    """Who gets what is said and kept here."""
    NETWORK = "network"
    """Whether it needs the network."""
    KEEPING = "keeping"
    """Where it is kept."""
    CONSENT = "consent"
    """Whether it acts by itself."""
    NATURE = "nature"
    """Who or what it is that answers."""
    WHY = "why"
    """What it was done for."""
    ATTACHED = "attached"
    """What came with the words, and what is said in it."""
    TALK = "talk"
    """Small talk, or a question of one answer: `about` is its kind."""


@dataclass(frozen=True)
class AskedAbout:
    """A question that records answer."""

    topic: Topic
    about: str = ""
    """The words that name an ability, a file or what is to be done; empty: what was spoken of last."""
    deed: FileDeed = "run"
    since: date | None = None
    until: date | None = None
    """The days that it is about, the last not among them; `None`: any."""
    yes_or_no: bool = False
    """It wants a yes or a no first."""
    last: bool = False
    """It is about what was done last, and nothing before that."""
    step: int = 0
    """The step of a plan that it is about, counted from the end where negative; 0: all."""
    only_if_there: bool = False
    """Where there is nothing that it could be about, the words ask for something else."""
    beyond: bool = False
    """It may ask for more than there is to say."""


@dataclass(frozen=True)
class FileChange:
    """What a run did to one file or folder."""

    deed: FileDeed
    path: str
    now_at: str = ""
    """Of what was moved: where it is now."""
    trashed: bool = False
    """Of what was removed: it lies in the desktop's trash."""


@dataclass(frozen=True)
class Deed:
    """One run that is over, and what it did to files."""

    action: ActionRecord
    files: tuple[FileChange, ...] = ()
    unknown: bool = False
    """It may have changed files, and nothing watched it."""
    counts: tuple[tuple[str, float], ...] = ()
    """How many things its result names: the list's name, empty for a bare one."""
