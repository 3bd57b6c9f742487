"""Everything that the starter mind says, of single actions and of chains, and which language to answer in.

The sentences are `resources/messages/starter.LANGUAGE.toml`. Templates are filled by `str.format` with texts
that are already safe to show.
"""

from __future__ import annotations

from pydantic import TypeAdapter

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.prompts import messages
from partner_desktop.base.spoken import spoken_language
from partner_desktop.domain.chain import StepStatus
from partner_desktop.domain.inquiry import FileDeed
from partner_desktop.domain.run_facts import Risk
from partner_desktop.language.conversation_language import conversation_language
from partner_desktop.language.lexicon import fact_name, fact_names, head
from partner_desktop.language.speech_acts.small_talk import SmallTalk


@dataclass(frozen=True)
class ChainPhrases:
    """One language's sentences about work of several steps."""

    proposed: dict[Risk, str]
    the_plan: str
    """What a yes to all of it is to, after `Phrases.yes_to`."""
    started: str
    then: str
    """Between two stages."""
    together: str
    """Between two steps of one stage."""
    more_steps: str
    asks_left_open: str
    """Of a step of an approved chain that asks all the same: it may have been done already."""
    asks_broke_before: str
    asks_changed: str
    done_both: str
    done: str
    done_partly: str
    failed: str
    failed_because: str
    stopped_early: str
    """Before any step was done."""
    stopped: str
    stopped_because: str
    interrupted: str
    step_did_not_run: str
    step_skipped: str
    step_stopped: str
    step_mended: str
    """Between a failed step and what was put in its place."""
    replanned: str
    """What a mind changed of a chain on its way."""
    checked: str
    unchanged: str
    asks_again: str
    edited: str
    """A waiting chain was changed, not only in its arguments."""
    amended: str
    steps_separator: str
    left_out: str
    """A part of a request that nothing does, while the others are seen to."""
    left_out_near: str
    condition: str
    """A part of a request that hangs on something."""
    now: str
    """What a chain was changed to, in place of sentences that are English; empty: they do."""
    nothing_open: str
    """Nothing runs, and nothing waits."""
    asks: str
    waits: str
    does: str
    """What a single call that waits would do, in its own words."""
    runs: str
    one_step: str
    step_may: str
    step_stands: str
    from_step: str
    may_do: dict[Risk, str]
    states: dict[StepStatus, str]
    judged: str
    """The reason of a verdict: the names of what did not succeed."""
    judged_many: str


@dataclass(frozen=True)
class AccountPhrases:
    """One language's answers from records. What depends on a deed is by its name."""

    did: str
    """What ran, and when; what it did to files and how it ended follow."""
    before: str
    files: dict[str, str]
    """By `FileDeed`, and `trashed`: the files that this was done to."""
    moved: str
    """One file, from where to where."""
    no_files: str
    unknown: str
    taken_back: str
    nothing: str
    """Nothing was done yet."""
    none: dict[FileDeed, str]
    """A no: no such thing was done, with the days or what it was asked of."""
    yes: str
    no: str
    named: str
    """After `none`: what the files would be called."""
    today: str
    yesterday: str
    from_to: str
    from_on: str
    worked: str
    not_failed: str
    now_at: str
    made_at: str
    trashed_at: str
    gone: str
    count: dict[FileDeed, str]
    counted: str
    counted_named: str
    took: str
    why: str
    """What the person asked for it with."""
    reversible: str
    reversed: str
    irreversible: str
    nothing_to_reverse: str
    risky: dict[Risk, str]
    """Whether an ability is dangerous."""
    does: str
    """Title, what it does, what it may change, and how to ask for it."""
    can: str
    can_by: str
    """How something is asked for."""
    can_several: str
    cannot: str
    cannot_near: str
    local: str
    sent_away: str
    servers: str
    online: str
    needs_network: str
    needs_none: str
    asks_first: str
    kept: str
    who: str
    by_rules: str
    by_model: str


