"""JSON Schema → GBNF, llama.cpp's grammar.

The binding has a converter too, but writes every letter outside ASCII as an escape (no model does), lets
white space run on, and fails with whatever it stumbles over. This one is small and total: what narrows the
structure is followed or refused; what narrows a value beyond a grammar (`pattern`, `multipleOf`, most
limits of numbers) is left to whoever checks the answer. The text holds no space but one behind `:` and `,`,
so the answer's end is its last bracket.

The same for a call of a tool in the words of a chat template: only the arguments are JSON there.
"""

from __future__ import annotations

import json
import math
from typing import Any

from partner_desktop.model.worker.frames import ToolOffer
from partner_desktop.model.worker.llama.native_log import ModelFaultError
from partner_desktop.model.worker.llama.tool_format import CallForm

MOST_BYTES = 256 * 1024
_MOST_REPEATS = 4096
"""Of one thing in a row: llama.cpp writes every repetition out."""
_MOST_REPEATS_IN_ALL = 32_768
_MOST_DEPTH = 24
_MOST_RULES = 4096
_FREE_DEPTH = 5
"""Of a value that the schema leaves open."""
_MOST_LISTED = 256

_BASE = {
    "gap": '" "?',
    "char": r'[^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" unit)',
    "unit": "[0-9a-cA-CefEF] hex hex hex | [dD] [0-7] hex hex",  # no half of a surrogate pair
    "hex": "[0-9a-fA-F]",
    "string": '"\\"" char* "\\""',
    "whole": '"0" | [1-9] [0-9]{0,14}',
    "integer": '"-"? whole',
    "number": 'integer ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?',
    "boolean": '"true" | "false"',
    "null": '"null"',
}
_PLAIN = ("string", "integer", "number", "boolean", "null")
_REFUSED = (
    "not", "if", "patternProperties", "dependentSchemas", "dependentRequired", "contains", "$dynamicRef",
    "unevaluatedProperties", "unevaluatedItems", "propertyNames",
)  # fmt: skip


def grammar_of(schema_text: str) -> str:
    """The grammar of a schema's JSON; its root rule is `root`.

    Raises:
        ModelFaultError: Kind `schema`: what no grammar supports, or too much of it.
    """
    writer = _Writer()
    return writer.grammar(writer.value(schema_text))


def call_grammar(form: CallForm, offer: ToolOffer) -> str:
    """The grammar of a call of one of the tools; where none need be called, of anything else, too, as long
    as it begins otherwise.

    Raises:
        ModelFaultError: As `grammar_of`.
    """
    writer = _Writer()
    ways: list[str] = []
    for tool in offer.tools:
        head = _quoted(tool.name + form.between)
        rest = f" {writer.value(tool.parameters)} {_quoted(form.after)}" if offer.arguments else ""
        ways.append(f"{head}{rest}")
    call = f"{_quoted(form.before)} ({' | '.join(ways)})"
    spoken = rf" | [^\U{ord(form.before[0]):08X} \t\r\n] [^\x00]*"
    return writer.grammar(call if offer.otherwise is None else call + spoken)


