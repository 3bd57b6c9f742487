"""The abilities as rows: what needs attention first, then everything that works, by where it comes from.

What can be done with one ability, or with one server, is a menu.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal, TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QMenu, QWidget

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.server.server_words import runs
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.mcp_server import ServerPhase, ServerStatus
from partner_desktop.domain.meta_action import MetaActionInfo, Route

#: A server with more tools shows them only when it is unfolded.
MOST_UNFOLDED = 8


@dataclass(frozen=True)
class AbilityRow:
    """A head, a server, a broken ability or a working one."""

    kind: Literal["head", "server", "broken", "ability"]
    title: str
    text: str = ""
    tag: str = ""
    ability: Ability | None = None
    server: ServerStatus | None = None
    tools: int = 0
    """Of a server: how many rows it has below itself, shown or folded away."""
    folded: bool = False
    inner: bool = False
    """It belongs to the server above it."""

    @property
    def key(self) -> str:
        """What it is about, whatever is said of it."""
        if self.server is not None:
            return f"server {self.server.id}"
        return f"{self.kind} {self.ability.key if self.ability is not None else self.title}"

    @property
    def switchable(self) -> bool:
        """Whether it can be switched off or on."""
        return self.server.can_switch if self.server is not None else self.kind == "ability"

    @property
    def off(self) -> bool:
        if self.server is not None:
            return self.server.phase is ServerPhase.STOPPED
        return self.ability is not None and self.ability.off


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

    def __init__(self) -> None:
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
        """The language is another."""
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
            rows.append(AbilityRow("head", tr("Servers")))
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
            yield AbilityRow("head", tr("Needs attention"))
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
            row = _server_row(server, len(tools), folded=folded)
            shown = [] if folded else [known.row for known in tools if known.row is not None]
            blocks[(server.id.casefold(), server.id)] = [row, *shown]
        return blocks

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
    return [AbilityRow("head", title), *rows] if rows else []


def _server_has(server: ServerStatus, words: list[str]) -> bool:
    failure = server.failure.message if server.failure is not None else ""
    text = f"{server.id} {server.name} {server.shown} {failure}".casefold()
    return all(word in text for word in words)


def _server_row(server: ServerStatus, tools: int, *, folded: bool) -> AbilityRow:
    told = server.phase in (ServerPhase.FAILED, ServerPhase.BACKING_OFF) and server.failure is not None
    reason = server.failure.message if told and server.failure is not None else ""
    if server.question is not None:
        reason = server.question.sentence
    return AbilityRow("server", server.id, reason, server=server, tools=tools, folded=folded)


def _broken_row(ability: Ability) -> AbilityRow:
    name = ability.info.told.title if ability.info is not None else ability.key.rpartition("::")[2]
    if ability.info is None and ability.path is not None:
        name = display_path(Path(ability.path.name))
    tag = tr("last good version works") if ability.usable else tr("broken")
    return AbilityRow("broken", name, fault_words(ability), tag, ability)


def _usable_row(ability: Ability, info: MetaActionInfo) -> AbilityRow:
    tag = tr("off") if ability.off else ""
    told = info.told
    text = " ".join(told.description.split())
    inner = _place(info)[0] == _SERVERS
    return AbilityRow("ability", told.title, text, tag, ability, inner=inner)


Verb: TypeAlias = Literal[
    "run", "example", "details", "keep", "edit", "source", "switch", "folder", "remove", "copy"
]


def choices(ability: Ability) -> Iterator[tuple[Verb, str]]:
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


class AbilityMenu(QMenu):
    """`chosen(verb, ability)`. It deletes itself when it closes."""

    chosen = Signal(str, object)

    def __init__(self, ability: Ability, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(ability.info.told.title if ability.info is not None else ability.key)
        for verb, words in choices(ability):
            if verb == "remove":
                self.addSeparator()
            action = self.addAction(words)
            action.setData(verb)
            action.triggered.connect(lambda _checked=False, verb=verb: self.chosen.emit(verb, ability))


ServerVerb: TypeAlias = Literal["details", "restart", "log", "file", "switch", "copy", "move"]


def server_choices(server: ServerStatus) -> Iterator[tuple[ServerVerb, str]]:
    """The verbs that fit, with their words; what does not fit is absent."""
    yield "details", tr("Details")
    if runs(server):
        yield "restart", tr("Restart")
    yield "log", tr("Show log")
    if server.path is not None:
        yield "file", tr("Open its file")
    if server.failure is not None:
        yield "copy", tr("Copy the reason")
    if server.can_switch:
        yield "switch", tr("Turn off") if runs(server) else tr("Turn on")


class ServerMenu(QMenu):
    """`chosen(verb, server)`; `fold_chosen()`. It deletes itself when it closes."""

    chosen = Signal(str, object)
    fold_chosen = Signal()

    def __init__(self, row: AbilityRow, server: ServerStatus, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(server.id)
        for verb, words in server_choices(server):
            action = self.addAction(words)
            action.setData(verb)
            action.triggered.connect(lambda _checked=False, verb=verb: self.chosen.emit(verb, server))
        if row.tools:
            self.addSeparator()
            words = tr("Show its tools") if row.folded else tr("Fold its tools away")
            self.addAction(words).triggered.connect(lambda _checked=False: self.fold_chosen.emit())
