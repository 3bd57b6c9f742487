"""The judgement on a request, by facts alone: pure functions, in the order in which they are asked.

What is forbidden, what must be asked about each time, what runs without a question, and what remains of the
question for whoever cannot be asked. Grants come between the third and the last (`engine.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.base.paths import display_path
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import Mode, Scope
from partner_desktop.domain.run_facts import PathUse, Risk
from partner_desktop.permission.policy import Policy
from partner_desktop.permission.request import ApprovalMode, By, Outcome, PermissionRequest
from partner_desktop.permission.rules import FILE, said
from partner_desktop.permission.sensitive import (
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
