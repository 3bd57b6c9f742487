"""PromptedMind: the mind that asks a model, with the starter mind before it and behind it.

Before: what words and rules settle surely is not asked. Behind: what the model does not answer, or not in the
form that was asked for, the starter mind does, and the person is told. A reply is told as it comes from the
model, thoughts from words.

A new script is asked of a model in two calls: what it is, as a form; then its code, as plain text. Code
inside JSON is where small models break, so it never is: the second answer is the code and nothing else.

Whether a chain does what was asked, and whether words settle what is pending, is asked of a model that may
only ever hold back: it may doubt what the starter mind finds good, and no more. Security: only the starter
mind's reading makes words an approval, that is a message of which every word says yes, or to what. A model
may add a refusal, or leave the words for something else; what it takes for an approval counts as something
else. So neither a model's mistake nor a text that steers it can let an action run.
"""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from contextlib import aclosing
from datetime import datetime

from partner_desktop.base import log
from partner_desktop.base.errors import ContextOverflowError, ModelError
from partner_desktop.capabilities import ModelCapability, PrefixCapability
from partner_desktop.domain.action import ActionStatus
from partner_desktop.domain.intervention import Confirmation, Settled, Verdict
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.step_claim import bound_arguments
from partner_desktop.language.pasted_code import may_be_parsed
from partner_desktop.language.speech_acts.ability_requests import wish_in
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.mind.act import ReadOpenWords
from partner_desktop.mind.answerers import Answerers
from partner_desktop.mind.prompted import agent_texts, arguments, changes, intent, memories, open_words
from partner_desktop.mind.prompted.abilities import MOST_SHOWN, NamedAbilities, chain_lines, turn_of
from partner_desktop.mind.prompted.answers import (
    Answer,
    ThoughtGate,
    list_of,
    object_schema,
    one_of,
    or_null,
    said,
    text_of_at_most,
)
from partner_desktop.mind.prompted.asker import ANSWER_S, SILENCE_S, Asker
from partner_desktop.mind.prompted.prompts import (
    Flaw,
    FlawError,
    Tell,
    arranged,
    quoted,
    sentence,
    tail_of,
    written,
)
from partner_desktop.mind.question import (
    ChooseVerification,
    CorrectChain,
    Cut,
    EvaluateIntent,
    ExtractIntents,
    ExtractParams,
    FindEntities,
    GenerateAction,
    GeneratedAction,
    JudgeChain,
    JudgeConfirmation,
    JudgeSlices,
    Mind,
    PickAbility,
    PlanVerdict,
    ReadIntervention,
    ReadSelfTalk,
    ReplyRequest,
    Summarise,
    Thought,
    TitleDialog,
    VerificationCall,
    WriteForAgent,
)
from partner_desktop.model.chat import ChatPiece

_QUESTION = "reply"
_log = log.area("mind")


async def _talks_itself(asked: ReadSelfTalk) -> None:
    """A model answers what is said to it; there is nothing to be told for it."""


def _local_now() -> datetime:
    return datetime.now().astimezone()


