"""A remote MCP server that wants a sign-in, its authorization server, and a person with a browser."""

from __future__ import annotations

import base64
import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

#: What must stand in no log, event, status or configuration.
SECRET = "hush-hush"


@dataclass
class World:
    """What it does can be changed at any time; what it was asked is noted."""

    resource: str = ""
    """The MCP server's origin."""
    issuer: str = ""
    """The authorization server's origin."""
    asked: list[str] = field(default_factory=list)
    """Method and path of each request to the authorization server, and to the metadata."""
    authorized: list[dict[str, str]] = field(default_factory=list)
    """The parameters of each authorization request."""
    bearers: list[str] = field(default_factory=list)
    """Each token that reached the MCP server."""
    token_requests: list[dict[str, str]] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)
    """In place of what the authorization server says of itself."""
    resource_metadata: dict[str, Any] = field(default_factory=dict)
    hides_resource_metadata: bool = False
    challenge: str | None = None
    """In place of the usual one."""
    expires_in: int | None = 3600
    gives_refresh: bool = True
    takes_refresh: bool = True
    registers: bool = True
    token_error: str = ""
    scope_for_call: str = ""
    """Without it the tool is refused with 403."""
    needs_token: bool = True
    valid: set[str] = field(default_factory=set)
    granted: dict[str, str] = field(default_factory=dict)
    """Scope by token."""
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    count: int = 0

    @property
    def url(self) -> str:
        return f"{self.resource}/mcp"

    def end_tokens(self) -> None:
        """Access tokens are good no more."""
        self.valid.clear()

    def token(self, scope: str) -> dict[str, Any]:
        self.count += 1
        access = f"access-{SECRET}-{self.count}"
        self.valid.add(access)
        self.granted[access] = scope
        found: dict[str, Any] = {"access_token": access, "token_type": "Bearer", "scope": scope}
        if self.expires_in is not None:
            found["expires_in"] = self.expires_in
        if self.gives_refresh:
            found["refresh_token"] = f"refresh-{SECRET}-{self.count}"
        return found


class _Answering(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    world: World

    def log_message(self, *_: object) -> None:
        pass

    def say(self, status: int, body: object = None, **headers: str) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class _Mcp(_Answering):
    def do_GET(self) -> None:
        if self.path.startswith("/.well-known/"):
            self.world.asked.append(f"GET {self.path}")
            if self.world.hides_resource_metadata or self.path != "/.well-known/oauth-protected-resource/mcp":
                self.say(404)
                return
            usual = {"resource": self.world.url, "authorization_servers": [self.world.issuer]}
            self.say(200, {**usual, "scopes_supported": ["read"], **self.world.resource_metadata})
        else:
            self.say(405)

    def do_DELETE(self) -> None:
        self.say(200)

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token:
            self.world.bearers.append(token)
        if self.world.needs_token and token not in self.world.valid:
            where = f"{self.world.resource}/.well-known/oauth-protected-resource/mcp"
            usual = f'Bearer resource_metadata="{where}"'
            self.say(401, www_authenticate=usual if self.world.challenge is None else self.world.challenge)
            return
        wanted = self.world.scope_for_call
        if asked["method"] == "tools/call" and wanted not in ("", *self.world.granted.get(token, "").split()):
            self.say(403, www_authenticate=f'Bearer error="insufficient_scope", scope="{wanted}"')
            return
        self.answer(asked, token)

    def answer(self, asked: dict[str, Any], token: str) -> None:
        schema = {"type": "object", "properties": {"fail": {"type": "boolean"}}}
        tool = {"name": "hello", "inputSchema": schema}
        version = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
        said = f"hello {token}"  # a server may say again what it was given
        results: dict[str, Any] = {
            "initialize": {**version, "serverInfo": {"name": "guarded", "version": "1"}},
            "tools/list": {"tools": [tool]},
            "tools/call": {"content": [{"type": "text", "text": "hello"}]},
        }
        if asked["method"] == "tools/call" and (asked["params"].get("arguments") or {}).get("fail"):
            error: dict[str, Any] = {"code": -32099, "message": said}
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})
        elif "id" not in asked:
            self.say(202)
        elif asked["method"] in results:
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "result": results[asked["method"]]})
        else:
            error = {"code": -32601, "message": "unknown"}
            self.say(200, {"jsonrpc": "2.0", "id": asked["id"], "error": error})


