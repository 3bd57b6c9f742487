"""What an utterance is: an order, a question for a look, or words that want nothing done now. Pure.

The rules are `resources/language/{en,zh}/speech_acts.toml`. Each sentence is read on its own, behind what it
begins with (`please`, `ok so`), and so is the half of one that follows a comma or a `but`; what stands in
quotes or in a path says nothing. What no rule knows is an order: whether an ability fits it is for others to
say. What wants nothing done is left out of the order beside it where it names a deed: `my boss said delete
everything, can you list it instead?` lists.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.language.clauses import veiled
from partner_desktop.language.pasted_code import is_script, parted
from partner_desktop.language.rule_table import Language, RuleTable, rule_table, says
from partner_desktop.language.spans import SpanKind, find_spans
from partner_desktop.language.speech_acts.imperatives import conditional, is_question
from partner_desktop.language.speech_acts.small_talk import small_talk
from partner_desktop.language.terms import has_cjk, mainly_cjk


class SpeechActKind(StrEnum):
    """What the person does by saying it."""

    COMMAND = "command"
    """Something is to be done, by Partner, now."""
    LOOK = "look"
    """Something is to be found out; nothing is to be changed by it."""
    ABILITY_QUESTION = "ability_question"
    """What Partner can do, or how something is done."""
    REPORT = "report"
    """What others said or wanted, what is quoted, what was done, or is done by habit."""
    HYPOTHETICAL = "hypothetical"
    """What would be, might be, should be, or is to be done only if something is so."""
    REFUSAL = "refusal"
    """What is not to be done, or not yet, or is taken back."""
    STATEMENT = "statement"
    """How something is."""
    SMALL_TALK = "small_talk"


@dataclass(frozen=True)
class SpeechAct:
    """An utterance, read."""

    kind: SpeechActKind
    preview: bool = False
    """Only what would come of it is wanted: nothing but the trial that an ability has of its own does."""
    order_text: str = ""
    """What is asked for now: of a refusal the wanted half, of a preview the deed; empty: nothing is."""
    mentioned: str = ""
    """An order that is spoken of and not given: reported, refused, made up."""
    condition: str = ""
    """The words that something of it hangs on."""

    @property
    def may_make_card(self) -> bool:
        """Whether anything may be proposed, and that is what `order_text` asks for."""
        return bool(self.order_text)

    @property
    def declines(self) -> bool:
        """Whether it only says what is not to be done."""
        return self.kind is SpeechActKind.REFUSAL and not self.order_text

    @property
    def may_write(self) -> bool:
        """Whether what changes something may be proposed for `order_text`."""
        return bool(self.order_text) and self.kind is not SpeechActKind.LOOK


#: Of a longer text, which is a document, the beginning tells what it is.
_LONGEST = 400
_STOP = re.compile(r"[.!?](?=\s|$)|[。！？；\n]+|;(?=\s)")
_QUESTIONS = frozenset({SpeechActKind.LOOK, SpeechActKind.ABILITY_QUESTION})
_ASKED = frozenset({SpeechActKind.COMMAND, SpeechActKind.LOOK})
#: What nobody asks for by saying it, the gravest first: the first that is said is what the whole is.
_IDLE = (
    SpeechActKind.REFUSAL,
    SpeechActKind.REPORT,
    SpeechActKind.HYPOTHETICAL,
    SpeechActKind.ABILITY_QUESTION,
    SpeechActKind.STATEMENT,
    SpeechActKind.SMALL_TALK,
)
#: What these say of a deed is no part of what is asked for beside them.
_GRAVE = frozenset(_IDLE[:4])
#: What a sentence is by the first rule that it begins like.
_RULES = (
    ("compound", SpeechActKind.STATEMENT),
    ("done_yet", SpeechActKind.LOOK),
    ("explanation", SpeechActKind.ABILITY_QUESTION),
    ("refusal", SpeechActKind.REFUSAL),
    ("imperative", SpeechActKind.COMMAND),
    ("asked_politely", SpeechActKind.COMMAND),
    ("report", SpeechActKind.REPORT),
    ("hypothetical", SpeechActKind.HYPOTHETICAL),
    ("habit", SpeechActKind.REPORT),
    ("past", SpeechActKind.REPORT),
    ("ability", SpeechActKind.ABILITY_QUESTION),
    ("question", SpeechActKind.LOOK),
)


@lru_cache(maxsize=64)
def speech_act(text: str) -> SpeechAct:
    """What an utterance is; what no rule knows is an order."""
    if small_talk(text) is not None:
        return SpeechAct(SpeechActKind.SMALL_TALK)
    if re.search(r"\w", text) is None:
        return SpeechAct(SpeechActKind.SMALL_TALK)
    said = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", text)).strip()[:_LONGEST]
    order = SpeechAct(SpeechActKind.COMMAND, order_text=text)
    if is_script(said) or parted(said).code:
        return order
    for language in _languages(said):
        found = _Reader(said, rule_table("speech_acts", language)).read()
        found = replace(found, order_text=text) if found.order_text == said else found
        if found != order:
            return found
    return order


def only_asks(text: str) -> bool:
    """Whether it is a question that orders nothing, and gives no value: `is it really the same one?`."""
    return is_asking(text) or (is_question(text) and speech_act(text).kind in _QUESTIONS)


def is_asking(text: str) -> bool:
    """Whether it has the form of a question, whatever mark is behind it, and nothing follows that."""
    goes_on = re.search(r"[?？]\s*\w", text) is not None
    return not goes_on and says("assent", "asking", text.replace("’", "'"))


def keeps_words(text: str) -> bool:
    """Whether what is said is to be noted, or another thing done with words: an order in them is none."""
    return any(_Reader(text, rule_table("speech_acts", language)).is_noted() for language in _languages(text))


def trial_switch(info: MetaActionInfo) -> str:
    """The parameter of an ability by which it only shows what it would do; empty: it has none."""
    shows = rule_table("speech_acts", "en")["preview"]
    for name, schema in info.properties().items():
        told = f"{name.replace('_', ' ')} {schema.get('description', '')}"
        if schema.get("type") == "boolean" and shows.search(told):
            return name
    return ""


def _languages(text: str) -> tuple[Language, ...]:
    if mainly_cjk(text):
        return ("zh",)
    return ("en", "zh") if has_cjk(text) else ("en",)


@dataclass(frozen=True)
class _Half:
    """A sentence, or a half of one: `text[start:end]`, and what it is."""

    start: int
    end: int
    kind: SpeechActKind
    mentioned: str = ""
    """The order that it speaks of."""
    plainly: bool = True
    """A rule says so; else nothing is known of it."""


class _Reader:
    """One text under one language's table."""

    def __init__(self, text: str, table: RuleTable) -> None:
        self._text = text
        self._table = table
        self._plain = veiled(text.replace("’", "'").replace("‘", "'"), folders=False)

    def read(self) -> SpeechAct:
        quoted = self._all_quoted()
        if quoted:
            return SpeechAct(SpeechActKind.REPORT, mentioned=quoted)
        trial = self._trial()
        if trial is not None:
            return trial
        halves = list(self._halves())
        if halves[0].kind is SpeechActKind.COMMAND and self._is_free_text():
            return SpeechAct(SpeechActKind.COMMAND, order_text=self._text)
        act = self._told(halves)
        if not act.order_text:
            return act
        if (back := self._table["taken_back"].search(self._plain)) is not None and back.start() > 0:
            return SpeechAct(SpeechActKind.REFUSAL, mentioned=self._text[: back.start()].strip(" ,"))
        return self._conditioned(act)

    def _all_quoted(self) -> str:
        """What is said, if all of it stands in quotes: nobody's order."""
        quotes = [span for span in find_spans(self._text) if span.kind is SpanKind.QUOTE]
        if len(quotes) != 1 or re.search(r"\w", self._text[quotes[0].end :]):
            return ""
        return quotes[0].value if self._behind_lead(0) == quotes[0].start else ""

    def is_noted(self) -> bool:
        return self._table["noted"].match(self._plain, self._behind_lead(0)) is not None

    def _is_free_text(self) -> bool:
        return self._table["free_text"].match(self._plain, self._behind_lead(0)) is not None

    def _trial(self) -> SpeechAct | None:
        """A question for what would come of a deed, and the wish for no more than that."""
        tried = (pattern.search(self._plain) for pattern in self._table.each("trial"))
        match = next((found for found in tried if found is not None), None)
        if match is None or self._is_free_text():
            return None
        order = self._infinitive(self._text[slice(*match.span("order"))])
        return SpeechAct(SpeechActKind.LOOK, preview=True, order_text=order)

    def _told(self, halves: Sequence[_Half]) -> SpeechAct:
        """What all of it is: what is asked for, if anything is, else the gravest of what it says."""
        asked = [half for half in halves if half.kind in _ASKED]
        refused = any(half.kind is SpeechActKind.REFUSAL for half in halves)
        asked = [half for half in asked if half.plainly] or ([] if refused else asked)
        kinds = {half.kind for half in halves}
        mentioned = next((half.mentioned for half in halves if half.mentioned), "")
        idle = next((kind for kind in _IDLE if kind in kinds), SpeechActKind.COMMAND)
        if not asked:
            return SpeechAct(idle, mentioned=mentioned)
        look = all(half.kind is SpeechActKind.LOOK for half in asked)
        trial = self._table["preview"].search(self._plain)
        preview = trial is not None
        order = self._text
        if trial is not None and trial.start() and not re.search(r"\w", self._plain[trial.end() :]):
            order = order[: trial.start()].rstrip(" ,，")
        grave = [
            half
            for half in halves
            if (half.kind in _GRAVE and half.mentioned)
            or self._match("compound", self._behind_lead(half.start), half.end) is not None
        ]
        if grave and not self._is_exclusion(grave, asked):
            order = self._order_of(asked, mentioned)
        kind = SpeechActKind.LOOK if look or preview else SpeechActKind.COMMAND
        if idle is SpeechActKind.REFUSAL and order != self._text and not preview:
            kind = SpeechActKind.REFUSAL
        return SpeechAct(kind, preview=preview, order_text=order, mentioned=mentioned if grave else "")

    def _is_exclusion(self, grave: Sequence[_Half], asked: Sequence[_Half]) -> bool:
        """`Tidy my downloads, but don't touch the PDFs`: what is refused is a part of what is asked for."""
        if any(half.kind is not SpeechActKind.REFUSAL for half in grave) or grave[0].start < asked[0].start:
            return False
        refused = [self._files(half) for half in grave]
        wanted = [self._files(half) for half in asked]
        apart = all(refused) and all(wanted) and set().union(*refused).isdisjoint(*wanted)
        return not apart

    def _files(self, half: _Half) -> set[str]:
        return {
            span.value
            for span in find_spans(self._text)
            if half.start <= span.start < half.end and span.kind is SpanKind.PATH and not span.folder
        }

    def _order_of(self, asked: Sequence[_Half], mentioned: str) -> str:
        """The halves that ask, with what the others spoke of in place of the first pronoun."""
        if all(self._match("pro_form", self._behind_lead(half.start), half.end) for half in asked):
            return mentioned
        said = ", ".join(self._text[half.start : half.end].strip(" ,;，；") for half in asked)
        return self._with_thing(said, self._object_of(mentioned))

    def _with_thing(self, order: str, thing: str) -> str:
        """An order with what was spoken of in place of its first pronoun."""
        if thing and self._table["objectless"].match(order):
            return f"把{thing}{order}"
        pronoun = self._table["pronoun"].search(order)
        if pronoun is None or not thing:
            return order
        return f"{order[: pronoun.start()]}{thing}{order[pronoun.end() :]}"

    def _thing_in(self, words: str) -> str:
        """The one path in a few words."""
        paths = [span for span in find_spans(words) if span.kind is SpanKind.PATH]
        return words[paths[0].start : paths[0].end] if len(paths) == 1 else ""

    def _object_of(self, order: str) -> str:
        """`Trash X yet` → `X`."""
        verb = self._table["imperative"].match(order)
        rest = order[verb.end() :] if verb is not None else ""
        return self._table["object_end"].split(rest, maxsplit=1)[0].strip(" ,.!?，。！？")

    def _conditioned(self, act: SpeechAct) -> SpeechAct:
        """What hangs on something is not asked for now; what does not is."""
        found = conditional(self._text)
        if found is None or act.preview:
            return act
        if act.kind is SpeechActKind.LOOK:
            return replace(act, condition=found.clause)
        main = self._text.replace(found.clause, "", 1).strip(" ,，.。")
        orders = self._table["imperative"].match(main) and not self._table["looks"].match(main)
        if not orders and self._table["deeds"].search(found.stretch) is None:
            return replace(act, condition=found.clause)
        start = self._text.find(found.before) if found.before in act.order_text else -1
        if (
            found.before
            and start >= 0
            and self._requests(self._behind_lead(start), start + len(found.before))
        ):
            return replace(act, order_text=found.before, condition=found.stretch)
        deed = self._table["deeds"].search(main)
        told = max(self._text.find(found.clause), 0)
        order = (
            self._infinitive(main[deed.start() :])
            if deed is not None
            else self._deed_in(told, told + len(found.clause))
        )
        mentioned = self._with_thing(order, self._thing_in(found.clause))
        return SpeechAct(SpeechActKind.HYPOTHETICAL, mentioned=mentioned, condition=found.clause)

    # Sentences and their halves.

    def _halves(self) -> Iterator[_Half]:
        position = 0
        stops = [*_STOP.finditer(self._plain)]
        for start, end, mark in (
            *(
                (0 if at == 0 else stops[at - 1].end(), stop.start(), stop.group())
                for at, stop in enumerate(stops)
            ),
            (stops[-1].end() if stops else 0, len(self._plain), ""),
        ):
            if start < position or not re.search(r"\w", self._plain[start:end]):
                continue
            for half in self._of_sentence(start, end, asks="?" in mark or "？" in mark):
                position = half.end
                yield half

    def _of_sentence(self, start: int, end: int, *, asks: bool) -> Iterator[_Half]:
        if small_talk(self._text[start:end]) is not None:
            yield _Half(start, end, SpeechActKind.SMALL_TALK)
            return
        first = self._behind_lead(start, end=end)
        kind = self._kind(first, end, asks=asks)
        letter = self._match("letter", start, end) or self._match("letter", first, end)
        if letter is not None or (kind is SpeechActKind.REPORT and self._goes_on(first, end)):
            said = self._deed_in(first, len(self._text))
            yield _Half(start, len(self._text), SpeechActKind.REPORT, said)
            return
        joint = next(self._second_halves(first, end, kind), None)
        stop = end if joint is None else joint.start()
        if kind is SpeechActKind.COMMAND:
            kind = self._unless_spoken_of(first, stop)
        plainly = kind is not SpeechActKind.COMMAND or self._asks_plainly(first, stop)
        yield _Half(start, stop, kind, "" if kind in _ASKED else self._deed_in(first, stop), plainly)
        if joint is not None:
            yield from self._of_sentence(joint.end(), end, asks=asks)

    def _asks_plainly(self, start: int, end: int) -> bool:
        return bool(self._requests(start, end) or self._table["deeds"].search(self._plain, start, end))

    def _unless_spoken_of(self, start: int, end: int) -> SpeechActKind:
        """An order, unless what it names would destroy something and nobody plainly orders that.

        What no rule knows is no such order: `whoever deletes it is fired`, `delete it? no way`.
        """
        found = conditional(self._text)  # what hangs on something is looked at by itself
        last = self._text.find(found.stretch) if found is not None else end
        deeds = [*self._table["destroys"].finditer(self._plain, start, max(start, min(last, end)))]
        if not deeds or self._match("free_text", start, end) is not None:
            return SpeechActKind.COMMAND
        if self._table["unmeant"].search(self._plain) is not None:
            return SpeechActKind.REFUSAL
        if any(self._is_ordered(start, deed) for deed in deeds):
            return SpeechActKind.COMMAND
        return SpeechActKind.LOOK if self._match("looks", start, end) else SpeechActKind.REPORT

    def _is_ordered(self, start: int, named: re.Match[str]) -> bool:
        """Whether before the first deed of a clause stands only what an order begins with."""
        plain, joints = self._plain, [*self._table["order_joint"].finditer(self._plain, start, named.start())]
        told = (plain[start : joint.start()] for joint in joints if joint.group().strip() in (":", "："))
        if any(self._table["says_words"].search(words) for words in told):
            return False
        start = at = self._behind_lead(joints[-1].end() if joints else start, end=named.start())
        deed = self._table["deeds"].search(plain, start, named.end()) or named
        form = deed.group().casefold().replace(" ", "_")
        done = self._table.verb_forms.get(form, form) != form  # `put` is its own past
        lead = self._table["done_lead" if done else "order_lead"]
        while (found := lead.match(plain, at, deed.start())) is not None and found.end() > at:
            at = found.end()
        if at < deed.start():
            return self._match("order_last", start, len(plain)) is not None
        return at > start if done else self._table["deeds"].match(plain, at) is not None

    def _goes_on(self, start: int, end: int) -> bool:
        """`My boss said:`: all that follows is what was said."""
        told = self._match("report", start, end)
        return told is not None and self._plain[told.end() :].lstrip()[:1] in (":", "：")

    def _match(self, rule: str, start: int, end: int) -> re.Match[str] | None:
        return self._table[rule].match(self._plain, start, end)

    def _requests(self, start: int, end: int) -> bool:
        return any(self._match(rule, start, end) for rule in ("imperative", "asked_politely"))

    def _kind(self, start: int, end: int, *, asks: bool) -> SpeechActKind:
        for rule, kind in _RULES:
            if self._match(rule, start, end) is None:
                continue
            # `Can you read PDFs?` is asked as politely as `can you read my letter?`.
            if rule != "asked_politely" or self._match("ability", start, end) is None:
                return kind
        if asks:
            return SpeechActKind.LOOK
        stated = self._match("statement", start, end) and not self._table["need"].search(
            self._plain, start, end
        )
        return SpeechActKind.STATEMENT if stated else SpeechActKind.COMMAND

    def _second_halves(self, start: int, end: int, kind: SpeechActKind) -> Iterator[re.Match[str]]:
        """The joints behind which a half of a sentence begins that is something else."""
        for joint in self._table["half"].finditer(self._plain, start, end):
            behind = self._behind_lead(joint.end(), end=end)

            def says(rule: str, at: int = behind) -> bool:
                return self._match(rule, at, end) is not None

            requests = self._requests(behind, end)
            loose = self._table["loose_half"].fullmatch(joint.group()) is not None
            joined = [
                self._table[rule].search(self._plain, start, joint.start())
                for rule in ("auxiliary", "destroys")
            ]
            shared = loose and any(joined)
            match kind:
                case SpeechActKind.COMMAND:
                    found = says("refusal")
                case SpeechActKind.LOOK:
                    found = (says("imperative") and not shared) or says("refusal")
                case SpeechActKind.REPORT if not says("past"):
                    found = says("asks_partner") or (
                        self._is_own(start, end) and (requests or says("question"))
                    )
                case SpeechActKind.REFUSAL:
                    found = requests and not loose and not self._enumerates(start, joint.start(), end)
                case SpeechActKind.HYPOTHETICAL:
                    found = says("asks_partner")
                case SpeechActKind.ABILITY_QUESTION if loose:
                    found = False
                case SpeechActKind.STATEMENT | SpeechActKind.SMALL_TALK | SpeechActKind.ABILITY_QUESTION:
                    found = requests or says("question") or says("refusal")
                case _:
                    found = False
            if found:
                yield joint

    def _is_own(self, start: int, end: int) -> bool:
        """The person tells of what happened, and not of what others said."""
        return self._match("report", start, end) is None

    def _enumerates(self, start: int, comma: int, end: int) -> bool:
        """`Don't delete, move or rename it`: all of it is refused."""
        refused = self._match("refusal", start, end)
        said = self._plain[refused.end() : comma].split() if refused is not None else []
        return (
            len(said) < 2
            and not re.search("_", self._plain[start:comma])
            and self._table["or"].search(self._plain, comma, end) is not None
        )

    def _deed_in(self, start: int, end: int) -> str:
        """The order that words speak of, as it would be given; empty: they speak of none.

        What the person did is one by its own verb only: `I bought a bin` is none.
        """
        told = next((found for rule in ("past", "habit") if (found := self._match(rule, start, end))), None)
        spoken = (self._match(rule, start, end) for rule in ("report", "refusal"))
        first = next((found.end() for found in spoken if found is not None), start)
        deeds = self._table["deeds"]
        match = deeds.search(self._plain, first, end) or deeds.search(self._plain, start, end)
        if match is not None and told is not None and self._is_own(start, end) and match.start() > told.end():
            return ""
        deed = self._table["tag"].sub("", self._text[match.start() : end].rstrip("?？ ")) if match else ""
        return self._infinitive(deed)

    def _infinitive(self, words: str) -> str:
        """`Tidied my desktop` → `tidy my desktop`."""
        said = words.strip(" ,.!?，。！？")
        found = self._table.verb_form.match(said)
        form = found.group() if found is not None else ""
        verb = self._table.verb_forms.get(form.casefold().replace(" ", "_"), form)
        return verb.replace("_", " ") + said[len(form) :]

    def _behind_lead(self, start: int, text: str = "", *, end: int | None = None) -> int:
        """Where a sentence that begins at `start` says what it is."""
        plain = text or self._plain
        stop = len(plain) if end is None else end
        while start < stop and not plain[start].isalnum() and plain[start] != "_":
            start += 1
        while (match := self._table["lead"].match(plain, start, stop)) is not None and match.end() > start:
            start = match.end()
        return start
