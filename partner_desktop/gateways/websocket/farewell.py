"""How a connection ends, and the sentence that goes with it."""

from __future__ import annotations

WRONG_TOKEN, NO_HELLO, TOO_SLOW, TOO_MANY = 4401, 4408, 4410, 4429

#: A close frame holds 123 bytes of reason.
_REASON_BYTES = 120


class FarewellError(Exception):
    """The connection ends; with a code when it is we who end it. Never leaves the gateway."""

    def __init__(self, code: int = 0, sentence: str = "") -> None:
        super().__init__(sentence)
        self.code = code


def too_slow() -> FarewellError:
    """For a client that does not read what it asked for."""
    return FarewellError(TOO_SLOW, "This client reads too slowly; it may come back and miss nothing.")


def close_reason(sentence: str) -> str:
    """As much of a sentence as a close frame holds."""
    return sentence.encode()[:_REASON_BYTES].decode("utf-8", "ignore")
