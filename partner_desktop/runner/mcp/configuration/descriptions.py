"""`mcp/desc/<server>::<tool>.desc.json`: a description of the person's own in place of a tool's.

The words are replaced whole: description, title, aliases, tags. What a call depends on (parameters, result
schema, annotations, time limit) is replaced where the file says it. Parameters may be described
anew, never renamed: they belong to the server. Deleting the file restores the original. Pure.

A tool whose server, configuration and description stay the same stays the same object, so that whoever
compares two lists of a thousand is done at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from partner_desktop.base.errors import DescriptorError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.domain.ability import Ability, AbilityFault
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.files.content_hashes import content_hash
from partner_desktop.runner.descriptor import Descriptor, checked, params_schema
from partner_desktop.runner.located_json import Node, as_text, parse
from partner_desktop.runner.mcp.port import ServerConfig, ServerFacts

_ENDING = ".desc.json"
#: What a descriptor knows and a server decides for itself.
_OF_SCRIPTS = ("launcher", "freeArgs", "permissions")
#: Keys beyond those of a script's descriptor.
_MORE_KEYS = frozenset({"label", "$schema"})


@dataclass(frozen=True)
class Override:
    """A read description."""

    key: str
    """Of the tool that it describes, `server::tool`."""
    path: Path
    descriptor: Descriptor
    title: str
    data: bytes
    lines: Mapping[str, int]
    """Where its parameters stand."""
    params_line: int
    hints: tuple[str, ...] = ()

    def misfit(self, info: MetaActionInfo) -> AbilityFault | None:
        """Why it cannot stand for the tool's own description, if it cannot."""
        try:
            self._params(info)
        except DescriptorError as error:
            return AbilityFault(str(error), self.path, error.line or self.params_line)
        return None

    def apply(self, info: MetaActionInfo) -> MetaActionInfo:
        """The tool as this file describes it; unchanged where it is a misfit."""
        try:
            params = self._params(info)
        except DescriptorError:
            return info
        said, own = self.descriptor.model_fields_set, self.descriptor
        return replace(
            info,
            description=own.description or info.description,
            label=self.title,
            localized=own.localized,
            aliases=tuple(own.aliases),
            tags=tuple(own.tags),
            owner=own.owner or info.owner,
            params=params,
            response_schema=own.responseSchema if "responseSchema" in said else info.response_schema,
            pre_actions=own.keys_before(info.location),
            post_actions=own.keys_after(info.location),
            strict_dependencies=own.strictDependencies,
            declared=own.planning_facts(),
            annotations=own.annotations.told() if "annotations" in said else info.annotations,
            timeout_s=own.timeoutSeconds if "timeoutSeconds" in said else info.timeout_s,
            content_hash=content_hash([info.content_hash.encode(), self.data]),
        )

    def _params(self, info: MetaActionInfo) -> JsonObject:
        if "params" not in self.descriptor.model_fields_set:
            return info.params
        return merged_params(self.descriptor.params, info.params, lines=self.lines)

    def unused_hint(self, servers: frozenset[str]) -> str:
        """What to tell its author while there is no such tool; `servers` are the ids that are configured."""
        server, _, tool = self.key.partition("::")
        if server not in servers:
            return sentence_of("servers.description.no_server", server=server)
        return sentence_of("servers.description.no_tool", server=server, tool=tool)


def is_description(name: str) -> bool:
    """Whether a file in `desc/` is to be read."""
    return name.endswith(".json")


def tool_key(name: str) -> str:
    """The key of the tool that a file's name stands for.

    Raises:
        DescriptorError: It stands for none.
    """
    stem = name.removesuffix(_ENDING)
    sign = "::" if "::" in stem else "__"
    server, _, tool = stem.partition(sign)
    if stem == name or not server or not tool or not name.isprintable():
        raise DescriptorError("servers.description.odd_name")
    return f"{server}::{tool}"


def read_override(path: Path, data: bytes, before: Override | None = None) -> Override:
    """A description file.

    Raises:
        DescriptorError: It is none; `line` is set where it can be known.
    """
    del before
    key = tool_key(path.name)
    text = as_text(data)
    parsed = parse(text)
    root = parsed.root
    if root.twice:
        raise DescriptorError("servers.file.twice", name=root.twice[0][0], line=root.twice[0][1])
    descriptor = checked(root.plain(), text, first_line=1, model=Descriptor)
    _check_params(descriptor, root)
    unused = [
        sentence_of("servers.description.unused", name=name) for name in _OF_SCRIPTS if name in root.members
    ]
    params = root.members.get("params", root)
    return Override(
        key=key,
        path=path,
        descriptor=descriptor,
        title=descriptor.title or _label(root),
        data=data,
        lines={name: each.line for name, each in _parameters(params).items()},
        params_line=params.line,
        hints=(*parsed.hints, *descriptor.unknown_keys(but=_MORE_KEYS), *unused),
    )


def _check_params(descriptor: Descriptor, root: Node) -> None:
    """Refuse parameters that are none, with the line of the first."""
    try:
        params_schema(descriptor.params)
    except DescriptorError as error:
        node = root.members.get("params", root)
        for name, each in _parameters(node).items():
            try:
                params_schema({name: each.plain()})
            except DescriptorError:
                raise DescriptorError("common.told", text=error, line=each.line) from error
        raise DescriptorError("common.told", text=error, line=node.line) from error


def _parameters(node: Node) -> dict[str, Node]:
    """The parameters in `params`, be it a schema or a map."""
    inner = node.members.get("properties")
    return inner.members if inner is not None and inner.members else node.members


