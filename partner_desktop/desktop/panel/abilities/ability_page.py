"""The page of one ability: what it takes, and the files that it is made of."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal

from partner_desktop.base.paths import display_path
from partner_desktop.desktop.panel.abilities.ability_rows import fault_words, origin_words
from partner_desktop.desktop.panel.page import PanelPage
from partner_desktop.desktop.parts.boxes import FlowLayout
from partner_desktop.desktop.parts.controls import push_button, text_label
from partner_desktop.desktop.parts.schema_view import SchemaView
from partner_desktop.desktop.theme.theme import Space
from partner_desktop.desktop.wording import LazyText, tr
from partner_desktop.domain.ability import Ability
from partner_desktop.domain.meta_action import MetaActionInfo

_DESCRIPTOR = "desc.json"


class AbilityPage(PanelPage):
    """`asked(verb)`, see ability_menu."""

    asked = Signal(str)

    def __init__(self, ability: Ability, info: MetaActionInfo) -> None:
        info = info.told
        super().__init__(info.title)
        self.ability = ability
        self._muted(lambda: f"{origin_words(info)} · {info.key}")
        self.column.addWidget(text_label(info.description.strip(), wrap=True, selectable=True))
        if ability.fault is not None:
            self.column.addWidget(text_label(fault_words(ability), "fault-small", wrap=True, selectable=True))
        row = FlowLayout(gap=6)
        self.try_button = push_button(lambda: tr("Try it…"), "small", pressed=lambda: self.asked.emit("run"))
        self.try_button.setEnabled(ability.usable)
        row.addWidget(self.try_button)
        if ability.script is not None:
            source = push_button(lambda: tr("Open source"), "small")
            source.clicked.connect(lambda: self.asked.emit("source"))
            row.addWidget(source)
        self.column.addLayout(row)
        if info.aliases:
            aliases = ", ".join(info.aliases)
            self._muted(lambda: tr("Also asked for as: {aliases}").format(aliases=aliases))
        self._head(lambda: tr("Parameters"))
        self.schema = SchemaView(info.params)
        self.column.addWidget(self.schema)
        if info.response_schema:
            self._head(lambda: tr("Result"))
            self.column.addWidget(SchemaView(info.response_schema))
        self._add_files(ability)
        for hint in ability.hints:
            self._muted(hint)
        self.column.addStretch()

    def _add_files(self, ability: Ability) -> None:
        files = [] if ability.script is None else [ability.script]
        describes_itself = ability.info is not None and ability.info.plan is not None
        if ability.in_folder and ability.path is not None and not describes_itself:
            files.append(ability.path / _DESCRIPTOR)
        if not files:
            return
        self._head(lambda: tr("Files"))
        for path in files:
            self.column.addWidget(text_label(display_path(path), "mono", wrap=True, selectable=True))

    def _head(self, title: LazyText) -> None:
        label = text_label(title, "head-line")
        label.setContentsMargins(0, Space.S, 0, 0)
        self.column.addWidget(label, 0, Qt.AlignmentFlag.AlignLeft)

    def _muted(self, words: LazyText) -> None:
        self.column.addWidget(text_label(words, "muted", wrap=True, selectable=True))
