"""The sign-in of a person to one remote server: OAuth 2.1 as MCP has it, by the SDK's provider.

Contract: nothing here is sent before somebody called `authorize`, and nothing that is sent here goes to the
server's own MCP endpoint: the flow begins with the answer by which a connection was refused. The metadata of
the server is only read from its own origin; what that names must be encrypted, and not on this machine unless
the server is. A sign-in that is cancelled, refused or given up leaves no listener behind.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.client.auth import OAuthFlowError, OAuthRegistrationError, OAuthTokenError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, ProtectedResourceMetadata
from mcp.shared.auth_utils import check_resource_allowed, resource_url_from_server_url
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types import LATEST_PROTOCOL_VERSION
from pydantic import AnyUrl

from partner_desktop.base.messages import LazySentence, sentence_of
from partner_desktop.runner.mcp.port import Challenge, OAuthClient, ResolvedServer, SignInError
from partner_desktop.runner.mcp.protocol.http import why_unreachable
from partner_desktop.runner.mcp.protocol.sdk_provider import (
    NothingStored,
    SdkProvider,
    bounded_answer,
    client_metadata,
    client_of,
    tokens_of,
)
from partner_desktop.runner.mcp.server_log import harmless_line
from partner_desktop.runner.mcp.sign_in.redirect_listener import RedirectListener
from partner_desktop.runner.mcp.sign_in.sign_in_record import SignInRecord, may_be_asked, origin

_TIMEOUT_S = 15.0


async def authorize(
    server: ResolvedServer,
    challenge: Challenge,
    before: SignInRecord | None,
    *,
    show: Callable[[str], None],
) -> SignInRecord:
    """See `port.Authorize`."""
    if not may_be_asked(server.url, server.url):
        raise SignInError(sentence_of("servers.sign_in.overheard"))
    wanted = server.oauth or OAuthClient()
    async with contextlib.AsyncExitStack() as stack:
        listener, before = await _listen(stack, wanted, before)
        client = await stack.enter_async_context(_http_client())
        flow = _Flow(server, wanted, before, listener, show, step_up=challenge.status == 403)
        return await flow.run(client, challenge)


async def revoke(record: SignInRecord) -> None:
    """See `port.Revoke`. Best effort: what cannot be told is not."""
    provider = SdkProvider(record.url, client_metadata("http://127.0.0.1/"), NothingStored())
    provider.take(record)
    metadata = provider.context.oauth_metadata
    endpoint = str(metadata.revocation_endpoint or "") if metadata is not None else ""
    if not endpoint or not may_be_asked(endpoint, record.url) or provider.context.client_info is None:
        return
    data = {"token": record.refresh or record.access, "client_id": provider.context.client_info.client_id}
    data, headers = provider.context.prepare_token_auth(data, {})
    async with _http_client() as client:
        with contextlib.suppress(httpx2.HTTPError, OAuthTokenError):
            await client.post(endpoint, data=data, headers=headers)


def _http_client() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(timeout=_TIMEOUT_S, headers={"accept-encoding": "identity"})


async def _listen(
    stack: contextlib.AsyncExitStack, wanted: OAuthClient, before: SignInRecord | None
) -> tuple[RedirectListener, SignInRecord | None]:
    """A listener on the port that the client is registered with; where that is taken, a new client."""
    port = wanted.callback_port or (before.port if before is not None else 0)
    try:
        return await stack.enter_async_context(RedirectListener(port)), before
    except OSError as error:
        if wanted.callback_port:
            raise SignInError(sentence_of("servers.sign_in.port_taken", port=port)) from error
        return await stack.enter_async_context(RedirectListener()), None


class _Flow(SdkProvider):
    """One sign-in. What it would send is looked at before it goes."""

    def __init__(
        self,
        server: ResolvedServer,
        wanted: OAuthClient,
        before: SignInRecord | None,
        listener: RedirectListener,
        show: Callable[[str], None],
        *,
        step_up: bool,
    ) -> None:
        tokens = tokens_of(before) if step_up else None  # what was granted is asked for again
        super().__init__(
            server.url,
            client_metadata(listener.uri),
            NothingStored(tokens, _client(wanted, before, listener.uri)),
            self._redirect,
            self._called_back,
            client_metadata_url=wanted.metadata_url or None,
        )
        self._server, self._wanted, self._listener, self._show = server, wanted, listener, show
        self._step_up = step_up
        self._refusal = ""
        """What the authorization server gave as the reason of its last refusal."""

    async def run(self, client: httpx2.AsyncClient, challenge: Challenge) -> SignInRecord:
        """To its end.

        Raises:
            SignInError: It came to nothing.
        """
        version = {MCP_PROTOCOL_VERSION_HEADER: LATEST_PROTOCOL_VERSION}
        request = httpx2.Request("POST", self._server.url, headers=version)
        header = {"www-authenticate": challenge.header} if challenge.header else {}
        flow = self.async_auth_flow(request)
        try:
            response = httpx2.Response(challenge.status, headers=header, request=await anext(flow))
            outgoing = await flow.asend(response)
            while outgoing is not request:
                outgoing = await flow.asend(await self._send(client, outgoing))
        except OAuthRegistrationError as error:
            if self.context.oauth_metadata is None:
                raise self._error("not_offered") from error
            raise self._error("not_registered", reason=self._reason(error)) from error
        except OAuthTokenError as error:
            raise self._error("no_token", reason=self._reason(error)) from error
        except OAuthFlowError as error:
            raise self._error("not_trusted", reason=harmless_line(str(error), 300)) from error
        except httpx2.TransportError as error:
            failed = error.request.url.host if error._request is not None else self._host  # noqa: SLF001
            raise SignInError(why_unreachable(error, failed)) from error
        except ValueError as error:  # an address or an answer that cannot be read
            raise self._error("not_trusted", reason=LazySentence("servers.sign_in.unread")) from error
        finally:
            await flow.aclose()
        return self.kept(port=self._listener.port)

    @property
    def _host(self) -> str:
        return urlsplit(self._server.url).hostname or ""

    def _error(self, message: str, **values: object) -> SignInError:
        return SignInError(sentence_of(f"servers.sign_in.{message}", host=self._host, **values))

    def _reason(self, error: Exception) -> object:
        """As the server gave it; the SDK's own words may quote a whole answer."""
        return self._refusal or LazySentence("servers.sign_in.no_reason")

    async def _send(self, client: httpx2.AsyncClient, request: httpx2.Request) -> httpx2.Response:
        """Send what the flow asks for, where that may go."""
        address = str(request.url)
        looked_up = request.method == "GET" and self.context.auth_server_url is None
        if looked_up and origin(address) != origin(self._server.url):
            # Only the server itself says where one signs in to it (RFC 9728, section 3.3).
            return httpx2.Response(404, request=request)
        if not may_be_asked(address, self._server.url):
            raise self._error("elsewhere", place=harmless_line(origin(address), 200))
        if request.method == "POST" and self.context.auth_server_url and self.context.oauth_metadata is None:
            raise self._error("no_metadata", place=harmless_line(self.context.auth_server_url, 200))
        response = await client.send(request, stream=True, follow_redirects=False)
        answer = await bounded_answer(response)
        answer.request, answer.next_request = request, response.next_request
        self._refusal = _refusal(answer) if answer.status_code >= 400 else ""
        return answer

    # What the SDK asks for.

    async def _validate_resource_match(self, prm: ProtectedResourceMetadata) -> None:
        """Metadata of another resource would have its tokens sent here (RFC 9728, section 3.3)."""
        named, own = str(prm.resource), resource_url_from_server_url(self._server.url)
        if not check_resource_allowed(requested_resource=own, configured_resource=named):
            raise self._error("other_resource", place=harmless_line(named, 200))

    async def _perform_authorization_code_grant(self) -> tuple[str, str]:
        metadata = self.context.oauth_metadata
        if metadata is not None and "S256" not in (metadata.code_challenge_methods_supported or ()):
            raise self._error("no_pkce")
        client = self.context.client_info
        if client is not None and client.client_id == self._wanted.client_id:
            methods = metadata.token_endpoint_auth_methods_supported if metadata is not None else None
            client.token_endpoint_auth_method = _auth_method(client, methods)
            client.issuer = (
                client.issuer or self._expected_issuer()
            )  # its secret goes to no other from now on
        if self._wanted.scopes and not self._step_up:
            self.context.client_metadata.scope = " ".join(self._wanted.scopes)
        return await super()._perform_authorization_code_grant()

    async def _redirect(self, page: str) -> None:
        if not may_be_asked(page, self._server.url):
            raise self._error("elsewhere", place=harmless_line(origin(page), 200))
        self._listener.expect(parse_qs(urlsplit(page).query)["state"][-1])
        self._show(page)

    async def _called_back(self) -> AuthorizationCodeResult:
        said = await self._listener.answer()
        if said.get("error") == "access_denied":
            raise self._error("denied")
        if "error" in said:
            reason = harmless_line(said.get("error_description") or said["error"], 300)
            raise self._error("server_refused", reason=reason)
        return AuthorizationCodeResult(code=said.get("code", ""), state=said["state"], iss=said.get("iss"))


def _client(
    wanted: OAuthClient, before: SignInRecord | None, redirect_uri: str
) -> OAuthClientInformationFull | None:
    """The client that there is already: of the configuration, or registered the last time."""
    known = client_of(before)
    if not wanted.client_id:
        return known
    same = known is not None and known.client_id == wanted.client_id
    return OAuthClientInformationFull(
        client_id=wanted.client_id,
        client_secret=wanted.client_secret or None,
        redirect_uris=[AnyUrl(redirect_uri)],
        issuer=known.issuer if same and known is not None else None,
    )


def _auth_method(client: OAuthClientInformationFull, methods: list[str] | None) -> str:
    """How a client that nobody registered here says who it is."""
    if not client.client_secret:
        return "none"
    usual = "client_secret_basic"  # where the server does not say (RFC 8414)
    return next((one for one in (usual, "client_secret_post") if one in (methods or (usual,))), usual)


def _refusal(answer: httpx2.Response) -> str:
    """The reason in an answer (RFC 6749, section 5.2)."""
    try:
        said = json.loads(answer.content)
    except ValueError:
        return ""
    if not isinstance(said, dict):
        return ""
    return harmless_line(str(said.get("error_description") or said.get("error") or ""), 300)
