"""For every parameter, the parts of a message that may be its value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from partner_desktop.language.arguments.cues import Cues, cues_of
from partner_desktop.language.arguments.nested_slots import own_name
from partner_desktop.language.arguments.offers.choices import choice_offers
from partner_desktop.language.arguments.offers.distribution import Offer
from partner_desktop.language.arguments.offers.flags import as_choice, flag_said, is_switch
from partner_desktop.language.arguments.offers.list_offers import list_offers
from partner_desktop.language.arguments.offers.moment_offers import moment_offers, wants_moment
from partner_desktop.language.arguments.offers.number_offers import number_offers
from partner_desktop.language.arguments.offers.text_offers import text_offers
from partner_desktop.language.arguments.reading import Reading
from partner_desktop.language.arguments.slot import Slot

#: More parameters than anybody fills in one message.
_MOST = 30
#: What must speak for a choice before a parameter that may be left out takes it.
_ENOUGH = 0.75


def offers_for(reading: Reading, slots: Sequence[Slot]) -> dict[str, list[Offer]]:
    """Parameter → its offers, in declared order."""
    looked = slots[:_MOST]
    named = [replace(slot, name=own_name(slot.name)) for slot in looked]
    cues = cues_of(reading.said, named)
    return {
        slot.name: _offers(reading, mine, cue) for slot, mine, cue in zip(looked, named, cues, strict=True)
    }


def _offers(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    return next((offers(reading, slot, cues) for fits, offers in _KINDS if fits(slot)), [])


def _switch(reading: Reading, slot: Slot, _cues: Cues) -> list[Offer]:
    said = flag_said(reading.said, slot, reading.ability_stems)
    return [] if said is None else [Offer(as_choice(slot, said), 0, 0, 1.0, claims=False)]


def _choice(reading: Reading, slot: Slot, cues: Cues) -> list[Offer]:
    limit = 0.0 if slot.required else _ENOUGH
    return [offer for offer in choice_offers(reading.said, slot, cues) if offer.score > limit]


#: Which parameters take which offers; the first that fits.
_KINDS: tuple[tuple[Callable[[Slot], bool], Callable[[Reading, Slot, Cues], list[Offer]]], ...] = (
    (is_switch, _switch),
    (lambda slot: slot.is_list, list_offers),
    (lambda slot: bool(slot.choices), _choice),
    (lambda slot: slot.is_number, number_offers),
    (wants_moment, moment_offers),
    (lambda slot: "string" in slot.types, text_offers),
)
