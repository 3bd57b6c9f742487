"""ParameterFinder: asks a mind for arguments, checks them, and asks again with what is wrong.

Contract: what it returns keeps the schema. A value that still breaks it after the last try is left out, so
that the person is asked for it: an invalid value is never passed on and never repaired by guessing. Nor is a
folder that would be taken away with all that is in it, where nobody said so; and what of the words is in no
value is told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from partner_desktop.base.paths import display_path, expanded_path
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.leftover import Leftover, LeftoverKind
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.domain.schema_check import misfits
from partner_desktop.language.anaphora import is_destination, is_reference, nouns, wanted_kind
from partner_desktop.mind.answerers import Ask
from partner_desktop.mind.question import ExtractedParams, ExtractParams

if TYPE_CHECKING:  # it reads words: a start does without
    from partner_desktop.language.spoken_words import ResolvedText

#: Times that a mind is asked for the arguments of one call.
TRIES = 3
_APPEND = "builtin::files::append"


class ParameterFinder:
    """Between a mind and what is about to be called."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def find(self, request: ExtractParams, *, careful: bool = False) -> ExtractedParams:
        """Arguments that keep the schema, what is missing, and why the answer to a question does not do.

        A required path that a careful reading does not give is read from every word of the text, unless
        others may give it: `careful`.
        """
        found = await asyncio.to_thread(accounted, await self._found(request, careful=careful), request)
        return (
            await asyncio.to_thread(_a_line_each, found, request.text)
            if request.info.key == _APPEND
            else found
        )

    async def _found(self, request: ExtractParams, *, careful: bool) -> ExtractedParams:
        found = _without_invented(await self._read(request), request)
        found = await asyncio.to_thread(_without_sentences, found, request)
        properties = request.info.properties()
        found = await asyncio.to_thread(_with_names, found, request)
        gaps = [name for name in found.missing if wanted_kind(name, properties[name]) in ("path", "paths")]
        if careful or not gaps or request.resolved is None or request.amends:
            return found
        eager = await asyncio.to_thread(_eagerly, found, request, gaps)
        if eager is not None:
            found = await self._with_paths(found, request, gaps, eager)
        left = [name for name in gaps if name in found.missing]
        if found.candidates or not left:
            return found
        doubtful = next((each.paths for each in request.resolved.doubtful), ())
        return replace(found, candidates=await asyncio.to_thread(_offered, request, left[0], doubtful))

    async def _with_paths(
        self, found: ExtractedParams, request: ExtractParams, gaps: Sequence[str], eager: ResolvedText
    ) -> ExtractedParams:
        """What was found, with the paths that the text gives where its words are written out."""
        from partner_desktop.language.arguments.fit import joined_paths  # noqa: PLC0415 - see above

        if len(gaps) == 1 and len(eager.references) == 1:
            more = ExtractedParams({gaps[0]: eager.references[0].shown(eager.home)}, ())
        else:
            more = await self._read(replace(request, text=eager.text, resolved=eager, asked="", known={}))
        made = {name for name, schema in request.info.properties().items() if schema.get("x-partner-new")}
        joined = joined_paths(request.text)
        beside = joined if any(value in joined for value in found.values.values()) else ()
        values = {
            name: value
            for name, value in more.values.items()
            if name in gaps and value not in beside and not (name in made and eager.is_there(value))
        }
        if not values:
            doubtful = next((each.paths for each in eager.doubtful), ())
            return replace(found, candidates=await asyncio.to_thread(_offered, request, gaps[0], doubtful))
        missing = tuple(name for name in found.missing if name not in values)
        return replace(found, values={**found.values, **values}, missing=missing, problem="", unsure=False)

    async def _read(self, request: ExtractParams) -> ExtractedParams:
        for _ in range(TRIES):
            found = await self._ask(request)
            problems = await asyncio.to_thread(problems_of, request.info, found.values)
            if not problems:
                return _as_said(found, request)
            known = {name: value for name, value in request.known.items() if name not in problems}
            request = replace(request, known=known, problems=problems)
        return _as_said(_without(found, problems, request), request)


def _a_line_each(found: ExtractedParams, said: str) -> ExtractedParams:
    """`Milk and eggs` for a list are two lines of it."""
    from partner_desktop.language.list_orders import with_lines  # noqa: PLC0415 - see above

    return replace(found, values=dict(with_lines(found.values, said)))


def _offered(request: ExtractParams, name: str, paths: tuple[str, ...]) -> tuple[str, ...]:
    """Paths of which one is meant; where a folder is wanted, those that hold the files that may be meant."""
    from partner_desktop.language.arguments.slot import Slot  # noqa: PLC0415 - see above

    if Slot(name, request.info.properties()[name], required=True).file_kinds != {"folder"}:
        return paths
    return tuple(dict.fromkeys(str(each if each.is_dir() else each.parent) for each in map(Path, paths)))


