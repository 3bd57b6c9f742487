"""Which earlier step brings a parameter, what of its result is the value. It looks at the disk.

Contract: a choice and a command line are never fed. What is fed is shown on the card as what it is, a thing
that an earlier step brings; whether it may be used without asking is not decided here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from partner_desktop.action.feeds.step_paths import noun_of_name
from partner_desktop.action.feeds.step_values import values_in
from partner_desktop.action.plans.path_arguments import is_given
from partner_desktop.action.plans.plan_draft import StepDraft
from partner_desktop.base.late_dataclass import dataclass
from partner_desktop.domain.action import ActionRecord
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.plan import StepInput
from partner_desktop.domain.schema_check import misfit
from partner_desktop.language.anaphora import (
    Kind,
    acts,
    alike,
    brings,
    is_destination,
    is_reference,
    nouns,
    only_points,
    points_back,
    points_into,
    speaks_of_result,
    takes_command,
    wanted_kind,
    words_of,
)


def fed(
    draft: StepDraft,
    missing: Sequence[str],
    earlier: Sequence[StepDraft],
    *,
    said_before: Sequence[StepDraft] = (),
) -> StepDraft:
    """The draft with what earlier steps bring to it: arguments that are said once hold for what is meant by
    `it` and `the folder`, and what comes of a step is a feed.

    `said_before`: steps that were spoken of before it and are done after it: `before you trash a, copy it`.
    """
    if takes_command(draft.info):
        return draft
    filling = _Filling(_redirected(draft), tuple(earlier), tuple(said_before))
    filling.learn()
    for name in filling.wanted(missing):
        filling.fill(name)
    return _named_beside(filling.draft)


def fed_anew(stages: Sequence[Sequence[StepDraft]]) -> list[list[StepDraft]]:
    """The stages, after an argument was said for one step: it may hold for those that come after, too."""
    done: list[list[StepDraft]] = []
    for stage in stages:
        earlier = [draft for before in done for draft in before]
        done.append([fed(draft, (), earlier) for draft in stage])
    return done


def value_from(
    schema: JsonObject,
    result: ActionRecord,
    *,
    output: str = "",
    workspace: Path | None = None,
    words: str = "",
) -> tuple[Json, ...]:
    """The values for a parameter that a step's result offers, the likeliest first; empty: none.

    `output`: the member of the result that is meant; `workspace`: where the files lie that the run left;
    `words`: see `step_paths.left_in`. Blocking.
    """
    if output:
        members = result.data if isinstance(result.data, dict) else {}
        result = replace(result, data=members.get(output), stdout="")
    if result.data is not None and misfit(schema, result.data, foreign=True) is None:
        whole = schema.get("type")
        if whole == "object" or (output and schema.get("format") != "path"):
            return (result.data,)
    return values_in(wanted_kind("", schema), schema, result, workspace=workspace, words=words)


@dataclass(frozen=True)
class _Source:
    """A path that was said for an earlier step, or is brought to it."""

    value: Json
    step: str = ""
    """The id of the step that brings it, where nobody knows yet what that will be; empty: it is known."""


@dataclass
class _Filling:
    """One draft on its way."""

    draft: StepDraft
    earlier: tuple[StepDraft, ...]
    said_before: tuple[StepDraft, ...] = ()
    pointing: frozenset[str] = frozenset()
    """Parameters for which the words only pointed back."""

    def learn(self) -> None:
        """Write what a step brings as what it is, once that is known."""
        steps = {step.id: step for step in self.earlier}
        feeds = self.draft.feeds
        self.draft = replace(self.draft, feeds=())
        for feed in feeds:
            if feed.output:  # which of several things is meant is known already
                self.draft = replace(self.draft, feeds=(*self.draft.feeds, feed))
            elif feed.step in steps:
                self._feed(feed.param, steps[feed.step])
            else:
                self._take(feed.param, _Source(None, feed.step))

    def wanted(self, missing: Sequence[str]) -> list[str]:
        """What is to be filled, in declared order; words that only point back are given up as values."""
        draft, text = self.draft, self.draft.text
        self.pointing = frozenset(
            name
            for name, value in draft.params.items()
            if self._is_reference(name, value) and (self.earlier or self._kind(name) in ("path", "paths"))
        )
        self._set({name: value for name, value in draft.params.items() if name not in self.pointing})
        wanted = {*missing, *self.pointing, *draft.info.required()}
        if points_into(text):  # a place that need not be said was said all the same
            wanted |= {name for name, access in draft.info.path_params().items() if access == "read"}
        found = {feed.param for feed in draft.feeds}
        given = {name for name, value in self.draft.params.items() if is_given(value)}
        return [name for name in draft.info.properties() if name in wanted - given - found]

    def _is_reference(self, name: str, value: Json) -> bool:
        draft = self.draft
        if is_reference(value, draft.text) or (value == "." and self.earlier and points_back(draft.text)):
            return True  # `this folder` is where the person is only where no other was named before
        return self._kind(name) == "text" and only_points(value, draft.text, draft.info)

    def fill(self, name: str) -> None:
        """Give one parameter its value or its feed, where there is one."""
        kind = self._kind(name)
        if kind == "path":
            self._fill_path(name)
        elif kind == "paths":
            self._fill_paths(name)
        elif kind == "text" or (kind == "query" and name in self.pointing):
            self._feed(name, self._teller(name))
        elif kind in ("number", "list") and self._points(name):
            self._feed(name, self._bringer(kind))

    def _fill_path(self, name: str) -> None:
        schema = self.draft.info.properties()[name]
        if schema.get("access") == "write" and (not points_back(self.draft.text) or self._lacks_text()):
            return  # where something new goes is not where the old lies, unless the words point to it
        named = self._named_before(name)
        if named is not None:
            self._take(name, named)
        elif self._means_result(name) and not is_destination(name, schema):
            self._feed(name, self._bringer("path"))
        else:
            self._take(name, self._said(name))

    def _named_before(self, name: str) -> _Source | None:
        """What an earlier step makes that the words call by its name: `make a folder Old, then zip Old`."""
        wants, text = self._nouns(name), self._words().casefold()
        for step in reversed(self.earlier):
            for param, access in step.info.path_params().items():
                value = step.params.get(param)
                if not isinstance(value, str) or access != "write":
                    continue
                called = rf"(?<![\w/.]){re.escape(Path(value).name.casefold())}(?![\w/.])"
                if alike(wants, noun_of_name(value)) and re.search(called, text):
                    return _Source(value)
        return None

    def _fill_paths(self, name: str) -> None:
        bringer = self._bringer("list") or self._bringer("path")
        said = self._said(name)
        if bringer is not None and self._points(name):
            self._feed(name, bringer)
        elif said is not None and not said.step:
            self._set({**self.draft.params, name: [said.value]})

    def _means_result(self, name: str) -> bool:
        """Whether the path is one that an earlier step makes."""
        maker, text = self._bringer("path"), self._words()
        if maker is None:
            return False
        if speaks_of_result(text) or self._said(name) is None:
            return True
        return points_back(text) and maker is self.earlier[-1] and "folder" not in nouns(text)

    def _said(self, name: str) -> _Source | None:
        """A path of the same kind, said for the latest step that has one; where something goes, a place."""
        wants, text = self._nouns(name), self._words()
        meant = nouns(text) if points_back(text) else frozenset()
        goes = is_destination(name, self.draft.info.properties()[name])
        if goes and not meant:
            meant = frozenset({"folder"})
        for step in reversed((*self.earlier, *self.said_before)):
            feeds = {feed.param: feed.step for feed in step.feeds}
            for param in _ordered(step.info, destinations_first=goes):
                schema = step.info.properties()[param]
                has = nouns(words_of(param, schema))
                if not alike(wants, has) or not alike(meant, has):
                    continue
                if param in feeds:
                    return _Source(None, feeds[param])
                value = step.params.get(param)
                if not isinstance(value, str) or not value or value in self.draft.params.values():
                    continue
                if alike(meant or wants, noun_of_name(value)):
                    return _Source(self._now_at(value))
        return None

    def _now_at(self, path: str) -> str:
        """Where something lies that the steps before moved or gave another name."""
        for step in self.earlier:
            for name, schema in step.info.properties().items():
                source, target = schema.get("x-partner-into"), step.params.get(name)
                taken = isinstance(source, str) and step.info.path_params().get(source) == "write"
                if taken and isinstance(target, str) and step.params.get(str(source)) == path:
                    path = placed(target, path)
        return path

    def _bringer(self, kind: Kind) -> StepDraft | None:
        """The latest step that brings such a thing."""
        return next((step for step in reversed(self.earlier) if kind in brings(step.info)), None)

    def _teller(self, name: str) -> StepDraft | None:
        """The step whose words are the text; where nothing points back, one that tells rather than acts."""
        for step in reversed(self.earlier):
            if self._points(name) or not (acts(step.info) or acts(self.draft.info)):
                return step
        return None

    def _words(self) -> str:
        """The step's own, without what they name: a folder may be called Documents."""
        from partner_desktop.language.spans import blank, find_spans  # noqa: PLC0415 - not at the start

        return blank(self.draft.text, find_spans(self.draft.text))

    def _points(self, name: str) -> bool:
        return name in self.pointing or points_back(self.draft.text)

    def _lacks_text(self) -> bool:
        """Whether the content is what points back, and not the place."""
        required, given = self.draft.info.required(), self.draft.params
        return any(self._kind(name) == "text" and name not in given for name in required)

    def _nouns(self, name: str) -> frozenset[str]:
        return nouns(words_of(name, self.draft.info.properties()[name]))

    def _kind(self, name: str) -> Kind:
        schema = self.draft.info.properties().get(name)
        return wanted_kind(name, schema) if schema is not None else ""

    def _take(self, name: str, source: _Source | None) -> None:
        if source is None:
            return
        if source.step:
            self.draft = replace(self.draft, feeds=(*self.draft.feeds, StepInput(name, source.step)))
        else:
            self._set({**self.draft.params, name: source.value})

    def _feed(self, name: str, step: StepDraft | None) -> None:
        if step is None:
            return
        made = _made_by(step) if self._kind(name) in ("path", "paths") else None
        if isinstance(made, str):
            self._set({**self.draft.params, name: [made] if self._kind(name) == "paths" else made})
        else:
            self._take(name, _Source(None, step.id))

    def _set(self, params: JsonObject) -> None:
        self.draft = replace(self.draft, params=params)


