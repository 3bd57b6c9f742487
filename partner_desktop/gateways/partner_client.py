"""PartnerClient: what a command asks a Partner by, be it in this process or in the host of the home.

Everything is asked and answered as JSON, by the names of the operations (`api.operations`), so both sides of
the socket speak the same. A stream of events ends with the `done` of its exchange.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from typing import TYPE_CHECKING, Final, cast

from partner_desktop.base.operation import Caller
from partner_desktop.domain.json_value import Json, JsonObject

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

#: What one asks for who only looks on: it has no end of its own, and nobody waits for one.
LOOKING_ON: Final = ("events.follow", "events.watch")


class PartnerClient(ABC):
    """Used by the commands."""

    #: Whether the Partner lives in this process, and ends with it.
    is_host = False

    @abstractmethod
    async def call(self, operation: str, /, **params: Json) -> Json:
        """The result of an operation.

        Raises:
            PartnerError: It cannot be done; the sentence says why.
        """

    @abstractmethod
    def stream(self, operation: str, /, **params: Json) -> AsyncGenerator[Json, None]:
        """What an operation tells bit by bit; whoever closes this generator ends it. Raises as `call`."""

    async def object(self, operation: str, /, **params: Json) -> JsonObject:
        """The result of an operation that gives one object."""
        return cast("JsonObject", await self.call(operation, **params))

    async def objects(self, operation: str, /, **params: Json) -> list[JsonObject]:
        """The result of an operation that gives a list of objects."""
        return cast("list[JsonObject]", await self.call(operation, **params))

    def events(self, operation: str, /, **params: Json) -> AsyncGenerator[JsonObject, None]:
        """What an operation tells bit by bit, where each is an object."""
        return cast("AsyncGenerator[JsonObject, None]", self.stream(operation, **params))

    async def settled(self) -> None:
        """Wait until what was begun has come to its end, where it would end with this process."""
        return

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        """Call `tell` when a window waits for this process to let the home go."""
        del tell


class LocalClient(PartnerClient):
    """Of the Partner of this process."""

    is_host = True

    def __init__(self, partner: Services) -> None:
        self._partner = partner

    async def call(self, operation: str, /, **params: Json) -> Json:
        return await self._partner.operations.call(operation, params, caller=Caller.ATTACHED)

    def stream(self, operation: str, /, **params: Json) -> AsyncGenerator[Json, None]:
        return self._partner.operations.stream(operation, params, caller=Caller.ATTACHED)

    async def settled(self) -> None:
        await self._partner.settled()

    def on_window_wanted(self, tell: Callable[[], None]) -> None:
        self._partner.on_window_wanted(tell)