def accounted(found: ExtractedParams, request: ExtractParams) -> ExtractedParams:
    """With what was said of places kept to, and an account of what is in no value. Off the loop."""
    from partner_desktop.language.arguments import said_places  # noqa: PLC0415
    from partner_desktop.language.arguments.account import unaccounted  # noqa: PLC0415 - see above
    from partner_desktop.language.spoken_words import ResolvedText  # noqa: PLC0415

    info, resolved = request.info, request.resolved or ResolvedText(request.text, request.text)
    if not request.amends:
        placed = said_places.put_in_place(info, found.values, request.text)
        found = replace(found, values={**found.values, **placed})
    lost = said_places.taken_whole(info, found.values, resolved, asked=request.asked)
    lost += [] if request.asked else said_places.lies_nowhere(info, found.values, request.text)
    if lost:
        values = {name: value for name, value in found.values.items() if name not in lost}
        found = replace(found, values=values, missing=(*lost, *found.missing), unsure=False)
    answers = request.asked and wanted_kind(request.asked, info.properties()[request.asked]) != "path"
    if answers or request.amends:
        return found
    left = unaccounted(request.text, info, found.values, entries=resolved.surroundings.entries)
    if not found.missing:  # what is asked for may be that
        left += tuple(_doubtful_leftovers(resolved, found.values))
    if stays := said_places.said_to_stay(info, found.values, resolved.text):
        left = (Leftover(LeftoverKind.EXCLUSION, stays), *left)
    return replace(
        found, leftovers=tuple(replace(each, words=resolved.restored(each.words)) for each in left)
    )


def _doubtful_leftovers(resolved: ResolvedText, values: JsonObject) -> Iterator[Leftover]:
    """Words that may mean several things, of which none was taken: `the invoice and the photo`."""
    taken = {display_path(expanded_path(value)) for value in _texts(list(values.values()))}
    for each in resolved.doubtful:
        if each.words in resolved.text and taken.isdisjoint(display_path(Path(path)) for path in each.paths):
            yield Leftover(LeftoverKind.PLACE, each.words)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _as_said(found: ExtractedParams, request: ExtractParams) -> ExtractedParams:
    """Free text in the person's own words: what these mean is written out for paths alone."""
    resolved = request.resolved
    if resolved is None or not (resolved.references or resolved.plainly):
        return found
    properties = request.info.properties()
    places = {name for name in properties if wanted_kind(name, properties[name]) in ("path", "paths")}

    def said(value: Json) -> Json:
        if isinstance(value, str):
            return resolved.restored(value)
        return [said(each) for each in value] if isinstance(value, list) else value

    values = {name: value if name in places else said(value) for name, value in found.values.items()}
    for name, schema in properties.items():
        if schema.get("format") == "file-name" and name in values:
            values[name] = _name_of(values[name], resolved)
        elif schema.get("x-partner-new") and isinstance(values.get(name), str):
            values[name] = _named_as_said(str(values[name]), resolved)
    unnamed = [
        name
        for name, schema in properties.items()
        if schema.get("x-partner-new") and resolved.is_there(values.get(name))
    ]
    kept = {name: value for name, value in values.items() if name not in unnamed}
    return replace(found, values=kept, missing=(*unnamed, *found.missing))


def _named_as_said(place: str, resolved: ResolvedText) -> str:
    """A new place by the name that the person said."""
    folder, slash, name = place.rpartition("/")
    for words in resolved.plainly:
        name = words.own(name)
    return f"{folder}{slash}{name}"


def _with_names(found: ExtractedParams, request: ExtractParams) -> ExtractedParams:
    """With the name of the one file that the words mean, where those that were taken are in no name."""
    from partner_desktop.language.disk_names import kind_places, name_pattern  # noqa: PLC0415 - see above

    properties, resolved = request.info.properties(), request.resolved
    names = [name for name, schema in properties.items() if schema.get("format") == "file-name"]
    if len(names) != 1 or resolved is None or request.asked or request.amends:
        return found
    files = {
        each.path: PurePath(each.path).name for each in resolved.surroundings.entries if not each.is_folder
    }
    said = str(found.values.get(names[0], ""))
    if said and "*" not in said and any(said.casefold() in name.casefold() for name in files.values()):
        return found
    eager = _eagerly(found, request, names)
    kinds = [name_pattern(resolved.said[slice(*place)]) for place in kind_places(resolved.said)]
    if not said and kinds:
        return replace(
            found, values={**found.values, names[0]: kinds[0]}, missing=_but(found.missing, names[0])
        )
    meant = [
        path
        for each in (eager.references if eager is not None else ())
        if each.words != request.text
        for path in each.paths
    ]
    if len(meant) != 1 or meant[0] not in files:
        return found
    values = {**found.values, names[0]: files[meant[0]]}
    return replace(found, values=values, missing=_but(found.missing, names[0]))


def _but(missing: Sequence[str], name: str) -> tuple[str, ...]:
    return tuple(each for each in missing if each != name)


