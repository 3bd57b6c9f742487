"""What runs chains, put together."""

from __future__ import annotations

from partner_desktop.action.chain.budget import ChainBudget
from partner_desktop.action.chain.chain_end import ChainClosing
from partner_desktop.action.chain.chain_recovery import ChainResuming, GoOn
from partner_desktop.action.chain.chain_work import ChainParts
from partner_desktop.action.chain.corrector import Corrector
from partner_desktop.action.chain.inputs import StepInputs
from partner_desktop.action.chain.live_chain import ChainRows
from partner_desktop.action.chain.mender import Mender
from partner_desktop.action.chain.new_steps import NewSteps
from partner_desktop.action.chain.runner import ChainRunner
from partner_desktop.action.chain.step_maker import StepMaker
from partner_desktop.action.chain.stepper import Stepper
from partner_desktop.action.core import ActionCore
from partner_desktop.action.settings import ChainSettings
from partner_desktop.action.work_parts import WorkParts
from partner_desktop.app.core_services import CoreServices
from partner_desktop.model.usage import UsageBook


def chain_runner(
    core: CoreServices, usage: UsageBook, work: WorkParts, action_core: ActionCore, *, go_on: GoOn
) -> ChainRunner:
    """A ChainRunner and its parts; `go_on` begins a step again that a crash cut off, where that may be."""

    def settings() -> ChainSettings:
        return core.action_settings.value.chain

    def most_steps() -> int:
        return settings().most_steps

    maker = StepMaker(work.catalog, work.runner)
    rows = ChainRows(work)
    corrector = Corrector(work.catalog, core.channels, most_steps=most_steps)
    budget = ChainBudget(settings, usage.tokens_of, clock=work.clock)
    parts = ChainParts(
        rows,
        Stepper(work, StepInputs(work.catalog, maker, core.output_access), action_core, rows),
        Mender(corrector, NewSteps(work.catalog, maker), rows, budget, clock=work.clock),
        budget,
        ChainClosing(work),
        ChainResuming(work, rows, go_on),
    )
    return ChainRunner(work, core.exchanges, parts)
