"""SaidWords: what every reader of words has at hand, and asks."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.home_references import resolve_references
from partner_desktop.language.resolved_text import ResolvedText
from partner_desktop.language.speech_acts.imperatives import asks
from partner_desktop.language.speech_acts.speech_act import keeps_words
from partner_desktop.mind.act import Interpret, TalkState
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.parameter_finder import ParameterFinder
from partner_desktop.mind.question import (
    EvaluateIntent,
    ExtractedParams,
    ExtractParams,
    IntentEvaluation,
)


class SaidWords:
    """One message, or what was said in one go, against the state of the talk."""

    def __init__(self, asked: Interpret, ask: Ask) -> None:
        self._asked = asked
        self._ask = ask
        self._finder = ParameterFinder(ask)

    @property
    def _state(self) -> TalkState:
        return self._asked.state

    @property
    def _text(self) -> str:
        return self._asked.texts[0]

    def _ability(self, key: str) -> MetaActionInfo | None:
        return next((info for info in self._state.abilities if info.key == key), None)

    async def _meaning(self, text: str) -> IntentEvaluation:
        """What the words mean, of all that can be called now."""
        abilities = self._state.abilities
        if await asyncio.to_thread(keeps_words, text):
            abilities = [info for info in abilities if any(slot.is_free for slot in slots_of(info))]
        return await self._ask(EvaluateIntent(text, abilities, turn=self._asked.turn))

    async def _asks_for_another(self, text: str, *own: str) -> bool:
        """Whether the words are a request for an ability whose key is none of these."""
        meant = (await self._meaning(text)).meant
        return bool(meant) and all(info.key not in own for info in meant) and asks(text, meant)

    async def _resolved(self, text: str, *, asked: bool = False) -> ResolvedText:
        """The text with what its words mean written out: things on the disk, and what results left.

        `asked`: it answers a question for a file or a folder.
        """
        found = await asyncio.to_thread(resolve_references, text, self._state.surroundings, asked=asked)
        return replace(found, plainly=self._asked.plainly)

    async def _find(self, request: ExtractParams, *, asked: bool = False) -> ExtractedParams:
        """The arguments that the words give, read with what they mean written out; see `_resolved`."""
        schema = request.info.properties().get(request.asked, {})
        asked = asked or (schema.get("format") == "path" and not schema.get("x-partner-new"))
        resolved = await self._resolved(request.text, asked=asked)
        request = replace(request, text=resolved.text, resolved=resolved, turn=self._asked.turn)
        return await self._finder.find(request)