@dataclass(frozen=True)
class Phrases:
    """One language's sentences. Fields with several are turned through, so that the tone stays alive."""

    language: str
    model_note: str
    """How to get a model. The window's page is named as its button is."""
    talk: dict[SmallTalk, tuple[str, ...]]
    """The first words of the designed answer to small talk."""
    can_do: str
    can_do_nothing: str
    teach: str
    can_do_more: str
    can_do_briefly: str
    """In place of the list, once that was said."""
    alternative: str
    """Between the examples of `can_do_more` and `can_do_briefly`."""
    quoted: str
    example: str
    cannot: str
    code_pasted: str
    cannot_converse: str
    declined: str
    not_asked: str
    """To an order that is only spoken of."""
    on_condition: str
    not_private: str
    told: str
    nearest: str
    nearest_end: str
    proposed: dict[Risk, tuple[str, ...]]
    started: str
    initiated: str
    command_ended: str
    command_failed: str
    remembered: str
    remembered_too: str
    nothing_remembered: str
    said_of_today: str
    show_place: str
    """The words of the link to where something was said."""
    you_said: str
    i_said: str
    somebody_said: str
    moment: str
    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    withheld: str
    withheld_with: str
    no_reason: str
    asked: str
    """With the parameter's name, which makes the question, and its description."""
    asked_plain: str
    """With a description alone: the name is no word, or what is wanted is a number or a yes or no."""
    asked_named: str
    """With the name alone: there is no description."""
    asked_choices: str
    looks_once: str
    asked_examples: str
    candidate_line: str
    cannot_leave_out: str
    unused: str
    asked_why: str
    asked_unknown: str
    asked_later: str
    asked_again: str
    choice: str
    choice_line: str
    choice_end: str
    choice_again: str
    cancel_hint: str
    finished_empty: str
    finished_nothing: str
    failed: str
    failed_because: str
    exit_code: str
    exit_meanings: dict[int, str]
    last_words: str
    cancelled: str
    interrupted: str
    stopped_for_good: str
    rejected: str
    expired: str
    card_expired: str
    reminded: str
    reminded_soon: str
    """Without the time, where it is not known."""
    amended: str
    not_amended: str
    not_amended_because: str
    not_ended: str
    dropped: str
    unsettled: str
    unsettled_one: str
    unsettled_line: str
    unsettled_end: str
    not_last: str
    """A yes to it, when other things were said since."""
    halted: str
    """A yes to it, when the person held on just before."""
    not_last_by_name: str
    """The same, where only these words will do."""
    not_named: str
    yes_to: str
    yes_to_run: str
    """The same for what others named: any title may follow."""
    by_card_only: str
    """In place of both, where no words name it."""
    which_stops: str
    which_stops_end: str
    more_items: str
    more_lines: str
    last_words_of: str
    whole_output: str
    cut_output: str
    yes: str
    no: str
    nothing: str
    and_more: str
    list_separator: str
    gap: str
    """Between two sentences."""
    need_whole_number: str
    need_number: str
    need_yes_or_no: str
    need_choice: str
    need_path: str
    need_quotes: str
    need_object: str
    need_something: str
    too_small: str
    too_large: str
    too_short: str
    too_long: str
    unfit: str
    chain: ChainPhrases
    account: AccountPhrases

    def name(self, key: str) -> str:
        """A key within a sentence."""
        return fact_names(self.language).get(key) or fact_name(key)

    def head(self, key: str) -> str:
        """A key where a line or a column begins."""
        return fact_names(self.language).get(key) or head(key)


_PHRASES = TypeAdapter(Phrases)
ENGLISH = _PHRASES.validate_python(messages("starter", "en"))
CHINESE = _PHRASES.validate_python(messages("starter", "zh"))


def phrases_for(*texts: str) -> Phrases:
    """The sentences in the language that this task speaks; where it has none, in that of the texts, of which
    the first counts most.
    """
    return phrases_in(spoken_language.get() or conversation_language(texts[::-1]))


def phrases_in(language: str) -> Phrases:
    """The sentences in a language; in English where there are none."""
    return CHINESE if language == CHINESE.language else ENGLISH