class _Authorization(_Answering):
    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        self.world.asked.append(f"GET {parts.path}")
        if parts.path == "/.well-known/oauth-authorization-server":
            self.say(200, self.metadata())
        elif parts.path == "/authorize":
            self.authorize(dict(parse_qsl(parts.query)))
        else:
            self.say(404)

    def metadata(self) -> dict[str, Any]:
        paths = ("authorize", "token", "register", "revoke")
        names = ("authorization", "token", "registration", "revocation")
        ends = {
            f"{name}_endpoint": f"{self.world.issuer}/{path}" for name, path in zip(names, paths, strict=True)
        }
        usual = {"issuer": self.world.issuer, "code_challenge_methods_supported": ["S256"]}
        return {**usual, **ends, "response_types_supported": ["code"], **self.world.metadata}

    def authorize(self, given: dict[str, str]) -> None:
        self.world.authorized.append(given)
        code = f"code-{SECRET}-{len(self.world.authorized)}"
        self.world.codes[code] = given
        back = {"code": code, "state": given["state"], "iss": self.world.issuer}
        self.say(302, location=f"{given['redirect_uri']}?{urlencode(back)}")

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.world.asked.append(f"POST {self.path}")
        if self.path == "/register":
            if not self.world.registers:
                self.say(403, {"error": "access_denied", "error_description": "no strangers here"})
                return
            number = self.world.asked.count("POST /register")
            self.say(201, {**json.loads(text), "client_id": f"client-{number}"})
        elif self.path == "/token":
            self.token({key: values[-1] for key, values in parse_qs(text).items()})
        elif self.path == "/revoke":
            self.world.revoked.append(parse_qs(text)["token"][0])
            self.say(200)
        else:
            self.say(404)

    def token(self, given: dict[str, str]) -> None:
        self.world.token_requests.append({**given, "basic": self.headers.get("Authorization", "")})
        if self.world.token_error:
            self.say(400, {"error": self.world.token_error, "error_description": "try another day"})
        elif given["grant_type"] == "refresh_token":
            if self.world.takes_refresh:
                self.say(200, self.world.token("read"))
            else:
                self.say(400, {"error": "invalid_grant"})
        else:
            asked = self.world.codes.pop(given["code"])
            digest = hashlib.sha256(given["code_verifier"].encode()).digest()
            fits = base64.urlsafe_b64encode(digest).decode().rstrip("=") == asked["code_challenge"]
            same = given["redirect_uri"] == asked["redirect_uri"]
            if fits and same:
                self.say(200, self.world.token(asked.get("scope", "")))
            else:
                self.say(400, {"error": "invalid_grant"})


@contextmanager
def guarded() -> Iterator[World]:
    """Both servers, on the loopback."""
    world = World()
    servers = [
        ThreadingHTTPServer(("127.0.0.1", 0), type("Answering", (kind,), {"world": world}))
        for kind in (_Mcp, _Authorization)
    ]
    threads = [Thread(target=each.serve_forever, kwargs={"poll_interval": 0.02}) for each in servers]
    world.resource, world.issuer = (f"http://127.0.0.1:{each.server_address[1]}" for each in servers)
    for server, thread in zip(servers, threads, strict=True):
        server.daemon_threads = True
        thread.start()
    try:
        yield world
    finally:
        for server, thread in zip(servers, threads, strict=True):
            server.shutdown()
            server.server_close()
            thread.join()


class _Stays(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object, **__: object) -> None:
        return None


def fetched(address: str) -> tuple[int, str, str]:
    """Status, text and redirect of a page; blocking."""
    try:
        with urllib.request.build_opener(_Stays).open(address, timeout=10) as answer:
            return answer.status, answer.read().decode(), ""
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), error.headers.get("Location", "")


def browse(page: str, **changed: str | None) -> tuple[int, str]:
    """A person's browser goes through the page of a sign-in; `changed`: of what it brings back. Blocking."""
    _, _, back = fetched(page)
    parts = urlsplit(back)
    said = {**dict(parse_qsl(parts.query)), **changed}
    query = urlencode({key: value for key, value in said.items() if value is not None})
    status, text, _ = fetched(urlunsplit(parts._replace(query=query)))
    return status, text
