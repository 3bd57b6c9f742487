"""Sentences for an answer that does not do: what is needed instead. Plain text, not Markdown."""

from __future__ import annotations

from partner_desktop.language.arguments.conversion import Need
from partner_desktop.language.arguments.slot import Slot
from partner_desktop.mind.schema_breaches import Breach
from partner_desktop.mind.starter.phrases import Phrases

#: Choices named at most; more do not fit a sentence.
_CHOICES = 12


def need_sentence(need: Need, slot: Slot, phrases: Phrases) -> str:
    """One sentence that says what would do."""
    sentences = {
        Need.WHOLE_NUMBER: phrases.need_whole_number,
        Need.NUMBER: phrases.need_number,
        Need.YES_OR_NO: phrases.need_yes_or_no,
        Need.CHOICE: phrases.need_choice,
        Need.PATH: phrases.need_path,
        Need.QUOTES: phrases.need_quotes,
        Need.OBJECT: phrases.need_object,
        Need.SOMETHING: phrases.need_something,
        Need.LESS: phrases.too_long,
    }
    return sentences[need].format(choices=named_choices(slot, phrases), example='{"key": "value"}')


def breach_sentence(breach: Breach, slot: Slot, phrases: Phrases) -> str:
    """One sentence for a value of the right type that breaks a rule of its schema."""
    sentences = {
        "minimum": phrases.too_small,
        "exclusiveMinimum": phrases.too_small,
        "maximum": phrases.too_large,
        "exclusiveMaximum": phrases.too_large,
        "minLength": phrases.too_short,
        "maxLength": phrases.too_long,
        "enum": phrases.need_choice,
    }
    sentence = sentences.get(breach.keyword, phrases.unfit)
    return sentence.format(limit=breach.limit, choices=named_choices(slot, phrases))


def named_choices(slot: Slot, phrases: Phrases) -> str:
    """The choices of a parameter as one enumeration."""
    named = [str(choice) for choice in slot.choices if choice is not None]
    shown = phrases.list_separator.join(named[:_CHOICES])
    if len(named) <= _CHOICES:
        return shown
    return phrases.and_more.format(items=shown, count=len(named) - _CHOICES)
