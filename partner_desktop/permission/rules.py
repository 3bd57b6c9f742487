"""Rules: what the person wrote about keys, whatever the order; deny beats ask, and ask beats allow.

A pattern is matched as in a shell (`*`, `?`, `[a-c]`), case-sensitive, against the whole key; a key that is
written out matches itself, whatever characters it holds. An `allow` is bound to what it was written for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase, translate

from partner_desktop.domain.permission import Effect, Rule

#: Where the rules stand, as a person looks for it.
FILE = "config/permission.toml"

#: The built-in actions that an `allow` can open without looking at their arguments. The others need no rule,
#: for they only look, or are asked about each time: they change files, run programs or make abilities.
ALLOWABLE = (
    "builtin::capability::initiate_turn",
    "builtin::clipboard::read",
    "builtin::clipboard::write",
    "builtin::mcp::get_prompt",
    "builtin::mcp::read_resource",
    "builtin::mcp::sample",
    "builtin::notify",
)

_LONGEST_PATTERN = 1_000
_HASH = re.compile(r"[0-9a-fA-F]{16,64}")
_WILD = re.compile(r"[*?\[]")
#: What Partner itself runs; every other location is an external server.
_OWN_LOCATIONS = ("builtin", "local", "origin")


def said(rule: Rule) -> str:
    """The rule and its file, for a sentence."""
    return f"the rule “{rule.effect.value} {rule.action}” in {FILE}"


class RuleBook:
    """Rules made ready to be asked. Building it compiles patterns; thousands take a while: off the loop."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        """In the file's order."""
        self._of = {
            effect: _Matcher(rule for rule in self.rules if rule.effect is effect) for effect in Effect
        }

    def deny(self, key: str) -> Rule | None:
        """The rule that turns it down."""
        return next(self._of[Effect.DENY].matching(key), None)

    def ask(self, key: str) -> Rule | None:
        """The rule that lets it be asked about each time."""
        return next(self._of[Effect.ASK].matching(key), None)

    def allow(self, key: str, content_hash: str) -> Rule | None:
        """The rule that is about exactly this script and descriptor, or about this built-in action."""
        for rule in self._of[Effect.ALLOW].matching(key):
            if not rule.hash and key in ALLOWABLE:
                return rule
            if _HASH.fullmatch(rule.hash) and content_hash.startswith(rule.hash.lower()):
                return rule
        return None


class _Matcher:
    """The rules of one effect, the same one twice only once."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._exact: dict[str, dict[Rule, None]] = {}
        self._patterns: list[tuple[re.Pattern[str], Rule]] = []
        for rule in dict.fromkeys(rules):
            self._exact.setdefault(rule.action, {})[rule] = None
            if _WILD.search(rule.action):
                self._patterns.append((re.compile(translate(rule.action)), rule))

    def matching(self, key: str) -> Iterator[Rule]:
        yield from self._exact.get(key, ())
        yield from (rule for pattern, rule in self._patterns if pattern.match(key))


def rule_problem(rule: Rule) -> str:
    """Why a rule cannot hold, in one sentence; empty when it can."""
    return _pattern_problem(rule.action) or _hash_problem(rule) or _allow_problem(rule)


def _pattern_problem(pattern: str) -> str:
    if not pattern.strip():
        return "a rule names an action, such as builtin::command::execute, or a pattern, such as local::*"
    if len(pattern) > _LONGEST_PATTERN:
        return f"a pattern has at most {_LONGEST_PATTERN:,} characters"
    if not pattern.isprintable() or pattern != pattern.strip():
        return "an action's key holds no spaces at its ends, no line ends and no other invisible characters"
    if "::" not in pattern and not _WILD.search(pattern):
        return f"“{pattern}” matches no action: a key has a location and a name, such as local::{pattern}"
    return ""


def _hash_problem(rule: Rule) -> str:
    if rule.hash and not _HASH.fullmatch(rule.hash):
        return (
            "a hash is 16 to 64 of the digits 0-9 and a-f, as `partner-desktop actions list --json` shows it"
        )
    return ""


def _allow_problem(rule: Rule) -> str:
    if rule.effect is not Effect.ALLOW:
        return ""
    location = rule.action.partition("::")[0]
    if location == "builtin":
        return _builtin_problem(rule)
    if location not in _OWN_LOCATIONS and not _WILD.search(location):
        return (
            f"“{rule.action}” belongs to a server, which no sandbox holds, so no rule allows it: "
            "choose “Always allow” on its card instead"
        )
    if not rule.hash:
        return (
            "an allow for what is not built in needs the hash of its script and description, so that an "
            "edit asks again: copy at least 16 digits of its content_hash from "
            "`partner-desktop actions list --json`"
        )
    return ""


def _builtin_problem(rule: Rule) -> str:
    if rule.hash:
        return "built-in actions have no hash; leave it out"
    if any(_fits(rule.action, key) for key in ALLOWABLE):
        return ""
    if _fits(rule.action, "builtin::command::execute") or rule.action.startswith("builtin::command::"):
        return (
            f"“{rule.action}” would allow any command there is, so no rule allows it: "
            "commands are approved on their cards, where each stands with its arguments"
        )
    return (
        f"no rule allows “{rule.action}”: what only looks needs none, and what changes files is approved on "
        f"its card; a rule can allow {', '.join(ALLOWABLE)}"
    )


def _fits(pattern: str, key: str) -> bool:
    return pattern == key or fnmatchcase(key, pattern)
