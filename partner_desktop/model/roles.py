"""Who answers which question, and how: what the settings say, role by role, over the defaults."""

from __future__ import annotations

from typing import get_args

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.chat import Priority, Sampling
from partner_desktop.model.settings import InTurns, ModelSettings, RoleSettings

STARTER = "starter"
#: What the person waits for goes first; anything that is not asked in a turn is background work.
_URGENT = {"reply": Priority.REPLY}
_NOTHING = RoleSettings.model_construct(
    question="reply", model=None, temperature=None, top_p=None, max_tokens=None, persona=None
)


@dataclass(frozen=True)
class Roles:
    """The settings, asked by question."""

    settings: ModelSettings

    def _role(self, question: str) -> RoleSettings:
        return next((role for role in self.settings.role if role.question == question), _NOTHING)

    def model(self, question: str) -> str:
        """The model that is to answer; empty: the starter mind."""
        name = self._role(question).model
        name = self.settings.use if name is None else name
        return "" if name == STARTER else name

    def persona(self, question: str) -> str:
        """Who speaks, where the settings say it."""
        return self._role(question).persona or ""

    def max_tokens(self, question: str) -> int:
        """The longest answer."""
        return self._role(question).max_tokens or self.settings.max_tokens

    def sampling(self, question: str, *, fixed_form: bool, max_tokens: int | None) -> Sampling:
        """How the words are chosen. An answer of a fixed form takes the likeliest, unless its role says else.

        `max_tokens` lowers the limit, never raises it.
        """
        role, most = self._role(question), self.max_tokens(question)
        usual = 0.0 if fixed_form else self.settings.temperature
        return Sampling(
            temperature=usual if role.temperature is None else role.temperature,
            top_p=self.settings.top_p if role.top_p is None else role.top_p,
            max_tokens=most if max_tokens is None else max(1, min(most, max_tokens)),
        )


def priority_of(question: str) -> Priority:
    """Who goes first where several ask at once."""
    return _URGENT.get(question, Priority.QUESTION if question in get_args(InTurns) else Priority.BACKGROUND)
