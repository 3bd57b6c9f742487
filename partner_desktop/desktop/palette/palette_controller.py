"""Between the palette and everything that it finds.

Contract: made with the first look. What is at hand is offered at once; what has to be asked for comes while
the palette is open, and what was asked for an earlier text is dropped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from partner_desktop.base.text import cut
from partner_desktop.desktop.palette.palette import Palette
from partner_desktop.desktop.palette.palette_entry import PaletteEntry, ability_entry, load_likeness
from partner_desktop.desktop.palette.window_commands import ChoiceActs, CommandActs, WindowCommand, commands
from partner_desktop.desktop.panel.panel import MEMORY_TAB
from partner_desktop.desktop.window_context import WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import Entity
from partner_desktop.domain.message import Conversation, ConversationHit
from partner_desktop.domain.remembered import RememberedTurn

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.config.field import ConfigField

#: Words shorter than this are in everything that was ever said.
_SHORTEST_SEARCHED = 3
_MOST_SEARCHED = 8
#: The typing pauses this long before what was said is searched.
_PAUSE_MS = 150
_LONGEST_LINE = 160
#: Entries that are made between two looks at what else there is to do.
_BATCH = 500


class PaletteController(CommandActs):
    """One window's."""

    def __init__(self, context: WindowContext, choices: ChoiceActs) -> None:
        super().__init__(context, choices)
        window = self._window
        self.palette = Palette(window.theme, window.recent_choices, window)
        window.add_sheet(self.palette)
        self._before: QWidget | None = None
        self.palette.chosen.connect(self._act)
        self.palette.left.connect(self._go_back)
        self._pause = QTimer(self.palette, interval=_PAUSE_MS, singleShot=True)
        self._pause.timeout.connect(self._search)
        self.palette.typed.connect(lambda _text: self._pause.start())

    def toggle(self) -> None:
        if self.palette.isVisible():
            self.palette.leave()
            return
        self._before = QApplication.focusWidget()
        self.palette.open([*self._at_hand()])
        self._request("palette", self._add_rest)

    def _act(self, entry: PaletteEntry) -> None:
        self._window.page.composer.edit.setFocus()
        entry.act()

    def _go_back(self) -> None:
        """The keyboard goes where it was."""
        before = self._before
        there = before is not None and isValid(before) and before.isVisible()
        (before if there and before is not None else self._window.page.composer.edit).setFocus()

    def commands(self) -> list[WindowCommand]:
        """All that can be done now."""
        return [*commands(self._window, self._window.key_groups, self)]

    # What is at hand.

    def _at_hand(self) -> Iterator[PaletteEntry]:
        yield from (one.entry for one in self.commands() if self._open_id or not one.in_conversation)
        partner = self._store.partner
        if partner is None:
            return
        for model in partner.models.list():
            words = tr("Let {model} answer").format(model=model.name)
            yield PaletteEntry(
                f"model:{model.name}", "model", words, partial(self.choices.use_model, model.name)
            )
        for ability in partner.abilities.list():
            if ability.info is not None and not ability.off:
                yield ability_entry(ability, partial(self.choices.ability, ability))
        from partner_desktop.desktop.settings.window_settings import window_file  # noqa: PLC0415 - as the palette

        for file in (window_file(self._window), *partner.config.files()):
            for field in file.fields:
                if field.editable:
                    yield self._of_setting(field)
        for server in partner.servers.list():
            yield PaletteEntry(
                f"server:{server.id}",
                "server",
                server.id,
                partial(self._show_server, server),
            )

    def _of_setting(self, field: ConfigField) -> PaletteEntry:
        told = field.told
        return PaletteEntry(
            f"setting:{field.file}.{field.name}",
            "setting",
            told.title,
            lambda: self.choices.setting(field),
            text=told.description,
            other_names=(field.title, field.file, field.name),
        )

    def _show_server(self, server: object) -> None:
        self._window.show_tab(1)
        self._window.panel.abilities_tab.server_asked.emit("details", server)

    # What has to be asked for.

    async def _add_rest(self, partner: Partner) -> None:
        await asyncio.to_thread(load_likeness)
        conversations = await partner.conversations.list(archived=None)
        for first in range(0, len(conversations), _BATCH):
            some = conversations[first : first + _BATCH]
            self.palette.add([self._of_conversation(each) for each in some])
            await asyncio.sleep(0)
        schedules = await partner.schedules.list(limit=1_000)
        self.palette.add(
            [
                PaletteEntry(
                    f"schedule:{each.id}", "schedule", each.title, partial(self.choices.schedule, each)
                )
                for each in schedules
            ]
        )

    def _of_conversation(self, conversation: Conversation) -> PaletteEntry:
        title = conversation.title or tr("New chat")
        show = partial(self._context.navigation.show_message, conversation.id, "", 0)
        return PaletteEntry(f"conversation:{conversation.id}", "conversation", title, show)

    def _search(self) -> None:
        text = self.palette.line.text().strip()
        if len(text) >= _SHORTEST_SEARCHED and self.palette.isVisible():
            for name, search in (("said", self._find_said), ("known", self._find_known)):
                self._request(f"palette {name}", self._searching(name, text, search))

    def _searching(
        self,
        name: str,
        text: str,
        search: Callable[[Partner, str], Coroutine[Any, Any, Sequence[PaletteEntry]]],
    ) -> Callable[[Partner], Coroutine[Any, Any, None]]:
        async def searching(partner: Partner) -> None:
            self.palette.show_looked_up(name, text, await search(partner, text))

        return searching

    async def _find_said(self, partner: Partner, text: str) -> list[PaletteEntry]:
        """By words in all conversations, and by what is remembered: each message once."""
        hits, recall = await asyncio.gather(
            partner.conversations.search(text, limit=_MOST_SEARCHED),
            partner.memory.recall(text, limit=_MOST_SEARCHED),
        )
        found = [self._of_hit(hit) for hit in hits if hit.message_id]
        found += [self._of_turn(passage.hit.turn) for passage in recall.passages]
        return [*{entry.key: entry for entry in found}.values()]

    def _of_hit(self, hit: ConversationHit) -> PaletteEntry:
        place = (hit.conversation.id, hit.message_id, hit.position)
        return PaletteEntry(
            f"message:{hit.message_id}",
            "conversation",
            hit.conversation.title or tr("New chat"),
            lambda: self._context.navigation.show_message(*place),
            text=hit.excerpt.text if hit.excerpt is not None else "",
        )

    def _of_turn(self, turn: RememberedTurn) -> PaletteEntry:
        place = (turn.conversation_id, turn.message_id, turn.position)
        return PaletteEntry(
            f"message:{turn.message_id}",
            "memory",
            _line(turn.text),
            lambda: self._context.navigation.show_message(*place),
            text=turn.title,
        )

    async def _find_known(self, partner: Partner, text: str) -> list[PaletteEntry]:
        return [self._of_entity(one) for one in await partner.entities.list(text, limit=_MOST_SEARCHED)]

    def _of_entity(self, entity: Entity) -> PaletteEntry:
        facts = ", ".join(fact.value for fact in entity.facts[:3] if not fact.former)
        name = entity.name or tr("You")

        def show() -> None:
            self._window.show_tab(MEMORY_TAB)
            self._window.panel.memory_tab.search.setText(entity.name)

        return PaletteEntry(f"entity:{entity.id}", "memory", name, show, text=facts)


def _line(text: str) -> str:
    """The first line that says something, not too long."""
    return cut(next((line.strip() for line in text.splitlines() if line.strip()), ""), _LONGEST_LINE)
