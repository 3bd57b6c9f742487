"""Elicitation: a server, or an action of its own, asks the person something while a call is under way."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.json_value import JsonObject


@dataclass(frozen=True)
class Elicitation:
    """One question. It lives as long as the call that it belongs to, and is not kept over a restart."""

    id: str
    server: str
    """Empty: the action itself asks."""
    action_id: str
    """The run that is waiting for the answer."""
    conversation_id: str
    message: str
    """The words of whoever asks: shown as text, never as markup, never followed."""
    schema: JsonObject = field(default_factory=dict)
    """Flat JSON Schema of the answer; empty for a link."""
    url: str = ""
    """A page that the person is asked to visit, instead of a form."""


@dataclass(frozen=True)
class ElicitationAnswer:
    """What the person did with it."""

    verdict: Literal["accept", "decline", "cancel"]
    content: JsonObject = field(default_factory=dict)


#: The question was put aside, or could not be asked.
CANCELLED = ElicitationAnswer("cancel")
