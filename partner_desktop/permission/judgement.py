"""The judgement on a request, by facts alone: pure functions, in the order in which they are asked.

What is forbidden, what must be asked about each time, what runs without a question, and what remains of the
question for whoever cannot be asked. Grants come between the third and the last (`engine.py`).

What the yes to a chain covers when one of its steps is about to run is told by pure facts too, but for
`are_real`. The yes was given to exact arguments; what another step was to bring was not known then and is
bounded here: it never becomes a command line, never leaves this machine with something that changes, and a
path among it lies where the card said that the chain works, or is a file that the chain itself made. A
folder that a file is copied or moved into stands, once its name is known, for the new place in it, but only
where the step that brings the file was itself given to write: no answer of a step chooses among what lies
elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeGuard

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import Mode, Scope
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.policy import Policy
from partner_desktop.permission.request import ApprovalMode, By, Outcome, PermissionRequest, params_hash
from partner_desktop.permission.rules import FILE, said
from partner_desktop.permission.sensitive_paths import (
    is_executed,
    is_sensitive,
    is_sensitive_place,
    lies_above,
    never_mounted,
)

#: Why a program's call does not run.
NOT_ALLOWED = "it needs your yes first"


@dataclass(frozen=True)
class Judgement:
    """An outcome, who brought it about, and why."""

    outcome: Outcome
    by: By
    reason: str = ""
    scope: Scope = "once"


@dataclass(frozen=True)
class EachTime:
    """What makes a question of each run: who says so to one who cannot be asked, and why."""

    by: By
    why: str


def forbidden(
    request: PermissionRequest, policy: Policy, own: Sequence[Path], handed: Mapping[PathUse, str]
) -> Judgement | None:
    """What nobody's yes opens: Partner's own data, and what a rule denies.

    `handed`: what other steps of its chain left for it to read there, each with why it is not to be read.
    """
    refusal = _refusal(request, own, handed)
    if refusal:
        return Judgement(Outcome.DENY, "policy", refusal)
    return deny_rule(request, policy)


def deny_rule(request: PermissionRequest, policy: Policy) -> Judgement | None:
    """What a rule denies, by the key alone."""
    rule = policy.rules.deny(request.action_key)
    return None if rule is None else Judgement(Outcome.DENY, "rule", f"{said(rule)} denies it")


def asked_each_time(request: PermissionRequest, policy: Policy) -> EachTime | None:
    """Why only a yes to this very run counts; `None` where what was said before may count."""
    executed = where_executed(request)
    if executed:
        return EachTime("flag", executed)
    whole = request.route is not Route.BUILTIN
    secret = next((use for use in request.paths if is_sensitive(use, whole=whole)), None)
    if secret is not None:
        return EachTime("flag", f"{display_path(Path(secret.path))} may hold secrets")
    return None if request.lasting else asked_by_policy(request.action_key, policy)


def asked_each_firing(request: PermissionRequest, policy: Policy) -> bool:
    """Whether no yes to a schedule, or to a plan for good, reaches to what it does: besides what asks each
    time anyway a command line that a shell reads or an administrator gives, and code.
    """
    risky = bool(request.isolation.hazard) or request.code or request.lasting
    return risky or asked_each_time(request, policy) is not None


def where_executed(request: PermissionRequest) -> str:
    """Why no yes counts but one to this very call, also none to a chain: it writes where programs are started
    from. Empty where it does not.
    """
    whole = request.route is not Route.BUILTIN
    use = next((use for use in request.paths if is_executed(use, whole=whole)), None)
    return "" if use is None else f"it writes where programs are started from: {display_path(Path(use.path))}"


def asked_by_policy(action_key: str, policy: Policy) -> EachTime | None:
    """The same as far as the person's settings go."""
    if not policy.known:
        return EachTime("policy", f"{FILE} cannot be read, so that everything asks")
    rule = policy.rules.ask(action_key)
    if rule is not None:
        return EachTime("rule", f"{said(rule)} asks each time")
    if policy.mode is Mode.ASK:
        return EachTime("policy", f"everything asks each time in the mode “ask” of {FILE}")
    return None


def allowed(request: PermissionRequest, policy: Policy) -> Judgement | None:
    """What runs without a question and without a grant; ask `asked_each_time` first.

    What a program asks for leaves with it whatever holds the run: only a rule opens it, and only where no
    place was chosen by the program.
    """
    if request.lasting:
        return None
    looks = request.route is Route.BUILTIN and request.risk is Risk.READ and not request.outward
    if looks and not request.program:
        return Judgement(Outcome.ALLOW, "policy", "it only reads")
    rule = policy.rules.allow(request.action_key, request.content_hash)
    if rule is not None and _rule_reaches(request):
        return Judgement(Outcome.ALLOW, "rule", f"{said(rule)} allows it")
    if policy.mode is Mode.AUTONOMOUS and not request.program and _harmless(request):
        return Judgement(Outcome.ALLOW, "policy", "the sandbox keeps it from changing or sending anything")
    return None