class PromptedMind(Answerers):
    """A `Mind` over a model.

    `tell` brings a sentence before the person; `now` is what `tomorrow` counts from.
    """

    def __init__(
        self,
        models: ModelCapability,
        prefix: PrefixCapability,
        starter: Mind,
        tell: Tell,
        *,
        now: Callable[[], datetime] = _local_now,
        silence_s: float = SILENCE_S,
        answer_s: float = ANSWER_S,
    ) -> None:
        asker = Asker(models, prefix, tell, silence_s=silence_s, answer_s=answer_s)
        super().__init__(
            EvaluateIntent.answered_by(lambda asked: intent.evaluate(asker, starter, asked)),
            PickAbility.answered_by(lambda asked: intent.pick(asker, starter, asked)),
            ExtractParams.answered_by(lambda asked: arguments.extract(asker, starter, asked, now=now)),
            JudgeConfirmation.answered_by(lambda asked: judge_words(asker, starter, asked)),
            GenerateAction.answered_by(lambda asked: generate(asker, starter, asked)),
            ExtractIntents.answered_by(lambda asked: intent.extract_stages(asker, starter, asked)),
            CorrectChain.answered_by(lambda asked: changes.correct(asker, starter, asked)),
            JudgeChain.answered_by(lambda asked: judge(asker, starter, asked)),
            ChooseVerification.answered_by(lambda asked: choose_look(asker, starter, asked)),
            JudgeSlices.answered_by(lambda asked: memories.judge_slices(asker, starter, asked)),
            FindEntities.answered_by(lambda asked: memories.find_entities(asker, starter, asked)),
            ReadIntervention.answered_by(lambda asked: changes.read(asker, starter, asked)),
            ReadOpenWords.answered_by(lambda asked: open_words.read_open(asker, starter, asked, now=now)),
            Summarise.answered_by(lambda asked: memories.summarise_by_model(asker, starter, asked)),
            TitleDialog.answered_by(lambda asked: memories.title_by_model(asker, asked)),
            WriteForAgent.answered_by(lambda asked: agent_texts.write_for_agent(asker, asked)),
            ReadSelfTalk.answered_by(_talks_itself),
            otherwise=starter.ask,
        )
        self._models, self._starter, self._tell = models, starter, tell

    @property
    def name(self) -> str:
        return self._models.serves("reply") or "prompted"

    async def reply(self, request: ReplyRequest) -> AsyncIterator[str]:
        """The model's words as they come, the prompt sent word by word as the request has it.

        Thoughts come as `Thought`, and a `Cut` at the greatest length. No word, only thoughts or nothing: the
        starter mind's answer.

        Raises:
            ContextOverflowError: The prompt is too long; nothing was said.
            ModelError: The model failed after words had come.
        """
        spoken, lead = False, ""
        try:
            async with aclosing(self._pieces(request)) as pieces:
                async for piece in pieces:
                    spoken = spoken or not isinstance(piece, (Thought, Cut))
                    if spoken or not isinstance(piece, Cut):  # where no word came, another answers
                        yield piece
        except ContextOverflowError:
            raise
        except ModelError as error:
            if spoken:
                raise
            _log.warning("the model did not reply: %s", error)
            lead = self._sentence("reply_failed", reason=str(error)) + "\n\n"
        if spoken:
            return
        if lead:
            yield lead
        else:
            self._tell(_QUESTION, self._sentence("empty_reply"))
        async for piece in self._starter.reply(request):
            yield piece

    async def _pieces(self, request: ReplyRequest) -> AsyncGenerator[str, None]:
        pictures = tuple(request.pictures or request.earlier_pictures)
        prompt, gate, cut = arranged(request.prompt).showing(pictures), ThoughtGate(), False
        call = self._models.call(_QUESTION, prompt.messages, trunk=prompt.trunk, turn=request.turn)
        lead = ""
        async with aclosing(call):
            async for event in call:
                if isinstance(event, ChatPiece):
                    if event.unseen and request.pictures:
                        name = "unseen_why" if event.why else "unseen"
                        lead = self._sentence(name, reason=event.why) + "\n\n"
                    aside = [Thought(event.text)] if event.text else []
                    for piece in aside if event.reasoning else gate.take(event.text):
                        if lead and not isinstance(piece, Thought):
                            yield lead
                            lead = ""
                        yield piece
                elif event.end in ("failed", "cancelled"):
                    raise ModelError("mind.broke_off")
                else:
                    cut = event.end == "length"
        for piece in gate.end():
            yield piece if isinstance(piece, Thought) else lead + piece
            lead = lead if isinstance(piece, Thought) else ""
        if cut:
            yield Cut()

    def _sentence(self, name: str, reason: str = "") -> str:
        return sentence(name, self._models.language(), question=_QUESTION, reason=reason)


