"""AgentContext: the small container, and the order of life. Everything is registered by hand in app/.

Contract: capabilities have exactly one implementation each; `validate` checks that before anything is
launched. At launch come the parts in the order they were added, then the modules, then the gateways. At
shutdown the gateways take their last input first, in reverse; then the pre hooks, the modules and the parts
in reverse, and the post hooks. Each step has a time limit; one that raises, hangs or cancels itself never
keeps the others from closing. A launch that fails closes what it opened, by the same way.

The container knows who provides what, and fills constructors by the types of their parameters. A type is
provided exactly once; asking for one that nothing provides, or that two do, is a WiringError naming everyone
concerned. Nothing is scanned: what is not provided or offered by name in app/ is not found. An offered class
is built when it is first needed, and only once.
"""

from __future__ import annotations

import asyncio
import inspect
import types
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Protocol, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from partner_desktop.base import log
from partner_desktop.base.clock import Clock, SystemClock
from partner_desktop.base.errors import PartnerError, WiringError
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.tasks import still_running
from partner_desktop.runtime.extension_points import SHUTDOWN_TIMEOUT_S, Gateway, Hooks, Phase, RunningModule
from partner_desktop.runtime.time_limit import bounded

_log = log.area("lifecycle")

T = TypeVar("T")


class Part(Protocol):
    """Something with a life: opened at launch, closed at shutdown."""

    async def launch(self) -> None: ...

    async def shutdown(self) -> None: ...


@dataclass(frozen=True, eq=False)
class _Stay:
    """Something that is open."""

    name: str
    part: Part

    @property
    def limit_s(self) -> float:
        """Of its shutdown; a part that has more to bring to the disk says so itself."""
        return float(getattr(self.part, "shutdown_limit_s", SHUTDOWN_TIMEOUT_S))


