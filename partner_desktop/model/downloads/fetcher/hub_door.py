"""The one door to `huggingface_hub`: what a repository holds, what a file of it is, and its bytes.

Contract: every failure is a `HubTroubleError`. A token goes to the hub alone: redirects are followed by hand,
and whoever they lead to is asked without it. Nothing is retried here.

The library's own `hf_hub_download` is not used: since 2.0 it throws away what an earlier process had fetched.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from urllib.parse import urljoin, urlsplit

os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")

import httpx2
from huggingface_hub import get_hf_file_metadata, hf_hub_url
from huggingface_hub.constants import HF_HUB_DOWNLOAD_TIMEOUT
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)
from huggingface_hub.utils import (  # type: ignore[attr-defined]  # exported, but not so that mypy sees it
    build_hf_headers,
    get_session,
    hf_raise_for_status,
)

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.model.downloads.fetch_messages import HubTroubleError, Looked, PartSpec, TroubleKind
from partner_desktop.model.downloads.hub_reference import hub_endpoint, shown_endpoint

#: Seconds until a connection stands, and until the hub says something of a file.
_CONNECT_S, _ANSWER_S = 10.0, 30.0
#: Whoever sends less in the time of a stall sends nothing.
LEAST_BYTES = 4096
_MOST_REDIRECTS = 10
_READ_BYTES = 1024 * 1024
_SHA256_DIGITS = frozenset("0123456789abcdef")
#: A longer path is none that could be taken over.
_LONGEST_FILE = 600


@dataclass(frozen=True)
class FileFacts:
    """What the hub says of a file."""

    url: str
    revision: str
    """The commit."""
    etag: str
    size_bytes: int
    sha256: str
    """Empty: it does not say."""


@dataclass(frozen=True)
class FileStream:
    """A file's bytes on their way."""

    start: int
    """Where they begin: 0 where the server would not go on."""
    etag: str
    """Of whoever sends them; empty where it is none to go by."""
    chunks: Iterator[bytes | memoryview]
    """Each is used up before the next is asked for."""


def look_at(repository: str, revision: str) -> Looked:
    """The files of a repository, with sizes and hashes."""
    from huggingface_hub import HfApi  # noqa: PLC0415 - a fifth of a second, and of no use to a download

    from partner_desktop.model.downloads.hub_files import MOST_FILES  # noqa: PLC0415 - as above

    with _troubles(repository):
        found = HfApi(endpoint=hub_endpoint()).model_info(
            repository, revision=revision or None, files_metadata=True, timeout=_ANSWER_S
        )
        named = (one for one in found.siblings or [] if _is_model_path(one.rfilename))
        licence = getattr(found.card_data, "license_name", None) or getattr(found.card_data, "license", None)
        return Looked(
            revision=found.sha or "",
            licence=licence if isinstance(licence, str) else "",
            files=tuple(
                PartSpec(
                    file=one.rfilename,
                    size_bytes=one.size or 0,
                    sha256=_as_sha256(one.lfs.sha256 if one.lfs else ""),
                )
                for one in islice(named, MOST_FILES)
            ),
        )


def _is_model_path(name: str) -> bool:
    return name.lower().endswith(".gguf") and len(name) <= _LONGEST_FILE


def facts_of_file(repository: str, file: str, revision: str) -> FileFacts:
    """What the hub says of a file before it is fetched."""
    with _troubles(repository, file):
        url = hf_hub_url(repository, file, revision=revision or None, endpoint=hub_endpoint())
        found = get_hf_file_metadata(url, timeout=_ANSWER_S, token=None, headers=_own_headers())
        if not found.size or found.size < 0 or not found.commit_hash or not found.commit_hash.isalnum():
            raise HubTroubleError("bad_answer", host=_host(url))
        pinned = hf_hub_url(repository, file, revision=found.commit_hash, endpoint=hub_endpoint())
        etag = found.etag or ""
        return FileFacts(pinned, found.commit_hash, etag, found.size, _as_sha256(etag))


