"""How the card says things: risk, isolation, state, time, who let it run, in the person's terms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.base.text import shown
from partner_desktop.desktop.parts.controls import PillKind
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.action import ActionRecord, ActionStatus, KnownValue
from partner_desktop.domain.events import DecisionEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.domain.meta_action import properties_of
from partner_desktop.domain.run_facts import Hazard, Isolation, PathUse, Risk
from partner_desktop.domain.verification import VerdictStatus

_BUILTIN = "builtin::"
_QUOTED = "“{}”"


def risk_words(record: ActionRecord) -> tuple[str, PillKind]:
    """How much a run could change."""
    if record.risk is Risk.READ:
        return tr("reads only"), "good"
    if record.risk is Risk.SYSTEM:
        return _system_words(record), "bad"
    written = [use for use in record.paths if use.access == "write"]
    if written:
        return _written_words(written), "careful"
    if record.isolation is not None and record.isolation.sandboxed:
        return tr("writes only its own workspace"), "careful"
    return tr("can change things"), "careful"


def _system_words(record: ActionRecord) -> str:
    """What nothing holds, and what of the command line deserves a closer look."""
    hazard = record.isolation.hazard if record.isolation is not None else ""
    words: dict[Hazard, str] = {
        "": tr("full access to your account"),
        "shell": tr("a shell reads this line · full access to your account"),
        "code": tr("runs code from its arguments · full access to your account"),
        "admin": tr("asks for administrator's rights"),
    }
    return words[hazard]


def _written_words(written: list[PathUse]) -> str:
    """By the look of the names alone: nothing here waits for a disk."""
    files = sum(1 for use in written if PurePath(use.path).suffix)
    folders = len(written) - files
    if files and folders:
        return tr("writes {count} places").format(count=len(written))
    if files:
        return tr("writes 1 file") if files == 1 else tr("writes {count} files").format(count=files)
    return tr("writes 1 folder") if folders == 1 else tr("writes {count} folders").format(count=folders)


def isolation_words(record: ActionRecord) -> tuple[str, PillKind]:
    """What holds a run; empty for what says nothing about it."""
    isolation = record.isolation
    if isolation is None:
        return "", "plain"
    if isolation.server:
        return held_words(isolation), "careful"
    if isolation.foreign or isolation.sockets:
        return held_words(isolation), "careful"
    if needs_consent(record):
        return tr("not sandboxed"), "bad"
    return held_words(isolation), "plain"


def held_words(isolation: Isolation) -> str:
    """What holds a run, by the facts: the summary of the record is for the log, and English."""
    if isolation.server:
        words = tr("runs in the server {server} · outside the sandbox")
        return words.format(server=isolation.server)
    if isolation.sandboxed:
        held = [tr("sandboxed · network allowed") if isolation.net else tr("sandboxed · no network")]
        if isolation.sockets:
            held.append(tr("talks to programs of this machine"))
        if isolation.foreign:
            places = ", ".join(isolation.foreign.splitlines())
            held.append(tr("its program opens {places}").format(places=places))
        return " · ".join(held)
    if isolation.net:
        return tr("not sandboxed · with your own rights")
    return tr("built in · only looks")


def needs_consent(record: ActionRecord) -> bool:
    """Whether nothing but the person's word holds this run; what is built in and harmless needs none."""
    isolation = record.isolation
    if isolation is None or isolation.sandboxed or isolation.server:
        return False  # a server was let in when it was configured; the card says that it runs outside
    return record.risk is Risk.SYSTEM or not record.key.startswith(_BUILTIN)


def reaches_freely(record: ActionRecord) -> bool:
    """Whether its arguments may lead it to any place: a lasting yes to them is none to others."""
    held = record.isolation is None or record.isolation.sandboxed
    return not held and not record.key.startswith(_BUILTIN)


VERDICT_KINDS: dict[VerdictStatus, PillKind] = {
    VerdictStatus.VERIFIED: "good",
    VerdictStatus.FAILED: "bad",
    VerdictStatus.UNABLE: "careful",
    VerdictStatus.TIMED_OUT: "careful",
    VerdictStatus.UNVERIFIED: "plain",
}


