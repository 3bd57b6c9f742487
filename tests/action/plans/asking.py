"""A Partner with small abilities, and a mind that cuts requests as a test says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from partner_desktop.app import Partner
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError
from partner_desktop.base.paths import Home
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import AbilitiesEvent, DoneEvent, ErrorEvent, ReplyEvent
from partner_desktop.domain.plan import Plan
from partner_desktop.mind.question import EvaluateIntent, ExtractIntents, IntentEvaluation, Intents
from tests.runtime.minds import ScriptedMind
from tests.support import HastyClock, Watcher

_FOLDER = """\
# [params.folder]
# type = "string"
# format = "path"
# access = "{access}"
# description = "the folder to {verb}"
"""
#: name → its description block; none of them does anything.
SCRIPTS = {
    "find_duplicates": 'description = "Find duplicate files in a folder"\n'
    "# annotations = { readOnlyHint = true }\n" + _FOLDER.format(access="read", verb="search"),
    "zip_folder": 'description = "Zip a folder into an archive"\n'
    + _FOLDER.format(access="read", verb="zip"),
    "shout": 'description = "Shout a text in capital letters"\n'
    '# [params.text]\n# type = "string"\n# description = "the text to shout"\n',
}


def script(block: str) -> str:
    """A script that is only described."""
    return f"# /// partner\n# {block}{'' if block.endswith(chr(10)) else chr(10)}# ///\nprint('done')\n"


class Cutting(ScriptedMind):
    """`cut` gives the parts; without it the starter mind does."""

    name = "cutting"

    def __init__(self) -> None:
        super().__init__()
        self.add(ExtractIntents.answered_by(self.extract_intents))
        self.cut: Callable[[str], Intents] | None = None
        self.put: list[str] = []
        """Texts that were to be cut."""
        self.breaks = ""
        """The part that it cannot look at."""
        self.instead: Callable[[EvaluateIntent], IntentEvaluation | None] = lambda request: None
        self.gate: asyncio.Barrier | None = None
        """Where the parts of a request wait for each other."""

    async def extract_intents(self, request: ExtractIntents) -> Intents:
        self.put.append(request.text)
        return self.cut(request.text) if self.cut is not None else await self.starter.ask(request)

    async def evaluate_intent(self, request: EvaluateIntent) -> IntentEvaluation:
        self.evaluated.append(request.text)
        if self.breaks and request.text == self.breaks:
            raise ModelError("The model is not there.")
        if self.gate is not None and self.put and request.text != self.put[-1]:
            await self.gate.wait()
        instead = self.instead(request)
        return await self.starter.ask(request) if instead is None else instead


def stages(*parts: str) -> Callable[[str], Intents]:
    """A cut of one part a stage."""
    return lambda text: Intents(tuple((part,) for part in parts))


@dataclass
class Desk:
    """One conversation with such a Partner."""

    partner: Partner
    mind: Cutting
    watcher: Watcher = field(default_factory=Watcher)
    conversation_id: str | None = None

    async def say(self, text: str) -> str:
        """Send; the answer."""
        self.watcher.events.clear()
        message = await self.partner.messages.send(text, conversation_id=self.conversation_id)
        self.conversation_id = message.conversation_id
        await self.watcher.until(lambda event: isinstance(event, DoneEvent))
        said = [event.text for event in self.watcher.events if isinstance(event, ReplyEvent) and event.done]
        return said[-1] if said else ""

    def errors(self) -> list[str]:
        return [event.message for event in self.watcher.events if isinstance(event, ErrorEvent)]

    async def only(self) -> ActionRecord:
        """The one action that there is."""
        (action,) = await self.partner.actions.list()
        return action

    async def chain(self) -> Plan:
        """The chain of the one action that there is."""
        chain = (await self.only()).chain
        assert chain is not None
        return chain

    async def drop(self, name: str, text: str) -> None:
        """A new ability, or another description of one that is there; listed when this returns."""
        self.watcher.events.clear()
        (self.partner.action_dir / "dynamic" / f"{name}.py").write_text(script(text), encoding="utf-8")
        await self.watcher.until(
            lambda event: (
                isinstance(event, AbilitiesEvent)
                and any(one.key == f"local::{name}" for one in event.changed)
            )
        )


def desk_of(home: Home, action_dir: Path, *, quiet: Clock | None = None) -> Desk:
    """Not launched. `quiet`: the clock of the pauses between messages."""
    for name, block in SCRIPTS.items():
        (action_dir / "dynamic" / f"{name}.py").write_text(script(block), encoding="utf-8")
    mind = Cutting()
    desk = Desk(Partner(home, action_dir, meaning=False, mind=mind, quiet_clock=quiet or HastyClock()), mind)
    desk.partner.subscribe(desk.watcher)
    return desk
