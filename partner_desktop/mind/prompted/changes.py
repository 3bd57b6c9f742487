"""Changes of a chain as a model answers them, and the interventions that they become.

Security: a change is only a wish. Its abilities are among those that were shown, its stages exist, and its
words were said by the person or stand in the chain; what a tool said is no ground for any of them. Whether
something new may run, the person and the permissions decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.chain import Chain, Stage, StepStatus
from partner_desktop.domain.intervention import Intervention, InterventionKind, NewStep
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.mind.prompted.abilities import NamedAbilities
from partner_desktop.mind.prompted.answers import (
    ChangeAnswer,
    StepWish,
    list_of,
    object_schema,
    one_of,
    text_of_at_most,
)
from partner_desktop.mind.prompted.grounding import Grounds
from partner_desktop.mind.prompted.prompts import Flaw, FlawError, written

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
