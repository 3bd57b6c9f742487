"""Nearby: the few abilities that a mind is shown with a question about chains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from partner_desktop.abilities.catalog import AbilityCatalog
from partner_desktop.base.errors import UsageError
from partner_desktop.base.tasks import Deferred
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.meta_action import MetaActionInfo

if TYPE_CHECKING:
    from partner_desktop.mind.starter.matcher import AbilityMatcher

#: Abilities that a mind chooses from, beside those of the chains.
_NEAREST = 12


class CandidateAbilities:
    """By words alone: what is asked is asked often, and a dozen leaves room for what words miss."""

    def __init__(self, catalog: AbilityCatalog) -> None:
        self._catalog = catalog
        self._matcher = Deferred(_by_words)

    async def to(self, text: str, chains: Iterable[ActionRecord]) -> tuple[MetaActionInfo, ...]:
        """The abilities nearest to the text, then those of the chains, each once."""
        ranked = await (await self._matcher.get()).rank(text, self._catalog.usable())
        found = {one.info.key: one.info for one in ranked[:_NEAREST]}
        for record in chains:
            for step in record.chain.steps if record.chain is not None else ():
                info = self._catalog.get(step.key)
                if info is not None:
                    found[info.key] = info
        return tuple(found.values())


def _by_words() -> AbilityMatcher:
    from partner_desktop.mind.starter.matcher import WordMatcher  # noqa: PLC0415 - not at the start

    return WordMatcher()


def required(catalog: AbilityCatalog, key: str) -> MetaActionInfo:
    """The ability of a key that a mind or a program named.

    Raises:
        UsageError: It cannot be called; where there is none, the nearest keys are named.
    """
    try:
        return catalog.require(key)
    except UsageError as error:
        near = [f"`{each}`" for each in catalog.nearest(key)] if catalog.entry(key) is None else []
        if not near:
            raise
        told = f"The nearest is {near[0]}." if len(near) == 1 else f"The nearest are {', '.join(near)}."
        raise UsageError(f"{error} {told}") from error
