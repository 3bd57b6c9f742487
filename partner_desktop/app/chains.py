"""What runs chains, put together."""

from __future__ import annotations

from partner_desktop.action.announcer import Announcer
from partner_desktop.action.catalog import AbilityCatalog
from partner_desktop.action.chain.budget import ChainBudget
from partner_desktop.action.chain.closing import ChainClosing
from partner_desktop.action.chain.correcting import Corrector
from partner_desktop.action.chain.inputs import StepInputs
from partner_desktop.action.chain.making import StepMaker
from partner_desktop.action.chain.mending import Mender
from partner_desktop.action.chain.new_steps import NewSteps
from partner_desktop.action.chain.resuming import ChainResuming, GoOn
from partner_desktop.action.chain.rows import ChainRows
from partner_desktop.action.chain.runner import ChainRunner
from partner_desktop.action.chain.stepping import Stepper
from partner_desktop.action.chain.working import ChainParts
from partner_desktop.action.core import ActionCore
from partner_desktop.action.executor import ActionExecutor
from partner_desktop.action.runner.client import RunnerClient
from partner_desktop.action.settings import ChainSettings
from partner_desktop.action.store import ActionStore
from partner_desktop.app.core_services import CoreServices
from partner_desktop.model.usage import UsageBook


def chain_runner(
    core: CoreServices,
    usage: UsageBook,
    catalog: AbilityCatalog,
    runner: RunnerClient,
    store: ActionStore,
    executor: ActionExecutor,
    announcer: Announcer,
    action_core: ActionCore,
    *,
    go_on: GoOn,
) -> ChainRunner:
    """A ChainRunner and its parts; `go_on` begins a step again that a crash cut off, where that may be."""

    def settings() -> ChainSettings:
        return core.action_settings.value.chain

    def most_steps() -> int:
        return settings().most_steps

    clock = core.clock
    maker = StepMaker(catalog, runner)
    rows = ChainRows(store, announcer, clock=clock)
    corrector = Corrector(catalog, core.channels, most_steps=most_steps)
    budget = ChainBudget(settings, usage.tokens_of, clock=clock)
    parts = ChainParts(
        rows,
        Stepper(
            StepInputs(catalog, maker, core.handover),
            action_core,
            core.permission,
            executor,
            rows,
            clock=clock,
        ),
        Mender(corrector, NewSteps(catalog, maker), rows, budget, clock=clock),
        budget,
        ChainClosing(executor, clock=clock),
        ChainResuming(store, executor, rows, go_on, clock=clock),
    )
    return ChainRunner(store, executor, announcer, core.audit, core.exchanges, parts, clock=clock)
