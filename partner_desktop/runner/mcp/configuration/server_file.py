"""A file in `mcp/` and the servers in it, in whichever client's format it is written. Pure.

Formats: the seed's map `{id: {…}}`, `{"mcpServers": {…}}` (Claude Desktop, Cursor, Cline, LM Studio, Jan
and most others), VS Code's `{"servers": {…}, "inputs": […]}`, a few wrappers of other clients, and one bare
server whose id is the file's name. A broken entry does not take its neighbours with it.

A server's object is understood with the keys of the seed's format and of the clients that people paste from
(Claude Desktop and Code, Cursor, VS Code, Cline, Windsurf, Gemini CLI, LM Studio, Jan, Goose). What a client
decided there about asking is not taken over: that is decided in Partner alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.text import cut
from partner_desktop.runner.descriptor import unknown_key_hint
from partner_desktop.runner.located_json import Node, parse
from partner_desktop.runner.mcp.configuration.entry_values import (
    ADDRESS,
    ENV_KEYS,
    KNOWN_KEYS,
    TYPE,
    EntryModel,
    OAuthEntry,
    ProgramEntry,
    RemoteEntry,
    address_hints,
    asked_for,
    checked_entry,
    entry_hints,
    given,
    printable,
    without_placeholders,
    wrong_address,
    wrong_id,
)
from partner_desktop.runner.mcp.port import (
    ConfiguredServer,
    OAuthClient,
    ServerConfig,
    Transport,
)

#: What other clients keep beside it for themselves, and what changes nothing here.
_SILENT = frozenset(
    {"name", "title", "displayName", "description", "icon", "version", "author", "gallery", "bundled", "dev"}
    | {"$schema", "provider", "tags", "logoUrl", "metadata", "installSource", "env_keys"}
)
_GRANTING = frozenset(
    {"alwaysAllow", "autoApprove", "autoApproveAll", "trust", "trusted", "allowedTools", "alwaysAllowedTools"}
    | {"autoApprovedTools", "allow", "permissions"}
)
_TOOL_FILTERS = frozenset(
    {"tools", "includeTools", "excludeTools", "disabledTools", "enabledTools", "available_tools"}
)

#: Odd keys of one server that are told of; nobody writes more, and guessing what was meant takes its time.
_LOOKED_AT = 20

_TRANSPORTS: dict[str, Transport | None] = {
    "stdio": "stdio",
    "local": "stdio",
    "http": "http",
    "streamablehttp": "http",
    "sse": "sse",
    "httpsse": "sse",
    "remote": None,
    "": None,
}


def looks_like_server(node: Node) -> bool:
    """Whether an object is a server itself, and not a map of servers."""
    return any(node.has_text(name) for name in ("command", "cmd", *ADDRESS))


def read_entry(name: str, node: Node, *, path: Path, disabled: bool) -> ConfiguredServer:
    """One server of a file.

    Raises:
        DescriptorError: It cannot be one; the message names the server, `line` is set.
    """
    shown = printable(name)
    wrong = wrong_id(name)
    if wrong:
        raise DescriptorError("servers.file.the_server", name=shown, wrong=wrong, line=node.line)
    if not isinstance(node.value, dict):
        raise DescriptorError("servers.file.no_object", name=shown, line=node.line)
    try:
        if node.twice:
            key, line = node.twice[0]
            raise DescriptorError("servers.file.twice", name=key, line=line)
        config, odd = _config(name, node, folder=str(path.parent), disabled=disabled)
        hints = (*odd, *_asked_hints(config), *_key_hints(node))[:_LOOKED_AT]
    except DescriptorError as error:
        raise DescriptorError("servers.file.of_server", name=shown, error=error, line=error.line) from error
    return ConfiguredServer(config, path, node.line, hints)


def _config(name: str, node: Node, *, folder: str, disabled: bool) -> tuple[ServerConfig, list[str]]:
    """The configuration, and what is odd about it."""
    hints: list[str] = []
    entry = checked_entry(EntryModel, node)
    chosen = _said(entry, node)
    address = _address(entry, node, hints)
    transport = _transport(entry, node, chosen, address) or _by_address(node, address, hints)
    here = transport == "stdio"
    unused = ("headers", "endpoint", "insecure", "oauth", "auth") if here else ("args", "cwd", *ENV_KEYS)
    told = "servers.file.unused_here" if here else "servers.file.unused_elsewhere"
    hints += [sentence_of(told, key=key) for key in unused if given(node, key)]
    program = checked_entry(ProgramEntry, node) if here else ProgramEntry()
    remote = RemoteEntry() if here else checked_entry(RemoteEntry, node)
    limited = program if here else remote
    hints += entry_hints(type(limited), node)
    config = ServerConfig(
        id=name,
        transport=transport,
        command=program.command,
        args=tuple(program.args),
        env=tuple(program.env.items()),
        cwd=program.cwd,
        folder=folder if here else "",
        url="" if here else address,
        headers=tuple(remote.headers.items()),
        timeout_s=limited.timeout_s,
        start_timeout_s=limited.start_timeout_s,
        disabled=disabled or entry.disabled or not entry.on,
        insecure=remote.insecure,
        oauth=_oauth(remote.oauth, node, hints),
        legacy=limited.legacy,
    )
    return config, hints


def _oauth(entry: OAuthEntry | None, node: Node, hints: list[str]) -> OAuthClient | None:
    """The client of one's own, if there is one."""
    if entry is None:
        return None
    if entry.metadata_url and not entry.metadata_url.startswith("https://"):
        raise DescriptorError("servers.file.metadata_url", line=_line(node, "oauth", "auth"))
    if entry.client_secret and entry.client_secret == without_placeholders(entry.client_secret):
        hints.append(sentence_of("servers.file.plain_client_secret"))
    return OAuthClient(
        entry.client_id, entry.client_secret, entry.metadata_url, entry.callback_port, tuple(entry.scopes)
    )


