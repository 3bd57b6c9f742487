"""What the person does to abilities themselves, on cards and in the panel, carried to Partner."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.opener import open_folder, show_in_editor
from partner_desktop.desktop.panel.abilities.ability_rows import Verb, fault_words
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.wording import tr
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.ability import Ability, AbilityDraft

if TYPE_CHECKING:
    from partner_desktop.app import Partner


class AbilityController(Controller):
    """Runs, keeps, edits, switches and removes. `place` gives the conversation that a run belongs to."""

    def __init__(
        self, window: MainWindow, work: Work, place: Callable[[Partner], Coroutine[Any, Any, str]]
    ) -> None:
        super().__init__(window, work)
        self._tab = window.panel.abilities_tab
        self._place = place
        self._tab.asked.connect(self._asked)
        self._tab.changed.connect(self._offer_keeping)
        window.page.feed.card_added.connect(self._adopt)

    # In the panel.

    def _asked(self, verb: str, ability: Ability) -> None:
        if self._partner is None:
            return
        acts: dict[Verb, Callable[[Partner, Ability], None]] = {
            "run": self._run,
            "details": lambda _, one: self._show_details(one),
            "example": lambda _, one: self._tab.ability_chosen.emit(one),
            "keep": self._keep,
            "edit": self._edit,
            "source": self._open_source,
            "switch": self._switch,
            "folder": lambda _, one: _show_folder(one),
            "remove": self._ask_to_remove,
            "copy": lambda _, one: QGuiApplication.clipboard().setText(fault_words(one)),
        }
        acts[cast("Verb", verb)](self._partner, ability)

    def _run(self, partner: Partner, ability: Ability) -> None:
        title = _title(ability)

        async def offer() -> None:
            conversation_id = await self._place(partner)
            self._window.columns.uncover()
            text = tr("Run {title}").format(title=title)
            await partner.abilities.offer(ability.key, conversation_id=conversation_id, text=text)

        self._work.start(f"run {ability.key}", offer())

    def _show_details(self, ability: Ability) -> None:
        from partner_desktop.desktop.panel.abilities.ability_page import AbilityPage  # noqa: PLC0415 - on first use

        if ability.info is None:
            return
        page = AbilityPage(ability, ability.info)
        page.closed.connect(self._tab.hide_form)
        page.asked.connect(lambda verb: self._asked(verb, ability))
        self._tab.show_form(page)

    def _switch(self, partner: Partner, ability: Ability) -> None:
        async def switch() -> None:
            await partner.abilities.switch(ability.key, on=ability.off)
            if not ability.off:
                self._window.notices.tell(
                    "",
                    lambda: tr("“{title}” is off: it is neither found nor run.").format(
                        title=_title(ability)
                    ),
                    action=NoticeAction(lambda: tr("Undo"), turn_on),
                )

        def turn_on() -> None:
            self._work.start(f"switch {ability.key}", partner.abilities.switch(ability.key, on=True))

        self._work.start(f"switch {ability.key}", switch())

    def _keep(self, partner: Partner, ability: Ability) -> None:
        def show(draft: AbilityDraft) -> None:
            form = _keep_form(draft)
            form.cancelled.connect(self._tab.hide_form)
            form.saved.connect(lambda new: self._save_kept(partner, ability, form, new, self._show_kept))
            self._tab.show_form(form)

        self._with_draft(partner, ability.key, show)

    def _edit(self, partner: Partner, ability: Ability) -> None:
        def show(draft: AbilityDraft) -> None:
            form = DraftForm(
                draft,
                title=lambda: tr("Edit details"),
                verb=lambda: tr("Save"),
                note=lambda: tr("A change of its name or description asks again before it runs."),
            )
            form.cancelled.connect(self._tab.hide_form)
            form.saved.connect(lambda new: self._save_edited(partner, ability, form, new))
            self._tab.show_form(form)

        self._with_draft(partner, ability.key, show)

    def _show_kept(self, key: str) -> None:
        self._tab.hide_form()
        self._tab.point_at(key)

    def _save_edited(self, partner: Partner, ability: Ability, form: DraftForm, draft: AbilityDraft) -> None:
        async def save() -> None:
            await partner.abilities.describe(ability.key, draft)
            self._tab.hide_form()

        self._work.start(f"describe {ability.key}", save(), on_fault=form.show_problem)

    def _ask_to_remove(self, partner: Partner, ability: Ability) -> None:
        title = _title(ability)

        async def remove() -> None:
            await partner.abilities.remove(ability.key)
            self._window.notices.tell(
                "",
                lambda: tr("“{title}” is in the trash.").format(title=title),
                action=NoticeAction(lambda: tr("Undo"), bring_back),
            )

        async def restore() -> None:
            key = await partner.abilities.restore(ability.key)
            self._tab.point_at(key)

        def bring_back() -> None:
            self._work.start(f"restore {ability.key}", restore())

        where = display_path(ability.path) if ability.path is not None else ""
        banner = Banner(lambda: tr("Move “{title}” to the trash?").format(title=title), where)
        banner.add_choice(
            lambda: tr("Move to trash"),
            lambda: self._work.start(f"remove {ability.key}", remove()),
            look="stop",
        )
        cancel = banner.add_choice(lambda: tr("Cancel"), None)
        self._tab.ask(banner)
        cancel.setFocus()  # Enter means the least

    # On cards.

    def _adopt(self, _action_id: str, card: ActionCard) -> None:
        card.keep_pressed.connect(lambda _: self._keep_on(card))
        card.edit_pressed.connect(lambda _: self._edit_on(card))
        card.record_shown.connect(lambda: self._offer_keeping_on(card))
        self._offer_keeping_on(card)

    def _offer_keeping(self) -> None:
        for card in self._window.page.feed.cards:
            self._offer_keeping_on(card)

    def _offer_keeping_on(self, card: ActionCard) -> None:
        ability = self._ability_of(card)
        card.offer_keep(offered=ability is not None and ability.temporary and ability.usable)

    def _ability_of(self, card: ActionCard) -> Ability | None:
        return self._tab.list.rows.abilities.get(card.record.key) if card.record is not None else None

    def _keep_on(self, card: ActionCard) -> None:
        partner, ability = self._partner, self._ability_of(card)
        if partner is None or ability is None:
            card.settle()
            return

        def show(draft: AbilityDraft) -> None:
            form = _keep_form(draft)
            form.cancelled.connect(card.hide_form)

            def done(_key: str) -> None:
                card.hide_form()

            form.saved.connect(lambda new: self._save_kept(partner, ability, form, new, done))
            card.show_form(form)
            QTimer.singleShot(0, form, lambda: self._bring_to_view(form))

        self._with_draft(partner, ability.key, show, on_fault=card.show_problem)

    def _bring_to_view(self, form: DraftForm) -> None:
        """All of it where there is room, its beginning where there is not."""
        column = self._window.page.feed.column
        for part in (form.save_button, form.name):
            column.ensureWidgetVisible(part, 0, 40)

    def _edit_on(self, card: ActionCard) -> None:
        ability = self._ability_of(card)
        if ability is not None and self._partner is not None:
            self._open_source(self._partner, ability)
        elif card.record is not None and card.record.source_path:
            self._open(Path(card.record.source_path), None)

    # On both.

    def _with_draft(
        self,
        partner: Partner,
        key: str,
        show: Callable[[AbilityDraft], None],
        *,
        on_fault: Callable[[str], None] | None = None,
    ) -> None:
        async def fetch() -> None:
            show(await partner.abilities.draft(key))

        self._work.start(f"draft of {key}", fetch(), on_fault=on_fault)

    def _save_kept(
        self,
        partner: Partner,
        ability: Ability,
        form: DraftForm,
        draft: AbilityDraft,
        done: Callable[[str], None],
    ) -> None:
        async def save() -> None:
            key = await partner.abilities.persist(ability.key, draft)
            done(key)
            self._window.notices.tell("", lambda: _kept_words(draft.name, key.partition("::")[2]))

        self._work.start(f"keep {ability.key}", save(), on_fault=form.show_problem)

    def _open_source(self, _partner: Partner, ability: Ability) -> None:
        fault = ability.fault
        path = fault.path if fault is not None else ability.script
        if path is not None:
            self._open(path, fault.line if fault is not None else None)

    def _open(self, path: Path, line: int | None) -> None:
        self._work.start("open source", show_in_editor(self._window.notices, path, line))


def _title(ability: Ability) -> str:
    if ability.info is not None:
        return ability.info.told.title
    return ability.path.name if ability.path is not None else ability.key


def _keep_form(draft: AbilityDraft) -> DraftForm:
    return DraftForm(
        draft,
        title=lambda: tr("Keep this ability"),
        verb=lambda: tr("Keep"),
        note=lambda: tr("It stays in the list and asks again before it runs."),
    )


def _kept_words(wanted: str, name: str) -> str:
    if wanted.strip() != name:
        words = tr("“{wanted}” was taken, so it is kept as “{name}”. It asks again before it runs.")
        return words.format(wanted=wanted.strip(), name=name)
    return tr("“{name}” is kept. It asks again before it runs.").format(name=name)


def _show_folder(ability: Ability) -> None:
    path = ability.path if ability.path is not None else ability.fault.path if ability.fault else None
    if path is not None:
        open_folder(path if ability.in_folder else path.parent)