def _ordered(info: MetaActionInfo, *, destinations_first: bool) -> list[str]:
    params = list(info.path_params())
    is_place = {name: is_destination(name, info.properties()[name]) for name in params}
    return sorted(params, key=lambda name: not is_place[name]) if destinations_first else params


def _made_by(step: StepDraft) -> Json:
    """The path of what a step will have made, where its arguments tell it: a folder, a copy, a text."""
    for name, access in step.info.path_params().items():
        schema, value = step.info.properties()[name], step.params.get(name)
        into = schema.get("x-partner-into")
        if access != "write" or schema.get("x-partner-there") or not isinstance(value, str):
            continue
        if isinstance(into, str):
            return placed(value, step.params.get(into))
        if schema.get("x-partner-new") or nouns(words_of(name, schema)) == {"file"}:
            return value
    return None


def placed(target: str, source: Json) -> str:
    """Where something comes to lie: in a folder, under its own name."""
    folder = noun_of_name(target) == {"folder"} and isinstance(source, str)
    return f"{target.rstrip('/')}/{Path(str(source)).name}" if folder else target


def _named_beside(draft: StepDraft) -> StepDraft:
    """A new name alone is one beside what it is given to: `copy a to ~/Music, then rename it b.txt`."""
    renamed = {}
    for name, schema in draft.info.properties().items():
        value, source = draft.params.get(name), draft.params.get(str(schema.get("x-partner-into")))
        if (
            isinstance(value, str)
            and isinstance(source, str)
            and "/" in source
            and noun_of_name(value) == {"file"}
        ):
            renamed[name] = value if "/" in value else str(Path(source).parent / value)
    return replace(draft, params={**draft.params, **renamed})


_BACK = "(?:it|them|that|those)"


def _redirected(draft: StepDraft) -> StepDraft:
    """`back it up to ~/Backups`: where something goes is not what it is, which was said before."""
    info, text = draft.info, draft.text
    given = [(name, draft.params[name]) for name in info.path_params() if is_given(draft.params.get(name))]
    targets = [
        name
        for name, access in info.path_params().items()
        if access == "write" and not is_given(draft.params.get(name))
    ]
    if len(given) != 1 or len(targets) != 1 or not points_back(text):
        return draft
    (name, value), (target,) = given[0], targets
    # Of `the pictures in ~/Pictures` the place says which they are, and not where they go.
    place = re.escape(str(value))
    leads = rf"(?:\b(?:to|into|onto|as|{_BACK}\b[\w\s]{{0,20}}\bin)\s+|到|进|至)[\"'“「]?{place}"
    if info.path_params()[name] != "read" or not re.search(leads, text):
        return draft
    kept = {key: each for key, each in draft.params.items() if key != name}
    return replace(draft, params={**kept, target: value})
