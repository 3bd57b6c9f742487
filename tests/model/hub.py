"""A hub of models on the loopback that speaks what the real one does: its API, redirects to a CDN, ranges.

The hub and its CDN listen on two ports, so they are two hosts to whoever asks. Everything that was asked is
in `asked`. How it behaves badly is set on the repository or on the file.
"""

from __future__ import annotations

import hashlib
import json
import ssl
import struct
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_PIECE_BYTES = 256 * 1024
#: The third version's, of no keys and no weights.
HEADER = b"GGUF" + struct.pack("<IQQ", 3, 0, 0)


def model_bytes(size: int, seed: bytes = b"weights") -> bytes:
    """A file with the header of a model that says nothing of itself."""
    block = hashlib.sha512(seed).digest() * 512
    return (HEADER + block * (size // len(block) + 1))[:size]


@dataclass
class HubFileData:
    """A file at the hub, and how it is given out."""

    content: bytes | Path
    sha256: str = ""
    """What the hub says of it; empty: the truth."""
    said_size: int = 0
    """What the hub says of it; 0: the truth."""
    etag: str = ""
    """Of the CDN; empty: one made of the content."""
    cut_after: list[int] = field(default_factory=list)
    """For each next request: so many bytes, then the connection is closed."""
    status: list[int] = field(default_factory=list)
    """For each next request to the CDN: this instead of the file."""
    leads_to: str = ""
    """The CDN redirects there instead."""
    talks_on: bool = False
    """A bad status is followed by a body without end."""
    retry_after: str = ""
    gate_at: int = 0
    """So many bytes of the file are given out before `gate` is opened; 0: all at once."""
    gate: threading.Event = field(default_factory=threading.Event)
    reached: threading.Event = field(default_factory=threading.Event)
    """Set at the gate."""
    drips_s: float = 0.0
    """At the gate a byte comes each so many seconds, instead of none."""
    no_ranges: bool = False
    begun: list[int] = field(default_factory=list)
    """Where each time somebody fetched it they began."""

    @property
    def size(self) -> int:
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def truth(self) -> str:
        data = self.content if isinstance(self.content, bytes) else self.content.read_bytes()
        return hashlib.sha256(data).hexdigest()

    def served_etag(self) -> str:
        return self.etag or f'"cdn-{self.size}"'


@dataclass
class HubRepository:
    """One repository."""

    files: dict[str, HubFileData] = field(default_factory=dict)
    licence: str = "apache-2.0"
    commit: str = COMMIT
    gated: bool = False
    token: str = ""
    """Without this one it is not there; with `gated`, its terms are not accepted."""
    circle: bool = False
    """Its files redirect to themselves at the CDN, for ever."""
    api_status: int = 0
    names: list[str] = field(default_factory=list)
    """What the list names besides."""
    swells: int = 0
    """So many blanks stand behind the list, which is sent packed."""


@dataclass(frozen=True)
class Request:
    """What was asked."""

    host: str
    """`hub` or `cdn`."""
    method: str
    path: str
    first: int
    """Byte of the range; -1: none was asked for."""
    sent: int
    """Bytes of the body that went out."""
    token: str
    if_range: str


class FakeHub:
    """Both servers; `url` is what `HF_ENDPOINT` is set to."""

    def __init__(self, *, secure: ssl.SSLContext | None = None) -> None:
        """`secure`: the hub itself speaks TLS, its CDN does not."""
        self._secure = secure
        self.repositories: dict[str, HubRepository] = {}
        self.asked: list[Request] = []
        self.log = threading.Lock()
        self._servers = [self._serve(name) for name in ("hub", "cdn")]

    def _serve(self, name: str) -> ThreadingHTTPServer:
        hub = self

        class Handler(_Handler):
            host, owner = name, hub

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        if name == "hub" and self._secure is not None:
            server.socket = self._secure.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.05,), name=name, daemon=True).start()
        return server

    @property
    def url(self) -> str:
        scheme = "http" if self._secure is None else "https"
        return f"{scheme}://127.0.0.1:{self._servers[0].server_port}"

    @property
    def cdn(self) -> str:
        return f"http://127.0.0.1:{self._servers[1].server_port}"

    def add(self, name: str, **files: bytes | HubFileData) -> HubRepository:
        """A repository with files by their names, of which `__` stands for a dot."""
        repository = self.repositories[name] = HubRepository()
        for file, data in files.items():
            known = data if isinstance(data, HubFileData) else HubFileData(data)
            repository.files[file.replace("__", ".")] = known
        return repository

    def bodies(self, path_end: str = "") -> list[Request]:
        """The requests to the CDN for a file."""
        with self.log:
            return [
                one
                for one in self.asked
                if one.host == "cdn" and one.method == "GET" and one.path.endswith(path_end)
            ]

    def close(self) -> None:
        for repository in self.repositories.values():
            for file in repository.files.values():
                file.gate.set()
        for server in self._servers:
            server.shutdown()
            server.server_close()


