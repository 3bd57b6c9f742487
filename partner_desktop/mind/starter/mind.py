"""StarterMind: the mind that answers before any model is there. Words and rules; honest about what it
lacks.

It keeps no state of a conversation: every answer follows from its request alone. An ability of what the
person pasted is the code as it stands, and what can be told about it without a model. `the details of the
archive` asks about a file, though `archive` is also what one does.

`SelfTalk` answers what people ask Partner of itself, and say to it, by the nearest of many examples. In
English their meaning is compared; until the vectors are there, and in Chinese, their words.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import replace

from partner_desktop.domain.ability import ScriptLanguage
from partner_desktop.domain.entity import EntityStatement
from partner_desktop.domain.intervention import Verdict
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.clauses import bare, pieces_of
from partner_desktop.language.entity_statements import read_statements
from partner_desktop.language.file_questions import LOOK_UP
from partner_desktop.language.list_orders import REMOVE
from partner_desktop.language.pasted_code import (
    Parted,
    Pasted,
    bare_code,
    described,
    guessed,
    parameters,
    parted,
)
from partner_desktop.language.rule_table import rule_table
from partner_desktop.language.spans import SpanKind, blank, find_spans
from partner_desktop.language.speech_acts.ability_requests import (
    CreationRequest,
    creation_request,
    is_called,
    pick,
)
from partner_desktop.language.speech_acts.small_talk import self_talk_examples, small_talk
from partner_desktop.language.speech_acts.speech_act import SpeechActKind, speech_act, trial_switch
from partner_desktop.language.speech_acts.verdicts import read
from partner_desktop.language.terms import first_sentence, has_cjk, leading, terms
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.question import (
    ChooseVerification,
    CorrectChain,
    EvaluateIntent,
    ExtractIntents,
    ExtractParams,
    FindEntities,
    GenerateAction,
    GeneratedAction,
    IntentEvaluation,
    JudgeChain,
    JudgeConfirmation,
    JudgeSlices,
    PickAbility,
    ReadIntervention,
    ReadSelfTalk,
    ReplyRequest,
    SelfTalk,
    Summarise,
)
from partner_desktop.mind.starter import plan_questions
from partner_desktop.mind.starter.extractive_summary import extract_summary
from partner_desktop.mind.starter.intents import split
from partner_desktop.mind.starter.matcher import CHOOSE_SCORE, AbilityMatcher, WordMatcher, near_ties
from partner_desktop.mind.starter.meaning import MeaningIndex
from partner_desktop.mind.starter.params import extract
from partner_desktop.mind.starter.reply import compose, pieces
from partner_desktop.model.embedder import Embedder


def archive_as_file(text: str) -> str:
    """Words that ask about an archive, with `the file` in its place; other words as they are."""
    tables = [rule_table("matching", language) for language in ("en", "zh")]
    if not any(table["asks"].match(text) for table in tables):
        return text
    for table, file in zip(tables, ("the file", "文件"), strict=True):
        text = table["archive"].sub(file, text)
    return text


def packs(info: MetaActionInfo) -> bool:
    """Whether an ability makes archives, by what its name or its description begins with."""
    firsts = (leading(terms(told)) for told in (info.title, first_sentence(info.description)[:200]))
    made = {concept for first in terms("zip") for concept in first.concepts}
    return any(first is not None and not made.isdisjoint(first.concepts) for first in firsts)


def of_paste(request: GenerateAction) -> GeneratedAction | None:
    """The ability that was pasted; `None` where there is no code, or the words ask for one to be written."""
    message = parted(request.text)
    wish = creation_request(message.lines)
    said = message.lines[wish.line] if wish is not None else ""
    pasted = _in_message(message, wish, answers=request.answers)
    if pasted is None and (wish is None or wish.kind == "paste") and not request.answers:
        pasted = next((found for text in request.earlier if (found := _in_message(parted(text), None))), None)
    if pasted is None:
        return None
    return _read(pasted, wish or CreationRequest("paste", 0), guessed(pasted, said))


def _in_message(message: Parted, wish: CreationRequest | None, *, answers: bool = False) -> Pasted | None:
    """The longest code of a message; where nothing is fenced, what is left beside the request."""
    if message.code:
        return max(message.code, key=lambda one: len(one.code))
    lines = [line for number, line in enumerate(message.lines) if wish is None or number != wish.line]
    if answers and wish is None and any(line.strip() for line in lines):
        found = bare_code(lines)
        return found or (Pasted("\n".join(lines), fenced=False) if len(lines) > 1 else None)
    said = message.lines[wish.line] if wish is not None else ""
    return bare_code(lines, said) or bare_code([said.partition(":")[2].strip(" `")])


def _read(pasted: Pasted, wish: CreationRequest, language: ScriptLanguage | None) -> GeneratedAction:
    code_type = language.code_type if language is not None else ""
    params = parameters(pasted.code, code_type)
    told = described(pasted.code, code_type)
    return GeneratedAction(
        name=wish.name or _function_name(pasted.code, code_type),
        description=_sentence(wish.purpose) or told or _sentence(_words(wish.name)),
        language=code_type,
        params=params or {},
        code=pasted.code.strip("\n") + "\n",
        free_args=params is None,
    )


def _function_name(code: str, code_type: str) -> str:
    """The one function that Python code defines names it well."""
    names = re.findall(r"^def ([A-Za-z]\w{2,40})\(", code, re.MULTILINE) if code_type == "python" else []
    return names[0] if len(names) == 1 and names[0] not in ("main", "run") else ""


def _words(name: str) -> str:
    return re.sub(r"[_-]+", " ", name).strip()


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


#: What no words are matched with: ids of open actions are for models, who speaks need not be asked to, and
#: questions about files and orders about lists are read before.
_UNMATCHED = frozenset(
    {
        "builtin::intervention::create_intervention",
        "builtin::intervention::acquire_intervention",
        LOOK_UP,
        REMOVE,
    }
)
#: What has more clauses is a document.
_MOST_CLAUSES = 12
#: How much of what chooses an ability the person's own words must say, where others are quoted.
_OWN_SHARE = 0.5


def _only_looks(info: MetaActionInfo, *, trial: bool) -> bool:
    """Whether a question may choose an ability: it is none that says that it changes something.

    With `trial` one may that can be told to change nothing, and none that may change something.
    """
    if trial:
        return bool(info.annotations.read_only or trial_switch(info))
    return info.annotations.read_only is not False


class StarterMind(Answerers):
    """A `Mind` without a model.

    `matcher` compares messages with abilities: by words alone unless another is given. With an `embedder`
    summaries go by meaning, too, and with `meaning` what is said to Partner itself. `pace_s` is the pause
    between two pieces of a reply.
    """

    name = "starter"

    def __init__(
        self,
        *,
        matcher: AbilityMatcher | None = None,
        embedder: Embedder | None = None,
        meaning: MeaningIndex | None = None,
        pace_s: float = 0.0,
    ) -> None:
        self._matcher = matcher or WordMatcher()
        self._pace_s = pace_s
        self._patterns_ready = False
        super().__init__(
            EvaluateIntent.answered_by(self._evaluate),
            PickAbility.answered_by(self._pick),
            ExtractParams.answered_by(extract),
            JudgeConfirmation.answered_by(self._judge),
            GenerateAction.answered_by(self._generate),
            ExtractIntents.answered_by(lambda asked: split(asked, self.ask)),
            CorrectChain.answered_by(lambda asked: plan_questions.correct(asked, self._matcher.rank)),
            JudgeChain.answered_by(plan_questions.judge),
            ChooseVerification.answered_by(plan_questions.choose_looks),
            JudgeSlices.answered_by(self._judge_slices),
            FindEntities.answered_by(self._find_entities),
            ReadIntervention.answered_by(lambda asked: plan_questions.read(asked, self.ask)),
            Summarise.answered_by(lambda asked: extract_summary(asked, embedder)),
            ReadSelfTalk.answered_by(lambda asked: read_self_talk(asked, meaning)),
        )

    async def _evaluate(self, request: EvaluateIntent) -> IntentEvaluation:
        """The best fitting ability, when it fits well enough; small talk fits none that is not called so.

        What the message says not to do is never chosen.
        """
        abilities = [info for info in request.abilities if info.key not in _UNMATCHED]
        evaluation = await self._evaluated(replace(request, abilities=abilities))
        named = archive_as_file(request.text)
        meant = [evaluation.chosen] if evaluation.chosen is not None else [*evaluation.ties]
        if named == request.text or not any(map(packs, meant)):
            return evaluation
        other = await self._evaluated(EvaluateIntent(named, abilities))
        return other if other.chosen is not None or other.ties else evaluation

    async def _evaluated(self, request: EvaluateIntent) -> IntentEvaluation:
        if (
            not self._patterns_ready
        ):  # by the hundred, and compiled when they are first needed: not on the loop
            await asyncio.to_thread(lambda: (speech_act(request.text), small_talk(request.text)))
            self._patterns_ready = True
        act = speech_act(request.text)
        if small_talk(request.text) is not None or not act.may_make_card:
            called = next((info for info in request.abilities if is_called(info, request.text)), None)
            return IntentEvaluation.of_talk(request.abilities, called=called)
        if act.kind is SpeechActKind.LOOK:
            fitting = [info for info in request.abilities if _only_looks(info, trial=act.preview)]
            request = replace(request, abilities=fitting)
        if act.order_text != request.text:
            return await self._evaluated(replace(request, text=act.order_text))
        ranked = await self._matcher.rank(request.text, request.abilities)
        if not ranked or ranked[0].score < CHOOSE_SCORE:
            by_clause = None if act.mentioned or act.condition else await self._by_clause(request)
            return by_clause or IntentEvaluation(None, ranked)
        ties = near_ties(ranked)
        by_name = [info for info in ties if is_called(info, request.text)]
        meant = await self._said(request, tuple(by_name) if len(by_name) == 1 else ties)
        if len(meant) == 1:
            return IntentEvaluation(meant[0], ranked)
        return IntentEvaluation(None, ranked, meant)

    async def _by_clause(self, request: EvaluateIntent) -> IntentEvaluation | None:
        """What a clause chooses, of several the surest: what is said besides hides it in the whole."""
        pieces = pieces_of(request.text)
        if not 1 < len(pieces) <= _MOST_CLAUSES:
            return None
        clauses = [bare(request.text[piece.start : piece.end]) for piece in pieces]
        found = [await self._evaluated(replace(request, text=clause)) for clause in clauses if clause]
        chosen = [evaluation for evaluation in found if evaluation.chosen is not None]
        return max(chosen, key=lambda evaluation: evaluation.ranked[0].score, default=None)

    async def _said(
        self, request: EvaluateIntent, meant: tuple[MetaActionInfo, ...]
    ) -> tuple[MetaActionInfo, ...]:
        """Those that the person's own words speak of too: what is only quoted chooses by its whole name."""
        quotes = tuple(
            span for span in find_spans(request.text) if span.kind is SpanKind.QUOTE and not span.is_path
        )
        if not quotes:
            return meant
        own = await self._matcher.rank(blank(request.text, quotes), request.abilities)
        spoken = {item.info.key for item in own if item.score >= _OWN_SHARE * CHOOSE_SCORE}
        return tuple(
            info
            for info in meant
            if info.key in spoken or any(is_called(info, quote.value) for quote in quotes)
        )

    async def _pick(self, request: PickAbility) -> MetaActionInfo | None:
        """By number, by place (`the second`), or by name."""
        return pick(request.text, request.options)

    async def _judge(self, request: JudgeConfirmation) -> Verdict:
        """A yes or a no only where every word of the message belongs to it; see `verdicts`."""
        return read(request.text, request.pending, request.also_called)

    async def _judge_slices(self, request: JudgeSlices) -> tuple[bool, ...]:
        """All of them: what is recalled was measured already."""
        return (True,) * len(request.passages)

    async def _find_entities(self, request: FindEntities) -> tuple[tuple[EntityStatement, ...], ...]:
        """What the rules read."""
        return await asyncio.to_thread(
            lambda: tuple(read_statements(turn.text, turn.at.astimezone()) for turn in request.turns)
        )

    async def _generate(self, request: GenerateAction) -> GeneratedAction | None:
        """What the person pasted; words and rules write no scripts."""
        return await asyncio.to_thread(of_paste, request)

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The answer from the evidence alone, word by word."""
        for index, piece in enumerate(pieces(compose(request))):
            if index:
                await asyncio.sleep(self._pace_s)
            yield piece


#: From here on an example says the same, and from here on about the same: by meaning, and by words.
_SURE, _LIKELY = 0.66, 0.55
_SURE_WORDS, _LIKELY_WORDS = 0.6, 0.4
#: No example is meant that is called so: such things need a model.
_NONE = "knowledge"
_LONGEST = 160


async def read_self_talk(asked: ReadSelfTalk, meaning: MeaningIndex | None) -> SelfTalk | None:
    """What the words say to Partner, or ask of it; `None`: they are about something else."""
    if len(asked.text) > _LONGEST:
        return None
    examples = self_talk_examples("zh" if has_cjk(asked.text) else "en")
    likely, sure = _LIKELY, _SURE
    near = None
    if meaning is not None and not has_cjk(asked.text):
        near = await meaning.likeness(asked.text, examples.texts)
    if near is None:
        near, likely, sure = examples.by_words(asked.text), _LIKELY_WORDS, _SURE_WORDS
    best = max(range(len(near)), key=near.__getitem__)
    if near[best] < likely or examples.kinds[best] == _NONE:
        return None
    return SelfTalk(examples.kinds[best], sure=near[best] >= sure)
