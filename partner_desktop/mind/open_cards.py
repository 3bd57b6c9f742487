"""Open cards: what the person's words do to the cards that wait and to what runs: yes, no, otherwise, stop,
or a question which.

Contract: a yes is to what Partner said last, and what nothing holds is approved only by words that name it
(`ActionRecord.wants_name`). Both are facts, and that the words say yes at all is read here once more, without
any model: a mind may hold a yes back, and add none. Words that want it otherwise approve nothing, nor does a
yes that names another deed than the card's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from partner_desktop.base.paths import expanded_path
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.evidence import NoYes
from partner_desktop.domain.inquiry import AskedAbout, Topic
from partner_desktop.domain.intervention import Confirmation, Intervention, InterventionKind, Settled, Verdict
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Step
from partner_desktop.domain.surroundings import Surroundings
from partner_desktop.language.anaphora import points_back
from partner_desktop.language.arguments.account import unaccounted
from partner_desktop.language.arguments.said_places import takes_away
from partner_desktop.language.arguments.slot import slots_of
from partner_desktop.language.file_questions import said_in_file, said_in_last
from partner_desktop.language.phrase_table import phrase_table
from partner_desktop.language.references import files_named, pointed_at
from partner_desktop.language.rule_table import first_match, groups_of, rule_tables, says, whole
from partner_desktop.language.spans import find_spans
from partner_desktop.language.speech_acts import assent
from partner_desktop.language.speech_acts.imperatives import asks, is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, only_asks, speech_act
from partner_desktop.language.speech_acts.verdicts import Deeds, read, stop_in
from partner_desktop.language.spoken_words import in_plain_words
from partner_desktop.language.terms import FUNCTION_WEIGHT, has_cjk, terms
from partner_desktop.mind.act import (
    Again,
    AmendCard,
    AskAbout,
    AskWhich,
    Decide,
    Interpret,
    Interpretation,
    Intervene,
    Stop,
)
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.card_changes import CardChanges
from partner_desktop.mind.new_requests import RequestReading, SaidWords
from partner_desktop.mind.question import (
    ExtractParams,
    JudgeConfirmation,
    ReadIntervention,
    WordedIntervention,
)

_OTHER = Verdict(Confirmation.OTHER)
_SETTLES = frozenset({Confirmation.CONFIRM, Confirmation.REJECT})
#: What is said to order nothing now.
_IDLE = frozenset({SpeechActKind.REPORT, SpeechActKind.HYPOTHETICAL, SpeechActKind.REFUSAL})
#: A plain yes or no, as it is said before what it goes with.
_SAID = {Confirmation.CONFIRM: "yes", Confirmation.REJECT: "no"}
#: Abilities that new steps, or the owners of a verb, are chosen from, beside those of the cards.
_NEAREST = 12


class CardReading(SaidWords):
    """Reads one thing said against what waits and runs."""

    def __init__(self, asked: Interpret, ask: Ask) -> None:
        # `It` is the card here, and what that is about only where a request of its own is read.
        state = asked.state
        self._around = state.surroundings
        asked = replace(asked, state=replace(state, surroundings=state.surroundings.of_results()))
        super().__init__(asked, ask)
        self._changes = CardChanges(asked, ask)

    async def read(self) -> Interpretation:
        """What the words do to it; all of them are left where they are about something else."""
        kept = await self._kept()
        if kept is not None or not (self._state.cards or self._state.running):
            return kept or Interpretation(rest=self._text)
        said = self._completed()
        verdict = await self._judged(said)
        if verdict.kind in _SETTLES and verdict.settled:
            return await self._decided(verdict, said)
        card = self._last()
        if card is not None and (looked := await self._looked_at(card)) is not None:
            return looked
        if verdict.kind is Confirmation.UNCLEAR and not assent.left_of(self._text):
            return self._asking_which() if self._state.said_last else Interpretation(rest=self._text)
        # What could be about one step is that before it is about the whole card.
        found = await self._of_steps(verdict) or (
            await self._to_card(card)
            if card is not None
            else await self._of_before() or await self._to_newest()
        )
        if found is None and verdict.kind is Confirmation.UNCLEAR:
            return self._asking_which()
        return found or Interpretation(rest=self._text)

    async def _looked_at(self, card: ActionRecord) -> Interpretation | None:
        """What shows more of a card, and does nothing: its trial, or the answer to a question."""
        trial = await self._changes.trial(card)
        if trial is not None:
            return Interpretation.of(trial)
        asks_it = small_talk(self._text) is None and await asyncio.to_thread(only_asks, self._text)
        return await self._asked_of(card) if asks_it else None

    def _asking_which(self, said: Confirmation | None = None) -> Interpretation:
        """Partner asks; after `no wait` a bare yes is asked about once more."""
        if said is not None:
            return Interpretation.of(AskWhich(said))
        said = assent.judge(self._text)
        halted = said is Confirmation.UNCLEAR and assent.halts(self._text)
        return Interpretation.of(
            AskWhich(said if halted or said is not Confirmation.UNCLEAR else Confirmation.OTHER)
        )

    # Yes and no.

    def _completed(self) -> str:
        """`the second` alone, said when it was asked which is meant, goes with the yes or no before it."""
        text, waiting = self._text, self._state.cards
        before = _SAID.get(self._state.before, "")
        if before and len(waiting) > 1:
            pointed = pointed_at(" ".join(text.casefold().strip(" .!。！").split()), waiting, by_name=False)
            return f"{before}, {text}" if pointed is not None else text
        return text

    async def _judged(self, said: str) -> Verdict:
        if not self._state.cards:
            return _OTHER
        return await self._ask(
            JudgeConfirmation(
                said, self._state.cards, turn=self._asked.turn, also_called=self._state.also_called
            )
        )

    async def _decided(self, verdict: Verdict, said: str) -> Interpretation:  # noqa: PLR0911 - one outcome a doubt
        cards = {card.id: card for card in self._state.cards}
        approved = {one.action_id for one in verdict.settled if one.kind is Confirmation.CONFIRM}
        card = next(iter(cards.values())) if len(cards) == 1 else None
        known = self._state.said_last | self._state.told_since
        if approved and not assent.is_firm(said) and not approved <= known:
            return Interpretation(rest=self._text)  # it agrees to something else
        if approved and self._state.before is Confirmation.UNCLEAR and says("assent", "points", said):
            return self._asking_which(Confirmation.UNCLEAR)
        if card is not None and assent.left_of(self._text):
            deeds = await self._deeds(card)
            if approved and self._is_of_some(card):
                return self._asking_which()
            if approved and deeds.names_own and not card.wants_name:
                says_yes = await self._ends_with_yes(card, deeds)
                return self._settled(card, Confirmation.CONFIRM if says_yes else deeds.says)
            if approved and deeds.names_another:
                return self._asking_which()
            if not approved and (found := await self._changed(card)) is not None:
                return found
        return Interpretation.of(Decide(verdict.settled, self._held(said)))

    def _held(self, said: str) -> Mapping[str, NoYes]:
        """Of each card that the words do not approve: why."""
        cards = self._state.cards
        yes = {
            one.action_id: one
            for one in read(said, cards, self._state.also_called).settled
            if one.kind is Confirmation.CONFIRM
        }
        reasons = {card.id: self._reason(card, yes.get(card.id), said) for card in cards}
        return {name: reason for name, reason in reasons.items() if reason is not None}

    def _reason(self, card: ActionRecord, said: Settled | None, text: str) -> NoYes | None:
        """Why words do not approve a card; `None` where they do."""
        if said is None:
            return ""
        if card.id not in self._state.said_last:
            return "not_last"
        if self._state.before is Confirmation.UNCLEAR and assent.is_bare(text):
            return "halted"
        return "not_named" if card.wants_name and not said.named else None

    def _last(self) -> ActionRecord | None:
        """The one card that was said last."""
        cards = [card for card in self._state.cards if card.id in self._state.said_last]
        return cards[0] if len(cards) == 1 else None

    async def _deeds(self, card: ActionRecord, words: str = "") -> Deeds:
        """What the words say is to be done, against what the card does."""
        keys = [step.key for step in card.chain.steps] if card.chain is not None else [card.key]
        own = [info for key in keys if (info := self._ability(key)) is not None]
        ranked = (await self._meaning(self._text)).ranked[:_NEAREST]
        others = [one.info for one in ranked if one.info.key not in keys]
        things = [each.words for each in (await self._resolved(words or self._text, asked=True)).references]
        return Deeds(words or self._text, own, others, requested=card.request_text, things=things)

    # What waits or runs in steps.

    async def _of_steps(self, verdict: Verdict) -> Interpretation | None:
        """What the words want of chains, or to stop; `None` where they are about something else."""
        running = self._state.running
        chains = [record for record in (*self._state.cards, *running) if record.chain is not None]
        if verdict.kind is not Confirmation.OTHER and not any(card in chains for card in self._state.cards):
            return None
        # While a card waits, a plain “stop” is a no to that.
        stop = stop_in(self._text, running, by_name=False) if not self._state.cards else None
        if stop is None:
            wish = await self._intervention(chains) if chains else None
            stop = stop_in(self._text, running, by_name=True)
            # Words that want something to stop put nothing in, whatever a mind reads in them.
            if wish is not None and (stop is None or not _only_adds(wish)):
                return Interpretation.of(Intervene(wish))
        return Interpretation.of(Stop(stop.ids)) if stop is not None else None

    async def _intervention(self, chains: Sequence[ActionRecord]) -> WordedIntervention | None:
        near = {one.info.key: one.info for one in (await self._meaning(self._text)).ranked[:_NEAREST]}
        keys = [step.key for record in chains if record.chain is not None for step in record.chain.steps]
        near |= {key: info for key in keys if (info := self._ability(key)) is not None}
        asked = ReadIntervention(self._text, chains, tuple(near.values()), turn=self._asked.turn)
        wish = await self._ask(asked)
        if wish is None or not (wish.interventions or wish.order):
            return None
        of_before = {card.id for card in self._state.cards} - self._state.said_last
        if wish.action_id in of_before and _only_adds(wish):
            return None  # since the plan was told of, other things were said: it is something new
        return wish if any(record.id == wish.action_id for record in chains) else None

    async def _kept(self) -> Interpretation | None:
        """Of a plan that takes things away: what is to stay is left out of it; Partner asks where it cannot
        be told. `None`: the words keep nothing."""
        chains = [card for card in self._state.cards if card.chain is not None]
        if len(chains) != 1 or says("assent", "replaces", self._text):
            return None
        (card,) = chains
        files = self._files_taken(card)
        said = phrase_table("kept_things").read(self._text)
        clauses = [self._text] if said is not None else assent.clauses_of(self._text)
        clauses = [clause for clause in clauses if assent.left_of(clause)]
        phrases = [phrase_table("kept_things").read(clause) for clause in clauses] if files else []
        words = [phrase.groups["which"].casefold() for phrase in phrases if phrase is not None]
        named = [
            tuple(files) if whole("account", "original", each) else files_named(each, card, files)
            for each in words
        ]
        if not any(each is not None for each in named):
            apart = [word for each in words for word in each.split()]
            about = any(files_named(word, card, files) is not None for word in apart)
            asks_too = (about and (await self._deeds(card)).names_own) or [
                each for each in words if await self._is_thing(each)
            ]
            return self._asking_which() if asks_too else None
        if not all(named) or len(words) < len(phrases):
            return self._asking_which()
        ids = tuple(dict.fromkeys(name for each in named for name in each or ()))
        gone = Intervention(InterventionKind.DELETE, step_ids=ids)
        return Interpretation.of(Intervene(WordedIntervention(card.id, (gone,))))

    def _files_taken(self, card: ActionRecord) -> dict[str, str]:
        """What the steps of a plan take away from where it is, by step."""
        return {
            step.id: str(step.params[slot.name])
            for step in (card.chain.steps if card.chain is not None else ())
            if (info := self._ability(step.key)) is not None
            for slot in slots_of(info)
            if takes_away(slot) and slot.name in step.params
        }

    def _is_of_some(self, card: ActionRecord) -> bool:
        """Whether words name what some steps take away, and others not: that is no yes to all of them."""
        said = {term.stem for term in terms(self._text) if term.weight > FUNCTION_WEIGHT}
        names = [terms(PurePath(path).stem) for path in self._files_taken(card).values()]
        named = [not said.isdisjoint(term.stem for term in name) for name in names]
        return any(named) and not all(named)

    async def _is_thing(self, words: str) -> bool:
        """Whether words are the name of a thing that is there, and nothing else."""
        named = (await self._resolved(words, asked=True)).references
        return [each.words.casefold().strip() for each in named] == [words.strip()]

    # One card, in other words than yes and no.

    async def _to_card(self, card: ActionRecord) -> Interpretation | None:
        """What words do to the card that was said last; `None`: they are about something else.

        A no ends the card whatever follows it, unless that says how the card is to be.
        """
        deeds = await self._deeds(card)
        says_yes = await self._ends_with_yes(card, deeds)
        if (both := await self._yes_and_more(card)) is not None:
            return both
        says_yes = says_yes or self._agrees_to_all()
        if says_yes or deeds.names_own:
            if self._is_of_some(card):
                return self._asking_which()
            return self._settled(card, Confirmation.CONFIRM if says_yes else deeds.says)
        other = self._by_other if deeds.names_another else None
        found = await (other(card, deeds) if other is not None else self._changed(card))
        return found or await self._refused(card, deeds) or await self._beside(card)

    def _agrees_to_all(self) -> bool:
        """`Yes both`, to the only card, of the things that are in it."""
        kind, rest = assent.lead(self._text)
        return (
            kind is Confirmation.CONFIRM
            and len(self._state.cards) == 1
            and bool(whole("pointing", "all", rest))
        )

    async def _to_newest(self) -> Interpretation | None:
        """What words make of the newest of several cards that were said last: it asks again."""
        cards = [card for card in self._state.cards if card.id in self._state.said_last]
        if len(cards) < 2 or await asyncio.to_thread(only_asks, self._text):
            return None
        card = cards[-1]
        deeds = await self._deeds(card)
        if deeds.names_another:
            return self._by_twin(card, deeds)
        wanted = await self._changes.wanted(card)
        return Interpretation.of(wanted) if wanted is not None else None

    async def _by_other(self, card: ActionRecord, deeds: Deeds) -> Interpretation | None:
        """Another deed in the place of the card's, where the words want that."""
        if twin := self._by_twin(card, deeds):
            return twin
        if deeds.alone and deeds.says is Confirmation.CONFIRM:
            return self._asking_which()
        return await self._instead(card, deeds)

    def _said_after_yes(self) -> tuple[str, str]:
        """A firm yes and what follows it, unless that limits or replaces what it is to; empty: nothing."""
        text = self._asked.plainly[0].said if self._asked.plainly else self._text  # an `嗯` is a yes here
        found = first_match("assent", "yes_and", text)
        said = groups_of(found) if found is not None else {}
        yes, words = said.get("yes", ""), said.get("more", "")
        firm = assent.judge(yes) is Confirmation.CONFIRM and assent.is_firm(yes)
        against = says("assent", "limits", words) or says("assent", "replaces", words)
        return (yes, words) if firm and not (against or says("assent", "condition", text)) else ("", "")

    async def _yes_and_more(self, card: ActionRecord) -> Interpretation | None:
        """A firm yes, and what is wanted next of what the card leaves: `yes and put them in there`."""
        yes, words = self._said_after_yes()
        if not words or card.wants_name or self._held("yes") or self._is_of_some(card):
            return None
        more = await asyncio.to_thread(lambda: in_plain_words(self._with_thing(words, card, left=True)).plain)
        meant = (await self._meaning(more)).meant
        deeds = await self._deeds(card, words)
        spoken = await asyncio.to_thread(speech_act, more)
        if not meant or deeds.names_own or not asks(more, meant) or spoken.kind is not SpeechActKind.COMMAND:
            return None
        named = find_spans(words) or (await self._resolved(words, asked=True)).references
        same = (deeds.alone and not named) or says("assent", "thing", words)  # `yes and delete it`: of which?
        if not self._puts_inside(card) and (same or assent.takes_note(yes)):
            return self._asking_which(Confirmation.UNCLEAR)
        return Interpretation((Decide((Settled(card.id, Confirmation.CONFIRM),)),), rest=more)

    async def _changed(self, card: ActionRecord) -> Interpretation | None:
        """The card as the words want it, where they say how."""
        wanted = await self._changes.wanted(card) if not self._puts_inside(card) else None
        adds = says("assent", "adds", self._text)
        if adds and wanted is not None and any("/" in str(value) for value in wanted.new_values):
            return await self._of_others(card, adds=True)
        limits = assent.lead(self._text)[0] is not None or says("assent", "limits", self._text)
        unkept = await self._changes.left_out(card, wanted) if wanted is not None or limits else None
        if unkept is not None:
            return Interpretation.of(AmendCard(card, card.params, unkept=unkept))
        if wanted is not None:
            return Interpretation.of(wanted)
        return await self._of_others(card, adds=adds)

    async def _of_others(self, card: ActionRecord, *, adds: bool) -> Interpretation | None:
        """What `the other one` wants: the one other thing there is, beside the card's or in its place."""
        others = self._changes.others(card)
        if adds and len(others) == 1:
            params = self._changes.with_other(card, others[0])
            return Interpretation.of(Again(self._text, card, params)) if params is not None else None
        # Whatever is pointed at next is one of them, and not what the card has.
        return Interpretation.of(AskWhich(Confirmation.UNCLEAR, others)) if others else None

    def _puts_inside(self, card: ActionRecord) -> bool:
        """Whether something goes into the folder that a card makes, which is nowhere on the disk yet."""
        info = self._ability(card.key)
        new = info is not None and any("x-partner-new" in slot.schema for slot in slots_of(info))
        return new and says("assent", "there", self._text)

    async def _beside(self, card: ActionRecord) -> Interpretation | None:
        """Something else for the thing that the card is about, or a doubt."""
        agrees = any(self._said_after_yes())  # that is not dropped in silence
        words = self._with_thing(self._text, card, left=True) if self._puts_inside(card) else self._text
        replies = assent.lead(self._text)[0] is not None
        if points_back(self._text) and not (agrees or replies) and (await self._meaning(words)).meant:
            return Interpretation(rest=words)
        left = terms(assent.left_of(self._text))  # not of `also thank you`
        adds = says("assent", "adds", self._text) and any(each.weight > FUNCTION_WEIGHT for each in left)
        if adds and (again := await self._once_more(card, self._text)) is not None:
            return Interpretation.of(again)
        return self._asking_which() if replies and not (await self._meaning(self._text)).meant else None

    async def _asked_of(self, card: ActionRecord) -> Interpretation:
        """A question changes nothing: the card answers it, or a look at its thing, or at another."""
        text = self._text
        about = says("assent", "outcome", text) or says("assent", "other_one", text)
        if not about and await asyncio.to_thread(_is_of_a_file, text, self._around):
            return Interpretation(rest=text)
        said = text if about else (await self._resolved(text)).text
        meant = () if about else (await self._meaning(said)).meant
        asked = any(asks(each, meant) for each in (said, said.partition(": ")[2]) if each)
        if asked and meant and all(info.annotations.read_only for info in meant):
            return Interpretation(rest=text)
        told = says("assent", "outcome", text) or says("assent", "which_thing", text)
        return Interpretation.of(AskAbout(AskedAbout(Topic.PLAN, beyond=not told)))

    async def _once_more(self, card: ActionRecord, text: str) -> Again | None:
        """What the card does, with something else beside: `and cat.png as well`."""
        asked = replace(self._asked, state=replace(self._state, last=card, cards=(), beside_open=True))
        again = await (await RequestReading.to_the_point(asked, self._ask)).again(text)
        return again if again is not None and again.record is not None else None

    def _settled(self, card: ActionRecord, said: Confirmation) -> Interpretation:
        """Naming the deed of a card is a yes to it, unless the words around are a no."""
        if said is Confirmation.UNCLEAR:
            return self._asking_which()
        kind = Confirmation.CONFIRM if said is Confirmation.OTHER else said
        held = self._held("yes") if kind is Confirmation.CONFIRM else {}
        if not card.wants_name and held.get(card.id) in ("not_last", "halted"):
            held = {}  # what is named is meant
        return Interpretation.of(Decide((Settled(card.id, kind),), held))

    async def _ends_with_yes(self, card: ActionRecord, deeds: Deeds) -> bool:
        """Whether a yes is a clause of its own, behind others that say nothing against it: `no use to anyone,
        delete it`."""
        *before, last = assent.clauses_of(self._text) or [""]
        if not before or deeds.names_another or says("assent", "condition", self._text):
            return False
        against = [at for at, clause in enumerate(before) if assent.speaks_against(clause)]
        firm = [
            assent.judge(each) is Confirmation.CONFIRM and assent.is_firm(each) for each in (*before, last)
        ]
        if assent.speaks_against(last) or (against and not any(firm[against[-1] + 1 : -1])):
            return False  # behind a no only a yes and the deed will do: `no, it's fine, yes, delete it`
        if not (firm[-1] and not against):
            # A verb alone behind a reason may be no verb: `I met Lou about the compost, note`.
            alone = len(last.split()) == 1 and not has_cjk(last) and assent.left_of(", ".join(before))
            if alone or not (await self._deeds(card, last)).names_own:
                return False
        spoken = await asyncio.to_thread(speech_act, self._text)
        said = await self._resolved(", ".join(before))
        names = said.references or said.doubtful or find_spans(said.text) or "?" in self._text
        return not (spoken.kind in _IDLE or names or any(map(is_question, before)))

    def _by_twin(self, card: ActionRecord, deeds: Deeds) -> Interpretation | None:
        """The same by another deed that takes all that the card says: `hmm copy`, to what moves."""
        other, words = deeds.other, self._text
        steps: Sequence[Step | ActionRecord] = card.chain.steps if card.chain is not None else (card,)
        keys = {step.key for step in steps}
        told = {name for step in steps for name in step.params}
        refused = [clause for clause in assent.clauses_of(words) if deeds.are_own(clause)]
        left = assent.left_of(deeds.other_clause)
        found = terms(left.replace("'", ""))  # `dont` is a word of grammar
        said = [each for each in found if each.weight > FUNCTION_WEIGHT and not deeds.are_own(each.word)]
        alone = (deeds.alone or refused) and len(said) <= 1 and not find_spans(left)  # the verb
        if other is None or not alone or len(keys) != 1 or not told <= other.properties().keys():
            return None
        if set(other.required()) - told or other.annotations.read_only:
            return None
        record = replace(card, key=other.key, title=other.title) if card.chain is None else card
        chain = _with_ability(card.chain, other) if card.chain is not None else None
        no_more = Decide((Settled(card.id, Confirmation.REJECT),))
        params = card.params if card.chain is None else {}
        return Interpretation((no_more, Again(words, record, params, chain=chain, terms=card.terms)))

    async def _instead(self, card: ActionRecord, deeds: Deeds) -> Interpretation | None:
        """Another deed in the place of the card's, for the same thing: `copy it instead`.

        What stands in the card, and is not said anew, goes with it.
        """
        info, other, words = self._ability(card.key), deeds.other, deeds.other_clause
        no = assent.no_at_the_beginning(self._text) is not None or assent.is_refused(self._text)
        refuses = no or (await asyncio.to_thread(speech_act, self._text)).kind is SpeechActKind.REFUSAL
        if not info or not other or not (refuses or says("assent", "replaces", self._text)):
            return None
        carried = _carried(info, other, card.params)
        thing = next(iter(carried), "")
        if not thing:
            return None
        named = self._with_thing(words, card)
        said = named if named != words else f"'{carried[thing]}' {words}"
        known = {name: value for name, value in carried.items() if name != thing}
        found = await self._find(ExtractParams(said, other, known=known, amends=True))
        rest = await asyncio.to_thread(unaccounted, words, other, found.values)
        left = [each for each in rest if not deeds.are_own(each.words)]
        if _in_full(found.values.get(thing)) != _in_full(carried[thing]) or left:
            return None
        no_more = Decide((Settled(card.id, Confirmation.REJECT),))
        return Interpretation((no_more, Again(self._text, replace(card, key=other.key), found.values)))

    async def _refused(self, card: ActionRecord, deeds: Deeds) -> Interpretation | None:
        """The card is not wanted, and what may be wanted in its place."""
        spoken = await asyncio.to_thread(speech_act, self._text)
        refuses = spoken.kind is SpeechActKind.REFUSAL
        rest = assent.no_at_the_beginning(self._text)
        if rest is None and not refuses and not assent.is_refused(self._text):
            return None
        info = self._ability(card.key)
        kept = info is not None and not any(map(takes_away, slots_of(info)))
        plain_no = any(assent.judge(each) is Confirmation.REJECT for each in assent.clauses_of(self._text))
        if kept and says("account", "stays", self._text) and not plain_no:
            return self._asking_which()  # what is only read stays anyway
        follows = (spoken.order_text if refuses else "") or deeds.other_clause or rest or ""
        meant = (await self._meaning(follows)).meant if follows else ()
        wanted = self._with_thing(follows, card) if meant and asks(follows, meant) else None
        return Interpretation((Decide((Settled(card.id, Confirmation.REJECT),)),), rest=wanted)

    def _with_thing(self, words: str, card: ActionRecord, *, left: bool = False) -> str:
        """Words with the thing of a card in the place of their first pronoun; `left`: with what it leaves."""
        info = self._ability(card.key)
        slots = [slot for slot in slots_of(info) if slot.is_place] if info else []
        slots.sort(key=lambda slot: left and not (slot.is_destination or slot.is_made))
        things = [card.params[slot.name] for slot in slots if slot.name in card.params]
        if not things or not isinstance(things[0], str):
            return words
        thing = f"'{things[0]}'"
        for table in rule_tables("assent", words):
            if (named := table["thing"].search(words)) is not None:
                return f"{words[: named.start()]}{thing}{words[named.end() :]}"
            if left and (there := table["there"].search(words)) is not None:
                place = table.section("templates")["there"].format(thing=thing)
                return f"{words[: there.start()]}{place}{words[there.end() :]}"
            if (inside := table["inside"].search(words)) is not None:
                return f"{words[: inside.start()]}{thing}{words[inside.start() :]}"
        return words

    async def _of_before(self) -> Interpretation | None:
        """What words do to the one card that waits, where something else was said after it: a no in a clause
        of its own ends it, and a yes that names its deed is to it."""
        if self._state.said_last or len(self._state.cards) != 1:
            return None
        (card,) = self._state.cards
        deeds = await self._deeds(card)
        if deeds.names_own:
            return self._settled(card, deeds.says)
        return await self._refused(card, deeds) if assent.is_refused(self._text) else None


