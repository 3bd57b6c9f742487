"""Everything that the starter mind says, of single actions, of chains, of what is known, and which language
to answer in.

The sentences are `resources/messages/{starter,entities}.LANGUAGE.toml`. Templates are filled by `str.format`
with texts that are already safe to show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from partner_desktop.base.messages import spoken_language
from partner_desktop.base.prompts import messages
from partner_desktop.domain.entity import Attribute
from partner_desktop.domain.evidence import ScheduleDeed
from partner_desktop.domain.inquiry import FileDeed
from partner_desktop.domain.plan import StepStatus
from partner_desktop.domain.run_facts import Risk
from partner_desktop.domain.schedule import ScheduleState
from partner_desktop.language.conversation_language import conversation_language
from partner_desktop.language.lexicon import fact_name, fact_names, head
from partner_desktop.language.speech_acts.small_talk import SmallTalk


class _Sentences:
    """A table of messages, each by its name. Those that are more than a text are named here."""

    def __init__(self, said: Mapping[str, Any]) -> None:  # Any: what TOML says
        vars(self).update(said)

    if TYPE_CHECKING:  # what is in no table is found out by a test

        def __getattr__(self, name: str) -> str: ...


class PlanPhrases(_Sentences):
    """One language's sentences about work of several steps."""

    proposed: Mapping[Risk, str]
    may_do: Mapping[Risk, str]
    states: Mapping[StepStatus, str]


class AccountPhrases(_Sentences):
    """One language's answers from records. What depends on a deed is by its name."""

    files: Mapping[str, str]
    none: Mapping[FileDeed, str]
    count: Mapping[FileDeed, str]
    risky: Mapping[Risk, str]


class EntityPhrases(_Sentences):
    """One language's sentences about what is known."""

    labels: Mapping[Attribute, str]
    own: Mapping[Attribute, str]
    theirs: Mapping[Attribute, str]
    unknown_labels: Mapping[Attribute, str]
    relations: Mapping[str, str]


class LaterPhrases(_Sentences):
    """One language's sentences about what is done later. What depends on a deed is by its name."""

    deeds: Mapping[ScheduleDeed, str]
    every: Mapping[ScheduleDeed, str]
    states: Mapping[ScheduleState, str]
    no_time: Mapping[str, str]


class Phrases(_Sentences):
    """One language's sentences. Of several the texts take turns, so that the tone stays alive."""

    talk: Mapping[SmallTalk, Sequence[str]]
    """The first words of the designed answer to small talk."""
    proposed: Mapping[Risk, Sequence[str]]
    months: Sequence[str]
    weekdays: Sequence[str]
    exit_meanings: Mapping[str, str]
    need: Mapping[str, str]
    breach: Mapping[str, str]
    attached: Mapping[str, str]
    """By the kind of what came with a message, and why it could not be read."""

    def __init__(self, language: str) -> None:
        said = messages("starter", language)
        super().__init__(said)
        self.chain = PlanPhrases(said["chain"])
        self.account = AccountPhrases(said["account"])
        self.later = LaterPhrases(said["later"])
        self.entities = EntityPhrases(messages("entities", language))

    def enumerated(self, items: Sequence[str], *, most: int) -> str:
        """So many of the items, and how many more there are."""
        shown, more = self.list_separator.join(items[:most]), len(items) - most
        return self.and_more.format(items=shown, count=more) if more > 0 else shown

    def day(self, at: datetime, template: str = "") -> str:
        """A moment in local time, as `moment` says it or another template."""
        local = at.astimezone()
        return (template or self.moment).format(
            year=local.year, month=self.months[local.month - 1], day=local.day,
            weekday=self.weekdays[local.weekday()], time=f"{local:%H:%M}",
        )  # fmt: skip

    def name(self, key: str) -> str:
        """A key within a sentence."""
        return fact_names(self.language).get(key) or fact_name(key)

    def head(self, key: str) -> str:
        """A key where a line or a column begins."""
        return fact_names(self.language).get(key) or head(key)


ENGLISH, CHINESE = Phrases("en"), Phrases("zh")


def phrases_for(*texts: str) -> Phrases:
    """The sentences in the language that this task speaks; where it has none, in that of the texts, of which
    the first counts most.
    """
    return phrases_in(spoken_language.get() or conversation_language(texts[::-1]))


def phrases_in(language: str) -> Phrases:
    """The sentences in a language; in English where there are none."""
    return CHINESE if language == CHINESE.language else ENGLISH