def status_words(status: ActionStatus) -> tuple[str, PillKind]:
    """Where an action stands; nothing while it waits, its buttons say so."""
    words: dict[ActionStatus, tuple[str, PillKind]] = {
        ActionStatus.ASKING: (tr("asking you"), "careful"),
        ActionStatus.WAITING: ("", "plain"),
        ActionStatus.RUNNING: (tr("running"), "busy"),
        ActionStatus.SUCCEEDED: (tr("done"), "good"),
        ActionStatus.FAILED: (tr("failed"), "bad"),
        ActionStatus.REJECTED: (tr("rejected"), "plain"),
        ActionStatus.CANCELLED: (tr("cancelled"), "plain"),
        ActionStatus.INTERRUPTED: (tr("interrupted"), "careful"),
        ActionStatus.EXPIRED: (tr("timed out"), "plain"),
    }
    return words[status]


def verdict_words(status: VerdictStatus) -> str:
    """What a check came to."""
    return {
        VerdictStatus.VERIFIED: tr("verified"),
        VerdictStatus.FAILED: tr("check failed"),
        VerdictStatus.UNABLE: tr("could not check"),
        VerdictStatus.TIMED_OUT: tr("check timed out"),
        VerdictStatus.UNVERIFIED: tr("not checked"),
    }[status]


def has_steps(record: ActionRecord) -> bool:
    """Whether it is shown as a plan; what only reminds is none to look at."""
    reminds = record.terms is not None and record.terms.is_reminder
    return record.chain is not None and not reminds


def standing_words(record: ActionRecord) -> tuple[str, PillKind]:
    """Where an action stands; of what was done and checked, what came of that."""
    if record.status is ActionStatus.SUCCEEDED and record.terms is not None:
        return tr("scheduled"), "good"
    found = record.verification
    if record.status is ActionStatus.SUCCEEDED and found is not None and found.ended_at is not None:
        whole = found.counts.get(VerdictStatus.VERIFIED, 0) == len(found.verdicts) > 0
        if whole or found.overall is VerdictStatus.FAILED:
            return verdict_words(found.overall), VERDICT_KINDS[found.overall]
    return status_words(record.status)


def waits_words(record: ActionRecord) -> str:
    """Until when a card can be approved, by the clock on the wall; empty where that is not known."""
    until = record.waits_until
    return tr("waits until {time}").format(time=f"{until.astimezone():%H:%M}") if until is not None else ""


def path_words(use: PathUse) -> str:
    """`reads ~/docs/README.md`."""
    shown = display_path(Path(use.path))
    if use.is_taken:
        return tr("writes {path}, which is there already").format(path=shown)
    return (
        tr("writes {path}").format(path=shown)
        if use.access == "write"
        else tr("reads {path}").format(path=shown)
    )


def known_words(value: KnownValue) -> str:
    """Where an argument comes from that the person did not say."""
    words = tr("known from what you said of {who} on {day}")
    return words.format(who=shown(value.who), day=f"{value.at.astimezone():%Y-%m-%d}")


