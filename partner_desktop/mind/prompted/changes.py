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

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.intervention import Confirmation, Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import Plan, Stage, StepStatus
from partner_desktop.language.rule_table import says
from partner_desktop.language.speech_acts.assent import judge
from partner_desktop.language.speech_acts.imperatives import is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities, chain_lines, turn_of
from partner_desktop.mind.prompted.answers import (
    Answer,
    list_of,
    number_to,
    object_schema,
    one_of,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asker import Asker
from partner_desktop.mind.prompted.intent import OPEN_SCORE, Grounds, wanted
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, quoted, written
from partner_desktop.mind.question import (
    CorrectChain,
    EvaluateIntent,
    Mind,
    ReadIntervention,
    WordedIntervention,
)

#: Tokens of an answer with a few changes.
_MOST_TOKENS = 640
_MOST_CHANGES, _MOST_STEPS, _WORDS, _REASON = 4, 8, 240, 200
#: Of a chain that words are compared with.
_MOST_TEXTS, _TEXT = 90, 300
_SAID, _PROBLEM, _RANKED_BY, _TITLE = 1_500, 600, 300, 160
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028-\u202e\u2066-\u2069]")
_NEEDS_STEPS = (InterventionKind.APPEND, InterventionKind.INSERT)
_STANDS_ALONE = (InterventionKind.CANCEL, InterventionKind.REBUILD)
#: A longer text is a request of its own.
_LONGEST = 400
_MOST_CHAINS = 3
#: The rules of `chain_changes.toml`: words that put one thing beside, before or in the place of another; what
#: asks to be told; and, by its name, what is said where a change of a kind is asked for.
_CUES, _TELL_ME = "cues", "tell_me"
_SAID_FOR = (InterventionKind.DELETE, InterventionKind.CANCEL, InterventionKind.REBUILD)


async def correct(asker: Asker, starter: Mind, request: CorrectChain) -> tuple[Intervention, ...]:
    """The model's changes, which may be none; the starter's where the model gives no usable answer."""
    action, chain = request.action, request.action.chain or Plan(())
    wish = f"{action.request_text} {request.problem[:_RANKED_BY]}"
    named = await _nearest(starter, wish, request.abilities, [action])
    reader = _ChangeReader(chain, named, _words_of_chain(action), mending=True)
    found = await asker.ask(
        request,
        lambda answer: reader.interventions(answer["changes"]),
        {
            "said": quoted(action.request_text, _SAID),
            "chain": chain_lines(action, request.steps, named),
            "problem": quoted(request.problem, _PROBLEM),
            "abilities": named.lines() or "-",
        },
        {"changes": _changes_schema(named, len(chain.stages))},
        turn=request.turn or turn_of(action),
        max_tokens=_MOST_TOKENS,
    )
    return await starter.ask(request) if found is None else found


async def read(asker: Asker, starter: Mind, request: ReadIntervention) -> WordedIntervention | None:
    """The starter's reading where it is one; else the model's, if the words may be about a chain."""
    text, chains = request.text, list(request.chains)[-_MOST_CHAINS:]
    plain = await starter.ask(request)
    if plain is not None or not chains or len(text) > _LONGEST or small_talk(text) is not None:
        return plain
    if judge(text) is not Confirmation.OTHER:
        return None
    if not any(Grounds(*_words_of_chain(action)).touch(text) for action in chains):
        # Words that have nothing to do with a step may put an ability beside what is there.
        ranked = (await starter.ask(EvaluateIntent(text, request.abilities, request.turn))).ranked
        if not _has(_CUES, text) or all(item.score < OPEN_SCORE for item in ranked):
            return None
    named = await _nearest(starter, text, request.abilities, chains)

    def check(answer: Answer) -> WordedIntervention | None:
        if not answer["chain"] or not answer["changes"]:
            return None
        action = chains[answer["chain"] - 1]
        texts = (text, *_words_of_chain(action))
        reader = _ChangeReader(action.chain or Plan(()), named, texts, asks=wanted(text) or "-")
        wishes = reader.interventions(answer["changes"])
        if not all(_is_said(wish.kind, text) for wish in wishes):
            raise FlawError(Flaw.UNSAID)
        return WordedIntervention(action.id, wishes)

    listed = (
        f"Work {number}: {quoted(action.title, _TITLE)}\n{chain_lines(action, (), named)}"
        for number, action in enumerate(chains, 1)
    )
    most_stages = max(len((action.chain or Plan(())).stages) for action in chains)
    return await asker.ask(
        request,
        check,
        {"chains": "\n".join(listed), "abilities": named.lines() or "-", "said": quoted(text)},
        {"chain": number_to(len(chains), least=0), "changes": _changes_schema(named, most_stages)},
        max_tokens=_MOST_TOKENS,
    )