class AgentContext:
    """Parts, modules, gateways and capabilities of one Partner. `shutdown` is idempotent."""

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._services = Container()
        self._hooks = Hooks()
        self._parts: list[_Stay] = []
        self._modules: list[RunningModule] = []
        self._guests: dict[RunningModule, Callable[[Exception], None]] = {}
        self._users: list[Callable[[Sequence[RunningModule]], None]] = []
        self._gateways: list[Gateway] = []
        self._open: dict[str, list[_Stay]] = {"parts": [], "modules": [], "gateways": []}
        self._needs: list[tuple[str, type]] = []
        self._left: list[asyncio.Task[None]] = []
        self._closing: asyncio.Task[None] | None = None
        self._waiting: set[asyncio.Task[Any] | None] = set()
        self.agents: dict[str, type] = {}
        """Agent classes that installed packages bring, by name."""

    @property
    def modules(self) -> Sequence[RunningModule]:
        """Every module, in ascending order."""
        return sorted(self._modules, key=lambda module: module.order)

    # Registration.

    def add_part(self, name: str, part: Part) -> None:
        """Append a part to the launch order."""
        self._parts.append(_Stay(name, part))

    def add_module(self, module: RunningModule, *, needs: Sequence[type] = ()) -> None:
        """Register a module and the capabilities that it needs."""
        self._modules.append(module)
        self._needs.extend((module.name, need) for need in needs)

    def add_guest(self, module: RunningModule, *, on_fault: Callable[[Exception], None]) -> None:
        """Register somebody else's module: one that cannot launch is left out, and `on_fault` is told."""
        self._modules.append(module)
        self._guests[module] = on_fault

    def use_modules(self, use: Callable[[Sequence[RunningModule]], None]) -> None:
        """Have `use` called with all modules once they have launched, before any gateway takes input."""
        self._users.append(use)

    def add_gateway(self, gateway: Gateway) -> None:
        """Append a gateway: launched last, and the first to take no more input."""
        self._gateways.append(gateway)

    def add_hook(
        self,
        phase: Phase,
        name: str,
        run: Callable[[], Awaitable[None]],
        *,
        order: int = 0,
        limit_s: float = SHUTDOWN_TIMEOUT_S,
    ) -> Callable[[], None]:
        """Have `run` called at shutdown, lower orders first; returns the undo."""
        return self._hooks.add(phase, name, run, order=order, limit_s=limit_s)

    def provide(self, kind: type[T], implementation: T) -> None:
        """Register an implementation: of a capability, or of anything that `build` may fill in."""
        self._services.provide(kind, implementation)

    def offer(self, kind: type[T], made_by: type[T]) -> None:
        """Register a class that `build` may make an implementation with, once, when it is needed."""
        self._services.offer(kind, made_by)

    def capability(self, protocol: type[T]) -> T:
        """The one implementation of a capability.

        Raises:
            WiringError: There is none, or more than one.
        """
        return self._services.get(protocol)

    def build(self, made: type[T]) -> T:
        """An instance whose constructor is filled by the types of its parameters; see Container.

        Raises:
            WiringError: It cannot be filled.
        """
        return self._services.build(made)

    def validate(self) -> None:
        """Check names and capabilities before the launch.

        Raises:
            WiringError: Two modules share a name, a capability has two implementations (both are named),
                or one that is needed has none (who needs it is named).
        """
        names = [module.name for module in self._modules]
        for name in sorted({name for name in names if names.count(name) > 1}):
            raise WiringError(f"Two modules are called {name}; names must be unique.")
        self._services.check()
        for who, protocol in self._needs:
            if protocol not in self._services:
                raise WiringError(f"{who} needs {protocol.__name__}, which nothing provides.")

    # Life.

    async def launch(self) -> None:
        """Validate, then launch parts, modules and gateways, each in order.

        Raises:
            PartnerError: Something could not launch; what had been opened is closed again.
        """
        self.validate()
        try:
            for stay in self._parts:
                await self._launch("parts", stay)
            for module in self.modules:  # only now: a part may bring some in
                await self._launch_module(module)
            for use in self._users:
                use(self.modules)
            for gateway in tuple(self._gateways):
                await self._launch("gateways", _Stay(gateway.name, gateway))
        except BaseException:
            await self.shutdown()
            raise

    async def _launch_module(self, module: RunningModule) -> None:
        on_fault = self._guests.get(module)
        try:
            await self._launch("modules", _Stay(module.name, module))
        except PartnerError as error:
            if on_fault is None:
                raise
            self._modules.remove(module)
            on_fault(error)

    async def _launch(self, kind: str, stay: _Stay) -> None:
        try:
            await stay.part.launch()
        except PartnerError as error:
            _log.error("launch of %s failed: %s", stay.name, error)
            raise
        except Exception as error:
            _log.exception("launch of %s failed", stay.name)
            raise WiringError(f"{stay.name} could not start: {error}") from error
        self._open[kind].append(stay)

    async def shutdown(self) -> None:
        """Close everything that is open; idempotent.

        It goes on to its end even if the caller is cancelled meanwhile.
        """
        if self._closing is None or self._closing.done():
            self._closing = asyncio.get_running_loop().create_task(self._close(), name="shutdown")
        waiting = asyncio.current_task()
        self._waiting.add(waiting)
        try:
            await asyncio.shield(self._closing)
        finally:
            self._waiting.discard(waiting)

    async def _close(self) -> None:
        await self._close_all("gateways")
        await self._run_hooks(Phase.PRE)
        await self._close_all("modules")
        await self._close_all("parts")
        await self._run_hooks(Phase.POST)
        left = [task for task in (*self._left, *still_running()) if not task.done()]
        names = sorted(task.get_name() for task in left if task not in self._waiting)
        if names:
            _log.warning("still running after the shutdown: %s", ", ".join(names))

    async def _close_all(self, kind: str) -> None:
        while self._open[kind]:
            stay = self._open[kind].pop()
            await self._step(stay.name, stay.part.shutdown, stay.limit_s)

    async def _run_hooks(self, phase: Phase) -> None:
        for hook in self._hooks.of(phase):
            self._hooks.remove(hook)
            await self._step(hook.name, hook.run, hook.limit_s)

    async def _step(self, name: str, step: Callable[[], Awaitable[None]], limit_s: float) -> None:
        left = await bounded(name, step, limit_s=limit_s, clock=self._clock)
        if left is not None:
            self._left.append(left)


@dataclass
class _Provider:
    """One implementation, there already or to be built by its class."""

    name: str
    get: Callable[[], object]


