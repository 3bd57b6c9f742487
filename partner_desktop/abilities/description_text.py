"""From a description as it stands in a file to a draft for the form, and back. No I/O.

What the form does not show (types, annotations, permissions, keys of other versions) goes through untouched.
"""

from __future__ import annotations

import json
import tomllib

from partner_desktop.abilities.ability_file import AbilityFile
from partner_desktop.abilities.script_file import find_block
from partner_desktop.base.errors import DescriptorError
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.meta_action import MetaActionInfo
from partner_desktop.runner.descriptor import Descriptor, Raw, from_json, in_languages, params_schema


def written_description(read: AbilityFile) -> Raw:
    """The description that an ability has in writing; of one without any, what its text tells."""
    if "desc.json" in read.files:
        raw: Raw = json.loads(read.files["desc.json"].decode("utf-8-sig"))
        return raw
    block = find_block(read.files[read.main].decode("utf-8", "replace"))
    if block is not None:
        return tomllib.loads(block[0])
    return {"description": read.info.description, "freeArgs": True}


def draft_of_description(info: MetaActionInfo, *, name: str) -> AbilityDraft:
    """What the form begins with."""
    shown = {} if info.free_args else info.properties()
    return AbilityDraft(
        name=name,
        title=info.label,
        description=info.description,
        aliases=info.aliases,
        params={param: str(schema.get("description") or "") for param, schema in shown.items()},
        timeout_s=info.timeout_s,
    )


def redescribed(raw: Raw, draft: AbilityDraft) -> Raw:
    """`raw` with what the draft says; equal to `raw` where it says the same.

    Raises:
        DescriptorError: The draft does not make a description.
    """
    before = Descriptor.model_validate(raw)
    new = dict(raw)
    _put(new, "title", draft.title, before.title)
    _put(new, "description", draft.description, before.description)
    _put(new, "aliases", list(draft.aliases), before.aliases)
    _put(new, "timeoutSeconds", draft.timeout_s, before.timeoutSeconds)
    if isinstance(raw.get("params"), dict):
        new["params"] = _with_texts(raw["params"], draft)
    try:
        params_schema(from_json(description_text(new)).params)
    except DescriptorError as error:
        raise DescriptorError(str(error)) from error  # its line is one that nobody has seen
    return new


def description_text(raw: Raw) -> str:
    """The text of a `desc.json`.

    Raises:
        DescriptorError: It holds what JSON does not know.
    """
    try:
        return json.dumps(raw, ensure_ascii=False, indent=2) + "\n"
    except (TypeError, ValueError) as error:
        raise DescriptorError("the description holds what JSON does not know, such as a bare date") from error


def _put(new: Raw, key: str, value: object, before: object) -> None:
    """An unchanged value keeps its form (aliases by language, for one); an emptied one goes."""
    if value == before:
        return
    if value in ("", []):
        new.pop(key, None)
    else:
        new[key] = value


def _with_texts(params: Raw, draft: AbilityDraft) -> Raw:
    whole = params.get("type") == "object" and isinstance(params.get("properties"), dict)
    properties = params["properties"] if whole else params
    described = {name: _with_text(spec, draft.params.get(name)) for name, spec in properties.items()}
    return {**params, "properties": described} if whole else described


def _with_text(spec: object, text: str | None) -> object:
    if text is None or isinstance(spec, str):
        return spec if text is None else text
    if not isinstance(spec, dict) or text == str(in_languages(spec)[0].get("description") or ""):
        return spec  # also one by language
    return {**spec, "description": text}
