"""The list of abilities, and what the person does to abilities themselves, on cards and in the panel."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtGui import QGuiApplication

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.opener import open_folder
from partner_desktop.desktop.operations.ability_verbs import (
    ability_title,
    ask_to_describe,
    ask_to_keep,
    open_ability_source,
    open_source,
    remove_ability,
    run_ability,
    switch_ability,
)
from partner_desktop.desktop.operations.plan_verbs import bring_form_into_view
from partner_desktop.desktop.panel.abilities.ability_rows import AbilityVerb, fault_words
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.window_context import Controller, WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.ability import Ability

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class AbilityController(Controller):
    """One window's."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__(context)
        self._tab = self._window.panel.abilities_tab
        self._tab.asked.connect(self._asked)
        self._tab.changed.connect(self._offer_keeping)
        self._window.page.feed.card_added.connect(self._adopt)
        known = self._store.abilities
        known.changed.connect(lambda ids, gone: self._tab.change(known.those(ids), gone))

    def _begin(self, partner: Partner) -> None:
        self._tab.show_folder(partner.action_dir)

    # In the panel.

    def _asked(self, verb: str, ability: Ability) -> None:
        context, key = self._context, ability.key
        acts: dict[AbilityVerb, Callable[[], object]] = {
            "run": lambda: run_ability(context, ability),
            "details": lambda: self._show_details(ability),
            "example": lambda: self._tab.ability_chosen.emit(ability),
            "keep": lambda: ask_to_keep(context, key, self._tab.show_form, self._show_kept),
            "edit": lambda: ask_to_describe(context, key),
            "source": lambda: open_ability_source(context, ability),
            "switch": lambda: switch_ability(context, ability),
            "folder": lambda: _show_folder(ability),
            "remove": lambda: self._ask_to_remove(ability),
            "copy": lambda: QGuiApplication.clipboard().setText(fault_words(ability)),
        }
        acts[cast("AbilityVerb", verb)]()

    def _show_details(self, ability: Ability) -> None:
        from partner_desktop.desktop.panel.abilities.ability_page import AbilityPage  # noqa: PLC0415 - on first use

        if ability.info is not None:
            page = AbilityPage(ability, ability.info)
            page.closed.connect(self._tab.hide_form)
            page.asked.connect(lambda verb: self._asked(verb, ability))
            self._tab.show_form(page)

    def _show_kept(self, key: str) -> None:
        self._tab.hide_form()
        if key:
            self._tab.point_at(key)

    def _ask_to_remove(self, ability: Ability) -> None:
        title = ability_title(ability)
        where = display_path(ability.path) if ability.path is not None else ""
        banner = Banner(lambda: tr("Move “{title}” to the trash?").format(title=title), where)
        banner.add_choice(
            lambda: tr("Move to trash"), lambda: remove_ability(self._context, ability), look="stop"
        )
        cancel = banner.add_choice(lambda: tr("Cancel"), None)
        self._tab.ask(banner)
        cancel.setFocus()  # Enter means the least

    # On cards.

    def _adopt(self, _action_id: str, card: ActionCard) -> None:
        card.action_asked.connect(partial(self._asked_on, card))
        card.record_shown.connect(lambda: self._offer_keeping_on(card))
        self._offer_keeping_on(card)

    def _asked_on(self, card: ActionCard, verb: str, _action_id: str) -> None:
        if verb == "keep":
            self._keep_on(card)
        elif verb == "edit":
            self._edit_on(card)

    def _offer_keeping(self) -> None:
        for card in self._window.page.feed.cards:
            self._offer_keeping_on(card)

    def _offer_keeping_on(self, card: ActionCard) -> None:
        ability = self._ability_of(card)
        card.offer_keep(offered=ability is not None and ability.temporary and ability.usable)

    def _ability_of(self, card: ActionCard) -> Ability | None:
        return self._store.abilities.get(card.record.key) if card.record is not None else None

    def _keep_on(self, card: ActionCard) -> None:
        ability = self._ability_of(card)
        if ability is None:
            card.settle()
            return

        def show(form: DraftForm) -> None:
            card.show_form(form)
            bring_form_into_view(form)

        ask_to_keep(self._context, ability.key, show, lambda _key: card.hide_form(), card.show_problem)

    def _edit_on(self, card: ActionCard) -> None:
        ability = self._ability_of(card)
        if ability is not None:
            open_ability_source(self._context, ability)
        elif card.record is not None and card.record.source_path:
            open_source(self._context, Path(card.record.source_path))


def _show_folder(ability: Ability) -> None:
    path = ability.path if ability.path is not None else ability.fault.path if ability.fault else None
    if path is not None:
        open_folder(path if ability.in_folder else path.parent)
