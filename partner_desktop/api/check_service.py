"""CheckService: what a model is good for, by its self-test, and which questions stay with the starter mind.

A test runs in the background, one of a model at a time; it can be stopped, and ends with Partner. What it
came to is kept once it is whole. Nothing is switched by itself: `prefer` writes what the person wants into
`config/model.toml`.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Literal, Protocol, TypeAlias

from partner_desktop.base import log
from partner_desktop.base.clock import Clock
from partner_desktop.base.errors import ModelError, PartnerError, StorageError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.base.operation import Caller, operation
from partner_desktop.base.tasks import TaskSet
from partner_desktop.config.center import ConfigCenter
from partner_desktop.config.entries import AddEntry, DropEntry, Edit
from partner_desktop.domain.events import Event, ModelCheckEvent
from partner_desktop.domain.model_check import CheckResult, ModelCheck, QuestionScore
from partner_desktop.model.check_store import CheckStore, bound_to
from partner_desktop.model.model_registry import STARTER, ModelRegistry
from partner_desktop.model.settings import QuestionName, RoleSettings

_log = log.area("model")

_FILE = "model"


class RunsTasks(Protocol):
    """A test that is ready to run."""

    @property
    def total(self) -> int: ...

    @property
    def tokens_per_s(self) -> float: ...

    def results(self) -> AsyncGenerator[CheckResult, None]:
        """The tasks, as each is done.

        Raises:
            ModelError: The model failed; nothing more is to be learnt of it.
        """
        ...


#: Makes the test of a model of the settings, with the prompts of a language.
MakeTest: TypeAlias = Callable[[str, str], Awaitable[RunsTasks]]


@dataclass
class _Running:
    """A test under way, and its task."""

    check: ModelCheck
    task: asyncio.Task[None] | None = None


class CheckService:
    """A part of the AgentContext, closed before the models."""

    def __init__(
        self,
        config: ConfigCenter,
        registry: ModelRegistry,
        store: CheckStore,
        make: MakeTest,
        publish: Callable[[Event], None],
        *,
        clock: Clock,
    ) -> None:
        self._config, self._registry, self._store, self._make = config, registry, store, make
        self._publish, self._clock = publish, clock
        self._tasks = TaskSet("self-tests")
        self._running: dict[str, _Running] = {}

    async def launch(self) -> None:
        """Nothing."""

    async def shutdown(self) -> None:
        """Stop what is under way."""
        await self._tasks.close()

    # Testing.

    @operation(Caller.ATTACHED)
    async def start(self, model: str, *, language: Literal["", "en", "zh"] = "") -> ModelCheck:
        """Begin a model's self-test, or see how far the one under way is; empty `language`: that of prompts.

        It opens the model where it is not open, and goes on in the background.

        Raises:
            UsageError: There is no model of that name.
        """
        return self._begun(model, language)[0].check

    def _begun(self, model: str, language: str) -> tuple[_Running, bool]:
        """The test under way, and whether it was begun now."""
        self._registry.slot(model)
        running = self._running.get(model)
        if running is not None:
            return running, False
        running = self._running[model] = _Running(ModelCheck(model, 0))
        work = self._test(running, language or self._registry.language())
        running.task = self._tasks.start(model, work)
        running.task.add_done_callback(lambda _: self._give_up(running))
        return running, True

    def _give_up(self, running: _Running) -> None:
        """One that was stopped before its task came to begin has said nothing yet."""
        if self._running.get(running.check.model) is running:
            self._end(running, sentence_of("checks.stopped"))

    @operation(Caller.ATTACHED)
    async def stop(self, model: str) -> None:
        """Break a test off; what was kept of an earlier one stays. Without one under way nothing happens."""
        running = self._running.get(model)
        if running is not None and running.task is not None:
            running.task.cancel()
            await asyncio.wait({running.task})

    @operation(Caller.ATTACHED)
    async def run(self, model: str, *, language: Literal["", "en", "zh"] = "") -> ModelCheck:
        """Test a model: twenty fixed tasks, scored here, beside the starter mind.

        Raises:
            UsageError: There is no model of that name.
            ModelError: It cannot be opened, or failed before the first task was done.
        """
        running, own = self._begun(model, language)
        assert running.task is not None
        try:
            await asyncio.wait({running.task})
        except asyncio.CancelledError:
            if own:
                running.task.cancel()
            raise
        check = running.check
        if check.trouble and not check.results:
            raise ModelError("common.told", text=check.trouble)
        return check

    @operation(Caller.ATTACHED)
    async def last(self, model: str) -> ModelCheck | None:
        """The test under way, else the last that came to its end; `null`: this file was never tested.

        Raises:
            UsageError: There is no model of that name.
            StorageError: It cannot be read.
        """
        running = self._running.get(model)
        if running is not None:
            return running.check
        entry = self._registry.slot(model).entry
        try:
            bound = await asyncio.to_thread(bound_to, entry)
        except OSError:
            return None  # the file is gone, and with it what was known of it
        return await self._store.last(model, bound)

    async def _test(self, running: _Running, language: str) -> None:
        """All of it; how it ends is told whichever way it does."""
        model, trouble = running.check.model, ""
        try:
            slot = self._registry.slot(model)
            await slot.load()
            bound = await asyncio.to_thread(bound_to, slot.entry)
            tasks = await self._make(model, language)
            self._tell(running, replace(running.check, total=tasks.total))
            async with aclosing(tasks.results()) as results:
                async for result in results:
                    done = (*running.check.results, result)
                    speed = tasks.tokens_per_s
                    self._tell(running, replace(running.check, results=done, tokens_per_s=speed))
            if await asyncio.to_thread(bound_to, self._registry.slot(model).entry) != bound:
                raise ModelError("checks.changed")
            await self._keep(running, bound)
        except asyncio.CancelledError:
            trouble = sentence_of("checks.stopped")
            raise
        except (PartnerError, OSError) as error:
            trouble = str(error) if isinstance(error, PartnerError) else sentence_of("checks.file_gone")
            _log.info("the self-test of %s was broken off: %s", model, error)
        finally:
            self._end(running, trouble)

    def _end(self, running: _Running, trouble: str) -> None:
        del self._running[running.check.model]
        at = running.check.at or self._clock.now()
        self._tell(running, replace(running.check, at=at, trouble=trouble))

    async def _keep(self, running: _Running, bound: str) -> None:
        """It is kept before its end is told: who hears of that may look it up at once."""
        running.check = replace(running.check, at=self._clock.now())
        try:
            await self._store.keep(running.check, bound)
        except StorageError as error:
            _log.warning("the self-test of %s was not kept: %s", running.check.model, error)

    def _tell(self, running: _Running, check: ModelCheck) -> None:
        running.check = check
        self._publish(ModelCheckEvent(check=check))

    # Who answers.

    @operation(Caller.ATTACHED)
    async def questions(self, model: str) -> tuple[QuestionScore, ...]:
        """How a model did beside the starter mind, question by question, by its last test; none: untested.

        Raises:
            UsageError: There is no model of that name.
            StorageError: It cannot be read.
        """
        check = await self.last(model)
        kept = {role.question for role in self._registry.settings.role if role.model == STARTER}
        scores = check.by_question() if check is not None else ()
        return tuple(replace(score, kept=score.question in kept) for score in scores)

    @operation(Caller.ATTACHED)
    async def prefer(self, question: QuestionName, *, starter: bool = True) -> None:
        """Leave a question to the starter mind, or give it back to the model in use.

        What else its role says stays.

        Raises:
            ConfigError: The settings cannot be written.
        """
        role = next((one for one in self._registry.settings.role if one.question == question), None)
        known = role.model if role is not None else None
        if starter == (known == STARTER):
            return
        edits: list[Edit] = [DropEntry("role", {"question": question})] if role is not None else []
        entry = (role or RoleSettings(question=question)).model_dump(mode="json", exclude_unset=True)
        entry = {name: value for name, value in entry.items() if name != "model" and value is not None}
        if starter:
            entry["model"] = STARTER
        edits += [AddEntry("role", entry)] if len(entry) > 1 else []
        await self._config.change(_FILE, *edits)
