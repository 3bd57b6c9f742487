"""ThoughtGate: tells what a model thinks aloud at the beginning of its text from what it says.

Only the beginning is looked at: a reply that speaks about `<think>` later is left as it is. Tags may be split
over pieces. A thought that is not closed is a thought to the end.
"""

from __future__ import annotations

import re

from partner_desktop.mind.question import Thought

#: Where a thought begins → where it ends.
_TAGS = {
    **{f"<{name}>": f"</{name}>" for name in ("think", "thinking", "thought", "reasoning")},
    "<|channel|>analysis<|message|>": "<|end|><|start|>assistant<|channel|>final<|message|>",
}


class ThoughtGate:
    """Takes the pieces of one answer."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        """With an open thought: the tag that ends it."""
        self._begun = False
        """Something was said: nothing is a thought any more."""

    def take(self, piece: str) -> list[str]:
        """What can be shown of the answer now: thoughts as `Thought`, and text."""
        if self._begun:
            return [piece] if piece else []
        self._held += piece
        found: list[str] = []
        while self._step(found):
            pass
        return found

    def end(self) -> list[str]:
        """The answer is over: what was still held."""
        held, self._held = self._held, ""
        if self._closing:
            return [Thought(held)] if held else []
        return [held] if held.strip() else []

    def _step(self, found: list[str]) -> bool:
        """Settle what can be settled; false when more is needed."""
        return self._thought(found) if self._closing else self._beginning(found)

    def _thought(self, found: list[str]) -> bool:
        tag = re.search(re.escape(self._closing), self._held, re.IGNORECASE)
        end = tag.start() if tag else len(self._held) - _begun_tag(self._held, self._closing)
        if end:
            found.append(Thought(self._held[:end]))
        self._held = self._held[tag.end() if tag else end :]
        self._closing = "" if tag else self._closing
        return tag is not None

    def _beginning(self, found: list[str]) -> bool:
        text = self._held.lstrip()
        for opening, closing in _TAGS.items():
            if text[: len(opening)].lower() == opening:
                self._held, self._closing = text[len(opening) :], closing
                return True
        if text and not any(opening.startswith(text.lower()) for opening in _TAGS):
            self._begun, self._held = True, ""
            found.append(text)
        return False


def _begun_tag(text: str, tag: str) -> int:
    """How many characters at the end of a text may be the beginning of a tag."""
    most = min(len(tag) - 1, len(text))
    return next((count for count in range(most, 0, -1) if text[-count:].lower() == tag[:count]), 0)


#: The end of a thought that a server's template began, so that its opening is not in the text.
_END = re.compile(r"^</(?P<name>think|thinking|thought|reasoning)>", re.IGNORECASE | re.MULTILINE)


def said(text: str) -> str:
    """A whole answer without its thoughts."""
    end = _END.search(text)
    if end is not None and f"<{end['name']}>" not in text[: end.start()]:
        text = text[end.end() :]
    gate = ThoughtGate()
    pieces = [*gate.take(text), *gate.end()]
    return "".join(piece for piece in pieces if not isinstance(piece, Thought))
