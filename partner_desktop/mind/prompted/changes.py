"""Changes of a chain as a model answers them, and the interventions that they become: how a chain that
went wrong goes on, and, behind plain phrases, whether words want something of it to be otherwise.

Security: a change is only a wish, and nothing that a model reads here approves anything. Its abilities are
among those that were shown, its stages exist, and its words were said by the person or stand in the chain;
what a tool said is no ground for any of them. It may add steps, which ask. It takes steps out, ends the
work or begins it anew only where there is something of the kind in the person's own words: what is done
here counts as said by the person. Whether something new may run, the person and the permissions decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Stage, StepStatus
from partner_desktop.domain.intervention import Confirmation, Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.rule_table import says
from partner_desktop.language.speech_acts.assent import judge
from partner_desktop.language.speech_acts.imperatives import is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities, chain_lines, turn_of
from partner_desktop.mind.prompted.answers import (
    ChangeAnswer,
    ChangesAnswer,
    InterventionAnswer,
    StepWish,
    list_of,
    object_schema,
    one_of,
    read_answer,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.intent import OPEN_SCORE, Grounds, wanted
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written
from partner_desktop.mind.question import (
    CorrectChain,
    EvaluateIntent,
    IntentEvaluation,
    Mind,
    ReadIntervention,
    WordedIntervention,
)

#: Tokens of an answer with a few changes.
MOST_TOKENS = 640
_MOST_CHANGES, _MOST_STEPS, _WORDS, _REASON = 4, 8, 240, 200
#: Of a chain that words are compared with: comparing runs on the loop.
_MOST_TEXTS, _TEXT = 90, 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028-\u202e\u2066-\u2069]")
_NEEDS_STEPS = (InterventionKind.APPEND, InterventionKind.INSERT)
_STANDS_ALONE = (InterventionKind.CANCEL, InterventionKind.REBUILD)


def changes_schema(named: NamedAbilities, most_stages: int) -> JsonObject:
    """What decoding is held to: a few changes, each of what is there."""
    ability: JsonObject = one_of(*named.names) if named.names else {"type": "string"}
    wish = object_schema(ability=ability, words=text_of_at_most(_WORDS))
    change = object_schema(
        kind=one_of(*(kind.value for kind in InterventionKind)),
        stage={"type": "integer", "minimum": 0, "maximum": most_stages},
        steps=list_of(wish, most=_MOST_STEPS if named.names else 0),
        reason=text_of_at_most(_REASON),
    )
    return list_of(change, most=_MOST_CHANGES)


@dataclass(frozen=True)
class ChangeReader:
    """Reads the changes of one chain."""

    chain: Chain
    named: NamedAbilities
    texts: tuple[str, ...]
    """What the words of new steps may come from."""
    asks: str = ""
    """Words of the person that a new step has to have to do with; empty: no such words are there."""
    mending: bool = False
    """Whether the changes are to make good what failed."""

    @cached_property
    def _grounds(self) -> Grounds:
        return Grounds(*self.texts)

    def interventions(self, changes: Sequence[ChangeAnswer]) -> tuple[Intervention, ...]:
        """The changes, checked.

        Raises:
            FlawError: One cannot be meant so.
        """
        kinds = {InterventionKind(change.kind) for change in changes}
        alone = len(changes) == 1 or not kinds & set(_STANDS_ALONE)
        if len(changes) > _MOST_CHANGES or not alone:
            raise FlawError(Flaw.VALUES)
        found = tuple(self._intervention(change) for change in changes)
        if any(one in found[:index] for index, one in enumerate(found)):
            raise FlawError(Flaw.VALUES)
        return found

    def _intervention(self, change: ChangeAnswer) -> Intervention:
        kind, reason = InterventionKind(change.kind), _plain(change.reason, _REASON)
        if kind is InterventionKind.CANCEL:
            return Intervention(kind, reason=reason)
        if len(change.steps) > _MOST_STEPS or (kind in _NEEDS_STEPS and not change.steps):
            raise FlawError(Flaw.VALUES)
        if kind is InterventionKind.DELETE:
            stage = self._stage(change.stage)
            return Intervention(kind, change.stage, step_ids=self._ids(stage, change.steps), reason=reason)
        steps = tuple(self._new_step(wish) for wish in change.steps)
        at = 0 if kind is InterventionKind.REBUILD else self._place(kind, change.stage)
        return Intervention(kind, at, steps, mends=self._mended(kind, steps), reason=reason)

    def _place(self, kind: InterventionKind, stage: int) -> int:
        """Where something new comes: never among what is settled."""
        if kind is InterventionKind.INSERT:
            self._stage(stage)
        elif stage and not self.chain.at <= stage <= len(self.chain.stages):
            raise FlawError(Flaw.STAGE)
        return stage

    def _stage(self, number: int) -> Stage:
        if not self.chain.at < number <= len(self.chain.stages):
            raise FlawError(Flaw.STAGE)
        return self.chain.stages[number - 1]

    def _ids(self, stage: Stage, wishes: Sequence[StepWish]) -> tuple[str, ...]:
        """The steps of a stage that are named by their abilities; empty: all of it."""
        found: list[str] = []
        for wish in wishes:
            info = self.named.named(wish.ability)
            ids = [step.id for step in stage.steps if step.key == info.key]
            if len(ids) != 1:
                raise FlawError(Flaw.CHOICE, [self.named.name_of(step.key) for step in stage.steps])
            found += ids
        return tuple(found)

    def _new_step(self, wish: StepWish) -> NewStep:
        info, words = self.named.named(wish.ability), _plain(wish.words, _WORDS)
        names = (info.title, *info.aliases, info.description)
        if not self._grounds.calling(names).hold(words):
            raise FlawError(Flaw.UNSAID)
        if self.asks and not Grounds(self.asks).touch(" , ".join((words, *names))):
            raise FlawError(Flaw.UNSAID)
        return NewStep(info.key, words)

    def _mended(self, kind: InterventionKind, steps: Sequence[NewStep]) -> str:
        """The failed step that is tried once more. Another ability makes nothing good by itself."""
        if not self.mending or kind not in _NEEDS_STEPS or len(steps) != 1:
            return ""
        mended = {step.mends for step in self.chain.steps if step.status is StepStatus.SUCCEEDED}
        failed = [step for step in self.chain.steps if step.status is StepStatus.FAILED]
        left = [step for step in failed if step.id not in mended]
        return left[0].id if len(left) == 1 and left[0].key == steps[0].key else ""


def words_of_chain(action: ActionRecord) -> tuple[str, ...]:
    """What stands in a chain by the person's own words and yes; nothing that a tool said."""
    chain = action.chain or Chain(())
    texts = [text for step in chain.steps for text in (step.title, step.text, *_values(step.params))]
    return (action.request_text, *(text[:_TEXT] for text in texts[:_MOST_TEXTS]))


