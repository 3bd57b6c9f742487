"""Gateway: what turns outside input into turns, and events into something the outside can use."""

from __future__ import annotations

from typing import Protocol


class Gateway(Protocol):
    """Launched after the runtime, shut down before it."""

    name: str

    async def launch(self) -> None:
        """Begin to take input.

        Raises:
            PartnerError: It cannot; the message says why.
        """
        ...

    async def shutdown(self) -> None:
        """Stop taking input and let go of what is open; idempotent."""
        ...