@contextmanager
def stream_of(
    facts: FileFacts, *, repository: str, file: str, start: int, etag: str, stall_s: float
) -> Iterator[FileStream]:
    """The bytes of a file from `start` on; `etag` is whose earlier bytes they have to fit. Nothing, or next
    to nothing, for `stall_s`: it is silent.
    """
    silence_s = HF_HUB_DOWNLOAD_TIMEOUT if "HF_HUB_DOWNLOAD_TIMEOUT" in os.environ else stall_s
    opened = _opened(facts.url, _range(start, etag), silence_s)
    with _troubles(repository, file), opened as response:
        status, headers = response.status_code, response.headers
        # Without what it says of it: the library would read that to its end, and there may be none.
        hf_raise_for_status(httpx2.Response(status, headers=_short_of(headers), request=response.request))
        if status not in (200, 206) or headers.get("content-encoding", "identity") != "identity":
            raise HubTroubleError("bad_answer", host=_host(str(response.url)))
        begins, total = (0, _whole(headers)) if status == 200 else _ranged(headers)
        if begins not in (0, start) or (total is not None and total != facts.size_bytes):
            raise HubTroubleError("wrong_size", file=file, wanted=facts.size_bytes, found=total or 0)
        chunks = _while_it_flows(_chunks(response, silence_s), stall_s, _host(str(response.url)))
        yield FileStream(begins, _strong(headers.get("etag", "")), chunks)


def _while_it_flows(
    chunks: Iterator[bytes | memoryview], stall_s: float, host: str
) -> Iterator[bytes | memoryview]:
    """The same, until too little comes: a byte now and then would hold a download for ever."""
    since_s, came = time.monotonic(), 0
    for chunk in chunks:
        yield chunk
        came += len(chunk)
        if came >= LEAST_BYTES:
            since_s, came = time.monotonic(), 0
        elif time.monotonic() - since_s > stall_s:
            raise HubTroubleError("silent", host=host)


def _short_of(headers: httpx2.Headers) -> list[tuple[str, str]]:
    """Those that tell what is wrong, not how a body is sent."""
    return [(name, value) for name, value in headers.items() if name.startswith(("x-", "retry-"))]


def _range(start: int, etag: str) -> dict[str, str]:
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if etag:
            headers["If-Range"] = etag
    return headers


def _own_headers() -> dict[str, str]:
    """With the token of the environment or of `hf auth login`, where there is one."""
    return dict(build_hf_headers(library_name="partner-desktop"))


@contextmanager
def _opened(url: str, headers: dict[str, str], silence_s: float) -> Iterator[httpx2.Response]:
    """The answer at the end of all redirects."""
    timeout = httpx2.Timeout(silence_s, connect=_CONNECT_S)
    hub, own = _origin(url), _own_headers()
    for _ in range(_MOST_REDIRECTS + 1):
        asked = {**own, **headers}
        if _origin(url) != hub:
            asked = {name: value for name, value in asked.items() if name.lower() != "authorization"}
        with get_session().stream(
            "GET", url, headers=asked, timeout=timeout, follow_redirects=False
        ) as response:
            if not response.has_redirect_location:
                yield response
                return
            url = _next(url, response.headers["location"])
    raise HubTroubleError("circle", host=_host(url))


def _next(url: str, location: str) -> str:
    try:
        target = urljoin(url, location)
        scheme = urlsplit(target).scheme
    except ValueError as error:
        raise HubTroubleError("bad_answer", host=_host(url)) from error
    if scheme not in ("http", "https") or (scheme == "http" and urlsplit(url).scheme == "https"):
        raise HubTroubleError("unsafe_redirect", host=_host(url))
    return target


def _chunks(response: httpx2.Response, silence_s: float) -> Iterator[bytes | memoryview]:
    """The body as it comes.

    Most of what httpx does for a body is to pass it through its HTTP parser, at a processor's whole time. A
    body of a known length needs none: once the parser has given out what it had read with the headers, which
    is its first piece, the rest is read from the socket that httpx names for such uses.
    """
    left = _whole(response.headers)
    pieces = response.iter_raw()
    sock = _socket_of(response)
    if left is None or "transfer-encoding" in response.headers or sock is None:
        yield from pieces
        return
    for first in pieces:
        left -= len(first)
        yield first
        break
    buffer = memoryview(bytearray(_READ_BYTES))
    sock.settimeout(silence_s)
    while left > 0:
        got = sock.recv_into(buffer[: min(left, _READ_BYTES)])
        if not got:
            raise HubTroubleError("cut", host=_host(str(response.url)))
        left -= got
        yield buffer[:got]


