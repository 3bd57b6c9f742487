"""What is asked of the permission engine, and what it answers.

A `Decision` is made nowhere but in `engine.py`, which alone has the seal, and the runner runs nothing
without one that allows exactly this call.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import InitVar, dataclass
from enum import StrEnum

from partner_desktop.base.errors import WiringError
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.permission import By, Scope
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk

__all__ = ["SEAL", "ApprovalMode", "By", "Decision", "Outcome", "PermissionRequest", "Scope", "params_hash"]

#: What a decision is sealed with: the engine's alone, as a test of the whole source makes sure.
SEAL = object()


class Outcome(StrEnum):
    """What the engine says."""

    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"


class ApprovalMode(StrEnum):
    """How whoever started the exchange answers every question: by being asked, always yes, always no.

    `GRANTED` is for programs, which cannot be asked: what needs no question runs, what does is refused.
    """

    ASK = "ask"
    ALL = "all"
    NEVER = "never"
    GRANTED = "granted"


def params_hash(params: JsonObject) -> str:
    """SHA-256 of the arguments in a canonical form."""
    canonical = json.dumps(params, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True)
class PermissionRequest:
    """One intended run, by facts only: no text in it is read for meaning."""

    action_id: str
    action_key: str
    route: Route
    content_hash: str
    params: JsonObject
    risk: Risk
    isolation: Isolation
    paths: tuple[PathUse, ...] = ()
    args_bound: bool = False
    """Whether a standing grant covers only these very arguments (free command lines)."""
    command: bool = False
    """Whether a whole command line is among its arguments."""
    code: bool = False
    """Whether code is among its arguments, of which an ability is to become."""
    looks: bool = False
    """Whether its descriptor says that it only looks."""
    outward: bool = False
    """Whether it deals with more than this machine's files: other programs, servers, the web."""
    conversation_id: str = ""
    """Where it was asked for; a grant for a conversation holds there alone."""
    grantable: bool = True
    """Whether a yes may reach beyond this run."""
    led_away: bool = False
    """Whether a place that the script declares for every run leads elsewhere by a link."""
    program: str = ""
    """The program that asks for it, as that calls itself: what was granted to others is nothing to it."""
    lasting: bool = False
    """Whether it goes on by itself from start to start: nothing but the person's own yes begins it, and that
    holds in every mode until what it is about changes."""
    title: str = ""
    """For the list of grants; nothing is decided by it."""

    @property
    def chosen(self) -> tuple[PathUse, ...]:
        """The places that were chosen for this run; a grant holds for them, and for what lies in them."""
        return tuple(use for use in self.paths if use.param)

    @property
    def reaches_freely(self) -> bool:
        """Whether any of its arguments may lead it to any place, shown or not: no sandbox of ours holds it. A
        server may take a path as plain text, and a path that it is not given from where it likes."""
        return self.route is not Route.BUILTIN and not self.isolation.sandboxed and not self.lasting

    def binding(self, scope: Scope) -> str:
        """What a grant is bound to, beside the chosen places: script and descriptor, how it is held, where
        its declared places lead, and, where the arguments are the danger, the arguments. Of what reaches
        freely, only a yes to `everywhere` is a yes to other arguments."""
        parts = [self.content_hash, "sandboxed" if self.isolation.sandboxed else "open"]
        parts.append("net" if self.isolation.net else "no-net")
        # Of a link in such a place the hash knows nothing: it may lead to the keys by now.
        parts += sorted(f"{use.access} {use.path}" for use in self.paths if not use.param)
        if self.args_bound or (self.reaches_freely and scope != "everywhere"):
            parts.append(params_hash(self.params))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(frozen=True)
class Decision:
    """The engine's answer to one request; nobody else can make one, nor change a copy of one."""

    outcome: Outcome
    action_id: str
    action_key: str
    content_hash: str
    params_hash: str
    sandboxed: bool
    by: By
    scope: Scope = "once"
    reason: str = ""
    seal: InitVar[object] = None

    def __post_init__(self, seal: object) -> None:
        if seal is not SEAL:
            raise WiringError("A decision was made outside of the permission engine.")

    def covers(self, *, action_id: str, content_hash: str, params: JsonObject, sandboxed: bool) -> bool:
        """Whether this decision allows exactly this call, held at least as well as was decided on."""
        return (
            self.outcome is Outcome.ALLOW
            and self.action_id == action_id
            and self.content_hash == content_hash
            and self.params_hash == params_hash(params)
            and (sandboxed or not self.sandboxed)
        )
