"""Yes, no, and not known: Kleene's logic for what an agent asks of the world."""

from __future__ import annotations

from enum import Enum


class Tristate(Enum):
    """`&`, `|` and `~` follow Kleene's strong tables: not known stays so unless the other side decides.

    It has no truth of its own: `if state:` would take what is not known for a yes.
    """

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, told: object) -> Tristate:
        """What a condition method gave; `None` is not known.

        Raises:
            TypeError: It is neither a truth nor `None`.
        """
        if isinstance(told, Tristate):
            return told
        if told is None:
            return cls.UNKNOWN
        if isinstance(told, bool):
            return cls.TRUE if told else cls.FALSE
        raise TypeError(f"a condition is True, False, None or a Tristate, not a {type(told).__name__}")

    @property
    def known(self) -> bool | None:
        """As Python has it; `None` where it is not known."""
        return None if self is Tristate.UNKNOWN else self is Tristate.TRUE

    @property
    def is_unknown(self) -> bool:
        """Whether it is not known: this much always is."""
        return self is Tristate.UNKNOWN

    def __invert__(self) -> Tristate:
        return self if self.is_unknown else Tristate.of(not self.known)

    def __and__(self, other: Tristate) -> Tristate:
        if Tristate.FALSE in (self, other):
            return Tristate.FALSE
        return Tristate.UNKNOWN if Tristate.UNKNOWN in (self, other) else Tristate.TRUE

    def __or__(self, other: Tristate) -> Tristate:
        return ~(~self & ~other)

    def __bool__(self) -> bool:
        raise TypeError("a Tristate is no bool: ask for `known` or `is_unknown`")
