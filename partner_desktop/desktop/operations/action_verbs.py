"""What is asked of one action: to let it run or not, to stop it, to try it, to take back what it did.

Contract: what comes of it, and what fails, is said on the card of the action, or wherever else its result is
read. The card may be gone, or another one stand in its place, when the answer comes: it is looked for again
then.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from shiboken6 import isValid

from partner_desktop.base.errors import PartnerError
from partner_desktop.desktop.parts.boxes import before_unfolding
from partner_desktop.desktop.parts.file_dialogs import ask_for_folder
from partner_desktop.desktop.window_context import P, Tell, WindowContext, WindowOperation
from partner_desktop.desktop.wording import announce, tr

if TYPE_CHECKING:
    import asyncio

    from partner_desktop.app import Partner
    from partner_desktop.desktop.card.aftermath import Aftermath
    from partner_desktop.desktop.card.card import ActionCard
    from partner_desktop.desktop.card.plan.step_row import StepRow
    from partner_desktop.desktop.card.proposed_script import TrialResultView
    from partner_desktop.domain.action import ActionRecord
    from partner_desktop.domain.json_value import JsonObject


class CardOperation(WindowOperation[P]):
    """Of the action that its first argument names: what fails is said on its card, which then asks again."""

    def __call__(
        self, context: WindowContext, *args: P.args, **kwargs: P.kwargs
    ) -> asyncio.Task[None] | None:
        return self.or_tell(card_problem(context, str(args[0])))(context, *args, **kwargs)


def card_problem(context: WindowContext, action_id: str) -> Tell:
    """Says it on the card of an action, where that is in view."""

    def tell(sentence: str) -> None:
        card = context.window.page.feed.card(action_id)
        if card is not None:
            card.show_problem(sentence)

    return tell


def step_row(context: WindowContext, step_id: str) -> StepRow | None:
    """Where a step stands on the card of its plan."""
    card = context.window.page.feed.plan_card(step_id)
    return card.plan.row(step_id) if card is not None and card.plan is not None else None


# Whether it runs.


approve_action = CardOperation.of("approve", lambda partner: partner.actions.approve)
reject_action = CardOperation.of("reject", lambda partner: partner.actions.reject)
cancel_action = CardOperation.of("cancel", lambda partner: partner.actions.cancel)
#: The same from where there is no card.
stop_run = WindowOperation.of("cancel", lambda partner: partner.actions.cancel)
answer_elicitation = WindowOperation.of("answer", lambda partner: partner.servers.answer)


@CardOperation
async def run_action_again(context: WindowContext, partner: Partner, action_id: str) -> None:
    """The same again is a new card; the old one may be asked once more."""
    await partner.actions.run_again(action_id)
    card = context.window.page.feed.card(action_id)
    if card is not None:
        card.settle()


@WindowOperation
async def propose_action_again(context: WindowContext, partner: Partner, record: ActionRecord) -> None:
    """Where it was asked for: that is where it is decided on."""
    await partner.actions.run_again(record.id)
    context.navigation.show_end(record.conversation_id)


@WindowOperation
async def fetch_action(context: WindowContext, partner: Partner, action_id: str) -> None:
    """Nobody has told of it lately: read it."""
    record = await partner.actions.get(action_id)
    if action_id not in context.store.actions:  # what was told meanwhile is newer
        context.store.actions.take([record])


@WindowOperation
async def show_card_source(context: WindowContext, partner: Partner, action_id: str) -> None:
    """Of the script that a card would run."""
    text = await partner.abilities.source(action_id)
    card = context.window.page.feed.card(action_id)
    if card is not None:
        card.show_source(text)


@WindowOperation
async def show_step_source(context: WindowContext, partner: Partner, step_id: str, asked: str) -> None:
    """Of a step's script: `asked` by the step that began, or by its ability."""
    text = await partner.abilities.source(asked)
    row = step_row(context, step_id)
    if row is not None:
        row.show_source(text)


@WindowOperation
async def try_action(
    _context: WindowContext,
    partner: Partner,
    action_id: str,
    params: JsonObject | None,
    card: ActionCard,
    view: TrialResultView,
) -> None:
    """Run it held by the sandbox, and show in `view` what comes of it."""
    try:
        response = await partner.actions.try_out(action_id, params=params)
        if isValid(view):
            view.show_response(response)
            announce(card, tr("It was tried."))
    except PartnerError as error:
        if isValid(view):
            view.show_problem(str(error))
    finally:
        if isValid(card):
            card.end_try()


# What a run left.


def undo_action(context: WindowContext, action_id: str) -> None:
    """Take back what it changed."""
    _on_what_is_left(context, action_id, lambda left: left.set_busy(busy=True))
    _undo.or_tell(_aftermath_problem(context, action_id))(context, action_id)


@WindowOperation
async def _undo(context: WindowContext, partner: Partner, action_id: str) -> None:
    sentence = await partner.actions.undo(action_id)

    def tell(left: Aftermath) -> None:
        left.show_undone(sentence)
        announce(left, sentence)

    _on_what_is_left(context, action_id, tell)


def keep_files(context: WindowContext, action_id: str) -> None:
    """Ask where its files go, and copy them there."""

    def keep(name: str) -> None:
        _on_what_is_left(context, action_id, lambda left: left.set_busy(busy=True))
        _keep.or_tell(_aftermath_problem(context, action_id))(context, action_id, Path(name))

    ask_for_folder(context.window, tr("Keep the files in"), keep)


@WindowOperation
async def _keep(context: WindowContext, partner: Partner, action_id: str, folder: Path) -> None:
    sentence = await partner.actions.keep_files(action_id, folder)

    def tell(left: Aftermath) -> None:
        before_unfolding(left)
        left.show_kept(sentence, folder)
        announce(left, sentence)

    _on_what_is_left(context, action_id, tell)


def _aftermath_problem(context: WindowContext, action_id: str) -> Tell:
    return lambda sentence: _on_what_is_left(context, action_id, lambda left: left.show_problem(sentence))


def _on_what_is_left(context: WindowContext, action_id: str, act: Callable[[Aftermath], object]) -> None:
    """Wherever it is said what a run left: on its card, on its plan's, on its page."""
    card, row = context.window.page.feed.card(action_id), step_row(context, action_id)
    page = context.window.panel.actions_tab.page_of(action_id)
    places = (
        card.aftermath if card is not None else None,
        row.details.aftermath if row is not None and row.details is not None else None,
        page.aftermath(action_id) if page is not None else None,
    )
    for left in places:
        if left is not None:
            act(left)


_VERBS: dict[str, Callable[[WindowContext, str], object]] = {
    "reject": reject_action,
    "cancel": cancel_action,
    "again": run_action_again,
    "source": show_card_source,
    "undo": undo_action,
    "keep_files": keep_files,
}


def ask_of_action(context: WindowContext, verb: str, action_id: str) -> None:
    """What is asked of it wherever it is shown, by the word for that; others are left to others."""
    if verb in _VERBS:
        _VERBS[verb](context, action_id)
