"""A file in `mcp/` and the servers in it, in whichever client's format it is written. Pure.

Formats: the seed's map `{id: {…}}`, `{"mcpServers": {…}}` (Claude Desktop, Cursor, Cline, LM Studio, Jan
and most others), VS Code's `{"servers": {…}, "inputs": […]}`, a few wrappers of other clients, and one bare
server whose id is the file's name. A broken entry does not take its neighbours with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.runner.mcp.config import ConfiguredServer
from partner_desktop.runner.mcp.entry import looks_like_server, read_entry
from partner_desktop.runner.mcp.entry_values import printable
from partner_desktop.runner.mcp.jsonc import Node, parse

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
        raise DescriptorError(
            'it must be an object like {"mcpServers": {"name": {"command": …}}}', line=parsed.root.line
        )
    found = _Found([], list(parsed.hints))
    servers: dict[str, ConfiguredServer] = {}
    faults: list[EntryFault] = found.faults
    for place, (id_, node) in enumerate(_entries(parsed.root, name, found)):
        if place >= MAX_SERVERS:
            reason = f"it holds more than {MAX_SERVERS} servers; the rest of them is not read"
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
        found.hints.append(f"It stands alone in its file, and is called `{name}` after it.")
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
            reason = f"the server `{printable(key)}` stands beside `{wrapped[0][0]}`; move it into that"
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
            reason = f"`{printable(key)}` is not a name that Partner looks for; did you mean `{near}`?"
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
    reason = (
        f"`{printable(id_)}` stands twice in this file; the first one counts, so rename or remove this one"
    )
    return EntryFault(id_, reason, line)
