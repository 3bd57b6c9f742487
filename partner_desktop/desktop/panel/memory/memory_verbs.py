"""What is done with what the Memory tab shows: pinned, shown in the chat, written anew, merged, forgotten.

Contract: nothing is forgotten that was not shown with its count first; what could not be done is said where
it was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from partner_desktop.base.errors import UsageError
from partner_desktop.base.paths import display_path
from partner_desktop.desktop.notices import NoticeAction
from partner_desktop.desktop.panel.memory.memory_rows import MemoryRow, entity_row, slice_row
from partner_desktop.desktop.panel.memory.memory_sheets import EntitySheet, FactRequest, SliceSheet
from partner_desktop.desktop.panel.memory.memory_tab import MemoryTab
from partner_desktop.desktop.panel.memory.memory_words import (
    entity_title,
    forgotten_words,
    preview_notes,
    preview_words,
)
from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.window_context import WindowContext
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.entity import SELF
from partner_desktop.domain.forgetting import ForgetPreview, ForgetSelection

if TYPE_CHECKING:
    from partner_desktop.app import Partner
    from partner_desktop.domain.entity import Entity


class MemoryVerbs:
    """`show_topic(path)` leads to a topic; `changed()`: what is shown is to be read again."""

    def __init__(
        self,
        context: WindowContext,
        tab: MemoryTab,
        *,
        show_topic: Callable[[str], None],
        changed: Callable[[], None],
    ) -> None:
        self._context = context
        self._tab = tab
        self._show_topic = show_topic
        self._changed = changed
        self._question: Banner | None = None
        self._merged: Entity | None = None
        """Of which another one is being chosen that is the same."""
        self._choice: Banner | None = None
        tab.list.asked.connect(self._asked)
        tab.list.chosen.connect(self._merge_with)

    def _asked(self, verb: str, row: MemoryRow) -> None:
        acts: dict[str, Callable[[MemoryRow], None]] = {
            "show": self._show,
            "topic": self._lead_to_topic,
            "pin": self._pin,
            "fact": self._act_on_fact,
            "rename": self._rename,
            "merge": self._ask_for_other,
            "part": self._part,
            "edit": self._edit,
            "save": self._save,
            "forget": self._forget,
        }
        acts[verb](row)

    def _do(self, row: MemoryRow, act: Callable[[Partner], Coroutine[Any, Any, object]]) -> None:
        """Have something done; why it was not is said on the row's sheet."""

        def fault(sentence: str) -> None:
            sheet = self._tab.list.sheet_of(row)
            if isinstance(sheet, (SliceSheet, EntitySheet)):
                sheet.show_fault(sentence)
            else:
                self._context.notices.fault(sentence)

        self._context.request(f"memory {row.key}", act, on_fault=fault)

    # Passages.

    def _show(self, row: MemoryRow) -> None:
        async def show(partner: Partner) -> None:
            turn = row.about.turn
            if row.about.slice is not None:
                turns = (await partner.memory.show(row.about.slice.id)).turns
                turn = turns[0] if turns else None
            if turn is None:
                raise UsageError("memory.nothing_left")
            self._context.navigation.show_message(turn.conversation_id, turn.message_id, turn.position)

        self._do(row, show)

    def _lead_to_topic(self, row: MemoryRow) -> None:
        sheet = self._tab.list.sheet_of(row)
        if isinstance(sheet, SliceSheet):
            self._show_topic(sheet.topic)

    def _pin(self, row: MemoryRow) -> None:
        async def pin(partner: Partner) -> None:
            assert row.about.slice is not None
            act = partner.memory.unpin if row.about.slice.pinned else partner.memory.pin
            self._tab.list.renew(slice_row(await act(row.about.slice.id)))
            if self._tab.kind == "pinned":
                self._changed()

        self._do(row, pin)

    def _edit(self, row: MemoryRow) -> None:
        sheet = self._tab.list.sheet_of(row)
        if isinstance(sheet, SliceSheet):
            sheet.open_form()

    def _save(self, row: MemoryRow) -> None:
        async def save(partner: Partner) -> None:
            sheet = self._tab.list.sheet_of(row)
            if row.about.slice is not None and isinstance(sheet, SliceSheet):
                edited = await partner.memory.edit_slice(row.about.slice.id, sheet.written)
                sheet.close_form()
                self._tab.list.renew(slice_row(edited))

        self._do(row, save)

    # Forgetting.

    def _forget(self, row: MemoryRow) -> None:
        if row.about.slice is not None:
            self.ask_to_forget(ForgetSelection(slice_ids=(row.about.slice.id,)))
        elif row.about.turn is not None:
            self.ask_to_forget(ForgetSelection(message_ids=(row.about.turn.message_id,)))
        elif row.about.topic:
            self.ask_to_forget(ForgetSelection(topic=row.about.topic))
        elif row.about.entity is not None and row.about.entity.id != SELF:
            self.ask_to_forget(ForgetSelection(entity_id=row.about.entity.id))
        elif row.kind == "head" and row.about.day is not None:
            self.ask_to_forget(ForgetSelection(day=row.about.day))

    def ask_to_forget(self, selection: ForgetSelection) -> None:
        """Show what would go, with its count; only a yes to that forgets it."""

        async def ask(partner: Partner) -> None:
            self._show_preview(await partner.forgetting.preview(selection))

        self._context.request("preview", ask)

    def _show_preview(self, preview: ForgetPreview, *, changed: bool = False) -> None:
        if self._question is not None:
            self._question.dismiss()
        banner = self._question = Banner(
            lambda: (
                tr("Meanwhile it is something else. Forget this for good?")
                if changed
                else tr("Forget this for good?")
            ),
            lambda: preview_words(preview),
        )
        for note in preview_notes(preview):
            banner.add_note(note)
        banner.closed.connect(self._end_question)
        banner.add_choice(lambda: tr("Forget"), lambda: self._do_forget(preview.id), look="stop")
        cancel = banner.add_choice(lambda: tr("Cancel"), None)
        self._tab.ask(banner)
        cancel.setFocus()  # Enter means the least

    def _end_question(self) -> None:
        self._question = None

    def _do_forget(self, preview_id: str) -> None:
        async def forget(partner: Partner) -> None:
            outcome = await partner.forgetting.forget(preview_id)
            if outcome.preview is not None:
                self._show_preview(outcome.preview, changed=True)
                return
            self._changed()
            clean = None
            if outcome.backups:
                clean = NoticeAction(lambda: tr("Clean backups"), self._clean_backups, undoes=False)
            self._context.notices.tell("", lambda: forgotten_words(outcome), action=clean)

        self._context.request("forget", forget)

    def _clean_backups(self) -> None:
        async def clean(partner: Partner) -> None:
            left = await partner.forgetting.clean_backups()
            words = tr("Backups hold nothing of it any more.")
            if left:
                words = tr("It could not be erased from {path}: {problem}").format(
                    path=display_path(left[0].path), problem=left[0].problem
                )
            self._context.notices.tell("", words)

        self._context.request("clean backups", clean)

    # Whom and what the person spoke of.

    def _act_on_fact(self, row: MemoryRow) -> None:
        sheet = self._tab.list.sheet_of(row)
        request = sheet.request if isinstance(sheet, EntitySheet) else None
        if request is not None:
            self._do(row, lambda partner: self._do_with_fact(partner, row, request))

    async def _do_with_fact(self, partner: Partner, row: MemoryRow, request: FactRequest) -> None:
        fact = request.fact
        if request.verb == "show":
            said = fact.evidence[0]
            self._context.navigation.show_message(said.conversation_id, said.message_id, said.position)
        elif request.verb == "correct":
            self._renew(row, await partner.entities.correct_fact(fact.id, request.written))
        else:
            self._renew(row, await partner.entities.remove_fact(fact.id))

    def _rename(self, row: MemoryRow) -> None:
        async def rename(partner: Partner) -> None:
            sheet = self._tab.list.sheet_of(row)
            if row.about.entity is not None and isinstance(sheet, EntitySheet):
                self._renew(row, await partner.entities.rename(row.about.entity.id, sheet.form.written))

        self._do(row, rename)

    def _renew(self, row: MemoryRow, entity: Entity | None) -> None:
        """`None`: nothing is known of it any more."""
        if entity is None:
            self._changed()
        else:
            self._tab.list.renew(entity_row(entity, row.about.unknown))

    def _ask_for_other(self, row: MemoryRow) -> None:
        """The next one that is chosen in the list is the same."""
        entity = row.about.entity
        if entity is None or self._merged is not None:
            return
        self._merged = entity
        self._tab.list.chooses = "entity"
        self._choice = banner = Banner(
            lambda: tr("Who is the same as {whom}?").format(whom=entity_title(entity)),
            lambda: tr("Choose in the list, or search. It can be parted again."),
        )
        cancel = banner.add_choice(lambda: tr("Cancel"), None)
        banner.closed.connect(self._end_choosing)
        self._tab.ask(banner)
        cancel.setFocus()

    def _end_choosing(self) -> None:
        self._merged, self._choice, self._tab.list.chooses = None, None, ""

    def _merge_with(self, row: MemoryRow) -> None:
        kept, other, banner = self._merged, row.about.entity, self._choice
        if kept is None or other is None or banner is None:
            return
        banner.dismiss()
        if kept.id == other.id:
            return

        async def merge(partner: Partner) -> None:
            await partner.entities.merge(kept.id, other.id)
            self._changed()
            words = tr("{other} and {whom} are one now.").format(
                other=entity_title(other), whom=entity_title(kept)
            )
            undo = NoticeAction(lambda: tr("Undo"), lambda: self._part_again(other.id))
            self._context.notices.tell("", words, action=undo)

        self._context.request("merge", merge)

    def _part(self, row: MemoryRow) -> None:
        sheet = self._tab.list.sheet_of(row)
        if isinstance(sheet, EntitySheet):
            self._part_again(sheet.part_id)

    def _part_again(self, entity_id: str) -> None:
        async def part(partner: Partner) -> None:
            await partner.entities.undo_merge(entity_id)
            self._changed()

        self._context.request("part", part)
