"""What the yes to a chain covers when one of its steps is about to run: pure facts, but for `are_real`.

The yes was given to exact arguments; what another step was to bring was not known then and is bounded here:
it never becomes a command line, never leaves this machine with something that changes, and a path among it
lies where the card said that the chain works, or is a file that the chain itself made. A folder that a file
is copied or moved into stands, once its name is known, for the new place in it, but only where the step that
brings the file was itself given to write: no answer of a step chooses among what lies elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias, TypeGuard

from partner_desktop.domain.audit import AuditEntry
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.run_facts import Isolation, PathUse, Risk
from partner_desktop.permission.request import Outcome, PermissionRequest, params_hash
from partner_desktop.permission.sensitive import is_executed, is_sensitive

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
        and (entry.by_whom, entry.scope) == ("person", "once")
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