def looks_once_approved(request: PermissionRequest, policy: Policy) -> bool:
    """Whether the person's earlier yes to this version of a script is enough: it only looks, the sandbox
    holds it, and nothing of it leaves."""
    known = bool(request.content_hash) and not request.args_bound and not request.program
    return policy.mode is Mode.SMART and request.looks and known and _harmless(request)


def answered(
    request: PermissionRequest, policy: Policy, standing: ApprovalMode, each_time: EachTime | None
) -> Judgement | None:
    """The standing answer to the question that remains; `None`: a person is asked.

    `ALL` is a yes, but no consent to run unheld, and none past rules that cannot be read.
    """
    if standing is ApprovalMode.GRANTED:
        if each_time is None:
            return Judgement(Outcome.DENY, "flag", NOT_ALLOWED)
        return Judgement(Outcome.DENY, each_time.by, f"{each_time.why}; only you can allow that, in Partner")
    return _blanket_yes(request, policy) if standing is ApprovalMode.ALL else None


def _blanket_yes(request: PermissionRequest, policy: Policy) -> Judgement:
    """What `--approve all` says."""
    if not policy.known:
        reason = f"{FILE} cannot be read, and a rule in it may deny this; only you can allow it, on its card"
        return Judgement(Outcome.DENY, "policy", reason)
    executed = where_executed(request)
    if executed:
        return Judgement(Outcome.DENY, "policy", f"{executed}; that needs your own yes on its card")
    if request.command:
        return Judgement(
            Outcome.DENY, "policy", "a command line needs your own yes, on its card or a terminal"
        )
    if request.code:
        reason = "code that becomes an ability is read by you first: it needs your own yes on its card"
        return Judgement(Outcome.DENY, "policy", reason)
    unheld = not request.isolation.sandboxed and not request.isolation.server
    if request.route is not Route.BUILTIN and unheld:
        reason = "there is no sandbox here, and running without one needs your own yes on its card"
        return Judgement(Outcome.DENY, "policy", reason)
    return Judgement(Outcome.ALLOW, "flag", "--approve all")


def _rule_reaches(request: PermissionRequest) -> bool:
    """A rule was written without a card: it opens nothing whose danger only a card would show."""
    if request.program and request.chosen:
        return False
    if request.route is Route.BUILTIN:  # which of them, `rules.ALLOWABLE` says
        return not any(use.access == "write" for use in request.paths)
    held = request.isolation.sandboxed and not request.args_bound and not request.led_away
    return held and not any(_is_secret(Path(use.path)) for use in request.paths)


def _harmless(request: PermissionRequest) -> bool:
    """What it does stays in the sandbox, and what it sees was chosen for this run."""
    isolation = request.isolation
    alone = not isolation.net and not isolation.sockets and not isolation.foreign
    held = isolation.sandboxed and alone and not isolation.server
    reads = request.risk is Risk.READ and request.route is not Route.BUILTIN
    return held and reads and not any(map(_shows_much, request.paths))


def _shows_much(use: PathUse) -> bool:
    """No card shows what a script declares for every run; and a whole home holds secrets somewhere."""
    return not use.param or use.access == "write" or _is_secret(Path(use.path))


def _is_secret(path: Path) -> bool:
    return is_sensitive_place(path) or lies_above(path)


def _refusal(request: PermissionRequest, own_places: Sequence[Path], handed: Mapping[PathUse, str]) -> str:
    """Why this may never run; empty when it may."""
    for use in request.paths:
        target = Path(use.path)
        if use.access == "read" and use in handed:
            if handed[use]:
                return handed[use]
            continue
        if target == Path(target.anchor) and request.route is not Route.BUILTIN:
            return "no ability is given the whole file system"
        if never_mounted(target) and request.route is not Route.BUILTIN:
            return (
                f"no ability is given {display_path(target)}, where running programs or devices are reached"
            )
        for own in own_places:
            # Reading a folder above is allowed: the sandbox hides what is Partner's inside it.
            above = target in own.parents and use.access == "write"
            if above or target == own or own in target.parents:
                return f"{display_path(target)} holds Partner's own data"
    return ""


#: How the reason of every yes to a chain begins.
CHAIN_REASON = "chain "
#: Partner's own actions on files: what they are given as text stays text, and their places are all paths.
_FILES = "builtin::files::"
#: How much is seen of a file: the folder that holds it.
_OF_A_FILE = 2

#: By step: the places that the card showed it to write to.
Wrote: TypeAlias = Mapping[str, Sequence[PathUse]]
_NOTHING: Wrote = {}


def is_given(decisions: Sequence[AuditEntry], request: PermissionRequest, approved: JsonObject) -> bool:
    """Whether the newest yes was to this step with these arguments; `decisions`: on it, newest first.

    A decision that was made out of the yes before, for the same call, stands in between and changes nothing.
    """
    wanted, concrete = params_hash(approved), params_hash(request.params)
    for entry in decisions:
        if not _is_yes(entry, request):
            return False
        if entry.params_hash == wanted:
            return True
        if entry.params_hash != concrete:
            return False
    return False


