"""GatewayHost: all that a gateway may ask of the Partner that it serves, and how a gateway is made.

A gateway of another package is a class like this, named by an entry point and switched on by a
`[[gateway]]` table in `config/gateways.toml`, whose `params` it gets as they stand there:

    class MyGateway:
        name = "my_gateway"
        def __init__(self, host: GatewayHost, params: Mapping[str, Json]) -> None: ...
        async def launch(self) -> None: ...
        async def shutdown(self) -> None: ...
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from partner_desktop.domain.ability import Ability
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import Event
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.message import Conversation, Message
from partner_desktop.domain.permission import Scope
from partner_desktop.runtime.gateway import Gateway


class GatewayHost(Protocol):
    """`app.Partner` has this face. Everything is called on its loop; refusals are PartnerErrors."""

    def subscribe(self, deliver: Callable[[Event], None]) -> Callable[[], None]:
        """Get every event, on the loop, in order; `deliver` must not block. Returns the undo.

        Events of all conversations come: a gateway passes each on to its addressee only.
        """
        ...

    async def send(self, text: str, *, conversation_id: str | None, source: str) -> Message:
        """Take a message; it is on disk when this returns."""
        ...

    async def approve(self, action_id: str, *, scope: Scope, shown: str | None = None) -> None:
        """Say yes; `shown` is the `version` of the ProposalEvent that the person read. A card that shows
        something else by now is refused, and proposed anew."""
        ...

    async def reject(self, action_id: str) -> None: ...

    async def stop(self, conversation_id: str) -> None: ...

    async def conversation(self, conversation_id: str) -> Conversation:
        """One conversation; UsageError when there is none of this id."""
        ...

    async def conversations(self) -> list[Conversation]: ...

    async def create_conversation(self) -> Conversation: ...

    async def messages(
        self, conversation_id: str, *, before: int | None = None, limit: int = 50
    ) -> list[Message]:
        """A page, oldest first; `before` is the position that the page ends at."""
        ...

    async def action(self, action_id: str) -> ActionRecord: ...

    async def actions(self, *, limit: int = 100) -> list[ActionRecord]: ...

    def abilities(self) -> Sequence[Ability]: ...


#: Makes a gateway; it opens nothing before `launch`. A PartnerError says what is wrong with the params.
GatewayFactory: TypeAlias = Callable[[GatewayHost, Mapping[str, Json]], Gateway]
