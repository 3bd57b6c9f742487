"""How a gateway is made: with the Partner that it serves, and what its settings say.

A gateway of another package is a class like this, named by an entry point and switched on by a
`[[gateway]]` table in `config/gateways.toml`, whose `params` it gets as they stand there:

    class MyGateway:
        name = "my_gateway"
        def __init__(self, host: Services, params: Mapping[str, Json]) -> None: ...
        async def launch(self) -> None: ...
        async def shutdown(self) -> None: ...

`host.subscribe` gives the events of all conversations: a gateway passes each on to its addressee only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from partner_desktop.domain.json_value import Json
from partner_desktop.runtime.gateway import Gateway

if TYPE_CHECKING:
    from partner_desktop.api.services import Services

#: Makes a gateway; it opens nothing before `launch`. A PartnerError says what is wrong with the params.
GatewayFactory: TypeAlias = Callable[["Services", Mapping[str, Json]], Gateway]
