"""Deferred: what the start need not load, made when it is first wanted.

Contract: it is made once, in a thread, for making it may take a long import that nothing on the loop should
wait behind; who wants it meanwhile waits for the same one. A making that failed, or whose waiter was
cancelled, is tried anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Deferred(Generic[T]):
    """`make` is called in a thread, so it only builds: what it makes is used on the loop."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._making = asyncio.Lock()
        self._made: list[T] = []

    async def get(self) -> T:
        """The one that was made."""
        if not self._made:
            async with self._making:
                if not self._made:
                    self._made.append(await asyncio.to_thread(self._make))
        return self._made[0]