def _said(entry: EntryModel, node: Node) -> Transport | None:
    """The transport that its type names, if it names one."""
    known = entry.type.lower().replace("-", "").replace("_", "").replace("+", "").replace(" ", "")
    if known not in _TRANSPORTS:
        raise DescriptorError("servers.file.no_type", type=printable(entry.type), line=_line(node, *TYPE))
    return _TRANSPORTS[known]


def _line(node: Node, *keys: str) -> int:
    found = given(node, *keys)
    return found[1].line if found else node.line


def _transport(entry: EntryModel, node: Node, chosen: Transport | None, address: str) -> Transport | None:
    """The transport that was said, or that its command tells of."""
    if chosen == "stdio" or (chosen is None and entry.command):
        if address and chosen is None:
            raise DescriptorError("servers.file.both", line=_line(node, *ADDRESS))
        if not entry.command:
            raise _missing("command", node)
        return "stdio"
    if not address:
        raise _missing("url" if chosen else "command", node)
    return chosen


def _by_address(node: Node, address: str, hints: list[str]) -> Transport:
    """The transport that nobody said: the older one where the address shows it, else the newer."""
    if given(node, "endpoint"):
        hints.append(sentence_of("servers.file.spoken_sse", address=cut(_without_login(address), 200)))
        return "sse"
    if given(node, "httpUrl"):
        return "http"
    if urlsplit(without_placeholders(address)).path.rstrip("/").endswith("/sse"):
        hints.append(sentence_of("servers.file.ends_in_sse"))
        return "sse"
    hints.append(sentence_of("servers.file.spoken_http"))
    return "http"


def _without_login(address: str) -> str:
    start, at, rest = address.rpartition("@")
    return f"{start.partition('://')[0]}://•••@{rest}" if at else address


def _missing(key: str, whole: Node) -> DescriptorError:
    """Neither command nor address, or not the one that its type asks for."""
    for name, node in islice(whole.members.items(), _LOOKED_AT):
        near = get_close_matches(name.lower(), ["command", "url"], n=1, cutoff=0.6)
        if near and name not in KNOWN_KEYS:
            return DescriptorError("servers.file.near_key", key=near[0], name=printable(name), line=node.line)
    if key == "command" and not given(whole, *TYPE):
        return DescriptorError("servers.file.neither", line=whole.line)
    return DescriptorError("servers.file.lacks", key=key, line=whole.line)


def _address(entry: EntryModel, node: Node, hints: list[str]) -> str:
    """The address, where there is one: joined with `endpoint`, as the seed writes it."""
    address, endpoint = entry.address, entry.endpoint
    if not address:
        return ""
    line = _line(node, *ADDRESS)
    if endpoint:
        base = address if address.startswith("${") else ""
        address = base.rstrip("/") + "/" + endpoint.lstrip("/") if base else _joined(address, endpoint, line)
    wrong = wrong_address(address)
    if wrong:
        raise DescriptorError("servers.file.its_address", wrong=wrong, line=line)
    hints += address_hints(address)
    return address


def _joined(address: str, endpoint: str, line: int) -> str:
    try:
        return urljoin(address, endpoint)
    except ValueError as error:
        raise DescriptorError("servers.file.not_joined", line=line) from error


def _asked_hints(config: ServerConfig) -> list[str]:
    texts = [config.command, *config.args, config.url, *(text for _, text in (*config.env, *config.headers))]
    texts.append(config.oauth.client_secret if config.oauth is not None else "")
    names = dict.fromkeys(name for text in texts for name in asked_for(text))
    return [sentence_of("servers.file.asked_input", name=name) for name in names]


def _key_hints(node: Node) -> list[str]:
    """What its keys say that is not used, a hint each."""
    hints: list[str] = []
    unread = (key for key in node.members if key not in KNOWN_KEYS and key not in _SILENT)
    for key in islice(unread, _LOOKED_AT):
        shown = printable(key)
        if key in _GRANTING:
            hints.append(sentence_of("servers.file.granting", key=shown))
        elif key in _TOOL_FILTERS:
            hints.append(sentence_of("servers.file.filter", key=shown))
        elif key == "envFile":
            hints.append(sentence_of("servers.file.env_file"))
        else:
            near = get_close_matches(key, sorted(KNOWN_KEYS), n=1)
            hints.append(unknown_key_hint(shown, near))
    return hints