class _Writer:
    """Collects rules of schemas."""

    def __init__(self) -> None:
        self._document: object = None
        self._rules = dict(_BASE)
        self._repeats = 0
        self._open_refs: list[str] = []

    def value(self, schema_text: str) -> str:
        """The expression of what a schema describes."""
        if len(schema_text) > MOST_BYTES:
            raise grammar_refusal("it is too large")
        try:
            self._document = json.loads(schema_text)
        except (ValueError, RecursionError) as error:
            raise grammar_refusal("it is not JSON") from error
        return self._value(self._document, 0)

    def grammar(self, root: str) -> str:
        """All rules; `root` is the first's expression."""
        self._rules["root"] = root
        text = "\n".join(f"{name} ::= {rule}" for name, rule in self._rules.items())
        if len(text.encode()) > MOST_BYTES:
            raise grammar_refusal("its grammar is too large")
        return text

    def _rule(self, body: str) -> str:
        """A name for an expression."""
        if len(self._rules) >= _MOST_RULES:
            raise grammar_refusal("its grammar is too large")
        name = f"r{len(self._rules)}"
        self._rules[name] = body
        return name

    def _value(self, schema: object, depth: int) -> str:
        """The expression of a value."""
        if depth > _MOST_DEPTH:
            raise grammar_refusal("it is nested too deeply")
        if schema is True:
            return self._anything(_FREE_DEPTH)
        if not isinstance(schema, dict):
            raise grammar_refusal("a part of it is not a schema")
        for keyword in _REFUSED:
            if keyword in schema:
                raise grammar_refusal(f"no grammar can follow {keyword}")
        return self._chosen(schema, depth) or self._typed(schema, depth)

    def _chosen(self, schema: Schema, depth: int) -> str:
        """Of a schema that names its values or other schemas; empty for one that names a type."""
        if "$ref" in schema:
            return self._referred(schema["$ref"], depth)
        if "const" in schema:
            return _literal(schema["const"])
        if "enum" in schema:
            return self._any_of([_literal(value) for value in listed(schema, "enum")])
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                return self._any_of([self._value(one, depth + 1) for one in listed(schema, keyword)])
        return self._value(merged_parts(schema), depth + 1) if "allOf" in schema else ""

    def _typed(self, schema: Schema, depth: int) -> str:
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._any_of([self._value({**schema, "type": one}, depth + 1) for one in kind])
        if kind == "object" or (kind is None and ("properties" in schema or "required" in schema)):
            return self._object(schema, depth)
        if kind == "array" or (kind is None and ("items" in schema or "prefixItems" in schema)):
            return self._array(schema, depth)
        if kind is None:
            return self._anything(_FREE_DEPTH)
        return self._scalar(kind, schema)

    def _scalar(self, kind: object, schema: Schema) -> str:
        if kind == "string":
            return self._string(schema)
        if kind == "integer":
            return self._integer(schema)
        if kind == "number" and is_never_negative(schema):
            return self._rule('whole ("." [0-9]{1,15})?')
        if kind not in _PLAIN:
            raise grammar_refusal(f"there is no type {kind}")
        return str(kind)

    def _any_of(self, choices: list[str]) -> str:
        if not choices:
            raise grammar_refusal("it offers nothing to choose from")
        return self._rule(" | ".join(choices))

    def _referred(self, ref: object, depth: int) -> str:
        if not isinstance(ref, str) or not (ref == "#" or ref.startswith("#/")):
            raise grammar_refusal(f"it refers to {ref!r}, which is not in it")
        if ref in self._open_refs:
            raise grammar_refusal("it refers to itself")
        found: object = self._document
        for step in ref[2:].split("/") if ref != "#" else ():
            key = step.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or key not in found:
                raise grammar_refusal(f"it refers to {ref}, which is not in it")
            found = found[key]
        self._open_refs.append(ref)
        expression = self._value(found, depth + 1)
        self._open_refs.pop()
        return expression

    def _object(self, schema: Schema, depth: int) -> str:
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if not isinstance(properties, dict) or not isinstance(required, list):
            raise grammar_refusal("its properties are not listed as they should be")
        if not properties and not required:
            return self._map(schema, depth)
        pairs = [
            (self._pair(name, properties.get(name, True), depth), name in required)
            for name in [*properties, *(name for name in required if name not in properties)]
        ]
        return self._rule(f'"{{" {self._members(pairs)} "}}"')

    def _pair(self, name: str, schema: object, depth: int) -> str:
        return self._rule(f'{_literal(name)} ":" gap {self._value(schema, depth + 1)}')

    def _members(self, pairs: list[tuple[str, bool]]) -> str:
        """In order; optional ones may be left out. `rest` follows a first one, and brings its comma."""
        rest, first = "", ""
        for pair, needed in reversed(pairs):
            after = f" {rest}" if rest else ""
            alone = f"{pair}{after}"
            first = alone if needed else f"({alone} | {first})" if first else f"({alone})?"
            first = self._rule(first)
            rest = self._rule(f'"," gap {pair}{after}' if needed else f'("," gap {pair})?{after}')
        return first

    def _map(self, schema: Schema, depth: int) -> str:
        """An object of free names."""
        more = schema.get("additionalProperties", True)
        if more is False:
            return _quoted("{}")
        value = self._anything(_FREE_DEPTH) if more is True else self._value(more, depth + 1)
        pair = self._rule(f'string ":" gap {value}')
        return self._rule(f'"{{" ({pair} ("," gap {pair})*)? "}}"')

    def _array(self, schema: Schema, depth: int) -> str:
        first = schema.get("prefixItems", schema["items"] if isinstance(schema.get("items"), list) else None)
        if first is not None:
            if not isinstance(first, list) or not first:
                raise grammar_refusal("its prefixItems are no list")
            items = ' "," gap '.join(self._value(one, depth + 1) for one in first)
            return self._rule(f'"[" {items} "]"')
        item = self._rule(self._value(schema.get("items", True), depth + 1))
        least, most = counts(schema, "minItems", "maxItems")
        if most == 0:
            return _quoted("[]")
        more = self._repeat(f'("," gap {item})', max(0, least - 1), None if most is None else most - 1)
        return self._rule(f'"[" {item} {more} "]"' if least else f'"[" ({item} {more})? "]"')

    def _string(self, schema: Schema) -> str:
        least, most = counts(schema, "minLength", "maxLength")
        if not least and most is None:
            return "string"
        return self._rule(f'"\\"" {self._repeat("char", least, most)} "\\""')

    def _repeat(self, expression: str, least: int, most: int | None) -> str:
        times = least if most is None else most
        self._repeats += times
        if times > _MOST_REPEATS or self._repeats > _MOST_REPEATS_IN_ALL:
            raise grammar_refusal(f"it repeats one thing {times} times")
        if most is None:
            return f"{expression}{{{least},}}" if least else f"{expression}*"
        return f"{expression}{{{least},{most}}}"

    def _integer(self, schema: Schema) -> str:
        least, most = least_whole(schema), most_whole(schema)
        if least is not None and most is not None and least <= most < least + _MOST_LISTED:
            return self._any_of([_quoted(str(number)) for number in range(least, most + 1)])
        return "whole" if is_never_negative(schema) else "integer"

    def _anything(self, depth: int) -> str:
        """Any value, but not nested without end."""
        name = f"free{depth}"
        if name not in self._rules:
            flat = " | ".join(kind for kind in _PLAIN if kind != "integer")
            self._rules[name] = flat
            if depth:
                inner = self._anything(depth - 1)
                self._rules[name] = (
                    f'{flat} | "[" ({inner} ("," gap {inner})*)? "]" '
                    f'| "{{" (string ":" gap {inner} ("," gap string ":" gap {inner})*)? "}}"'
                )
        return name


