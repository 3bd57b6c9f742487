"""The websocket gateway: other programs of this machine talk to Partner, on ws://127.0.0.1:29600.

It is off until `[websocket] enabled = true` in `config/gateways.toml`. Every message is one text frame with
one object of JSON-RPC 2.0: requests from the client, answers and notifications from Partner; no batches. A
talk goes like this (C client, S server):

    C {"jsonrpc": "2.0", "id": 1, "method": "client.hello", "params": {"token": "…"}}
    S {"jsonrpc": "2.0", "id": 1, "result": {"version": 1, "host": "…", "max_frame_bytes": 262144}}
    C {"jsonrpc": "2.0", "id": 2, "method": "messages.send", "params": {"text": "hello"}}
    S {"jsonrpc": "2.0", "id": 2, "result": {"id": "m…", "conversation_id": "c…", "position": 7, …}}
    S {"jsonrpc": "2.0", "method": "event", "params": {"conversation_id": "c…", "epoch": "e…", "seq": 1,
       "event": {"type": "reply", "content": "Hello", …}}}                                  … and so on
    C {"jsonrpc": "2.0", "id": 3, "method": "client.open",
       "params": {"conversation_id": "c…", "epoch": "e…", "after": 1}}        after a lost connection
    S {"jsonrpc": "2.0", "id": 3, "result": {"resumed": true, "epoch": "e…", "seq": 9, …}}
    S {"jsonrpc": "2.0", "method": "event", "params": {"seq": 2, …}}          … up to 9, and then
    S {"jsonrpc": "2.0", "method": "replayed", "params": {"conversation_id": "c…", "seq": 9, "count": 8}}

The first request is `client.hello` with the token that `partner-desktop gateway token` prints; with it in the
header `Authorization: Bearer …` it may be left out. `client.operations` gives all that can be asked and told
as one object, with a JSON Schema for each operation, notification and event. Parameters are given by their
names. Requests may be sent without waiting; they are done one after the other. The answer to `messages.send`
says that the message is on the disk; without a conversation it begins one and follows it. A message of
Partner's may have 8 MiB: many libraries take less, unless they are told.

**Who gets what.** A client gets the events of the conversations that it opened or began and no others, and
the notices that are meant for all (with an empty `conversation_id` and `seq` 0); other events without a
conversation stay inside. Several clients of one conversation each get all of it. What names a conversation,
or an action in one, is done only for a client that follows it; `conversations.list` and `conversations.get`
tell of all. The answer to what begins to follow comes before its first event.

**Missing nothing.** The events of a conversation are numbered from 1 without a gap. After a lost connection
`client.open` with the `epoch` and the last `seq` as `after` brings all that was missed, then `replayed`.
Where the gateway no longer holds that (it has the latest 2,000 events or 4 MiB; a restart begins a new
epoch), `resumed` is false, `reason` says why, and `messages.list` has what was said meanwhile: page back with
`before` to the last `position` known. A reply that was being written then has its whole text in its event
with `done`. A client that reads too slowly is let go with the code 4410; it comes back the same way.

**Approvals** go through the same permission engine as everywhere, and count once: what is granted for good
is granted by the person on the card or in the terminal. A yes is to the `version` that the `proposal` event
had, given as `shown`; without it, to the proposal that was last sent to this client. An action that shows
something else by now is not run: an error says so, and its new `proposal` comes.

**Errors** have a sentence for a person as `message` and, in `data`, the `code` that tells one reason from
another. The connection stays:

    -32700  invalid_request      this was no JSON; the answer's id is null
    -32600  invalid_request      this was no request, or had the id of one that is still at work
    -32601  unknown_operation    there is none of this name
    -32602  invalid_parameters   one is missing, unknown or of the wrong type
    -32602  too_large            the parameters or the result are
    -32603  internal             something went wrong inside; Partner's log has the details
    -32800  cancelled            by {"jsonrpc": "2.0", "method": "$/cancel", "params": {"id": 2}}
    -32000  not_allowed          this is not for clients
    -32000  usage, storage, …    it cannot be done as things are

`$/cancel` takes back what has not begun; what has is done all the same.

**Farewells.** Before Partner closes a connection it sends an error with the id null. Close codes: 4401 no or
a wrong token (or it was renewed), 4408 no hello within 5 s, 4410 too slow, 4429 too many frames or clients,
1009 a frame over `max_frame_bytes`. Browsers are let in from `allowed_origins` only, and the `Host` must be
localhost or 127.0.0.1. Of more than 16 connections that have not shown the token the oldest is cut off; one
with the token in its head is never among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import ValidationError

from partner_desktop.base.errors import GatewayError
from partner_desktop.base.paths import Home
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.registry import GatewayFactory
from partner_desktop.gateways.settings import WebsocketSettings
from partner_desktop.runtime.extension_points import Gateway

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
            raise GatewayError("gateways.setting_unfit", place=place, first=first["msg"]) from error
        return WebsocketGateway(host, settings, home)

    return build