def _label(root: Node) -> str:
    node = root.members.get("label")
    if node is None or node.value is None:
        return ""
    if not isinstance(node.value, str) or len(node.value) > 80:
        raise DescriptorError("servers.description.label", line=node.line)
    return node.value


def merged_params(
    described: dict[str, Any],  # Any: JSON from a descriptor
    own: JsonObject,
    *,
    lines: Mapping[str, int],
) -> JsonObject:
    """The server's schema with the described parameters in place of its own.

    `described` is a full schema, or a map of properties or texts. What it leaves out is not offered; what
    it does not say of a parameter stays as the server says it.

    Raises:
        DescriptorError: A call after this description could not fit the server; `line` is that of the
            parameter, by `lines`.
    """
    whole = described.get("type") == "object" and isinstance(described.get("properties"), dict)
    properties: dict[str, Any] = described["properties"] if whole else described
    theirs = own.get("properties")
    known = theirs if isinstance(theirs, dict) else {}
    unknown = [name for name in properties if name not in known]
    if unknown:
        raise _unknown(unknown[0], known, line=lines.get(unknown[0]))
    needed = own.get("required")
    required = [name for name in needed if isinstance(name, str)] if isinstance(needed, list) else []
    missing = [name for name in required if name not in properties]
    if missing:
        raise DescriptorError("servers.description.missing", name=missing[0])
    merged = {name: _laid_over(name, spec, known[name], lines.get(name)) for name, spec in properties.items()}
    named = described.get("required", []) if whole else _marked(properties)
    return {**own, "properties": merged, "required": [*required, *(n for n in named if n not in required)]}


def _unknown(name: str, known: dict[str, Json], *, line: int | None) -> DescriptorError:
    near = get_close_matches(name, sorted(known), n=1, cutoff=0.7)
    if near:
        return DescriptorError("servers.description.unknown_near", name=name, near=near[0], line=line)
    names = ", ".join(f"`{each}`" for each in list(known)[:8])
    if names:
        return DescriptorError("servers.description.unknown", name=name, names=names, line=line)
    return DescriptorError("servers.description.unknown_none", name=name, line=line)


def _marked(properties: dict[str, Any]) -> list[str]:
    return [
        name for name, spec in properties.items() if isinstance(spec, dict) and spec.get("required") is True
    ]


def _laid_over(name: str, spec: object, own: Json, line: int | None) -> Json:
    theirs = own if isinstance(own, dict) else {}
    if isinstance(spec, str):
        return {**theirs, "description": spec}
    assert isinstance(spec, dict)  # `params_schema` has looked at it
    kind, their_kind = spec.get("type"), theirs.get("type")
    if not _fits(kind, their_kind):
        raise DescriptorError(
            "servers.description.other_type", name=name, theirs=their_kind, kind=kind, line=line
        )
    return {**theirs, **{key: value for key, value in spec.items() if key != "required"}}


def _fits(kind: object, theirs: object) -> bool:
    """Whether every value of a type is one of the server's."""
    if kind is None or theirs is None:
        return True
    wide = theirs if isinstance(theirs, list) else [theirs]
    narrow = kind if isinstance(kind, list) else [kind]
    return all(one in wide or (one == "integer" and "number" in wide) for one in narrow)


#: What of a configuration does not change who answers.
_NOT_BOUND = frozenset({"timeout_s", "start_timeout_s", "disabled", "insecure"})


@dataclass(frozen=True)
class _Tool:
    info: MetaActionInfo
    """As the server describes it."""
    override: Override | None
    ability: Ability


@dataclass(frozen=True)
class _Made:
    config: ServerConfig
    facts: ServerFacts | None
    overrides: Mapping[str, Override]
    tools: dict[str, _Tool]
    abilities: list[Ability]


class Offers:
    """Remembers what it made of each server."""

    def __init__(self) -> None:
        self._made: dict[str, _Made] = {}

    def of(
        self, config: ServerConfig, facts: ServerFacts | None, overrides: Mapping[str, Override]
    ) -> list[Ability]:
        """The abilities of one server; none while it offers nothing. Nobody changes what he gets or gave."""
        known = self._made.get(config.id)
        if known is not None and known.config != config:
            known = None
        if known is not None and known.facts is facts and known.overrides is overrides:
            return known.abilities
        before = known.tools if known is not None else {}
        bound = _fingerprint(config) if facts is not None else ""
        now: dict[str, _Tool] = {}
        for tool in facts.tools if facts is not None else ():
            override = overrides.get(tool.key)
            old = before.get(tool.key)
            if old is None or old.info is not tool or old.override != override:
                old = _Tool(tool, override, _ability(tool, override, bound))
            now.setdefault(tool.key, old)
        abilities = [each.ability for each in now.values()]
        self._made[config.id] = _Made(config, facts, overrides, now, abilities)
        return abilities

    def forget(self, server: str) -> None:
        """The server is gone."""
        self._made.pop(server, None)


def _ability(tool: MetaActionInfo, override: Override | None, bound: str) -> Ability:
    info = tool if override is None else override.apply(tool)
    hints = override.hints if override is not None else ()
    fault = override.misfit(tool) if override is not None else None
    # A grant is for what runs: the same tool of another program, or at another address, asks again.
    digest = hashlib.sha256(f"{bound}\n{info.content_hash}".encode()).hexdigest()
    return Ability(key=tool.key, info=replace(info, content_hash=digest), fault=fault, hints=hints)


def _fingerprint(config: ServerConfig) -> str:
    kept = [(each.name, getattr(config, each.name)) for each in fields(config) if each.name not in _NOT_BOUND]
    return hashlib.sha256(repr(kept).encode("utf-8", "surrogatepass")).hexdigest()