def _literal(value: object) -> str:
    return _quoted(json.dumps(value, ensure_ascii=False, separators=(", ", ": ")))


def _quoted(text: str) -> str:
    """A text as GBNF writes it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


Schema = dict[str, Any]  # JSON, as it came


def grammar_refusal(why: str) -> ModelFaultError:
    """What to raise; `why` is a clause."""
    return ModelFaultError("schema", f"The schema cannot constrain a model: {why}.")


def listed(schema: Schema, keyword: str) -> list[Any]:
    """A keyword's list.

    Raises:
        ModelFaultError: It is none; the others here raise it alike.
    """
    value = schema[keyword]
    if not isinstance(value, list):
        raise grammar_refusal(f"its {keyword} is no list")
    return value


def merged_parts(schema: Schema) -> Schema:
    """`allOf` of plain parts, as one schema; parts that both say something of a key are refused."""
    merged = {key: value for key, value in schema.items() if key != "allOf"}
    for part in listed(schema, "allOf"):
        if not isinstance(part, dict):
            raise grammar_refusal("a part of its allOf is not a schema")
        for key, value in part.items():
            if key == "properties" and isinstance(merged.get(key), dict) and isinstance(value, dict):
                merged[key] = {**merged[key], **value}
            elif key == "required" and isinstance(merged.get(key), list) and isinstance(value, list):
                merged[key] = [*merged[key], *value]
            elif key in ("title", "description") or merged.setdefault(key, value) == value:
                continue
            else:
                raise grammar_refusal(f"its allOf says two things of {key}")
    return merged


def counts(schema: Schema, least_name: str, most_name: str) -> tuple[int, int | None]:
    """How often at least, and at most, if there is a most."""
    least, most = schema.get(least_name, 0), schema.get(most_name)
    for bound in (least, most):
        if bound is not None and (not isinstance(bound, int) or bound < 0):
            raise grammar_refusal(f"{least_name} and {most_name} are not counts")
    if most is not None and most < least:
        raise grammar_refusal(f"{most_name} is below {least_name}")
    return least, most


def least_whole(schema: Schema) -> int | None:
    """The least whole number that the schema takes; `None` without a bound."""
    found = [math.ceil(bound) for bound in _bound(schema, "minimum")]
    found += [math.floor(bound) + 1 for bound in _bound(schema, "exclusiveMinimum")]
    return max(found, default=None)


def most_whole(schema: Schema) -> int | None:
    """The greatest whole number that the schema takes; `None` without a bound."""
    found = [math.floor(bound) for bound in _bound(schema, "maximum")]
    found += [math.ceil(bound) - 1 for bound in _bound(schema, "exclusiveMaximum")]
    return min(found, default=None)


def is_never_negative(schema: Schema) -> bool:
    """Whether no number below zero is taken."""
    return any(bound >= 0 for name in ("minimum", "exclusiveMinimum") for bound in _bound(schema, name))


def _bound(schema: Schema, name: str) -> list[float]:
    value = schema.get(name)
    fits = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return [value] if value is not None and fits else []
