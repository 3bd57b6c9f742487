"""What is asked of abilities, from the panel and from cards: run, switch, keep, describe, remove."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.opener import show_in_editor
from partner_desktop.desktop.window_context import Tell, WindowContext, WindowOperation
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability, AbilityDraft

if TYPE_CHECKING:
    from pathlib import Path

    from partner_desktop.app import Partner


@WindowOperation
async def run_ability(context: WindowContext, partner: Partner, ability: Ability) -> None:
    """Offer it as a card in the open conversation."""
    conversation_id = await context.navigation.conversation(partner)
    context.window.columns.uncover()
    text = tr("Run {title}").format(title=ability_title(ability))
    await partner.abilities.offer(ability.key, conversation_id=conversation_id, text=text)


_switch = WindowOperation.of("switch", lambda partner: partner.abilities.switch)


@WindowOperation
async def switch_ability(context: WindowContext, partner: Partner, ability: Ability) -> None:
    """On, or off, which can be taken back."""
    await partner.abilities.switch(ability.key, on=ability.off)
    if not ability.off:
        words = lambda: tr("“{title}” is off: it is neither found nor run.").format(  # noqa: E731 - words
            title=ability_title(ability)
        )
        context.tell(words, undo=lambda: _switch(context, ability.key, on=True))


@WindowOperation
async def remove_ability(context: WindowContext, partner: Partner, ability: Ability) -> None:
    """Into the trash, from where it can be brought back."""
    await partner.abilities.remove(ability.key)
    context.tell(
        lambda: tr("“{title}” is in the trash.").format(title=ability_title(ability)),
        undo=lambda: _restore(context, ability.key),
    )


@WindowOperation
async def _restore(context: WindowContext, partner: Partner, key: str) -> None:
    context.window.panel.abilities_tab.point_at(await partner.abilities.restore(key))


def ask_to_keep(
    context: WindowContext,
    key: str,
    show: Callable[[DraftForm], None],
    hide: Callable[[str], None],
    tell: Tell | None = None,
) -> None:
    """Show a form by which a temporary ability stays; `hide(key)`: it was left (no key), or is kept."""

    def make(draft: AbilityDraft) -> None:
        form = DraftForm(
            draft,
            title=lambda: tr("Keep this ability"),
            verb=lambda: tr("Keep"),
            note=lambda: tr("It stays in the list and asks again before it runs."),
        )
        form.cancelled.connect(lambda: hide(""))
        form.saved.connect(lambda new: _keep.or_tell(form.show_problem)(context, key, new, hide))
        show(form)

    _with_draft.or_tell(tell)(context, key, make)


@WindowOperation
async def _keep(
    context: WindowContext, partner: Partner, key: str, draft: AbilityDraft, hide: Callable[[str], None]
) -> None:
    kept = await partner.abilities.persist(key, draft)
    hide(kept)
    context.tell(lambda: _kept_words(draft.name, kept.partition("::")[2]))


def _kept_words(wanted: str, name: str) -> str:
    if wanted.strip() != name:
        words = tr("“{wanted}” was taken, so it is kept as “{name}”. It asks again before it runs.")
        return words.format(wanted=wanted.strip(), name=name)
    return tr("“{name}” is kept. It asks again before it runs.").format(name=name)


def ask_to_describe(context: WindowContext, key: str) -> None:
    """Show a form for its name and what is said of it, in the panel."""
    tab = context.window.panel.abilities_tab

    def make(draft: AbilityDraft) -> None:
        form = DraftForm(
            draft,
            title=lambda: tr("Edit details"),
            verb=lambda: tr("Save"),
            note=lambda: tr("A change of its name or description asks again before it runs."),
        )
        form.cancelled.connect(tab.hide_form)
        form.saved.connect(lambda new: _describe.or_tell(form.show_problem)(context, key, new))
        tab.show_form(form)

    _with_draft(context, key, make)


@WindowOperation
async def _describe(context: WindowContext, partner: Partner, key: str, draft: AbilityDraft) -> None:
    await partner.abilities.describe(key, draft)
    context.window.panel.abilities_tab.hide_form()


@WindowOperation
async def _with_draft(
    _context: WindowContext, partner: Partner, key: str, make: Callable[[AbilityDraft], None]
) -> None:
    make(await partner.abilities.draft(key))


def open_ability_source(context: WindowContext, ability: Ability) -> None:
    """At the line that is wrong, where one is."""
    fault = ability.fault
    path = fault.path if fault is not None else ability.script
    if path is not None:
        open_source(context, path, fault.line if fault is not None else None)


def open_source(context: WindowContext, path: Path, line: int | None = None) -> None:
    """In the person's editor."""
    context.work.start("open source", show_in_editor(context.notices, path, line))


def ability_title(ability: Ability) -> str:
    """What it is called; one that cannot be read, by its file."""
    if ability.info is not None:
        return ability.info.told.title
    return ability.path.name if ability.path is not None else ability.key