class Container:
    """Implementations by the type that they are asked for as: a Protocol, a class, or `ConfigHandle[X]`."""

    def __init__(self) -> None:
        self._providers: dict[Any, list[_Provider]] = {}  # Any: generic aliases are keys too
        self._building: list[type] = []

    def provide(self, kind: type[T], implementation: T) -> None:
        """Register an implementation that is there."""
        provider = _Provider(type(implementation).__qualname__, lambda: implementation)
        self._providers.setdefault(kind, []).append(provider)

    def offer(self, kind: type[T], made_by: type[T]) -> None:
        """Register a class whose one instance is built when somebody first needs it."""
        made: list[T] = []

        def get() -> object:
            if not made:
                made.append(self.build(made_by))
            return made[0]

        self._providers.setdefault(kind, []).append(_Provider(made_by.__qualname__, get))

    def __contains__(self, kind: object) -> bool:
        return kind in self._providers

    def check(self) -> None:
        """See that nothing is provided twice.

        Raises:
            WiringError: Something is; both classes are named.
        """
        for kind in self._providers:
            self._the_one(kind)

    def get(self, kind: type[T]) -> T:
        """The one implementation.

        Raises:
            WiringError: There is none, or more than one.
        """
        return cast("T", self._the_one(kind).get())

    def build(self, made: type[T]) -> T:
        """An instance of `made`, each parameter of its constructor filled by its type.

        A parameter that nothing provides keeps its default, or becomes None where its type allows that.

        Raises:
            WiringError: A parameter cannot be filled; the class, the parameter and its type are named. Or
                classes need each other in a circle; all of them are named.
        """
        if made in self._building:
            circle = [*self._building[self._building.index(made) :], made]
            names = ", ".join(f"{one.__name__} needs {other.__name__}" for one, other in pairwise(circle))
            raise WiringError(f"These parts need each other in a circle: {names}.")
        self._building.append(made)
        try:
            return made(**self._arguments(made))
        finally:
            self._building.pop()

    def _arguments(self, made: type) -> dict[str, object]:
        return {
            parameter.name: self._argument(made, parameter, hint)
            for parameter, hint in _parameters(made)
            if parameter.default is parameter.empty or self._known(hint)
        }

    def _known(self, hint: object) -> bool:
        return any(kind in self for kind in _kinds(hint))

    def _argument(self, made: type, parameter: inspect.Parameter, hint: object) -> object:
        where = f"{made.__name__} needs {parameter.name}"
        if hint is None:
            raise WiringError(f"{where}, but does not say of which type.")
        for kind in _kinds(hint):
            if kind in self:
                return self._filled(where, kind)
        if type(None) in get_args(hint):
            return None
        raise WiringError(f"{where}: {_name(hint)}, which nothing provides.")

    def _filled(self, where: str, kind: object) -> object:
        names = self._names(kind)
        if len(names) != 1:
            raise WiringError(f"{where}: {_name(kind)}, which {' and '.join(names)} provide; only one may.")
        return self._providers[kind][0].get()

    def _the_one(self, kind: object) -> _Provider:
        names = self._names(kind)
        if len(names) != 1:
            found = " and ".join(names) or "nothing"
            raise WiringError(f"{_name(kind)} needs exactly one implementation; {found} provides it.")
        return self._providers[kind][0]

    def _names(self, kind: object) -> list[str]:
        return [provider.name for provider in self._providers.get(kind, ())]


@lru_cache(maxsize=256)
def _parameters(made: type) -> Sequence[tuple[inspect.Parameter, object]]:
    """What can be filled, each with its type; a class is read once, because that takes a while."""
    hints = _hints(made)
    return tuple(
        (parameter, hints.get(name))
        for name, parameter in inspect.signature(made).parameters.items()
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    )


def _hints(made: type) -> Mapping[str, object]:
    try:
        return get_type_hints(made.__init__)  # type: ignore[misc] # the class is only asked, not made
    except NameError as error:
        raise WiringError(
            f"The constructor of {made.__name__} names a type that is not there when it runs ({error.name}); "
            "import it outside of TYPE_CHECKING."
        ) from error


def _kinds(hint: object) -> tuple[object, ...]:
    """What would fill a parameter of this type: the type itself, or any part of a union but None."""
    if get_origin(hint) in (Union, types.UnionType):
        return tuple(kind for kind in get_args(hint) if kind is not type(None))
    return (hint,)


def _name(kind: object) -> str:
    return kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