def _socket_of(response: httpx2.Response) -> socket.socket | None:
    """Where the bytes come, as they are meant; `None` where that would be TLS within TLS."""
    stream = response.extensions.get("network_stream")
    sock = stream.get_extra_info("socket") if stream is not None else None
    tls = stream.get_extra_info("ssl_object") if stream is not None else None
    plain = isinstance(sock, socket.socket) and (tls is None or isinstance(sock, ssl.SSLSocket))
    return sock if plain and response.http_version == "HTTP/1.1" else None


def _whole(headers: Mapping[str, str]) -> int | None:
    said = headers.get("content-length", "")
    return int(said) if said.isascii() and said.isdigit() else None


def _ranged(headers: Mapping[str, str]) -> tuple[int, int | None]:
    """Where it begins, and of how much it is a part."""
    unit, _, said = headers.get("content-range", "").partition(" ")
    span, _, total = said.partition("/")
    begins = span.partition("-")[0]
    if unit != "bytes" or not begins.isdigit() or not total.isdigit():
        return -1, None
    return int(begins), int(total)


def _strong(etag: str) -> str:
    return etag if etag.startswith('"') and len(etag) <= 200 else ""


def _as_sha256(said: str | None) -> str:
    low = (said or "").lower()
    return low if len(low) == 64 and _SHA256_DIGITS.issuperset(low) else ""


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc.rpartition("@")[2][:120]
    except ValueError:
        return ""


@contextmanager
def _troubles(repository: str, file: str = "") -> Iterator[None]:
    """Whatever goes wrong inside, as one of ours."""
    try:
        yield
    except HfHubHTTPError as error:
        raise _refusal(error, repository, file) from error
    except OfflineModeIsEnabled as error:
        raise HubTroubleError("offline", host=_host(hub_endpoint())) from error
    except httpx2.TooManyRedirects as error:
        raise HubTroubleError("circle", host=_host(hub_endpoint())) from error
    except (httpx2.HTTPError, OSError) as error:
        raise _broken(error) from error
    except (
        MemoryError,
        httpx2.InvalidURL,
        httpx2.StreamError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
    ) as error:
        # What a foreign server says is read by a library that trusts the hub.
        raise HubTroubleError("bad_answer", host=_host(hub_endpoint())) from error


def _refusal(error: HfHubHTTPError, repository: str, file: str) -> HubTroubleError:
    page = f"{shown_endpoint()}/{repository}"
    status, host = error.response.status_code, _host(str(error.response.url))
    missing: dict[type[HfHubHTTPError], TroubleKind] = {
        GatedRepoError: "gated",  # before its base, which says that there is no such repository
        RemoteEntryNotFoundError: "no_file",
        RevisionNotFoundError: "no_revision",
        RepositoryNotFoundError: "no_repository",
    }
    by_status: dict[int, TroubleKind] = {
        401: "denied",
        403: "denied",
        404: "no_file" if file else "no_repository",
        429: "too_many",
    }
    kind = next((kind for each, kind in missing.items() if isinstance(error, each)), by_status.get(status))
    if kind == "too_many":
        wait = error.response.headers.get("retry-after", "")
        seconds = int(wait) if wait.isascii() and wait.isdigit() and len(wait) < 7 else 60
        return HubTroubleError(kind, host=host, seconds=seconds)
    if kind is None:
        return HubTroubleError("hub_failed", host=host, status=status)
    return HubTroubleError(kind, repository=repository, page=page, file=file)


def _broken(error: Exception) -> HubTroubleError:
    """Of the connection."""
    request = getattr(error, "_request", None)
    host = _host(str(request.url)) if request is not None else _host(hub_endpoint())
    causes = list(_causes(error))
    if any(isinstance(each, socket.gaierror) for each in causes):
        return HubTroubleError("offline", host=host)
    if any(isinstance(each, ssl.SSLError) for each in causes):
        return HubTroubleError("unsafe", host=host)
    if isinstance(error, httpx2.TimeoutException | TimeoutError):
        return HubTroubleError("silent", host=host)
    if isinstance(error, httpx2.ConnectError | httpx2.ProxyError):
        return HubTroubleError("refused", host=host)
    return HubTroubleError("cut", host=host)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(10):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__