MAX_SERVERS = 500

#: Under what name clients keep the map of their servers.
_WRAPPERS = ("mcpServers", "servers", "mcp_servers", "context_servers", "extensions")
#: Top-level keys of such files that hold no server, and of which nothing is lost.
_BESIDE = frozenset({"$schema", "inputs", "version"})


@dataclass(frozen=True)
class EntryFault:
    """Why one entry of a file is no server."""

    id: str
    message: str
    line: int | None


@dataclass(frozen=True)
class ServerFile:
    """What one file says; ids are unique in it."""

    servers: tuple[ConfiguredServer, ...] = ()
    faults: tuple[EntryFault, ...] = ()


def read_servers(text: str, *, path: Path, name: str, disabled: bool = False) -> ServerFile:
    """The servers of a file's text; `name` is the id of a server that stands there alone.

    Raises:
        DescriptorError: The file as a whole cannot be read; `line` is set.
    """
    parsed = parse(text.removeprefix("\ufeff"))
    if not isinstance(parsed.root.value, dict):
        raise DescriptorError("servers.file.no_map", line=parsed.root.line)
    found = _Found([], list(parsed.hints))
    servers: dict[str, ConfiguredServer] = {}
    faults: list[EntryFault] = found.faults
    for place, (id_, node) in enumerate(_entries(parsed.root, name, found)):
        if place >= MAX_SERVERS:
            reason = sentence_of("servers.file.many", most=MAX_SERVERS)
            faults.append(EntryFault("", reason, node.line))
            break
        try:
            server = read_entry(id_, node, path=path, disabled=disabled)
        except DescriptorError as error:
            faults.append(EntryFault(id_, str(error), error.line))
            continue
        if id_ in servers:
            faults.append(_second(id_, node.line))
        else:
            servers[id_] = server
    hinted = (replace(each, hints=(*each.hints, *found.hints)) for each in servers.values())
    return ServerFile(tuple(hinted), tuple(faults[:MAX_SERVERS]))


@dataclass
class _Found:
    """What is said of the file beside its entries."""

    faults: list[EntryFault]
    hints: list[str]


def entries(root: Node, name: str) -> Iterator[tuple[str, Node]]:
    """Every id with its object, without a word of what is wrong with them."""
    return _entries(root, name, _Found([], []))


def _entries(root: Node, name: str, found: _Found) -> Iterator[tuple[str, Node]]:
    """Every id with its object, wherever this format keeps them."""
    if looks_like_server(root):
        found.hints.append(sentence_of("servers.file.alone", name=name))
        yield name, root
        return
    wrapped = list(_wrapped(root))
    if not wrapped:
        yield from _members(root, found)
        return
    for _, node in wrapped:
        yield from _members(node, found)
    inside = {key for key, _ in wrapped}
    for key, node in root.members.items():
        if key in inside or key in _BESIDE:
            continue
        if looks_like_server(node):
            reason = sentence_of("servers.file.beside", name=printable(key), wrapper=wrapped[0][0])
            found.faults.append(EntryFault(key, reason, node.line))
    found.faults.extend(_second(key, line) for key, line in root.twice)


def _wrapped(root: Node) -> Iterator[tuple[str, Node]]:
    """The maps of servers under a client's own name; a server may be called so, too."""
    for key in _WRAPPERS:
        node = root.members.get(key)
        if node is not None and isinstance(node.value, dict) and not looks_like_server(node):
            yield key, node
    outer = root.members.get("mcp")  # VS Code's settings.json
    inner = outer.members.get("servers") if outer is not None else None
    if inner is not None and isinstance(inner.value, dict) and not looks_like_server(inner):
        yield "mcp", inner


def _members(node: Node, found: _Found) -> Iterator[tuple[str, Node]]:
    for key, member in node.members.items():
        if key == "$schema":
            continue
        near = _near_wrapper(key, member)
        if near:
            reason = sentence_of("servers.file.near_wrapper", name=printable(key), near=near)
            found.faults.append(EntryFault(key, reason, member.line))
            continue
        yield key, member
    found.faults.extend(_second(key, line) for key, line in node.twice)


def _near_wrapper(key: str, node: Node) -> str:
    """The wrapper that was meant, where an object holds servers under a name that is none."""
    if looks_like_server(node) or not any(looks_like_server(each) for each in node.members.values()):
        return ""
    near = get_close_matches(key.lower(), [name.lower() for name in _WRAPPERS], n=1, cutoff=0.7)
    return next((name for name in _WRAPPERS if near and name.lower() == near[0]), "mcpServers")


def _second(id_: str, line: int) -> EntryFault:
    return EntryFault(id_, sentence_of("servers.file.second", name=printable(id_)), line)