def _eagerly(found: ExtractedParams, request: ExtractParams, gaps: Sequence[str]) -> ResolvedText | None:
    """The text with all of its words written out that may mean such paths; `None`: none may."""
    from partner_desktop.language.arguments.slot import slots_of  # noqa: PLC0415 - see above
    from partner_desktop.language.home_references import WantedPath, resolve_references  # noqa: PLC0415
    from partner_desktop.language.result_references import meant_last  # noqa: PLC0415
    from partner_desktop.language.terms import terms  # noqa: PLC0415

    assert request.resolved is not None
    slots = [slot for slot in slots_of(request.info) if slot.name in gaps]
    info = request.info
    said = " ".join((info.title, info.description, *info.aliases, *(slot.description for slot in slots)))
    given = (value for name, value in found.values.items() if name not in gaps)
    wanted = WantedPath(
        frozenset(kind for slot in slots for kind in slot.file_kinds),
        made=any(slot.schema.get("x-partner-new") for slot in slots),
        taken_away=all(s.schema.get("x-partner-there") and s.schema.get("access") == "write" for s in slots),
        own_words=frozenset(term.stem for term in terms(said)),
        asked=request.asked in gaps,
        known=tuple(value for value in given if isinstance(value, str)),
    )
    eager = resolve_references(request.text, request.resolved.surroundings, wanted=wanted)
    if not eager.references and not eager.doubtful and not wanted.asked and not wanted.made:
        looks, resolved = bool(info.annotations.read_only), request.resolved
        if wanted.taken_away and not wanted.known:  # `milk is not needed any more` is no word on the list
            resolved = replace(resolved, surroundings=resolved.surroundings.of_results())
        eager = meant_last(request.text, resolved, wanted.kinds, looks=looks) if len(gaps) == 1 else eager
    return eager if eager.references or eager.doubtful else None


def _without_invented(found: ExtractedParams, request: ExtractParams) -> ExtractedParams:
    """Without words taken for the path that was asked for: only what is made has a name that nothing has."""
    schema, value = request.info.properties().get(request.asked, {}), str(found.values.get(request.asked))
    folder = "file" not in nouns(request.asked) and schema.get("access") == "write"
    worked_on = folder and not is_destination(request.asked, {"access": "write"})
    named = "/" in value or schema.get("x-partner-new") or request.resolved is None
    if named or not (found.unsure or (worked_on and not _is_there(value, request.resolved))):
        return found
    values = {name: value for name, value in found.values.items() if name != request.asked}
    return replace(found, values=values, missing=(request.asked, *found.missing))


def _without_sentences(found: ExtractedParams, request: ExtractParams) -> ExtractedParams:
    """What is a file, a folder or a link is no word that points back, and no sentence."""
    from partner_desktop.language.spans import SpanKind, find_spans  # noqa: PLC0415 - see above

    def names(value: str) -> bool:
        spans = find_spans(value)
        kinds = (SpanKind.PATH, SpanKind.URL, SpanKind.EMAIL)
        whole = any(span.kind in kinds and span.end - span.start == len(value) for span in spans)
        return value.startswith(("~", "/", ".")) or whole or _is_there(value, request.resolved)

    wrong = [
        name
        for name, schema in request.info.properties().items()
        if isinstance(value := found.values.get(name), str)
        and value != request.known.get(name)
        and (is_reference(value, request.text) or (schema.get("x-partner-target") and not names(value)))
        and wanted_kind(name, schema) == "path"
    ]
    if not wrong:
        return found
    values = {name: value for name, value in found.values.items() if name not in wrong}
    values |= {name: request.known[name] for name in wrong if name in request.known}
    missing = [name for name in wrong if name not in values and name in request.info.required()]
    return replace(found, values=values, missing=tuple(dict.fromkeys((*missing, *found.missing))))


def _is_there(name: str, resolved: ResolvedText | None) -> bool:
    entries = resolved.surroundings.entries if resolved is not None else ()
    return any(PurePath(entry.path).name == name for entry in entries)


def _name_of(value: Json, resolved: ResolvedText) -> Json:
    """The name on the disk, of words that mean one thing there."""
    meant = next((each for each in resolved.references if each.words == value), None)
    return PurePath(meant.paths[0]).name if meant is not None else value


def _without(found: ExtractedParams, problems: dict[str, str], request: ExtractParams) -> ExtractedParams:
    values = {name: value for name, value in found.values.items() if name not in problems}
    required = set(request.info.required())
    lost = [name for name in problems if name in required and name not in found.missing]
    missing = [name for name in request.info.properties() if name in found.missing or name in lost]
    return ExtractedParams(values, tuple(missing), found.problem or problems.get(request.asked, ""))


def problems_of(info: MetaActionInfo, values: dict[str, Json]) -> dict[str, str]:
    """Parameter → what its value breaks, where it breaks something. Off the loop, as `schema_check`."""
    problems = {name: f"There is no parameter {name}." for name in values if name not in info.properties()}
    for name, found in misfits(info, values).items():
        problems[name] = f"{found.message[:1].upper()}{found.message[1:]}."
    return problems
