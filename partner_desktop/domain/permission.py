"""What the person has said about runs to come: mode, rules and grants, as they are read and edited."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass

#: How far a yes reaches; but for `everywhere`, on the places that its card showed, and below them, and, where
#: no sandbox holds the run, with the same arguments.
Scope = Literal["once", "conversation", "always", "everywhere"]
#: What a person says about a proposal.
Verdict = Literal["once", "conversation", "always", "everywhere", "reject"]
#: How a run is held, ends with this where a yes to it holds for its arguments alone.
SAME_ARGUMENTS = "only with the same arguments"
#: Who decided: the person on a card, a grant, a rule of the file, the engine itself, or a standing answer.
By = Literal["person", "grant", "rule", "policy", "flag"]


class Mode(StrEnum):
    """How much runs without a question. None of them beats a refusal or a rule that denies."""

    ASK = "ask"
    """Everything asks, each time."""
    SMART = "smart"
    """Built-in actions that only look run, and what was granted; the rest asks."""
    AUTONOMOUS = "autonomous"
    """Also what a sandbox keeps from changing or sending anything runs; the rest asks."""


class Effect(StrEnum):
    """What a rule says, strongest first."""

    DENY = "deny"
    ASK = "ask"
    ALLOW = "allow"


@dataclass(frozen=True)
class Rule:
    """One `[[rule]]` of `config/permission.toml`."""

    effect: Effect
    action: str
    """A key, or a pattern of keys with `*`."""
    hash: str = ""
    """Of script and descriptor; without it a rule allows nothing that comes from outside Partner."""
    note: str = ""


@dataclass(frozen=True)
class GrantedPlace:
    """A file, or a folder with all that lies in it."""

    path: str
    """Resolved."""
    access: str
    """`read`, or `write`, which allows to read, too."""


@dataclass(frozen=True)
class Grant:
    """A yes that reaches beyond its run."""

    id: str
    action_key: str
    title: str
    scope: Scope
    created_at: datetime
    conversation_id: str = ""
    """With the scope `conversation`."""
    current: bool = True
    """Whether it still fits the ability: an edit leaves it behind."""
    held: str = ""
    """How the run was held when it was granted, in words: `sandboxed · no network`."""
    program: str = ""
    """The program that it is for, as that calls itself; empty: for what is asked in Partner."""
    places: tuple[GrantedPlace, ...] | None = ()
    """What it holds of what may be chosen for a run; nothing counts here with the scope `everywhere`. `None`:
    it was granted before places were kept, and holds none."""


@dataclass(frozen=True)
class Permissions:
    """Everything in force now."""

    mode: Mode
    rules: tuple[Rule, ...] = ()
    """In the file's order."""
    grants: tuple[Grant, ...] = ()
    """Newest first."""