def _is_said(kind: InterventionKind, text: str) -> bool:
    """Whether the words hold anything that asks for so much; a question changes nothing."""
    asks = is_question(text.strip()) or (_has(_TELL_ME, text) and not _has(_CUES, text))
    return not asks and (kind not in _SAID_FOR or _has(kind.value, text))


def _has(rule: str, text: str) -> bool:
    return says("chain_changes", rule, text)


async def _nearest(
    starter: Mind, text: str, abilities: Sequence[MetaActionInfo], chains: Sequence[ActionRecord]
) -> NamedAbilities:
    """The abilities that are shown: those of the chains first, then what comes near to the text."""
    if len(abilities) > MOST_SHOWN:
        ranked = (await starter.ask(EvaluateIntent(text, abilities))).ranked
        keys = {step.key for action in chains for step in (action.chain or Plan(())).steps}
        own = [info for info in abilities if info.key in keys]
        abilities = [*own, *(item.info for item in ranked if item.info.key not in keys)][:MOST_SHOWN]
    return NamedAbilities(abilities)


def _words_of_chain(action: ActionRecord) -> tuple[str, ...]:
    """What stands in a chain by the person's own words and yes; nothing that a tool said."""
    texts: list[str] = []
    for step in (action.chain or Plan(())).steps:
        values = (value if isinstance(value, str) else written(value) for value in step.params.values())
        texts += (step.title, step.text, *values)
    return (action.request_text, *(text[:_TEXT] for text in texts[:_MOST_TEXTS]))


def _changes_schema(named: NamedAbilities, most_stages: int) -> JsonObject:
    """A few changes, each of what is there. Stages are counted from 1."""
    ability: JsonObject = one_of(*named.names) if named.names else {"type": "string"}
    wish = object_schema(ability=ability, words=text_of_at_most(_WORDS))
    change = object_schema(
        kind=one_of(*(kind.value for kind in InterventionKind)),
        stage=number_to(most_stages, least=0),
        steps=list_of(wish, most=_MOST_STEPS if named.names else 0),
        reason=text_of_at_most(_REASON),
    )
    return list_of(change, most=_MOST_CHANGES)


@dataclass(frozen=True)
class _ChangeReader:
    """Reads the changes of one chain."""

    chain: Plan
    named: NamedAbilities
    texts: tuple[str, ...]
    """What the words of new steps may come from."""
    asks: str = ""
    """Words of the person that a new step has to have to do with; empty: no such words are there."""
    mending: bool = False
    """Whether the changes are to make good what failed."""

    def interventions(self, changes: Sequence[Answer]) -> tuple[Intervention, ...]:
        """The changes, checked.

        Raises:
            FlawError: One cannot be meant so.
        """
        found = tuple(map(self._intervention, changes))
        alone = len(found) == 1 or not any(one.kind in _STANDS_ALONE for one in found)
        if not alone or any(one in found[:index] for index, one in enumerate(found)):
            raise FlawError(Flaw.VALUES)
        return found

    def _intervention(self, change: Answer) -> Intervention:
        kind, at, wishes = InterventionKind(change["kind"]), change["stage"], change["steps"]
        reason = _plain(change["reason"])
        if kind is InterventionKind.CANCEL:
            return Intervention(kind, reason=reason)
        if kind in _NEEDS_STEPS and not wishes:
            raise FlawError(Flaw.VALUES)
        if kind is InterventionKind.DELETE:
            return Intervention(kind, at, step_ids=self._ids(self._stage(at), wishes), reason=reason)
        steps = tuple(map(self._new_step, wishes))
        if kind is InterventionKind.REBUILD:
            at = 0
        elif kind is InterventionKind.INSERT or at not in (0, self.chain.at):
            self._stage(at)  # something new never comes among what is settled
        return Intervention(kind, at, steps, mends=self._mended(kind, steps), reason=reason)

    def _stage(self, number: int) -> Stage:
        if not self.chain.at < number <= len(self.chain.stages):
            raise FlawError(Flaw.STAGE)
        return self.chain.stages[number - 1]

    def _ids(self, stage: Stage, wishes: Sequence[Answer]) -> tuple[str, ...]:
        """The steps of a stage that are named by their abilities; empty: all of it."""
        found: list[str] = []
        for wish in wishes:
            info = self.named.named(wish["ability"])
            ids = [step.id for step in stage.steps if step.key == info.key]
            if len(ids) != 1:
                raise FlawError(Flaw.CHOICE, [self.named.name_of(step.key) for step in stage.steps])
            found += ids
        return tuple(found)

    def _new_step(self, wish: Answer) -> NewStep:
        info, words = self.named.named(wish["ability"]), _plain(wish["words"])
        names = (info.title, *info.aliases, info.description)
        if not Grounds(*self.texts, names=names).hold(words):
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


def _plain(text: str) -> str:
    """One line.

    Raises:
        FlawError: It holds what no text should.
    """
    line = " ".join(text.split())
    if _CONTROL.search(line):
        raise FlawError(Flaw.VALUES)
    return line