def _values(params: JsonObject) -> list[str]:
    return [value if isinstance(value, str) else written(value) for value in params.values()]


def _plain(text: str, limit: int) -> str:
    """One line.

    Raises:
        FlawError: It is longer, or holds what no text should.
    """
    line = " ".join(text.split())
    if len(line) > limit or _CONTROL.search(line):
        raise FlawError(Flaw.VALUES)
    return line


_SAID, _PROBLEM, _RANKED_BY = 1_500, 600, 300


async def correct(asker: Asker, starter: Mind, request: CorrectChain) -> tuple[Intervention, ...]:
    """The model's changes, which may be none; the starter's where the model gives no usable answer."""
    chain = request.action.chain or Chain(())
    wish = f"{request.action.request_text} {request.problem[:_RANKED_BY]}"
    own = {step.key for step in chain.steps}
    named = NamedAbilities(await nearest(starter, wish, request.abilities, first=own))
    reader = ChangeReader(chain, named, words_of_chain(request.action), mending=True)

    async def read(text: str) -> tuple[Intervention, ...]:
        return reader.interventions(read_answer(ChangesAnswer, text).changes)

    found = await asker.ask(
        request,
        read,
        {
            "said": quoted(request.action.request_text, _SAID),
            "chain": chain_lines(request.action, request.steps, named),
            "problem": quoted(request.problem, _PROBLEM),
            "abilities": named.lines() or "-",
        },
        turn=request.turn or turn_of(request.action),
        schema=object_schema(changes=changes_schema(named, len(chain.stages))),
        max_tokens=MOST_TOKENS,
    )
    return await starter.ask(request) if found is None else found


