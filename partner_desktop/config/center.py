"""ConfigCenter: typed settings of every package, one TOML file each, in force as soon as it is saved.

Contract: packages register before the launch. From the launch on every handle's `value` is whole and valid,
whatever the files hold: what is wrong is told with file and line, and the settings from before hold, at the
launch the defaults. A file is read when it changed, and applied when its values did; the others are not
touched. Reading and writing happen on threads. Changes of one file wait for each other, those of different
files do not.
"""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel

from partner_desktop.base import log
from partner_desktop.base.errors import ConfigError, WiringError
from partner_desktop.base.messages import sentence_of, system_reason
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.paths import display_path
from partner_desktop.base.tasks import TaskSet, uninterrupted
from partner_desktop.config.entries import Edit, PutValue
from partner_desktop.config.field import ConfigFile
from partner_desktop.config.handle import Apply, ConfigHandle
from partner_desktop.config.settings_change import RegisteredFile, change_settings
from partner_desktop.config.settings_file import Look, SettingsFile
from partner_desktop.config.toml_text import ConfigProblem, problem_sentence
from partner_desktop.domain.events import ConfigEvent, Event, NoticeEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.files.watch import FolderWatch

__all__ = ["Apply", "ConfigCenter", "ConfigHandle"]

_log = log.area("config")

S = TypeVar("S", bound=BaseModel)

#: Seconds that one applier may take.
APPLY_TIMEOUT_S = 5.0
#: A broken file is looked at again after this time before it is told of: an editor may still be writing it.
_SETTLE_S = 0.15
#: Links are looked through this often, where there are any.
_LINKS_S = 0.5


