"""What is asked of a plan: to change it while it waits, and to check, mend, resume, keep or undo it after."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.operations.action_verbs import CardOperation
from partner_desktop.desktop.parts.boxes import before_unfolding, bring_into_view
from partner_desktop.desktop.window_context import WindowContext, WindowOperation
from partner_desktop.desktop.wording import announce, tr
from partner_desktop.domain.intervention import Intervention, PlanEdit
from partner_desktop.domain.plan_save import PlanSaveDraft

if TYPE_CHECKING:
    from partner_desktop.app import Partner


@WindowOperation
async def fetch_steps(context: WindowContext, partner: Partner, action_id: str, *, asked: bool) -> None:
    """What its steps have become; `asked`: the person wants to see more."""
    records = await partner.actions.steps(action_id)
    card = context.window.page.feed.card(action_id)
    if card is not None and card.plan is not None:
        if asked:
            before_unfolding(card)
        else:
            card.changing.emit()
        for record in records:
            card.plan.note_step(record)


@CardOperation
async def change_plan(
    context: WindowContext, partner: Partner, action_id: str, *wishes: Intervention
) -> None:
    """What of it was refused is said on the card."""
    outcome = await partner.actions.intervene(action_id, wishes)
    card = context.window.page.feed.card(action_id)
    if card is not None and outcome.refused:
        card.show_problem(" ".join(outcome.refused))


@CardOperation
async def edit_plan(context: WindowContext, partner: Partner, action_id: str, edit: PlanEdit) -> None:
    """It is another plan now."""
    await partner.actions.edit_chain(action_id, edit)
    card = context.window.page.feed.card(action_id)
    if card is not None and card.plan is not None:
        card.plan.end_edit()
        announce(card, tr("The plan was changed. It asks again."))


@CardOperation
async def verify_plan(context: WindowContext, partner: Partner, action_id: str) -> None:
    """Its verdicts come as they are found."""
    await partner.plans.verify(action_id)
    _settle(context, action_id)


@CardOperation
async def repair_plan(context: WindowContext, partner: Partner, action_id: str) -> None:
    """What mends it is a card of its own, which may be there already."""
    card = await partner.plans.repair(action_id)
    _settle(context, action_id)
    context.navigation.show_action(card.id)


resume_plan = CardOperation.of("resume", lambda partner: partner.plans.resume)


@CardOperation
async def undo_plan(context: WindowContext, partner: Partner, action_id: str) -> None:
    """Take back what all its steps changed."""
    _say_done(context, action_id, await partner.actions.undo(action_id))


@CardOperation
async def offer_to_save_plan(context: WindowContext, partner: Partner, action_id: str) -> None:
    """Ask on its card under which name it is kept."""
    from partner_desktop.desktop.card.plan.save_form import PlanSaveForm  # noqa: PLC0415 - rarely needed

    draft = await partner.plans.saveable(action_id)
    card = context.window.page.feed.card(action_id)
    if card is None:
        return
    form = PlanSaveForm(draft)
    form.cancelled.connect(card.hide_form)
    form.plan_saved.connect(lambda wanted: _save.or_tell(form.show_problem)(context, action_id, wanted))
    card.show_form(form)
    bring_form_into_view(form)


def bring_form_into_view(form: DraftForm) -> None:
    """All of it where there is room, else its beginning."""
    for part in (form.save_button, form.name):
        QTimer.singleShot(0, part, partial(bring_into_view, part))


@WindowOperation
async def _save(context: WindowContext, partner: Partner, action_id: str, draft: PlanSaveDraft) -> None:
    key = await partner.plans.save(action_id, draft)
    card = context.window.page.feed.card(action_id)
    if card is not None:
        card.hide_form()
    words = tr("“{name}” is kept. It asks again before it runs.")
    _say_done(context, action_id, words.format(name=key.partition("::")[2]))


def _settle(context: WindowContext, action_id: str) -> None:
    card = context.window.page.feed.card(action_id)
    if card is not None:
        card.settle()


def _say_done(context: WindowContext, action_id: str, sentence: str) -> None:
    """What came of it; it may be asked again."""
    card = context.window.page.feed.card(action_id)
    if card is not None and card.plan is not None:
        before_unfolding(card)
        card.settle()
        card.plan.say_done(sentence)
        announce(card, sentence)


#: What is asked of a plan that is over, by the word for it on its card.
PLAN_VERBS: dict[str, WindowOperation[str]] = {
    "verify": verify_plan,
    "repair": repair_plan,
    "resume": resume_plan,
    "save": offer_to_save_plan,
    "undo": undo_plan,
}
