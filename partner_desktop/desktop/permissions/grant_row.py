"""One yes that reaches beyond its run, and the way to take it back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.parts.banner import Banner
from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, stretch, vbox
from partner_desktop.desktop.parts.buttons import push_button
from partner_desktop.desktop.parts.labels import ElidedLabel, Pill, show_words, text_label
from partner_desktop.desktop.parts.rule import horizontal_rule
from partner_desktop.desktop.parts.tips import set_tip
from partner_desktop.desktop.permissions.words import grant_facts, place_words
from partner_desktop.desktop.theme.tokens import Space
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.permission import Grant


class GrantRow(QWidget):
    """`revoke_wanted()` after a yes."""

    revoke_wanted = Signal()

    def __init__(self, grant: Grant, conversation: str = "") -> None:
        super().__init__()
        self.grant = grant
        self._conversation = conversation
        self.question: Banner | None = None
        self.rule = horizontal_rule()
        self.title = ElidedLabel(grant.title or grant.action_key, "strong")
        self.edited = Pill()
        self.key = ElidedLabel(grant.action_key, "mono")
        self.facts = text_label("", "muted", wrap=True)
        self.places = text_label("", "muted", wrap=True, selectable=True)
        self.revoke_button = push_button(
            lambda: self.tr("Revoke…"),
            "small",
            name=lambda: self.tr("Revoke: {title}…").format(title=self.grant.title or self.grant.action_key),
        )
        self.revoke_button.clicked.connect(self.ask)
        self._lay_out()
        in_every_language(self, self._say)
        self._say()

    def _lay_out(self) -> None:
        first = hbox(self.title, self.edited, stretch(1), gap=Space.S)
        first.setStretchFactor(self.title, 1000)
        line = hbox(
            grow(vbox(first, self.key, self.facts, self.places, gap=2)),
            at_middle(self.revoke_button),
            gap=Space.M,
            margins=(Space.L, Space.S, Space.L, Space.S),
        )
        self._below = vbox(gap=None)
        vbox(self.rule, line, self._below, into=self)

    @property
    def first_stop(self) -> QWidget:
        """Where the keyboard begins."""
        return self.revoke_button

    def ask(self) -> None:
        """A question below; what is chosen by Enter changes nothing."""
        if self.question is not None:
            return
        self.question = banner = Banner(
            lambda: self.tr("Take this yes back?"),
            lambda: self.tr("It asks again from now on. What runs at this moment goes on."),
        )
        revoke = banner.add_choice(lambda: self.tr("Revoke"), self.revoke_wanted.emit, look="stop")
        revoke.setAccessibleName(self.tr("Revoke: {title}").format(title=self.title.text()))
        cancel = banner.add_choice(lambda: self.tr("Keep it"), None)
        banner.closed.connect(self._question_gone)
        self._below.addWidget(banner)
        self._below.setContentsMargins(Space.L, 0, Space.L, Space.M)
        self.revoke_button.hide()
        cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _question_gone(self) -> None:
        self.question = None
        self._below.setContentsMargins(0, 0, 0, 0)
        self.revoke_button.show()
        self.revoke_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say(self) -> None:
        self.edited.say("" if self.grant.current else self.tr("was edited since"), "careful")
        tip = "" if self.grant.current else self.tr("The ability is another one now, so it asks again.")
        set_tip(self.edited, tip)
        self.facts.setText(grant_facts(self.grant, self._conversation))
        show_words(self.places, place_words(self.grant))
