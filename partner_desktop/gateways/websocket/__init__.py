"""The websocket gateway: other programs of this machine talk to Partner, on ws://127.0.0.1:29600.

Off by default: `[websocket] enabled = true` in `config/gateways.toml` switches it on. Every frame is one
JSON object in a text frame; `frames.py` has each of them as a type. A talk goes like this (C client,
S server):

    C {"type": "hello", "token": "…"}                 the token: `partner-desktop gateway token`; in place of
                                                      it the header `Authorization: Bearer …` does as well
    S {"type": "welcome", "version": 1, …}
    C {"type": "say", "text": "hello", "ref": "1"}    no conversation: this begins one
    S {"type": "opened", "conversation": "c…", "epoch": "e…", "seq": 0, "ref": "1"}
    S {"type": "accepted", "message": "m…", "position": 7, …, "ref": "1"}     it is on the disk now
    S {"type": "event", "conversation": "c…", "seq": 1, "event": {"type": "reply", …}}   … and so on

`open` follows a conversation that is there (`list` names them), `new` begins an empty one, `approve` and
`reject` settle a proposed action, `stop` ends the turn of a conversation, `ping` gets a `pong`. `ref` comes
back in the answer. `accepted` and the events about the same message may come in either order.

**Who gets what.** A client gets the events of the conversations that it opened or began and no others, and
the notices that are meant for all (`{"type": "event", "conversation": "", "seq": 0, …}`). Several clients of
one conversation each get all of it.

**Missing nothing.** The events of a conversation are numbered from 1 without a gap. After a lost connection
`open` with the `epoch` and the last `seq` as `after` brings all that was missed, then `replayed`. Where the
gateway no longer holds them (the latest 2,000 events or 4 MiB; a restart begins a new epoch), `gap` comes
instead, and the messages after `position` (the last one known; without it the newest) in `messages` frames,
of which the last has `last`. A reply that was being written then has its whole text in its event with
`done`. A client that reads too slowly is let go with the code 4410; it comes back the same way.

**Approvals** go through the same permission engine as everywhere, and count once: what is granted for good
is granted by the person on the card or in the terminal. A yes is to the `version` that the `proposal` had;
without one, to the proposal that was last sent to this client. An action that shows something else by now is
not run: an `error` says so, and its new `proposal` comes.

**Refusals.** What does not fit gets an `error` frame with a sentence and an example, and the connection
stays. Close codes: 4401 no or a wrong token (or it was renewed), 4408 no hello within 5 s, 4410 too slow,
4429 too many frames or clients, 1009 a frame over the limit. Browsers are let in from `allowed_origins`
only, and the `Host` must be localhost or 127.0.0.1. Of more than 16 connections that have not shown the
token the oldest is cut off; one with the token in its head is never among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import ValidationError

from partner_desktop.base.errors import GatewayError
from partner_desktop.base.paths import Home
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.host import GatewayFactory
from partner_desktop.gateways.settings import WebsocketSettings
from partner_desktop.runtime.gateway import Gateway

if TYPE_CHECKING:
    from partner_desktop.api.services import Services


def websocket_factory(home: Home) -> GatewayFactory:
    """Makes websocket gateways whose token lies in `home`."""

    def build(host: Services, params: Mapping[str, Json]) -> Gateway:
        # The library comes in with the first gateway that is switched on.
        from partner_desktop.gateways.websocket.gateway import WebsocketGateway  # noqa: PLC0415

        try:
            settings = WebsocketSettings.model_validate(dict(params))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"])
            raise GatewayError(f"`{place}` of the websocket gateway does not fit: {first['msg']}.") from error
        return WebsocketGateway(host, settings, home)

    return build