_MOST_TOKENS = 640
_NAME = re.compile(r"[a-z][a-z0-9_]{1,47}")
_PARAM = re.compile(r"[a-z][a-z0-9_]{0,31}")
_SENTENCE, _PARAMS = 300, 12
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n`]*\n(?P<code>.*?)(?:^[ \t]*\1[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)

_PARAM_KEYS = object_schema(
    name={"type": "string"},
    type=one_of("string", "integer", "number", "boolean", "path"),
    description=text_of_at_most(_SENTENCE),
    required={"type": "boolean"},
)
_KEYS: JsonObject = {
    "name": {"type": "string"},
    "description": text_of_at_most(_SENTENCE),
    "language": one_of("python", "shell"),
    "params": list_of(_PARAM_KEYS, most=_PARAMS),
}


async def generate(asker: Asker, starter: Mind, request: GenerateAction) -> GeneratedAction | None:
    """What the person pasted; else a script of the model's. `None`: it brought none, and the person knows."""
    pasted, wish = await starter.ask(request), wish_in(request.text)
    if pasted is not None or (wish is not None and wish.kind == "paste"):
        return pasted  # for code that is there none is written in its place
    plan = await asker.ask(request, _checked, {"said": quoted(request.text)}, _KEYS, max_tokens=_MOST_TOKENS)
    if plan is None:
        return None

    def read(text: str) -> GeneratedAction:
        code = bare_code(text)
        _check(code, plan["language"])
        return GeneratedAction(
            name=plan["name"],
            description=plan["description"].strip(),
            language=plan["language"],
            params=_params(plan["params"]),
            code=code,
        )

    return await asker.ask_text(
        request,
        read,
        {
            "said": quoted(request.text),
            "language": plan["language"],
            "action": f"{plan['name']}: {quoted(plan['description'])}",
            "params": written(plan["params"]),
        },
        turn=request.turn,
        prompt="generate_code",
    )


def _checked(plan: Answer) -> Answer:
    names = [param["name"] for param in plan["params"]]
    fits = _NAME.fullmatch(plan["name"]) and plan["description"].strip() and len(names) == len(set(names))
    if not fits or not all(map(_PARAM.fullmatch, names)):
        raise FlawError(Flaw.VALUES)
    return plan


def bare_code(text: str) -> str:
    """The code of an answer: without thoughts, and what stands between fences where there are any.

    Raises:
        FlawError: There is none.
    """
    spoken = said(text)
    fenced = [match["code"] for match in _FENCE.finditer(spoken)]
    code = max(fenced, key=len) if fenced else spoken
    if not code.strip():
        raise FlawError(Flaw.EMPTY)
    return code.strip("\n") + "\n"


def _check(code: str, language: str) -> None:
    """Whether it parses, as far as that can be told without running it."""
    try:
        code.encode("utf-8")
        if "\0" in code:
            raise ValueError
        if language == "python" and may_be_parsed(code):
            ast.parse(code)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        raise FlawError(Flaw.NOT_CODE) from None


def _params(params: Sequence[Answer]) -> JsonObject:
    """JSON Schema of the parameters; a path is a text with a format."""
    properties: JsonObject = {}
    for param in params:
        path = param["type"] == "path"
        kind: JsonObject = {"type": "string", "format": "path"} if path else {"type": param["type"]}
        properties[param["name"]] = {**kind, "description": param["description"]}
    required: list[Json] = [param["name"] for param in params if param["required"]]
    return {"type": "object", "properties": properties, "required": required}


_SAID, _REASON = 1_500, 240
_MOST_TOKENS_OF_CHAIN = 160


async def judge(asker: Asker, starter: Mind, request: JudgeChain) -> PlanVerdict:
    """The starter's verdict where it is a no, or where nothing ran yet; else the model's."""
    known = await starter.ask(request)
    if not known.ok or not request.steps:
        return known

    def check(answer: Answer) -> PlanVerdict:
        reason = " ".join("".join(sign if sign.isprintable() else " " for sign in answer["reason"]).split())
        if not answer["ok"] and not reason:
            raise FlawError(Flaw.VALUES)
        return known if answer["ok"] else PlanVerdict(ok=False, reason=reason)

    found = await asker.ask(
        request,
        check,
        {
            "said": quoted(request.action.request_text, _SAID),
            "chain": chain_lines(request.action, request.steps, NamedAbilities(())),
            "when": tail_of("judged_final" if request.final else "judged_underway", asker.language),
        },
        {"ok": {"type": "boolean"}, "reason": text_of_at_most(_REASON)},
        turn=request.turn or turn_of(request.action),
        max_tokens=_MOST_TOKENS_OF_CHAIN,
    )
    return known if found is None else found


#: The longest wait for a choice that words and rules make, too: a check has its own time.
CHOICE_S = 2.0


async def choose_look(
    asker: Asker, starter: Mind, request: ChooseVerification
) -> tuple[VerificationCall, ...]:
    """The starter's choice, unless a model has another in time, among several.

    It chooses among abilities that only look and whose arguments are known by name, and it cannot choose that
    nothing is looked at: what it reads can lead it nowhere.
    """
    known = await starter.ask(request)
    bound = {info.key: bound_arguments(info, request.claim) for info in request.tools}
    offered = [info for info in request.tools if bound[info.key] is not None][:MOST_SHOWN]
    if len(offered) < 2:
        return known
    named, claim = NamedAbilities(offered), request.claim

    def check(answer: Answer) -> tuple[VerificationCall, ...]:
        if answer["ability"] is None:
            return known
        key = named.named(answer["ability"]).key
        return (VerificationCall(key, bound[key] or {}),)

    shown = {
        "abilities": named.lines(),
        "step": f"{quoted(claim.title, _TITLE)}: {quoted(claim.description, _SENTENCE)}",
        "given": quoted(written(claim.given), _SAID),
        "claimed": quoted(written(claim.claimed), _SAID),
    }
    try:
        async with asyncio.timeout(CHOICE_S):
            keys = {"ability": or_null(one_of(*named.names))}
            tools = intent.offered(named, lambda name: {"ability": name}, otherwise={"ability": None})
            most = _MOST_TOKENS_OF_CHAIN
            found = await asker.ask(request, check, shown, keys, max_tokens=most, offered=tools)
    except TimeoutError:
        return known
    return known if found is None else found


#: A longer text says more than no.
_LONGEST = 300
_MOST_JUDGE_TOKENS = 48
_SHOWN, _TITLE, _JUDGE_PARAMS = 5, 160, 300


async def judge_words(asker: Asker, starter: Mind, request: JudgeConfirmation) -> Verdict:
    """The starter's reading where it is one; otherwise whether the model sees a refusal of what waits.

    Words after a question are its answer, unless they plainly refuse it: that is not the model's to decide.
    """
    judged = await starter.ask(request)
    waiting = [action for action in request.pending if action.status is ActionStatus.WAITING]
    if judged.kind is not Confirmation.OTHER or not waiting or len(request.text) > _LONGEST:
        return judged
    if small_talk(request.text) is not None:
        return judged
    pending = (
        f"- {quoted(action.title, _TITLE)}: {quoted(written(action.params), _JUDGE_PARAMS)}"
        for action in waiting[:_SHOWN]
    )
    refused = await asker.ask(
        request,
        lambda answer: bool(answer["means"] == "reject"),
        {"pending": "\n".join(pending), "said": quoted(request.text)},
        {"means": one_of("reject", "confirm", "other")},
        max_tokens=_MOST_JUDGE_TOKENS,
    )
    if not refused:
        return Verdict(Confirmation.OTHER)
    if len(waiting) > 1:
        return Verdict(Confirmation.UNCLEAR)
    return Verdict(Confirmation.REJECT, (Settled(waiting[0].id, Confirmation.REJECT),))
