"""Offers: the tools of the servers as abilities, with the person's own descriptions in place of theirs.

A tool whose server, configuration and description stay the same stays the same object, so that whoever
compares two lists of a thousand is done at once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from partner_desktop.action.runner.mcp.config import ServerConfig
from partner_desktop.action.runner.mcp.descriptions import Override
from partner_desktop.action.runner.mcp.port import ServerFacts
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.meta_action import MetaActionInfo

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