def _with_ability(chain: Plan, info: MetaActionInfo) -> Plan:
    """The same steps by another ability."""
    stages = [
        replace(stage, steps=tuple(replace(step, key=info.key, title=info.title) for step in stage.steps))
        for stage in chain.stages
    ]
    return replace(chain, stages=tuple(stages))


def _is_of_a_file(text: str, surroundings: Surroundings) -> bool:
    """Whether it is asked what a file says, which is there to be read."""
    return (said_in_file(text, surroundings) or said_in_last(text, surroundings)) is not None


def _carried(info: MetaActionInfo, other: MetaActionInfo, params: JsonObject) -> JsonObject:
    """The paths of a card that another ability takes, too: what it is about, and those of the same name."""
    mine = [slot for slot in slots_of(info) if slot.is_path and slot.name in params]
    theirs = [slot for slot in slots_of(other) if slot.is_path]
    told = [slot for slot in mine if params[slot.name] != slot.schema.get("default")]
    same = {slot.name: params[slot.name] for slot in told if slot.name in {each.name for each in theirs}}
    return {theirs[0].name: params[mine[0].name], **same} if mine and theirs else {}


def _in_full(path: Json) -> str:
    return str(expanded_path(str(path)))


def _only_adds(wish: WordedIntervention) -> bool:
    adds = (InterventionKind.APPEND, InterventionKind.INSERT)
    return all(one.kind in adds for one in wish.interventions)