def duration_words(duration_ms: int) -> str:
    """`0.3 s`, `12 s`, `2 min 5 s`."""
    seconds = duration_ms / 1000
    if seconds < 10:
        return tr("{seconds} s").format(seconds=f"{max(seconds, 0.1):.1f}")
    if seconds < 60:
        return tr("{seconds} s").format(seconds=round(seconds))
    minutes, rest = divmod(round(seconds), 60)
    return tr("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)


def param_title(name: str, schema: dict[str, Json]) -> str:
    """The parameter's name as words."""
    title = schema.get("title")
    if isinstance(title, str) and title:
        return shown(title)
    words = shown(name).replace("_", " ").replace("-", " ").strip() or name
    return words[:1].upper() + words[1:]


def value_words(value: Json) -> str:
    """A parameter's value on one line."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, list):
        return shown(", ".join(_item_words(item) for item in value)) or "[]"
    if isinstance(value, str):
        return shown(value) or _QUOTED.format("")
    return shown(json.dumps(value, ensure_ascii=False))


def given_words(name: str, value: Json, uses: Iterable[PathUse]) -> str:
    """An argument's value on one line; a place as a person writes it."""
    if isinstance(value, str) and any(use.param == name and use.path == value for use in uses):
        return display_path(Path(value))
    return value_words(value)


def _item_words(value: Json) -> str:
    """One of several: where it begins and ends is seen."""
    return _quoted(shown(value)) if isinstance(value, str) else value_words(value)


def _quoted(text: str) -> str:
    """Between “ and ”, which are no other ones."""
    return _QUOTED.format(re.sub("[“”]", lambda found: f"⟨U+{ord(found[0]):04X}⟩", text))


def asked_title(record: ActionRecord) -> str:
    """What the parameter is called that is asked for."""
    return param_title(record.asked_param, properties_of(record.schema).get(record.asked_param, {}))


#: In a text it would look like the end of it and the next argument.
_LIKE_ANOTHER = re.compile(r"[·“”]|: |:$|⟨↵")


def params_words(record: ActionRecord, *, between: str = " · ") -> str:
    """All parameters, on one line unless `between` them is another: for the card that cannot be edited."""
    described = properties_of(record.schema)
    # In the order of the form: what it is for stands before what a program goes by.
    given = {name: record.params[name] for name in described if name in record.params} | record.params
    parts = []
    for name, value in given.items():
        if name == CODE and proposed_code(record) is not None:
            continue
        said = given_words(name, value, record.paths)
        if isinstance(value, str) and value and _LIKE_ANOTHER.search(said):
            said = _quoted(said)
        parts.append(f"{param_title(name, described.get(name, {}))}: {said}")
    return between.join(parts)


GENERATE: Final = "builtin::dynamic::generate"
#: The parameter that holds the source.
CODE: Final = "code"


@dataclass(frozen=True)
class SandboxSeen:
    """Whether scripts can be held here; `reason` is the sentence why not."""

    available: bool
    reason: str = ""


def proposed_code(record: ActionRecord) -> str | None:
    """The source of the ability that a card proposes; `None` for any other card."""
    code = record.params.get(CODE)
    return code if record.key == GENERATE and isinstance(code, str) else None


def can_be_tried(record: ActionRecord) -> bool:
    """Whether there is a script that a sandbox could hold: no server's tool, nothing built in."""
    if proposed_code(record) is not None:
        return True
    local = record.key.startswith(("origin::", "local::"))
    return local and bool(record.source_path) and (record.isolation is None or not record.isolation.server)


def decision_words(event: DecisionEvent, risk: Risk | None) -> LazyText:
    """For the card; empty for a plain yes or no of the person, which the card shows by itself."""
    if event.outcome == "deny":
        return "" if event.by == "person" else _sentence(event.reason)
    if event.by == "person" and event.scope == "once":
        return ""
    return lambda: _allowed_words(event, risk)


def _sentence(reason: str) -> str:
    """As it stands by itself."""
    told = reason[:1].upper() + reason[1:]
    return told if not told or told.endswith((".", "!", "?", "。")) else f"{told}."


def _allowed_words(event: DecisionEvent, risk: Risk | None) -> str:
    here = event.scope == "conversation"
    words = {
        "person": tr("You allowed it in this conversation. Once it is edited, it asks again.")
        if here
        else tr("You allowed it from now on. Once it is edited, it asks again."),
        "grant": tr("Allowed by what you granted in this conversation.")
        if here
        else tr("Allowed by what you granted before."),
        "rule": tr("Allowed by a rule of yours."),
        "policy": tr("It only reads, so it ran without a question.")
        if risk in (Risk.READ, None)
        else tr("The sandbox holds it, and you let such runs go ahead."),
        "flag": tr("Allowed by the option that Partner was started with."),
    }
    return words[event.by]


def scope_words(event: DecisionEvent) -> str:
    """How far it reaches, as a fact."""
    if event.outcome == "deny":
        return ""
    return {
        "once": tr("once"),
        "conversation": tr("in this conversation"),
        "always": tr("from now on"),
        "everywhere": tr("from now on, everywhere"),
    }[event.scope]
