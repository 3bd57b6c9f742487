"""What the person decides on cards and in the panel, carried to Partner."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, cast

from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.window import MainWindow
from partner_desktop.desktop.work import Controller, Work
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.permission import Scope

if TYPE_CHECKING:
    from partner_desktop.app import Partner

#: Older ones are asked for again when their card comes to view.
_MOST_RECORDS = 500


class Decisions(Controller):
    """Knows the latest record of every action it has heard of, and hands it to the cards."""

    def __init__(self, window: MainWindow, work: Work) -> None:
        super().__init__(window, work)
        self._feed = window.page.feed
        self._records: dict[str, ActionRecord] = {}
        self._decided: dict[str, DecisionEvent] = {}
        self._feed.card_added.connect(self._adopt)

    def note(self, record: ActionRecord) -> None:
        """An action changed."""
        known = self._records.get(record.id)
        if known is not None and record.is_older_than(known):
            return
        self._records.pop(record.id, None)
        self._records[record.id] = record
        if len(self._records) > _MOST_RECORDS:
            del self._records[next(iter(self._records))]
        card = self._feed.card(record.id)
        if card is not None:
            card.show_record(record)
        holder = self._feed.plan_card(record.id) if record.parent_id else None
        if holder is not None and holder.plan is not None:
            holder.plan.note_step(record)

    def note_decision(self, event: DecisionEvent) -> None:
        """Somebody or something decided: the card says who, and how far it reaches."""
        self._decided[event.action_id] = event
        if len(self._decided) > _MOST_RECORDS:
            del self._decided[next(iter(self._decided))]
        card = self._feed.card(event.action_id)
        if card is not None:
            self._say_decision(card, event)

    def _say_decision(self, card: ActionCard, event: DecisionEvent) -> None:
        from partner_desktop.desktop.card.decision_words import decision_words, scope_words  # noqa: PLC0415

        known = self._records.get(event.action_id)
        note = decision_words(event, known.risk if known is not None else None)
        card.show_note(note, lambda: scope_words(event))

    def known(self, action_id: str) -> ActionRecord | None:
        """The latest record of an action that was heard of lately."""
        return self._records.get(action_id)

    def cancel(self, action_id: str) -> None:
        """Stop one run."""
        self._request(f"cancel {action_id}", lambda partner: partner.actions.cancel(action_id))

    def _adopt(self, action_id: str, card: ActionCard) -> None:
        card.approve_pressed.connect(self._approve)
        card.reject_pressed.connect(
            lambda one: self._carry_out(one, "reject", lambda partner: partner.actions.reject(one))
        )
        card.cancel_pressed.connect(
            lambda one: self._carry_out(one, "cancel", lambda partner: partner.actions.cancel(one))
        )
        card.again_pressed.connect(
            lambda one: self._carry_out(one, "again", lambda partner: self._again(partner, one))
        )
        card.source_wanted.connect(self._fetch_source)
        known = self._records.get(action_id)
        decided = self._decided.get(action_id)
        if decided is not None:
            self._say_decision(card, decided)
        if known is not None:
            card.show_record(known)
        else:
            self._request(f"fetch {action_id}", lambda partner: self._fetch(partner, action_id))

    async def _fetch(self, partner: Partner, action_id: str) -> None:
        record = await partner.actions.get(action_id)
        self._records.setdefault(action_id, record)
        self.note(self._records[action_id])

    def _approve(self, action_id: str, scope: str, params: JsonObject | None) -> None:
        card = self._feed.card(action_id)
        shown = card.record if card is not None else None
        self._carry_out(
            action_id,
            "approve",
            lambda partner: partner.actions.approve(
                action_id, scope=cast("Scope", scope), params=params, shown=shown
            ),
        )

    async def _again(self, partner: Partner, action_id: str) -> None:
        """The same again is a new card; the old one may be asked once more."""
        await partner.actions.run_again(action_id)
        card = self._feed.card(action_id)
        if card is not None:
            card.settle()

    def _carry_out(
        self, action_id: str, verb: str, act: Callable[[Partner], Coroutine[Any, Any, object]]
    ) -> None:
        """What fails is said on the card itself, which then asks again."""

        def tell(sentence: str) -> None:
            card = self._feed.card(action_id)
            if card is not None:
                card.show_problem(sentence)

        self._request(f"{verb} {action_id}", act, on_fault=tell)

    def _fetch_source(self, action_id: str) -> None:
        self._request(f"source {action_id}", lambda partner: self._show_source(partner, action_id))

    async def _show_source(self, partner: Partner, action_id: str) -> None:
        text = await partner.abilities.source(action_id)
        card = self._feed.card(action_id)
        if card is not None:
            card.show_source(text)