class ConfigCenter:
    """Every registered file of `folder`. `publish` takes notices and what changed."""

    def __init__(
        self,
        folder: Path,
        *,
        publish: Callable[[Event], None] = lambda _event: None,
        apply_timeout_s: float = APPLY_TIMEOUT_S,
    ) -> None:
        self._folder = folder
        self._publish = publish
        self._apply_timeout_s = apply_timeout_s
        # Any: files of different models side by side; `register` gives each handle its own type.
        self._entries: dict[str, RegisteredFile[Any]] = {}
        self._watch = FolderWatch([folder], self._look)
        self._tasks = TaskSet("config")
        self._launched = False
        self._start_trouble = ""
        self._links_followed = False

    @property
    def folder(self) -> Path:
        """Where the files are."""
        return self._folder

    def register(
        self, name: str, default: S | type[S], *, stand_in: str = "config.stand_in"
    ) -> ConfigHandle[S]:
        """Settings under `name`, kept in `<name>.toml`.

        With settings as `default` these hold wherever the file says nothing, or nothing right. With their
        class, keys without a default are indispensable: the launch fails until the file says them.
        `stand_in` is the id of what a person is told to hold while a file was not understood since the start.

        Raises:
            WiringError: The name is taken, or everything is launched already.
        """
        if name in self._entries or self._launched:
            why = "twice" if name in self._entries else "after the launch"
            raise WiringError(f"The settings {name} were registered {why}.")
        path = self._folder / f"{name}.toml"
        if isinstance(default, type):
            needs = any(field.is_required() for field in default.model_fields.values())
            value, model = (None if needs else default()), default
        else:
            value, model = default, type(default)
        handle = ConfigHandle(name, value)
        file = SettingsFile(path, model, value)
        self._entries[name] = RegisteredFile(handle, file, indispensable=value is None, stand_in=stand_in)
        return handle

    # Life.

    async def launch(self) -> None:
        """Read every file, make those that are missing, and watch the folder.

        Raises:
            ConfigError: A setting that nothing can replace is missing or wrong.
        """
        self._launched = True
        entries = list(self._entries.values())
        for entry, look in zip(entries, await asyncio.to_thread(self._first_looks), strict=True):
            self._begin(entry, look)
        await self._watch.launch()
        await self._look()  # what was saved between the reading and the watching

    async def shutdown(self) -> None:
        """Stop watching; idempotent."""
        await self._watch.shutdown()
        await self._tasks.close()

    def _first_looks(self) -> list[Look[Any]]:
        looks: list[Look[Any]] = []
        for entry in self._entries.values():
            look = entry.file.look()
            if look.missing:
                try:
                    look = entry.file.judge(entry.file.create())
                except OSError as error:
                    place = display_path(entry.file.path)
                    self._start_trouble = sentence_of(
                        "config.defaults_hold", place=place, reason=system_reason(error)
                    )
                    look = entry.file.judge_nothing()
            looks.append(look)
        return looks

    def _begin(self, entry: RegisteredFile[Any], look: Look[Any]) -> None:
        entry.seen = look
        if look.settings is not None:
            entry.handle.begin(look.settings)
        elif entry.indispensable:
            said = "\n".join(str(problem) for problem in look.problems)
            raise ConfigError("config.cannot_start", said=said, where=_where(entry))
        else:
            _log.warning("%s", problem_sentence(look.problems))

    def start_notices(self) -> list[NoticeEvent]:
        """What the start had to say and is still true, for whoever listens only now."""
        wrong = [entry for entry in self._entries.values() if entry.seen.problems]
        notices = [self._fault_notice(entry, _holding(entry)) for entry in wrong]
        if self._start_trouble:
            notices.append(
                NoticeEvent(title=sentence_of("config.settings"), text=self._start_trouble, level="warning")
            )
        return notices

    # Reading again.

    async def _look(self) -> None:
        """Something changed in the folder: look at each file that did, one task each."""
        for entry in await asyncio.to_thread(self._changed):
            if not entry.pending:
                entry.pending = True
                self._tasks.start(f"reload {entry.name}", self._reload(entry))

    def _changed(self) -> list[RegisteredFile[Any]]:
        follow = not self._links_followed
        return [one for one in self._entries.values() if not one.file.holds(one.seen, follow_link=follow)]

    async def _reload(self, entry: RegisteredFile[Any]) -> None:
        async with entry.lock:
            entry.pending = False  # what changes from here on needs another look
            look = await asyncio.to_thread(entry.file.look)
            if look.linked and not self._links_followed:
                self._links_followed = True
                self._tasks.start("links", self._follow_links())
            if look.problems and not look.same(entry.seen):
                await asyncio.sleep(_SETTLE_S)
                look = await asyncio.to_thread(entry.file.look)
            if not look.same(entry.seen):
                await self._take_in(entry, look)

    async def _follow_links(self) -> None:
        while True:
            await asyncio.sleep(_LINKS_S)
            await self._look()

    async def _take_in(self, entry: RegisteredFile[Any], look: Look[Any]) -> None:
        before, entry.seen = entry.seen, look
        if look.settings is not None:
            await self._apply(entry, look.settings, corrected=bool(before.problems))
        elif look.problems:
            _log.warning("%s", problem_sentence(look.problems))
            self._publish(self._fault_notice(entry, _holding(entry)))
            self._publish(ConfigEvent(name=entry.name))
        elif before.problems:  # the broken file is gone
            self._publish(ConfigEvent(name=entry.name))

    async def _apply(self, entry: RegisteredFile[Any], new: BaseModel, *, corrected: bool) -> None:
        old = entry.handle.value
        if new == old:
            entry.handle.begin(new)  # a file that was broken at the start says what the defaults say
            if corrected:
                self._tell(entry, sentence_of("config.right_again", name=entry.file.path.name))
                self._publish(ConfigEvent(name=entry.name))
            return
        difference = entry.difference(old, new)
        try:
            await entry.handle.change(new, limit_s=self._apply_timeout_s)
        except ConfigError as error:
            reason = str(error).rstrip(".。")
            text = sentence_of("config.not_taken_over", reason=reason)
            problem = ConfigProblem(entry.file.path, text)
            entry.seen = Look(entry.seen.data, problems=(problem,))
            self._tell(entry, str(problem), level="error")
        else:
            self._tell(
                entry, sentence_of("config.taken_over", name=entry.file.path.name, difference=difference)
            )
        self._publish(ConfigEvent(name=entry.name))

    def _tell(
        self, entry: RegisteredFile[Any], text: str, *, level: Literal["info", "error"] = "info"
    ) -> None:
        _log.info("%s", text)
        self._publish(
            NoticeEvent(title=sentence_of("config.settings"), text=text, level=level, about=_about(entry))
        )

    def _fault_notice(self, entry: RegisteredFile[Any], holds: str) -> NoticeEvent:
        title = sentence_of("config.needs_correction")
        text = sentence_of(
            "config.until_corrected",
            problems=problem_sentence(entry.seen.problems),
            holds=holds,
            where=_where(entry),
        )
        return NoticeEvent(title=title, text=text, level="error", about=_about(entry))

    # For a form, and for the commands.

    @operation(Caller.ATTACHED)
    def files(self) -> list[ConfigFile]:
        """Every file with its fields as they are now, by name."""
        return [self._entries[name].shown() for name in sorted(self._entries)]

    @operation(Caller.LOCAL)
    async def set(self, name: str, key: tuple[str, ...], value: Json) -> None:
        """Change one setting: in force and in the file when this returns.

        Raises:
            ConfigError: It does not fit, was turned down, or the file cannot be written; nothing changed.
        """
        await self.change(name, PutValue(key, value))

    @operation(Caller.LOCAL)
    async def reset(self, name: str, key: tuple[str, ...]) -> None:
        """Give one setting its default again.

        Raises:
            ConfigError: As for `set`.
        """
        await self.change(name, PutValue(key, None))

    async def change(self, name: str, *edits: Edit) -> None:
        """Change several settings, entries of lists included, as one: all of it or nothing.

        Raises:
            ConfigError: As for `set`.
        """
        entry = self._entries.get(name)
        if entry is None:
            raise ConfigError("config.no_file", name=name)
        # A window that closes meanwhile must not leave a setting half in force.
        await uninterrupted(change_settings(entry, edits, limit_s=self._apply_timeout_s))
        self._publish(ConfigEvent(name=name))

    def check(self) -> list[ConfigProblem]:
        """What is wrong with the files as they are on the disk. Blocking; writes nothing."""
        problems: list[ConfigProblem] = []
        for entry in self._entries.values():
            look = entry.file.look()
            problems += (entry.file.judge_nothing() if look.missing else look).problems
        return problems + self._strangers()

    def _strangers(self) -> list[ConfigProblem]:
        """Files that belong to nothing: most likely a misspelled name."""
        try:
            found = sorted(path for path in self._folder.iterdir() if path.suffix == ".toml")
        except OSError:
            return []  # no folder, or one that says nothing
        strangers = [path for path in found if path.stem not in self._entries]
        return [
            ConfigProblem(
                path, sentence_of("config.no_such_settings", nearest=_nearest(path.stem, self._entries))
            )
            for path in strangers
        ]


def _nearest(name: str, known: dict[str, RegisteredFile[Any]]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return sentence_of("config.nearest_file", near=near[0]) if near else ""


def _about(entry: RegisteredFile[Any]) -> str:
    """What is said of a file counts until the next thing is said of it."""
    return f"settings {entry.name}"


def _holding(entry: RegisteredFile[Any]) -> str:
    return (
        sentence_of("config.settings_before_hold") if entry.handle.understood else sentence_of(entry.stand_in)
    )


def _where(entry: RegisteredFile[Any]) -> str:
    return sentence_of("config.the_file_is", path=display_path(entry.file.path))
