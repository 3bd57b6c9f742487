"""The one door to `openai` and httpx2. Imported with the first call, on a thread: it takes 0.6 s.

Contract: nothing of the environment reaches a server (keys, organisations, addresses, headers, proxies), no
redirect is followed, no error body is read without bound, and nothing is tried twice in here.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator
from functools import cache
from typing import Any

import anyio.lowlevel
import httpx2
import openai

from partner_desktop import __version__
from partner_desktop.base.errors import ModelError
from partner_desktop.base.messages import LazySentence
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.model.endpoint.failure import (
    EndpointName,
    Refusal,
    ServerWords,
    broke_off,
    foreign,
    server_words,
    unreached,
    was_refused,
    went_silent,
)

#: What is told to a server; the library would add what this machine is, and what the environment says.
_HEADERS = frozenset(
    b"host connection accept accept-encoding content-type content-length transfer-encoding user-agent "
    b"authorization".split()
)
_MOST_ERROR_BYTES = 64 * 1024
_LONGEST_WAIT_S = 3600.0
#: What the library takes for "the caller reads the body".
_UNREAD = {"X-Stainless-Raw-Response": "stream"}


class _BoundedBody(httpx2.AsyncByteStream):
    def __init__(self, body: httpx2.AsyncByteStream) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = _MOST_ERROR_BYTES
        async for chunk in self._body:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._body.aclose()


class _Transport(httpx2.AsyncHTTPTransport):
    """Says no more than it must, and reads no more of an error than fits a sentence."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers = httpx2.Headers(
            [pair for pair in request.headers.raw if pair[0].lower() in _HEADERS and pair[1]]
        )
        response = await super().handle_async_request(request)
        if response.status_code >= 300 and isinstance(response.stream, httpx2.AsyncByteStream):
            # Not unpacked either: a small body can unpack to a huge one.
            headers = [pair for pair in response.headers.raw if pair[0].lower() != b"content-encoding"]
            return httpx2.Response(
                response.status_code,
                headers=headers,
                stream=_BoundedBody(response.stream),
                extensions=response.extensions,
            )
        return response


class OpenAIAnswer:
    """A response whose body is still to come. Whoever has it closes it, and the connection with it."""

    def __init__(self, response: httpx2.Response, place: EndpointName) -> None:
        self._response, self._place = response, place

    async def bytes(self) -> AsyncGenerator[bytes, None]:
        """The body as it comes.

        Raises:
            EndpointError: It broke off.
        """
        try:
            async for chunk in self._response.aiter_bytes():
                yield chunk
        except httpx2.TimeoutException:
            raise went_silent(
                self._place, answer_s=self._response.request.extensions["timeout"]["read"], begun=True
            ) from None
        except httpx2.DecodingError as error:
            raise broke_off(self._place, LazySentence("model.packing_damaged")) from error
        except Exception as error:
            raise broke_off(self._place, LazySentence("model.broke_off")) from error

    async def close(self) -> None:
        """Let go of it; idempotent."""
        await self._response.aclose()


class OpenAIWire:
    """Calls of one server. Blocking to make: on a thread."""

    def __init__(self, place: EndpointName, key: str, *, connect_s: float, answer_s: float) -> None:
        self._place, self._key = place, key
        self._connect_s, self._answer_s = connect_s, answer_s
        timeout = httpx2.Timeout(answer_s, connect=connect_s)
        http = httpx2.AsyncClient(
            transport=_Transport(verify=_trust(), trust_env=False),
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
        )
        # Given even where empty: what is `None` would be taken from the environment.
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            admin_api_key="",
            organization="",
            project="",
            webhook_secret="",
            base_url=place.address,
            max_retries=0,
            timeout=timeout,
            http_client=http,
            default_headers={
                "Authorization": f"Bearer {key}" if key else "",
                "User-Agent": f"partner-desktop/{__version__}",
                "Accept-Encoding": "identity",
            },
        )

    async def post(self, path: str, body: JsonObject) -> OpenAIAnswer:
        """Send a request; returns with the head of its answer.

        Raises:
            ModelError: Nothing was reached in time, or it refused.
        """
        return OpenAIAnswer(await self._send("post", path, body), self._place)

    async def get(self, path: str) -> OpenAIAnswer:
        """Like `post`, for what is only read."""
        return OpenAIAnswer(await self._send("get", path, None), self._place)

    async def close(self) -> None:
        """Close the connections; idempotent."""
        await self._client.close()

    async def _send(self, method: str, path: str, body: JsonObject | None) -> httpx2.Response:
        options: Any = {"headers": _UNREAD}  # the library's own type for it is not public
        try:
            if method == "get":
                return await self._client.get(path, cast_to=httpx2.Response, options=options)
            return await self._client.post(path, cast_to=httpx2.Response, body=body, options=options)
        except openai.APIStatusError as error:
            # Without the original: its text is the server's, and may repeat the key.
            raise self._refused(error) from None
        except openai.APITimeoutError as error:
            if isinstance(error.__cause__, (httpx2.ConnectTimeout, httpx2.PoolTimeout)):
                raise unreached(self._place, TimeoutError(), connect_s=self._connect_s) from None
            raise went_silent(self._place, answer_s=self._answer_s, begun=False) from None
        except openai.APIConnectionError as error:
            raise unreached(self._place, error, connect_s=self._connect_s) from error
        except Exception as error:
            raise foreign(self._place, LazySentence("model.breaks_http")) from error

    def _refused(self, error: openai.APIStatusError) -> ModelError:
        response = error.response
        try:
            words = server_words(response.json(), secret=self._key)
        except (ValueError, RecursionError):
            words = ServerWords()
        location = response.headers.get("location", "")
        if self._key:
            location = location.replace(self._key, "…")
        wait_s = _wait(response.headers.get("retry-after", ""))
        return was_refused(self._place, Refusal(response.status_code, words, location, wait_s))


@cache
def _trust() -> ssl.SSLContext:
    """Whom this system trusts, with variables such as SSL_CERT_FILE; 0.1 s, and good for all servers."""
    asyncio.run(anyio.lowlevel.checkpoint())  # otherwise the first call imports half of anyio on the loop
    return httpx2.create_ssl_context(trust_env=True)


def _wait(header: str) -> float:
    """Seconds; a date is not worth a clock that may differ from the server's."""
    try:
        return min(max(float(header), 0.0), _LONGEST_WAIT_S)
    except ValueError:
        return 0.0
