"""What an ability takes, as a list to read; the JSON Schema itself is folded away below it."""

from __future__ import annotations

import json

from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.boxes import at_left, vbox
from partner_desktop.desktop.parts.code_view import CodeView
from partner_desktop.desktop.parts.controls import CopyButton, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import tr
from partner_desktop.domain.json_value import Json, JsonObject
from partner_desktop.domain.meta_action import properties_of, required_of

#: More than this is no list that anybody reads, and a page that holds the loop.
_MOST_PARAMS = 40
_MOST_TEXT = 600
_MOST_CHOICES = 12
_MOST_JSON = 64 * 1024
_JSON_LINES = 24


class SchemaView(QWidget):
    """One entry a parameter: its name, what it is, and its author's words about it."""

    def __init__(self, schema: JsonObject) -> None:
        super().__init__()
        self._schema = schema
        column = vbox(into=self, gap=Space.XS)
        params = properties_of(schema)
        if not params:
            column.addWidget(text_label(lambda: tr("It takes no parameters."), "muted", wrap=True))
        for name, body in list(params.items())[:_MOST_PARAMS]:
            column.addWidget(_entry(name, body, required=name in required_of(schema)))
        more = len(params) - _MOST_PARAMS
        if more > 0:
            words = lambda: tr("and {count} more, in the schema").format(count=more)  # noqa: E731
            column.addWidget(text_label(words, "muted"))
        self.raw = Fold(lambda: tr("JSON Schema"), self._make_raw, look="bare")
        column.addWidget(self.raw)

    def _make_raw(self) -> QWidget:
        text = json.dumps(self._schema, ensure_ascii=False, indent=2)
        box = QWidget()
        view = CodeView(lambda: tr("JSON Schema"), most_lines=_JSON_LINES)
        view.show_text(text if len(text) <= _MOST_JSON else text[:_MOST_JSON] + "\n…")
        copy = CopyButton(lambda: text, lambda: tr("Copy the JSON Schema"), look="small")
        vbox(view, at_left(copy), into=box, gap=2)
        return box


def _entry(name: str, body: JsonObject, *, required: bool) -> QWidget:
    entry = QWidget()
    column = vbox(
        text_label(name[:_MOST_TEXT], "mono-strong", wrap=True, selectable=True),
        text_label(lambda: _kind_line(body, required=required), "muted", wrap=True),
        into=entry,
        gap=1,
        margins=(0, 2, 0, 2),
    )
    described = body.get("description")
    if isinstance(described, str) and described.strip():
        text = " ".join(described.split())
        column.addWidget(text_label(_cut(text), "small", wrap=True, selectable=True))
    return entry


def _kind_line(body: JsonObject, *, required: bool) -> str:
    parts = [type_words(body), tr("required") if required else tr("optional"), *_limits(body)]
    if "default" in body:
        parts.append(tr("default {value}").format(value=_cut(_value(body["default"]))))
    return " · ".join(parts)


def type_words(body: Json) -> str:
    """What a value is, in the person's terms."""
    if not isinstance(body, dict):
        return tr("anything")
    choices = body.get("enum")
    if isinstance(choices, list) and choices:
        shown = ", ".join(_value(each) for each in choices[:_MOST_CHOICES])
        return tr("one of {choices}").format(choices=shown + (" …" if len(choices) > _MOST_CHOICES else ""))
    kinds = body.get("type")
    if isinstance(kinds, list):
        return tr(" or ").join(_plain_words(str(kind), body) for kind in kinds[:_MOST_CHOICES])
    return _plain_words(kinds, body) if isinstance(kinds, str) else tr("anything")


def _plain_words(kind: str, body: JsonObject) -> str:
    if kind == "array":
        return tr("list of: {items}").format(items=type_words(body.get("items")))
    if kind == "string" and body.get("format") == "path":
        return tr("path")
    words = {
        "string": tr("text"),
        "integer": tr("whole number"),
        "number": tr("number"),
        "boolean": tr("yes or no"),
        "object": tr("object"),
        "null": tr("nothing"),
    }
    return words.get(kind, kind)


def _limits(body: JsonObject) -> list[str]:
    least, most = body.get("minimum"), body.get("maximum")
    limits = []
    if isinstance(least, (int, float)) and not isinstance(least, bool):
        limits.append(tr("at least {limit}").format(limit=least))
    if isinstance(most, (int, float)) and not isinstance(most, bool):
        limits.append(tr("at most {limit}").format(limit=most))
    form = body.get("format")
    if isinstance(form, str) and form != "path":
        limits.append(_cut(form))
    return limits


def _value(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT] + "…"
