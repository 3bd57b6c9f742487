"""The form in which a plan that ran is named, and its arguments are left as they were or asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLineEdit, QWidget

from partner_desktop.base.paths import display_text
from partner_desktop.base.text import shown
from partner_desktop.desktop.card.words import value_words
from partner_desktop.desktop.forms.draft_form import DraftForm
from partner_desktop.desktop.parts.boxes import grid, vbox
from partner_desktop.desktop.parts.controls import ElidedLabel, text_label
from partner_desktop.desktop.theme.theme import zoomed
from partner_desktop.desktop.wording import bind_text, tr
from partner_desktop.domain.ability import AbilityDraft
from partner_desktop.domain.plan_save import PlanSaveDraft, SavedArgument

_NAME_WIDTH = 150


class PlanSaveForm(DraftForm):
    """`plan_saved(PlanSaveDraft)` with what stands in the form."""

    plan_saved = Signal(object)

    def __init__(self, draft: PlanSaveDraft) -> None:
        arguments = ArgumentList(draft.arguments)
        super().__init__(
            AbilityDraft(draft.name, description=draft.description, aliases=draft.aliases),
            title=lambda: tr("Save this plan as an ability"),
            verb=lambda: tr("Save"),
            note=lambda: tr("It stays in the list and asks again before it runs."),
            more=arguments,
            titled=False,
        )
        arguments.setVisible(bool(draft.arguments))
        self.arguments = arguments
        self._plan = draft
        self.saved.connect(self._pass_on)

    def _pass_on(self, told: AbilityDraft) -> None:
        self.plan_saved.emit(
            replace(
                self._plan,
                name=told.name,
                description=told.description,
                aliases=told.aliases,
                arguments=self.arguments.read(),
            )
        )


class ArgumentList(QWidget):
    """Each argument of each step: marked, it is asked for, under a name."""

    def __init__(self, arguments: Sequence[SavedArgument]) -> None:
        super().__init__()
        self._arguments = arguments
        self.boxes: list[QCheckBox] = []
        self.names: list[QLineEdit] = []
        lines = grid(across=12, down=8, wide=0)
        for line, argument in enumerate(arguments):
            self._add(lines, line, argument)
        label = text_label(
            lambda: tr("What it asks for each time; the rest stays as it was"), "label", wrap=True
        )
        vbox(label, lines, into=self, gap=6, margins=(0, 8, 0, 0))

    def read(self) -> tuple[SavedArgument, ...]:
        """As they stand."""
        return tuple(
            replace(argument, proposed=box.isChecked(), name=name.text().strip())
            for argument, box, name in zip(self._arguments, self.boxes, self.names, strict=True)
        )

    def _add(self, lines: QGridLayout, line: int, argument: SavedArgument) -> None:
        box, name = QCheckBox(shown(argument.param)), QLineEdit(argument.name)
        place = f"{argument.number} · {shown(argument.title)}"
        value = display_text(value_words(argument.value))
        bind_text(
            box,
            box.setAccessibleName,
            lambda: tr("Ask for {param} of step {place}").format(param=argument.param, place=place),
        )
        bind_text(
            name,
            name.setAccessibleName,
            lambda: tr("Name of {param} of step {place}").format(param=argument.param, place=place),
        )
        box.setChecked(argument.proposed)
        name.setEnabled(argument.proposed)
        name.setFixedWidth(zoomed(_NAME_WIDTH))
        box.toggled.connect(name.setEnabled)
        self.boxes.append(box)
        self.names.append(name)
        lines.addLayout(vbox(box, ElidedLabel(f"{place} · {value}", "muted")), line, 0)
        lines.addWidget(name, line, 1)