@contextmanager
def serving(*, secure: ssl.SSLContext | None = None) -> Iterator[FakeHub]:
    """A hub that is closed in the end."""
    hub = FakeHub(secure=secure)
    try:
        yield hub
    finally:
        hub.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    host = ""
    owner: FakeHub
    sent = 0

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
        """Nothing on the terminal."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.sent = 0
        try:
            (self._hub if self.host == "hub" else self._cdn)()
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        finally:
            self._log()

    def _log(self) -> None:
        said = self.headers.get("Range", "")
        first = int(said.removeprefix("bytes=").rstrip("-")) if said else -1
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        one = Request(
            self.host, self.command, self.path, first, self.sent, token, self.headers.get("If-Range", "")
        )
        with self.owner.log:
            self.owner.asked.append(one)

    # The hub.

    def _hub(self) -> None:
        path = unquote(urlsplit(self.path).path)
        if path.startswith("/api/models/"):
            name, _, revision = path.removeprefix("/api/models/").partition("/revision/")
            self._with(name, lambda repository: self._api(name, repository, revision))
            return
        name, _, rest = path.strip("/").partition("/resolve/")
        revision, _, file = rest.partition("/")
        self._with(name, lambda repository: self._resolve(name, repository, revision, file))

    def _with(self, name: str, answer: Callable[[HubRepository], None]) -> None:
        repository = self.owner.repositories.get(name)
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if repository is None or (repository.token and not repository.gated and token != repository.token):
            self._say(401 if repository is None else 404, {"X-Error-Code": "RepoNotFound"})
        elif repository.api_status:
            self._say(repository.api_status, {})
        else:
            answer(repository)

    def _api(self, name: str, repository: HubRepository, revision: str) -> None:
        if revision and revision not in ("main", repository.commit):
            self._say(404, {"X-Error-Code": "RevisionNotFound"})
            return
        siblings: list[dict[str, Any]] = [
            {
                "rfilename": file,
                "size": data.said_size or data.size,
                "blobId": "0" * 40,
                "lfs": {
                    "sha256": data.sha256 or data.truth,
                    "size": data.said_size or data.size,
                    "pointerSize": 135,
                },
            }
            for file, data in repository.files.items()
        ]
        siblings += [{"rfilename": each, "size": 10} for each in ("README.md", *repository.names)]
        assert "blobs" in parse_qs(urlsplit(self.path).query)
        body = {
            "id": name,
            "modelId": name,
            "sha": repository.commit,
            "private": False,
            "gated": "manual" if repository.gated else False,
            "tags": ["gguf"],
            "downloads": 1,
            "likes": 1,
            "cardData": {"license": repository.licence},
            "siblings": siblings,
        }
        if repository.swells:
            self._swell(json.dumps(body).encode(), repository.swells)
            return
        self._say(200, {"Content-Type": "application/json"}, json.dumps(body).encode())

    def _resolve(self, name: str, repository: HubRepository, revision: str, file: str) -> None:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if repository.gated and token != (repository.token or None):
            self._say(403, {"X-Error-Code": "GatedRepo"})
            return
        if revision not in ("main", repository.commit):
            self._say(404, {"X-Error-Code": "RevisionNotFound"})
            return
        data = repository.files.get(file)
        if data is None:
            self._say(404, {"X-Error-Code": "EntryNotFound"})
            return
        self._say(
            302,
            {
                "X-Repo-Commit": repository.commit,
                "X-Linked-Size": str(data.said_size or data.size),
                "X-Linked-ETag": f'"{data.sha256 or data.truth}"',
                "Location": f"{self.owner.cdn}/{name}/{file}?signature=1",
            },
        )

    # The CDN.

    def _cdn(self) -> None:
        path = unquote(urlsplit(self.path).path).strip("/")
        owner, name, file = path.split("/", 2)
        repository = self.owner.repositories[f"{owner}/{name}"]
        data = repository.files[file]
        if repository.circle:
            self._say(302, {"Location": f"{self.owner.cdn}{self.path}"})
            return
        if data.leads_to:
            self._say(302, {"Location": data.leads_to})
            return
        if data.status and data.talks_on:
            self._talk_on(data.status.pop(0))
            return
        if data.status:
            self._say(data.status.pop(0), {"Retry-After": data.retry_after} if data.retry_after else {})
            return
        first = self._first(data)
        headers = {"ETag": data.served_etag(), "Content-Length": str(data.size - first)}
        if first:
            headers["Content-Range"] = f"bytes {first}-{data.size - 1}/{data.size}"
        self.send_response(206 if first else 200)
        for header, value in headers.items():
            self.send_header(header, value)
        self.end_headers()
        if self.command == "GET":
            self._body(data, first)

    def _first(self, data: HubFileData) -> int:
        said, fits = self.headers.get("Range", ""), self.headers.get("If-Range", "")
        if not said or data.no_ranges or (fits and fits != data.served_etag()):
            return 0
        return min(int(said.removeprefix("bytes=").rstrip("-")), data.size)

    def _body(self, data: HubFileData, first: int) -> None:
        cut = data.cut_after.pop(0) if data.cut_after else None
        end = data.size if cut is None else min(first + cut, data.size)
        if isinstance(data.content, Path):
            self.wfile.flush()
            with data.content.open("rb") as file:
                self.sent = self.connection.sendfile(file, first, end - first)
        else:
            self._pieces(data, data.content, first, end)
        if end < data.size:
            self.close_connection = True

    def _pieces(self, data: HubFileData, content: bytes, first: int, end: int) -> None:
        data.begun.append(first)
        place = first
        while place < end:
            upto = min(end, place + _PIECE_BYTES)
            if data.gate_at and not data.gate.is_set():
                if place >= data.gate_at:
                    self.wfile.flush()
                    data.reached.set()
                    place += self._drip(data, content[place:end])
                    continue
                upto = min(upto, data.gate_at)
            self.wfile.write(content[place:upto])
            self.sent += upto - place
            place = upto

    def _drip(self, data: HubFileData, rest: bytes) -> int:
        """Wait at the gate; how many bytes went out meanwhile."""
        dripped = 0
        while not data.gate.wait(data.drips_s or None) and dripped < len(rest):
            self.wfile.write(rest[dripped : dripped + 1])
            self.sent += 1
            dripped += 1
        return dripped

    def _talk_on(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while True:
            self.wfile.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")

    def _swell(self, body: bytes, size: int) -> None:
        packer = zlib.compressobj(1, wbits=31)
        blanks = (packer.compress(b" " * (1 << 20)) for _ in range(size >> 20))
        packed = packer.compress(body) + b"".join(blanks) + packer.flush()
        self._say(200, {"Content-Type": "application/json", "Content-Encoding": "gzip"}, packed)

    def _say(self, status: int, headers: dict[str, str], body: bytes = b"") -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)
            self.sent = len(body)
