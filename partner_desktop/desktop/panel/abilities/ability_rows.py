"""The abilities as rows: what needs attention first, then everything that works, by where it comes from.

What can be done with one ability, or with one server, is a menu.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.server.server_words import phase_color, phase_words, runs
from partner_desktop.desktop.rows.row_spec import RowLine, RowSpec, RowVerb, head_row
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus, SignInState
from partner_desktop.domain.meta_action import MetaActionInfo, Route

#: A server with more tools shows them only when it is unfolded.
MOST_UNFOLDED = 8
_FAULT_LINES = 5


#: Its kinds: `server`, `broken`, `ability`. Of a head it is about nothing.
AbilityRow: TypeAlias = RowSpec[Ability | ServerStatus | None]


def origin_words(info: MetaActionInfo) -> str:
    """The section that an ability stands in: where it comes from."""
    if info.route is Route.BUILTIN:
        return tr("Built in")
    if info.route is Route.ORIGIN:
        return tr("Temporary")
    return tr("Yours") if info.location == "local" else info.location


def fault_words(ability: Ability) -> str:
    """File and line, then the reason."""
    fault = ability.fault
    if fault is None:
        return ""
    where = display_path(fault.path)
    return f"{where}:{fault.line}\n{fault.message}" if fault.line is not None else f"{where}\n{fault.message}"


class _Known:
    """One ability with what costs to find out: its place, its row, its words."""

    def __init__(self, ability: Ability) -> None:
        self.ability = ability
        info = ability.info
        self.place = _place(info) if info is not None else _NOWHERE
        self.order = (info.told.title.casefold() if info is not None else "", ability.key)

    @cached_property
    def row(self) -> AbilityRow | None:
        info = self.ability.info
        return _usable_row(self.ability, info) if info is not None else None

    @cached_property
    def words(self) -> str:
        ability, info = self.ability, self.ability.info
        parts = [ability.key, fault_words(ability), tr("off") if ability.off else ""]
        if info is not None:
            told = info.told
            parts += [info.title, told.title, info.description, told.description]
            parts += [origin_words(info), *info.aliases]
        return " ".join(parts).casefold()

    def has(self, wanted: list[str]) -> bool:
        return all(word in self.words for word in wanted)


#: Section and, among external servers, which one.
_Place = tuple[int, str]
_NOWHERE: _Place = (-1, "")
_YOURS: _Place = (0, "")
_TEMPORARY: _Place = (1, "")
_SERVERS = 2
_BUILT_IN: _Place = (3, "")


class AbilityRows:
    """All abilities and servers, in the order in which they are shown.

    A change costs what it is about: everything else was put into words before.
    """

    def __init__(self, now: Callable[[], datetime]) -> None:
        """`now`: until when something is tried again is counted from there."""
        self._now = now
        self.abilities: dict[str, Ability] = {}
        self.servers: dict[str, ServerStatus] = {}
        self.folds: dict[str, bool] = {}
        """Which servers the person folded or unfolded."""
        self._known: dict[str, _Known] = {}

    def change(self, changed: Iterable[Ability], removed: Iterable[str]) -> None:
        """Abilities that are new or different, and those that are gone."""
        for key in removed:
            self.abilities.pop(key, None)
            self._known.pop(key, None)
        for ability in changed:
            self.abilities[ability.key] = ability
            self._known[ability.key] = _Known(ability)

    def change_servers(self, changed: Mapping[str, ServerStatus | None]) -> None:
        """Servers by id that are new or different; `None` is gone."""
        for server_id, server in changed.items():
            if server is None:
                self.servers.pop(server_id, None)
            else:
                self.servers[server_id] = server

    def say_again(self) -> None:
        self._known = {key: _Known(ability) for key, ability in self.abilities.items()}

    def tools_of(self, server_id: str) -> list[Ability]:
        """The tools of a server, by title."""
        found = [known for known in self._known.values() if known.place == (_SERVERS, server_id)]
        return [known.ability for known in sorted(found, key=lambda known: known.order)]

    def folded(self, server_id: str, count: int) -> bool:
        """Whether a server hides its tools: as the person left it, else when they are many."""
        return self.folds.get(server_id, count > MOST_UNFOLDED)

    def rows(self, wanted: str = "") -> list[AbilityRow]:
        """All rows, in order; `wanted` leaves only what has all of its words somewhere.

        A broken edit with its last good version appears in both sections. A server that failed for good
        stands among what needs attention.
        """
        words = wanted.casefold().split()
        places: dict[_Place, list[_Known]] = defaultdict(list)
        for known in self._known.values():
            if known.has(words):
                places[known.place].append(known)
        for found in places.values():
            found.sort(key=lambda known: known.order)
        servers = self._server_blocks(places, words)
        rows = list(self._attention(places, servers))
        for place, title in ((_YOURS, tr("Yours")), (_TEMPORARY, tr("Temporary"))):
            rows += _section(title, places[place])
        if servers:
            rows.append(_head(tr("Servers")))
            rows += [row for _, block in sorted(servers.items()) for row in block]
        rows += self._without_server(places)
        return rows + _section(tr("Built in"), places[_BUILT_IN])

    def _attention(
        self, places: dict[_Place, list[_Known]], servers: dict[tuple[str, str], list[AbilityRow]]
    ) -> Iterator[AbilityRow]:
        """What is broken or waits for a yes; takes the servers of which that is true out of `servers`."""
        broken = [known for found in places.values() for known in found if known.ability.fault is not None]
        broken.sort(key=lambda known: known.order)
        troubled = (ServerPhase.FAILED, ServerPhase.WAITING)
        failed = [key for key in sorted(servers) if self.servers[key[1]].phase in troubled]
        if broken or failed:
            yield _head(tr("Needs attention"))
            yield from (_broken_row(known.ability) for known in broken)
            for key in failed:
                yield from servers.pop(key)

    def _server_blocks(
        self, places: dict[_Place, list[_Known]], words: list[str]
    ) -> dict[tuple[str, str], list[AbilityRow]]:
        """Each server with its tools, by its name; what is looked for is unfolded."""
        blocks = {}
        for server in self.servers.values():
            tools = places.get((_SERVERS, server.id), [])
            if words and not tools and not _server_has(server, words):
                continue
            folded = not words and self.folded(server.id, len(tools))
            row = self._server_row(server, tools=len(tools), folded=folded)
            shown = [] if folded else [known.row for known in tools if known.row is not None]
            blocks[(server.id.casefold(), server.id)] = [row, *shown]
        return blocks

    def counted_down(self) -> list[AbilityRow]:
        """The servers that say how long it is until they are tried again, as they say it now."""
        waiting = [one for one in self.servers.values() if one.phase is ServerPhase.BACKING_OFF]
        return [
            self._server_row(one, tools=tools, folded=self.folded(one.id, tools))
            for one in waiting
            for tools in [len(self.tools_of(one.id))]
        ]

    def _server_row(self, server: ServerStatus, *, tools: int, folded: bool) -> AbilityRow:
        told = server.phase in (ServerPhase.FAILED, ServerPhase.BACKING_OFF) and server.failure is not None
        reason = server.failure.message if told and server.failure is not None else ""
        if server.question is not None:
            reason = server.question.sentence
        elif server.sign_in is not None and server.sign_in.state is SignInState.REFUSED:
            reason = server.sign_in.reason
        phase = phase_words(server, self._now())
        return RowSpec(
            f"server {server.id}",
            server.id,
            server,
            kind="server",
            lines=(RowLine(phase), *_reason(reason)),
            dot=phase_color(server),
            ring="bad" if server.phase is ServerPhase.FAILED else "line",
            quiet=server.phase is ServerPhase.STOPPED,
            on=server.phase is not ServerPhase.STOPPED if server.can_switch else None,
            folded=folded if tools else None,
            tip=_tip(server.name, server.shown, reason, *server.hints),
        )

    def _without_server(self, places: dict[_Place, list[_Known]]) -> list[AbilityRow]:
        """Tools whose server is not known (yet) have a section each."""
        lone = sorted(place for place in places if place[0] == _SERVERS and place[1] not in self.servers)
        return [row for place in lone for row in _section(place[1], places[place])]


def _place(info: MetaActionInfo) -> _Place:
    if info.route is Route.MCP:
        return _YOURS if info.location == "local" else (_SERVERS, info.location)
    return _TEMPORARY if info.route is Route.ORIGIN else _BUILT_IN


def _section(title: str, known: list[_Known]) -> list[AbilityRow]:
    rows = [each.row for each in known if each.row is not None]
    return [_head(title), *rows] if rows else []


def _server_has(server: ServerStatus, words: list[str]) -> bool:
    failure = server.failure.message if server.failure is not None else ""
    text = f"{server.id} {server.name} {server.shown} {failure}".casefold()
    return all(word in text for word in words)


def _head(title: str) -> AbilityRow:
    return head_row(f"head {title}", title, None)


def _reason(words: str) -> tuple[RowLine, ...]:
    return (RowLine(words, color="bad", most=_FAULT_LINES),) if words else ()


def _tip(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def _broken_row(ability: Ability) -> AbilityRow:
    name = ability.info.told.title if ability.info is not None else ability.key.rpartition("::")[2]
    if ability.info is None and ability.path is not None:
        name = display_path(Path(ability.path.name))
    fault = fault_words(ability)
    return RowSpec(
        f"broken {ability.key}",
        name,
        ability,
        kind="broken",
        tag=tr("last good version works") if ability.usable else tr("broken"),
        tag_kind="bad",
        lines=_reason(fault),
        ring="bad",
        quiet=ability.off,
        tip=_tip(ability.key, fault, *ability.hints),
    )


def _usable_row(ability: Ability, info: MetaActionInfo) -> AbilityRow:
    text = " ".join(info.told.description.split())
    return RowSpec(
        f"ability {ability.key}",
        info.told.title,
        ability,
        kind="ability",
        tag=tr("off") if ability.off else "",
        lines=(RowLine(text),) if text else (),
        quiet=ability.off,
        on=not ability.off,
        inner=_place(info)[0] == _SERVERS,
        tip=_tip(ability.key, text, *ability.hints),
    )


AbilityVerb: TypeAlias = Literal[
    "run", "example", "details", "keep", "edit", "source", "switch", "folder", "remove", "copy"
]


def choices(ability: Ability) -> Iterator[tuple[AbilityVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    if ability.usable:
        yield "run", tr("Run…")
        yield "example", tr("Put an example in the composer")
    if ability.info is not None:
        yield "details", tr("Details")
    if ability.usable and ability.temporary:
        yield "keep", tr("Keep…")
    if ability.info is not None:
        yield "switch", tr("Turn on") if ability.off else tr("Turn off")
    if ability.info is not None and ability.in_folder and not ability.temporary:
        yield "edit", tr("Edit details…")
    if ability.fault is not None:
        yield "source", tr("Open file")
        yield "copy", tr("Copy the reason")
    elif ability.script is not None:
        yield "source", tr("Open source")
    if ability.path is not None or ability.fault is not None:
        yield "folder", tr("Show folder")
    if ability.path is not None:
        yield "remove", tr("Remove…")


ServerVerb: TypeAlias = Literal[
    "details", "restart", "log", "file", "switch", "copy", "move", "sign-in", "cancel-sign-in", "sign-out"
]


def server_choices(server: ServerStatus) -> Iterator[tuple[ServerVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    yield "details", tr("Details")
    yield from _sign_in_choices(server)
    if runs(server):
        yield "restart", tr("Restart")
    yield "log", tr("Show log")
    if server.path is not None:
        yield "file", tr("Open its file")
    if server.failure is not None:
        yield "copy", tr("Copy the reason")
    if server.can_switch:
        yield "switch", tr("Turn off") if runs(server) else tr("Turn on")


def _sign_in_choices(server: ServerStatus) -> Iterator[tuple[ServerVerb, str]]:
    state = server.sign_in.state if server.sign_in is not None and runs(server) else None
    if state in (SignInState.NEEDED, SignInState.REFUSED):
        yield "sign-in", tr("Sign in")
    elif state is SignInState.RUNNING:
        yield "cancel-sign-in", tr("Give up signing in")
    elif state is SignInState.DONE:
        yield "sign-out", tr("Sign out")


def row_choices(row: AbilityRow) -> Iterator[RowVerb]:
    """The menu of a row."""
    match row.about:
        case ServerStatus() as server:
            for name, words in server_choices(server):
                yield RowVerb(name, words)
            if row.folded is not None:
                words = tr("Show its tools") if row.folded else tr("Fold its tools away")
                yield RowVerb("fold", words, parted=True)
        case Ability() as ability:
            for verb, words in choices(ability):
                removes = verb == "remove"
                yield RowVerb(verb, words, key="Del" if removes else "", parted=removes)
