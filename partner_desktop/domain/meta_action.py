"""MetaAction: one call of one ability; MetaActionInfo: what is known about the ability.

Keys are `location::name`, split at the first `::` (`builtin::command::execute`, `origin::note.sh`,
`local::count_words`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import current_language
from partner_desktop.domain.action import ResultPart, RunFile, Undo
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.planning_facts import NO_FACTS, PlanningFacts, derived_facts
from partner_desktop.domain.run_facts import PathKind
from partner_desktop.domain.saved_plan import SavedPlan


class Route(StrEnum):
    """The channel that runs a MetaAction."""

    MCP = "mcp"
    BUILTIN = "builtin"
    ORIGIN = "origin"


#: The location of the person's own abilities, which share their route with external servers' tools.
LOCAL = "local"
#: What external servers call a parameter that is a command line.
_COMMANDS = frozenset({"command", "cmd", "argv", "command_line", "commandline", "shell_command"})
#: What a path parameter may say of itself by `x-partner-kind`.
_PATH_KINDS: dict[str, PathKind] = {
    "file": "file",
    "folder": "folder",
    "directory": "folder",
    "dir": "folder",
}


def path_kind(schema: JsonObject) -> PathKind:
    """Whether a path parameter is a file or a folder, where its schema says so."""
    hint = schema.get("x-partner-kind")
    return _PATH_KINDS.get(hint, "") if isinstance(hint, str) else ""


@dataclass(frozen=True)
class Annotations:
    """MCP's own hints; a hint is a claim by the ability's author, never a fact. `None` = not said."""

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    @property
    def only_looks(self) -> bool:
        """It changes nothing, and neither asks nor reads what others beyond this machine's files hold."""
        return bool(self.read_only) and not self.open_world


@dataclass(frozen=True)
class AbilityPermissions:
    """What a script asks for beyond its path parameters."""

    net: bool = False
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    sockets: bool = False
    """To speak to other programs of this machine by local sockets."""


@dataclass(frozen=True)
class MetaActionInfo:
    """The description of an ability."""

    key: str
    route: Route
    description: str
    label: str = ""
    """A title that its author chose; empty: made from the name."""
    aliases: tuple[str, ...] = ()
    """Other ways to ask for it, in any language."""
    params: JsonObject = field(default_factory=lambda: {"type": "object", "properties": {}})
    """JSON Schema of the arguments: an object with `properties` and `required`."""
    launcher: tuple[str, ...] = ()
    """Program and first arguments that run `source`; empty for builtins."""
    opens: tuple[str, ...] = ()
    """The places that a launcher brings along which is neither the system's nor Partner's own."""
    source: Path | None = None
    """The script file; `None` for builtins."""
    hidden: bool = False
    """Callable by its key inside Partner, but neither listed nor matched with words."""
    free_args: bool = False
    """An undescribed script: its one `args` field is split like a shell would."""
    once: bool = False
    """Once it is done, doing the same again makes no sense; after a failure it does."""
    tags: tuple[str, ...] = ()
    owner: str = ""
    annotations: Annotations = Annotations()
    permissions: AbilityPermissions = AbilityPermissions()
    timeout_s: float = 120.0
    response_schema: JsonObject = field(default_factory=dict)
    """JSON Schema of the result, where its author gave one."""
    pre_actions: tuple[str, ...] = ()
    """Keys of what should be done before it."""
    post_actions: tuple[str, ...] = ()
    """Keys of what may be done with its result."""
    strict_dependencies: bool = False
    """It is never done without its `pre_actions`: they become steps before it."""
    declared: PlanningFacts = NO_FACTS
    """What its author says that it needs and brings; see `planning_facts`."""
    content_hash: str = ""
    """SHA-256 of script and descriptor together; grants are bound to it."""
    plan: SavedPlan | None = None
    """It is a saved plan, whose steps are proposed in its place; `None`: it is called itself."""
    localized: Mapping[str, JsonObject] = field(default_factory=dict)
    """Language → what a person reads in it: `title`, `description`, and under `params` the same of each."""

    @property
    def location(self) -> str:
        return self.key.partition("::")[0]

    @property
    def name(self) -> str:
        return self.key.partition("::")[2]

    @property
    def title(self) -> str:
        """The label, or the name as words: `find_duplicates` → `Find duplicates`."""
        if self.label:
            return self.label
        stem = self.name.rpartition("::")[2]
        if self.route is Route.ORIGIN:
            stem = Path(stem).stem
        words = stem.replace("_", " ").replace("-", " ").strip() or stem
        return words[:1].upper() + words[1:]

    def spoken(self, language: str) -> MetaActionInfo:
        """The same as a person reads it who speaks `language`, where its author wrote that."""
        if language not in self.localized:
            return self
        if language not in self._spoken:
            self._spoken[language] = self._translated(self.localized[language])
        return self._spoken[language]

    @cached_property
    def _spoken(self) -> dict[str, MetaActionInfo]:
        """Language → the same in it: lists ask for it with each row that they show."""
        return {}

    def _translated(self, words: JsonObject) -> MetaActionInfo:
        own = words.get("params")
        of_params = own if isinstance(own, dict) else {}
        properties: JsonObject = {
            name: {**schema, **told} if isinstance(told := of_params.get(name), dict) else schema
            for name, schema in self.properties().items()
        }
        return replace(
            self,
            label=str(words.get("title") or self.label),
            description=str(words.get("description") or self.description),
            params={**self.params, "properties": properties},
        )

    @property
    def told(self) -> MetaActionInfo:
        """The same as a person reads it in the language of this task."""
        return self.spoken(current_language())

    @property
    def planning_facts(self) -> PlanningFacts:
        """What it needs and brings: as its author says, or else as its schemas do. A plan is part of none."""
        if self.plan is not None:
            return NO_FACTS
        if self.declared.takes_part:
            return self.declared
        return derived_facts(self.params, self.response_schema)

    def properties(self) -> dict[str, JsonObject]:
        """Parameter name → its schema, in declared order."""
        return properties_of(self.params)

    def required(self) -> tuple[str, ...]:
        """Names that a call must carry."""
        return required_of(self.params)

    def path_params(self) -> dict[str, str]:
        """Path parameter → `read` or `write`."""
        return {
            name: "write" if schema.get("access") == "write" else "read"
            for name, schema in self.properties().items()
            if schema.get("format") == "path"
        }

    def path_lists(self) -> dict[str, str]:
        """Parameter that is a list of paths → `read` or `write`, said of the list or of its items."""
        found: dict[str, str] = {}
        for name, schema in self.properties().items():
            items = schema.get("items")
            if schema.get("type") == "array" and isinstance(items, dict) and items.get("format") == "path":
                found[name] = "write" if "write" in (schema.get("access"), items.get("access")) else "read"
        return found

    def takes_code(self) -> bool:
        """Whether it makes an ability of code that stands among its arguments (`x-partner-code`)."""
        return any(schema.get("x-partner-code") is True for schema in self.properties().values())

    def takes_command(self) -> bool:
        """Whether a whole command line is among its parameters: one says so by `x-partner-command`, or an
        external server's is called so.
        """
        of_server = self.route is Route.MCP and self.location != LOCAL
        return any(
            schema.get("x-partner-command") is True or (of_server and name.casefold() in _COMMANDS)
            for name, schema in self.properties().items()
        )


