"""CompletionController: what a `/` at the start of a message offers: abilities with their parameters, and the
commands of the window.

An ability that is chosen comes as its card with fields, to be filled in, checked and run there: nothing that
is written has to be understood first. Tab writes a sentence that asks for it instead, to be said otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING

from partner_desktop.desktop.chat.completion_list import Completion
from partner_desktop.desktop.operations.ability_verbs import run_ability
from partner_desktop.desktop.palette.palette_entry import PaletteEntry, ability_entry, entry_kind_words
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.meta_action import MetaActionInfo

if TYPE_CHECKING:
    from partner_desktop.desktop.palette.window_commands import WindowCommand
    from partner_desktop.domain.ability import Ability

#: More are not shown: whoever looks further types another letter.
_MOST = 50
_MOST_PARAMETERS = 4
#: What is looked through between two pauses.
_BATCH = 25
#: What a command of the window counts beside an ability that fits as well.
_COMMAND = 0.8


class CompletionController(Controller):
    """One window's; `say` puts a sentence into the composer that asks for an ability."""

    def __init__(
        self,
        context: WindowContext,
        *,
        say: Callable[[Ability], object],
        commands: Callable[[], Sequence[WindowCommand]],
    ) -> None:
        super().__init__(context)
        self._composer = self._window.page.composer
        self._say = say
        self._commands = commands
        self._slices = Slices(self._composer)
        self._composer.command_typed.connect(self._look)

    def _look(self, words: str) -> None:
        self._slices.start(self._composer, self._offer_fitting(words))

    def _offer_fitting(self, typed: str) -> Iterator[None]:
        words = typed.casefold().split()
        found: list[tuple[float, int, bool, Completion]] = []
        for number, (entry, completion) in enumerate(self._entries()):
            fit = entry.fit(words)
            if fit is not None:
                weight = _COMMAND if entry.kind == "command" else 1.0
                found.append((fit.score * weight, -number, fit.alike, replace(completion, marks=fit.marks)))
            if number % _BATCH == _BATCH - 1:
                yield
        if self._composer.command != typed:
            return
        any_ability = any(one[3].take_words is not None for one in found)
        found.sort(key=itemgetter(0, 1), reverse=True)
        sure = [one for one in found if not one[2]]
        self._composer.completions.offer(
            [completion for *_, completion in (sure or found)[:_MOST]],
            name=lambda: tr("Abilities and commands"),
            hint=(lambda: tr("Enter: fill in its fields · Tab: say it in words")) if any_ability else "",
        )

    def _entries(self) -> Iterator[tuple[PaletteEntry, Completion]]:
        abilities = [each for each in self._store.abilities.values() if each.info is not None and each.usable]
        # Own ones first, as everywhere.
        for ability in sorted(abilities, key=lambda one: one.key.startswith("builtin::")):
            entry = ability_entry(ability, partial(self._fill_in, ability))
            moment = parameter_words(ability.info.told) if ability.info is not None else ""
            yield entry, _completion(entry, moment, partial(self._say, ability))
        open_id = self._context.navigation.conversation_id
        for command in self._commands():
            if open_id or not command.in_conversation:
                entry = command.entry
                yield entry, _completion(entry, entry.keys or entry_kind_words("command"))

    def _fill_in(self, ability: Ability) -> None:
        self._window.page.close_aside()
        run_ability(self._context, ability)


def _completion(entry: PaletteEntry, moment: str, words: Callable[[], object] | None = None) -> Completion:
    return Completion(entry.key, entry.title, entry.act, words, text=entry.text, moment=moment)


def parameter_words(info: MetaActionInfo) -> str:
    """What it takes, in short; a question mark is at what may be left out."""
    required = info.required()
    names = [name if name in required else f"{name}?" for name in info.properties()]
    names.sort(key=lambda name: name.endswith("?"))
    return ", ".join([*names[:_MOST_PARAMETERS], *(["…"] if len(names) > _MOST_PARAMETERS else [])])