def reason_of(decisions: Sequence[AuditEntry]) -> str:
    """Of which chain the yes was."""
    return decisions[0].reason


def _is_yes(entry: AuditEntry, request: PermissionRequest) -> bool:
    return (
        entry.outcome == Outcome.ALLOW
        # A grant that says of which chain is one to a saved plan as a whole.
        and (entry.by_whom == "grant" or (entry.by_whom, entry.scope) == ("person", "once"))
        and entry.reason.startswith(CHAIN_REASON)
        and (entry.action_key, entry.content_hash) == (request.action_key, request.content_hash)
    )


def within(
    request: PermissionRequest,
    approved: JsonObject,
    *,
    held: Isolation,
    shown: Sequence[PathUse],
    made: Collection[str],
    handed: Collection[PathUse] = (),
    wrote: Wrote = _NOTHING,
) -> bool:
    """Whether the call is the approved one, with nothing brought to it that nobody could have foreseen."""
    fed = _fed(approved)
    if request.isolation != held or set(request.params) != set(approved):
        return False
    put = _put(request, approved, shown, wrote) if _only_keeps(request) else {}
    said = {**approved, **{name: use.path for name, use in put.items()}}
    if any(request.params[name] != value for name, value in said.items() if name not in fed):
        return False
    if fed and ((request.args_bound and not _only_keeps(request)) or _may_send(request)):
        return False
    return all(use == put.get(use.param) or _is_shown(use, fed, shown, made, handed) for use in request.paths)


def are_real(request: PermissionRequest, approved: JsonObject) -> bool:
    """Whether what was brought as a path is one without links. Asks the disk: off the loop."""
    fed = _fed(approved)
    return all(os.path.realpath(use.path) == use.path for use in request.paths if use.param in fed)


def _only_keeps(request: PermissionRequest) -> bool:
    """Whether what is brought is no more than the contents of a file, or the file, at a place that the card
    showed. What programs read by themselves (hidden files, keys) is no such place.
    """
    if request.route is not Route.BUILTIN or not request.action_key.startswith(_FILES):
        return False
    hidden = any(part.startswith(".") for use in request.paths for part in Path(use.path).parts)
    careful = any(is_sensitive(use, whole=False) or is_executed(use, whole=False) for use in request.paths)
    return not hidden and not careful


def _may_send(request: PermissionRequest) -> bool:
    """Whether what is brought could leave with it. What it claims of itself (`outward`) lowers nothing: what
    has the network, is a server's or is not held may do so, whatever its author says.
    """
    free = request.isolation.net or request.isolation.sockets or not request.isolation.sandboxed
    may = request.outward or (free and request.route is not Route.BUILTIN)
    return may and request.risk is not Risk.READ


def _fed(approved: JsonObject) -> set[str]:
    return {name for name, value in approved.items() if _is_placeholder(value)}


def _put(
    request: PermissionRequest, approved: JsonObject, shown: Sequence[PathUse], wrote: Wrote
) -> dict[str, PathUse]:
    """The new places of files that are brought, each by its own name in the folder that was approved."""
    names = {Path(use.path).name for use in request.paths if _is_of_its_step(use, approved, wrote)}
    folders = [
        place for place in shown if place.access == "write" and approved.get(place.param) == place.path
    ]
    return {
        use.param: use
        for use in request.paths
        if any(_takes(place, use) and Path(use.path).name in names for place in folders)
    }


def _takes(folder: PathUse, use: PathUse) -> bool:
    """Whether it lies right in the folder, which is still the one that was shown."""
    same = (folder.param, folder.access, Path(folder.path)) == (use.param, use.access, Path(use.path).parent)
    return same and folder.seen[2:] == use.seen[:2] != ()


def _is_of_its_step(use: PathUse, approved: JsonObject, wrote: Wrote) -> bool:
    """Whether what is brought is one file, and lies where the step that brings it was given to write. Of a
    folder nobody knows what lies in it.
    """
    value = approved.get(use.param)
    if not _is_placeholder(value) or len(use.seen) != _OF_A_FILE:
        return False
    return any(_holds(place, replace(use, access="write")) for place in wrote.get(str(value["$from"]), ()))


def _is_placeholder(value: Json) -> TypeGuard[JsonObject]:
    return isinstance(value, dict) and list(value) == ["$from"] and isinstance(value["$from"], str)


def _is_shown(
    use: PathUse,
    fed: Collection[str],
    shown: Sequence[PathUse],
    made: Collection[str],
    handed: Collection[PathUse],
) -> bool:
    if use.param not in fed:
        return any(place.is_still(use) for place in shown)
    if is_sensitive(use, whole=True) or is_executed(use, whole=True):
        return False
    return use.path in made or use in handed or any(_holds(place, use) for place in shown)


def _holds(place: PathUse, use: PathUse) -> bool:
    """Whether a path of the card reaches as far: what was shown to be read is not written to."""
    if use.access == "write" and place.access != "write":
        return False
    return Path(place.path) in (Path(use.path), *Path(use.path).parents)
