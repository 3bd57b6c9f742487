"""SpellController: has what is typed in the composer checked against the dictionaries of this system.

Words that the person adds stand in a file of the home, a line each. Without a dictionary nothing happens.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from partner_desktop.base.errors import StorageError
from partner_desktop.base.messages import system_reason
from partner_desktop.desktop.spelling.dictionaries import SpellDictionary, system_dictionaries
from partner_desktop.desktop.spelling.spell_checker import SpellChecker
from partner_desktop.desktop.spelling.spell_marks import SpellMarks
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.files.atomic import write_whole

if TYPE_CHECKING:
    from partner_desktop.app import Partner

FILE_NAME = "dictionary.txt"


class SpellController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        edit = self._window.page.composer.edit
        self.marks = SpellMarks(edit, self._window.theme)
        self._checker: SpellChecker | None = None
        self._words: list[str] = []
        edit.menu_extras.append(self.marks.add_to)
        self.marks.words_wanted.connect(lambda words: self._request("spelling", lambda _: self._check(words)))
        self.marks.suggestions_wanted.connect(
            lambda word: self._request("spelling", lambda _: self._suggest(word))
        )
        self.marks.word_added.connect(self._learn)
        self._window.spelling_changed.connect(self._turn)

    def _begin(self, partner: Partner) -> None:
        self._request("dictionaries", self._find)

    async def _find(self, partner: Partner) -> None:
        found, self._words = await asyncio.to_thread(_read, partner.home.root / FILE_NAME)
        self._window.dictionary_languages = tuple(one.language for one in found)
        if found:
            self._checker = SpellChecker(found, self._words)
            self._turn()

    def _turn(self) -> None:
        self.marks.use(self._checker if self._window.checks_spelling else None)

    async def _check(self, words: Collection[str]) -> None:
        if self._checker is not None:
            await self._checker.check(words)
            if all(self._checker.is_wrong(word) is not None for word in words):  # else it has no answers
                self._turn()

    async def _suggest(self, word: str) -> None:
        if self._checker is not None:
            await self._checker.suggest(word)
            self.marks.show_suggestions(word)

    def _learn(self, word: str) -> None:
        if self._checker is not None:
            self._checker.learn(word)
            self._words.append(word)
            self._turn()
            self._request("add to the dictionary", self._write)

    async def _write(self, partner: Partner) -> None:
        text = "".join(f"{word}\n" for word in dict.fromkeys(self._words))
        try:
            await asyncio.to_thread(
                write_whole, partner.home.root / FILE_NAME, text.encode("utf-8"), private=True
            )
        except OSError as error:
            raise StorageError("message.word_not_added", reason=system_reason(error)) from error

    async def close(self) -> None:
        """The window goes, and with it the process that looks words up."""
        self.marks.use(None)
        if self._checker is not None:
            await self._checker.close()


def _read(own: Path) -> tuple[list[SpellDictionary], list[str]]:
    """Blocking."""
    try:
        words = own.read_text(encoding="utf-8").split()
    except (OSError, ValueError):
        words = []  # there are none, or somebody wrote there what is no text
    return system_dictionaries(), words