async def nearest(
    starter: Mind, text: str, abilities: Sequence[MetaActionInfo], *, first: set[str]
) -> list[MetaActionInfo]:
    """The abilities that are shown: those with these keys first, then what comes near to the text."""
    if len(abilities) <= MOST_SHOWN:
        return list(abilities)
    ranked = (await starter.ask(EvaluateIntent(text, abilities))).ranked
    own = [info for info in abilities if info.key in first]
    others = [item.info for item in ranked if item.info.key not in first]
    return [*own, *others][:MOST_SHOWN]


#: A longer text is a request of its own.
_LONGEST = 400
_MOST_CHAINS = 3
#: The rules of `chain_changes.toml`: words that put one thing beside, before or in the place of another; what
#: asks to be told; and, by its name, what is said where a change of a kind is asked for.
_CUES, _TELL_ME = "cues", "tell_me"
_SAID_FOR = (InterventionKind.DELETE, InterventionKind.CANCEL, InterventionKind.REBUILD)


async def read(asker: Asker, starter: Mind, request: ReadIntervention) -> WordedIntervention | None:
    """The starter's reading where it is one; else the model's, if the words may be about a chain."""
    plain = await starter.ask(request)
    if plain is not None or not request.chains or not _may_be_one(request.text):
        return plain
    chains = list(request.chains)[-_MOST_CHAINS:]
    evaluated = await starter.ask(EvaluateIntent(request.text, request.abilities, request.turn))
    if not _is_near(request.text, chains, evaluated):
        return None
    own = {step.key for action in chains for step in (action.chain or Chain(())).steps}
    named = NamedAbilities(await nearest(starter, request.text, request.abilities, first=own))
    found = await asker.ask(
        request,
        _Reading(request.text, chains, named).read,
        {
            "chains": _listed(chains, named),
            "abilities": named.lines() or "-",
            "said": quoted(request.text),
        },
        turn=request.turn,
        schema=_schema(chains, named),
        max_tokens=MOST_TOKENS,
    )
    return found[0] if found is not None else None


class _Reading:
    """Reads the model's answers to one question."""

    def __init__(self, text: str, chains: list[ActionRecord], named: NamedAbilities) -> None:
        self._text, self._chains, self._named = text, chains, named

    async def read(self, text: str) -> tuple[WordedIntervention | None]:
        answer = read_answer(InterventionAnswer, text)
        if not 0 <= answer.chain <= len(self._chains):
            raise FlawError(Flaw.VALUES)
        if not answer.chain or not answer.changes:
            return (None,)
        action = self._chains[answer.chain - 1]
        reader = ChangeReader(
            action.chain or Chain(()),
            self._named,
            (self._text, *words_of_chain(action)),
            asks=wanted(self._text) or "-",
        )
        wishes = reader.interventions(answer.changes)
        if not all(_is_said(wish.kind, self._text) for wish in wishes):
            raise FlawError(Flaw.UNSAID)
        return (WordedIntervention(action.id, wishes),)


def _is_said(kind: InterventionKind, text: str) -> bool:
    """Whether the words hold anything that asks for so much; a question changes nothing."""
    asks = is_question(text.strip()) or (_has(_TELL_ME, text) and not _has(_CUES, text))
    return not asks and (kind not in _SAID_FOR or _has(kind.value, text))


def _has(rule: str, text: str) -> bool:
    return says("chain_changes", rule, text)


def _may_be_one(text: str) -> bool:
    if len(text) > _LONGEST or small_talk(text) is not None:
        return False
    return judge(text) is Confirmation.OTHER


def _is_near(text: str, chains: list[ActionRecord], evaluated: IntentEvaluation) -> bool:
    """Whether the words have to do with a step; or with an ability, beside something that is there."""
    if any(Grounds(*words_of_chain(action)).touch(text) for action in chains):
        return True
    best = max((item.score for item in evaluated.ranked), default=0.0)
    return best >= OPEN_SCORE and _has(_CUES, text)


def _listed(chains: list[ActionRecord], named: NamedAbilities) -> str:
    return "\n".join(
        f"Work {number}: {quoted(action.title, 160)}\n{chain_lines(action, (), named)}"
        for number, action in enumerate(chains, 1)
    )


def _schema(chains: list[ActionRecord], named: NamedAbilities) -> JsonObject:
    most = max(len((action.chain or Chain(())).stages) for action in chains)
    return object_schema(
        chain={"type": "integer", "minimum": 0, "maximum": len(chains)},
        changes=changes_schema(named, most),
    )
