"""A chain of steps in lines for a terminal: as it is proposed, and as its steps end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.messages import sentence_of
from partner_desktop.commands.plain import plain, plain_line
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.permission import Verdict

#: How an action or a step stands, in one sign.
SIGNS = {
    "planned": "·", "asking": "?", "waiting": "?", "running": "●", "succeeded": "✓", "failed": "✗",
    "interrupted": "✗",
}  # fmt: skip
_ENDS = {"succeeded": "done", "failed": "failed", "cancelled": "cancelled", "skipped": "skipped"}
#: What a step brings for another is not known yet.
_FED = "$from"


def proposal_lines(action: JsonObject) -> Iterator[str]:
    """Title and what holds it, then its arguments; of a chain each step with its own."""
    held = _field(action.get("isolation"), "summary")
    steps = steps_of(action)
    if steps:
        yield f"{plain_line(action['title'])} · {len(steps)} steps"
    else:
        yield " · ".join(part for part in (plain_line(action["title"]), held) if part)
        yield from argument_lines(action.get("params"), "  ")
    if action.get("program"):
        yield sentence_of("terminal.asked_by_program", program=plain(action["program"]))
        yield sentence_of("terminal.for_program_alone")
    for number, step in enumerate(steps, 1):
        yield from _step_lines(number, step, steps)
    chain = action.get("chain")
    looks = chain.get("looks") if isinstance(chain, dict) else None
    known = looks if isinstance(looks, list) else ()
    titles = [plain(str(look["title"])) for look in known if isinstance(look, dict)]
    if titles:
        yield sentence_of("terminal.looks_after", names=", ".join(titles))


def wider_answers(action: JsonObject) -> dict[str, tuple[Verdict, str]]:
    """Key → the answer and its words, for a yes that reaches beyond this run; empty where none may."""
    if not action.get("grantable") or action.get("terms"):
        return {}  # a yes to what is done later reaches to each time anyway
    found: dict[str, tuple[Verdict, str]] = {"c": ("conversation", sentence_of("terminal.in_conversation"))}
    isolation = action.get("isolation")
    held = not isinstance(isolation, dict) or bool(isolation.get("sandboxed"))
    if not held and not str(action["key"]).startswith("builtin::"):
        return {
            "c": ("conversation", sentence_of("terminal.in_conversation_with")),
            "a": ("always", sentence_of("terminal.always_with")),
            "e": ("everywhere", sentence_of("terminal.always_any")),
        }
    paths = action.get("paths")
    if not any(
        isinstance(use, dict) and use.get("param") for use in (paths if isinstance(paths, list) else ())
    ):
        return found | {"a": ("always", "always")}
    return found | {
        "a": ("always", sentence_of("terminal.always_places")),
        "e": ("everywhere", sentence_of("terminal.always_everywhere")),
    }


def wider_words(action: JsonObject) -> str:
    """The same on one line, each with its key."""
    return "".join(f"[{key}] {words}  " for key, (_, words) in wider_answers(action).items())


def _step_lines(number: int, step: JsonObject, steps: list[JsonObject]) -> Iterator[str]:
    held = _field(step.get("isolation"), "summary")
    facts = [plain_line(step["title"]), risk_words(plain(step.get("risk") or "")), held]
    yield f"  {number}. {' · '.join(part for part in facts if part)}"
    yield from argument_lines(step.get("params"), "     ")
    feeds = step.get("feeds")
    for feed in feeds if isinstance(feeds, list) else ():
        if isinstance(feed, dict):
            yield sentence_of(
                "terminal.from_step", param=plain(feed["param"]), step=number_in(steps, feed["step"])
            )


def argument_lines(params: Json, indent: str) -> Iterator[str]:
    """`name: value`, one a line; without what an earlier step will bring."""
    for name, value in params.items() if isinstance(params, dict) else ():
        if not (isinstance(value, dict) and set(value) == {_FED}):
            yield f"{indent}{plain_line(name)}: {plain_line(value)}"


def risk_words(risk: str) -> str:
    """How much a run could change."""
    return sentence_of(f"terminal.risk_{risk}") if risk in ("read", "write", "system") else risk


def steps_of(action: Json) -> list[JsonObject]:
    """The steps of a chain in order; none where it is a single action."""
    chain = action.get("chain") if isinstance(action, dict) else None
    stages = chain.get("stages") if isinstance(chain, dict) else None
    found: list[JsonObject] = []
    for stage in stages if isinstance(stages, list) else ():
        steps = stage.get("steps") if isinstance(stage, dict) else None
        found += [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []
    return found


def last_tries(steps: list[JsonObject]) -> list[JsonObject]:
    """Of a step that was tried again, its last try alone."""
    tried = {step.get("mends") for step in steps if step.get("origin") == "retry"}
    return [step for step in steps if step.get("id") not in tried]


def number_in(steps: list[JsonObject], step_id: Json) -> int:
    """A step's place, where all tries of one are one; 0: it is not there."""
    number = 0
    for step in steps:
        number += step.get("origin") != "retry"
        if step.get("id") == step_id:
            return number
    return 0


def _field(value: Json, name: str) -> str:
    return plain(value.get(name) or "") if isinstance(value, dict) else ""


@dataclass
class PlanProgress:
    """Knows the chains that were heard of, and which of their steps were told of."""

    _chains: dict[str, JsonObject] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)

    def note(self, action: JsonObject) -> None:
        """A chain as it is now, or a step of one that ended."""
        if steps_of(action):
            self._chains[str(action["id"])] = action
        elif action.get("parent_id") and action.get("finished_at"):
            self._told.add(str(action["id"]))

    def place(self, action: JsonObject) -> str:
        """`2/3 Zip backup` for a step, the title alone for anything else."""
        chain = self._chains.get(str(action.get("parent_id") or ""))
        steps = steps_of(chain)
        number = number_in(steps, action["id"])
        title = plain_line(action["title"])
        return f"{number}/{len(last_tries(steps))} {title}" if number else title

    def plan_of(self, action: JsonObject) -> str:
        """The title of the chain that it is a step of; empty for anything else."""
        chain = self._chains.get(str(action.get("parent_id") or ""))
        return plain_line(chain["title"]) if chain is not None else ""

    def ended(self, action: JsonObject) -> Iterator[str]:
        """`1/2 Find duplicates … done`: of a step that ended, or what a chain that ended left out."""
        if action.get("parent_id"):
            yield _end_line(self.place(action), str(action["status"]), plain(action.get("error") or ""))
            return
        steps = steps_of(action)
        for step in steps:
            if str(step["id"]) not in self._told and step["status"] in ("skipped", "cancelled"):
                number, count = number_in(steps, step["id"]), len(last_tries(steps))
                place = f"{number}/{count} {plain_line(step['title'])}"
                yield _end_line(place, str(step["status"]), plain(step.get("error") or ""))


def _end_line(place: str, status: str, error: str) -> str:
    why = f": {error}" if error and status in ("failed", "skipped") else ""
    return f"{place} … {_ENDS.get(status, status)}{why}"
