"""LinkAuth: sends the tokens of a sign-in along, renews them, and says when the person must sign in.

Contract: it never asks the person, opens nothing and registers nothing. Tokens go to the origin of the
server's address and the refresh token to the token endpoint of the sign-in, or nowhere.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator

import httpx2
from mcp.client.auth.utils import extract_field_from_www_auth
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER

from partner_desktop.base import log
from partner_desktop.runner.mcp.port import Challenge, ResolvedServer, SignInDoor
from partner_desktop.runner.mcp.protocol.sdk_provider import NothingStored, SdkProvider, client_metadata
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord, may_be_asked, origin

#: Marks what does not go to the server itself.
ASIDE = "partner_sign_in"

_log = log.area("mcp")


class LinkAuth(SdkProvider):
    """Of one connection."""

    def __init__(self, server: ResolvedServer, door: SignInDoor) -> None:
        super().__init__(server.url, client_metadata("http://127.0.0.1/"), NothingStored())
        self._server, self._door = server, door
        self._record: SignInRecord | None = None
        self.wanted = False
        """Whether the server refused the last time, and only the person can help."""
        self._unsure = False
        """Whether the tokens could not be renewed for a reason that may pass."""

    async def _auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        """See `httpx2.Auth`. Requests are not lined up: only a renewal makes the others wait."""
        self.context.protocol_version = request.headers.get(MCP_PROTOCOL_VERSION_HEADER)
        refused = ""
        while True:
            record = await self._newest()
            if record is not None and self._is_stale(record, refused):
                async with self._door.renewal:
                    if await self._newest() is record:
                        renewal = await self._refresh_token()
                        renewal.extensions[ASIDE] = True
                        await self._renew(record, (yield renewal))
                record = await self._newest()
            sent = self._attach(request, record)
            response = yield request
            # One more time with other tokens, or after a try to get them.
            if response.status_code != 401 or refused or not sent or not self._may_get_others(record):
                break
            refused = sent
        self._judge(request, response)

    async def _newest(self) -> SignInRecord | None:
        record = await self._door.record(self._server.url)
        if record is not self._record:
            self._record = record
            self.take(record)
            if record is not None:
                self._server.secrets.learn((record.access, record.refresh))
        return record

    def _is_stale(self, record: SignInRecord, refused: str) -> bool:
        renewable = bool(record.refresh) and self.context.can_refresh_token()
        over = record.access == refused or not self.context.is_token_valid()
        return renewable and over and may_be_asked(self.token_endpoint, self._server.url)

    def _may_get_others(self, record: SignInRecord | None) -> bool:
        return record is not None and bool(record.refresh)

    def _attach(self, request: httpx2.Request, record: SignInRecord | None) -> str:
        """Put the token of a record on a request; what was put there."""
        request.headers.pop("Authorization", None)
        address = str(request.url)
        fits = origin(address) == origin(self._server.url) and may_be_asked(address, self._server.url)
        if record is None or not record.access or not fits:
            return ""
        request.headers["Authorization"] = f"Bearer {record.access}"
        return record.access

    async def _renew(self, record: SignInRecord, answer: httpx2.Response) -> None:
        """Take what the token endpoint said."""
        self._unsure = False
        if answer.status_code == 200 and await self._handle_refresh_response(answer):
            await self._door.renewed(record, self.kept(port=record.port))
        elif answer.status_code in (400, 401, 403):  # the refresh token is revoked, or over
            await self._door.renewed(record, record.without_tokens())
        else:
            _log.info("%s: its tokens could not be renewed (%s)", self._server.id, answer.status_code)
            self._unsure = True
            self.take(record)

    def _judge(self, request: httpx2.Request, response: httpx2.Response) -> None:
        asks = response.status_code == 401 or wants_more(response)
        self.wanted = asks and not self._unsure
        if self.wanted and request.method != "DELETE":
            header = response.headers.get("www-authenticate", "")
            self._door.asked(Challenge(response.status_code, header))


def wants_more(response: httpx2.Response) -> bool:
    """Whether it asks for a sign-in with more rights (RFC 6750)."""
    error = extract_field_from_www_auth(response, "error")
    return response.status_code == 403 and error == "insufficient_scope"