class ResultStatus(StrEnum):
    """WAITING → SUCCESS | FAILED, once."""

    WAITING = "waiting"
    SUCCESS = "success"
    FAILED = "failed"


@dataclass(frozen=True)
class RunnerResponse:
    """What a run left behind. Texts are cut to a shareable size; the whole lies at `stdout_path`."""

    ok: bool
    stdout: str = ""
    stderr: str = ""
    data: Json = None
    """The parsed result where stdout was JSON."""
    exit_code: int | None = None
    duration_ms: int = 0
    error: str = ""
    """One sentence for the person; empty on success."""
    truncated: bool = False
    stdout_path: Path | None = None
    """Where the whole output lies, when it was too long to keep inline."""
    stderr_path: Path | None = None
    sandboxed: bool = False
    cancelled: bool = False
    parts: tuple[ResultPart, ...] = ()
    """Pictures, links and files that came with it."""
    files: tuple[RunFile, ...] = ()
    """What it left in its workspace."""
    files_until: datetime | None = None
    undo: Undo | None = None
    """Whether what it did to the person's files can be taken back; `None`: it did nothing to them."""


@dataclass(frozen=True)
class RunLeft:
    """What a run left on the disk, however it ended."""

    files: tuple[RunFile, ...] = ()
    files_until: datetime | None = None
    undo: Undo | None = None


@dataclass
class MetaAction:
    """One call. Mutable on purpose: its result is written exactly once, by the runner."""

    id: str
    info: MetaActionInfo
    params: JsonObject
    cwd: str = ""
    """Where a command runs; empty: the user's folder."""
    conversation_id: str = ""
    language: str = ""
    """What its result is told in; empty: in English."""
    status: ResultStatus = ResultStatus.WAITING
    response: RunnerResponse | None = None
    left: RunLeft = RunLeft()
    """Noted by the wrappers that look at the disk; a part of the response then, also of a cancelled one."""

    def settle(self, response: RunnerResponse) -> None:
        """Write the result back.

        Raises:
            RuntimeError: It was settled before.
        """
        if self.status is not ResultStatus.WAITING:
            raise RuntimeError(f"{self.info.key} {self.id} is already {self.status}")
        self.response = response
        self.status = ResultStatus.SUCCESS if response.ok else ResultStatus.FAILED


def properties_of(schema: JsonObject) -> dict[str, JsonObject]:
    """What an object of the schema may have, by name."""
    found = schema.get("properties")
    if not isinstance(found, dict):
        return {}
    return {name: body for name, body in found.items() if isinstance(body, dict)}


def required_of(schema: JsonObject) -> tuple[str, ...]:
    """The names that it must have."""
    found = schema.get("required")
    return tuple(str(name) for name in found) if isinstance(found, list) else ()
