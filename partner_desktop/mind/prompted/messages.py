"""Parts of a prompt as the messages of a call, the same way for every question, so that they begin alike.

Templates differ in what they take: most know one system message at the front, and some only users and
assistants by turns. So the leading system parts are one message, and what one side said in a row is one. What
the person said last without an answer goes before the tail, in one message with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from partner_desktop.domain.snapshot import PromptPart
from partner_desktop.model.chat import ChatMessage

_BREAK = "\n\n"


@dataclass(frozen=True)
class Arranged:
    """What is sent. The first `trunk` messages are shared by the calls of a conversation."""

    messages: tuple[ChatMessage, ...]
    trunk: int

    @property
    def undialogued(self) -> Arranged:
        """The same without what was said before."""
        kept = tuple(message for message in self.messages[: self.trunk] if message.role == "system")
        return Arranged((*kept, *self.messages[self.trunk :]), len(kept))


def arranged(parts: Sequence[PromptPart], *tail: str) -> Arranged:
    """Trunk parts (system, dialog), then all other parts and `tail` as one message of the user."""
    system: list[str] = []
    dialog: list[ChatMessage] = []
    rest: list[str] = []
    for part in parts:
        if part.name == "dialog":
            _append(dialog, part)
        elif part.role == "system" and not dialog and not rest:
            system.append(part.text)
        else:
            rest.append(part.text)
    rest += tail
    if dialog and dialog[-1].role == "user":
        rest.insert(0, dialog.pop().text)
    trunk = [*([ChatMessage("system", _joined(system))] if _joined(system) else []), *dialog]
    last = [ChatMessage("user", _joined(rest))] if _joined(rest) else []
    return Arranged((*trunk, *last), len(trunk))


def _append(dialog: list[ChatMessage], part: PromptPart) -> None:
    role = "assistant" if part.role == "assistant" else "user"
    if dialog and dialog[-1].role == role:
        dialog[-1] = replace(dialog[-1], text=_joined([dialog[-1].text, part.text]))
    else:
        dialog.append(ChatMessage("assistant" if part.role == "assistant" else "user", part.text))


def _joined(texts: Sequence[str]) -> str:
    return _BREAK.join(text for text in texts if text)
