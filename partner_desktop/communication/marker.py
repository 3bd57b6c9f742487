"""NO_REPLY: a mind's sign that its answer is not for the person. Only the first characters are withheld."""

from __future__ import annotations

#: The whole first line of a reply that is not shown.
NO_REPLY = "NO_REPLY"


class MarkerGate:
    """Lets a reply through as soon as it cannot begin with the marker any more."""

    def __init__(self) -> None:
        self._held = ""
        self.hidden: bool | None = None
        """Whether the reply is not for the person; `None` while that is open."""

    def take(self, piece: str) -> str:
        """What of the reply may be shown now."""
        if self.hidden is not None:
            return "" if self.hidden else piece
        self._held += piece
        line, ends, _ = self._held.lstrip().partition("\n")
        if ends:
            self.hidden = line.rstrip() == NO_REPLY
        elif not NO_REPLY.startswith(line[: len(NO_REPLY)]) or line[len(NO_REPLY) :].strip():
            self.hidden = False
        return self._let_go() if self.hidden is False else ""

    def end(self) -> str:
        """The reply is whole: what was still withheld, if it is for the person."""
        if self.hidden is None:
            self.hidden = self._held.strip() == NO_REPLY
        return "" if self.hidden else self._let_go()

    def _let_go(self) -> str:
        held, self._held = self._held, ""
        return held
