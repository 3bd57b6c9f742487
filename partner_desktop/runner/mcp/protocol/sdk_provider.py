"""SdkProvider: the SDK's OAuth provider on one SignInRecord, and what both who use it share.

Whoever drives it decides what is sent where: the provider itself only says what it would send.
"""

from __future__ import annotations

import time

import httpx2
from mcp.client.auth import OAuthClientProvider
from mcp.shared.auth import (
    OAuthClientInformationFull,
    OAuthClientMetadata,
    OAuthMetadata,
    OAuthToken,
    ProtectedResourceMetadata,
)
from pydantic import AnyUrl

from partner_desktop import __version__
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord

#: No answer of an authorization server is longer.
ANSWER_BYTES = 256 * 1024


class NothingStored:
    """The SDK's TokenStorage: what is kept, is kept by others."""

    def __init__(
        self, tokens: OAuthToken | None = None, client: OAuthClientInformationFull | None = None
    ) -> None:
        self._tokens, self._client = tokens, client

    async def get_tokens(self) -> OAuthToken | None:
        """Those that it begins with."""
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        """Nothing."""

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """The client that it begins with."""
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        """Nothing."""


class SdkProvider(OAuthClientProvider):
    """Without anybody who could be asked."""

    def take(self, record: SignInRecord | None) -> None:
        """Go on from what was kept."""
        context = self.context
        self._initialized = True
        context.current_tokens = tokens_of(record)
        context.token_expiry_time = record.expires_at_s if record is not None else None
        context.client_info = client_of(record)
        context.oauth_metadata = (
            OAuthMetadata.model_validate_json(record.issuer) if record is not None and record.issuer else None
        )
        context.protected_resource_metadata = (
            ProtectedResourceMetadata.model_validate_json(record.resource)
            if record is not None and record.resource
            else None
        )

    def kept(self, *, port: int) -> SignInRecord:
        """As it stands, to be kept."""
        context = self.context
        assert context.current_tokens is not None, "only a sign-in that is done is kept"
        assert context.client_info is not None, "tokens come with a client"
        tokens, metadata, resource = (
            context.current_tokens,
            context.oauth_metadata,
            context.protected_resource_metadata,
        )
        return SignInRecord(
            url=context.server_url,
            access=tokens.access_token,
            refresh=tokens.refresh_token or "",
            scope=tokens.scope,
            expires_at_s=context.token_expiry_time if tokens.expires_in is not None else None,
            port=port,
            client=context.client_info.model_dump_json(exclude_none=True),
            issuer=metadata.model_dump_json(exclude_none=True) if metadata is not None else "",
            resource=resource.model_dump_json(exclude_none=True) if resource is not None else "",
        )

    @property
    def token_endpoint(self) -> str:
        """Where tokens are had."""
        return self._get_token_endpoint()


def client_metadata(redirect_uri: str) -> OAuthClientMetadata:
    """What Partner says of itself to an authorization server."""
    return OAuthClientMetadata(
        redirect_uris=[AnyUrl(redirect_uri)], client_name="Partner Desktop", software_version=__version__
    )


def tokens_of(record: SignInRecord | None) -> OAuthToken | None:
    """The tokens of a record, as the SDK has them."""
    if record is None or not record.access:
        return None
    return OAuthToken(
        access_token=record.access, refresh_token=record.refresh or None, scope=record.scope, expires_in=None
    )


def client_of(record: SignInRecord | None) -> OAuthClientInformationFull | None:
    """The client of a record; `None` where its secret is over."""
    if record is None:
        return None
    client = OAuthClientInformationFull.model_validate_json(record.client)
    over_s = client.client_secret_expires_at
    return None if over_s and over_s < time.time() else client


async def bounded_answer(response: httpx2.Response) -> httpx2.Response:
    """The whole answer, read; one that is too long is cut, and then says nothing that could be understood."""
    stream = response.stream
    assert isinstance(stream, httpx2.AsyncByteStream)
    body = bytearray()
    try:
        async for chunk in stream:
            body += chunk
            if len(body) > ANSWER_BYTES:
                break
    finally:
        await stream.aclose()
    headers = [
        (name, value)
        for name, value in response.headers.multi_items()
        if name.lower() not in ("content-length", "transfer-encoding")
    ]
    return httpx2.Response(
        response.status_code,
        headers=headers,
        content=bytes(body[:ANSWER_BYTES]),
        extensions=response.extensions,
    )
