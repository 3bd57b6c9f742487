"""The first run: how to come by a model, in the welcome's own column. Nothing waits for it.

What lies here already comes first, with one press to use it; then a download that fits this machine, and a
server. One button leads the eye, the rest is quiet; whoever wants none of it just starts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QWidget

from partner_desktop.desktop.models.download_row import DownloadRow
from partner_desktop.desktop.models.found_section import offer_of_found, offer_of_served, served_models
from partner_desktop.desktop.models.get_section import offer_of_catalog
from partner_desktop.desktop.models.offer_row import Beside, ModelOffer, OfferRow
from partner_desktop.desktop.parts.boxes import (
    clear_layout,
    drop_widget,
    flow,
    hbox,
    horizontal_rule,
    stretch,
    vbox,
)
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme, set_look
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.model_download import CatalogModel, Download
from partner_desktop.domain.model_file import FoundEndpoint, FoundModel, FoundModels

#: More servers than these are on the page of models.
_MOST_SERVED = 3


class FirstRun(QWidget):
    """`model_used(path)`, `file_wanted()`, `more_wanted()`: the page of models; `download_wanted(id)`, of its
    download `pause_wanted(id)`, `resume_wanted(id)`, `cancel_wanted(id)`; `servers_wanted()`,
    `server_used(address, model)`, `address_wanted()`; `start_wanted()`: without any of it."""

    model_used = Signal(str)
    file_wanted = Signal()
    more_wanted = Signal()
    download_wanted = Signal(str)
    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)
    servers_wanted = Signal()
    server_used = Signal(str, str)
    address_wanted = Signal()
    start_wanted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.here = _Here(theme)
        self.here.used.connect(self.model_used)
        self.load = _Load(theme)
        for wanted, passed in (
            (self.load.wanted, self.download_wanted),
            (self.load.pause_wanted, self.pause_wanted),
            (self.load.resume_wanted, self.resume_wanted),
            (self.load.cancel_wanted, self.cancel_wanted),
        ):
            wanted.connect(passed)
        self.server = _Server(theme)
        self.server.used.connect(self.server_used)
        self.server.look_button.clicked.connect(self.servers_wanted)
        self.server.address_button.clicked.connect(self.address_wanted)
        self._fault = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self.start_button = push_button(
            lambda: self.tr("Just start"),
            "small",
            name=lambda: self.tr("Just start, without a model"),
            pressed=self.start_wanted,
        )
        vbox(
            text_label(self._why, "muted", wrap=True), self._make_card(), self._fault, into=self, gap=Space.S
        )
        in_every_language(self, self._say_more, now=True)
        self._lead()

    def _make_card(self) -> QFrame:
        card = QFrame()
        card.setObjectName("card")
        self.more_button = push_button("", "link", pressed=self.more_wanted)
        self.file_button = push_button(
            lambda: self.tr("Add a model file…"),
            "link",
            name=lambda: self.tr("Add a model file that lies elsewhere…"),
            pressed=self.file_wanted,
        )
        links = vbox(stretch(1), flow(self.more_button, self.file_button, gap=Space.L), stretch(1))
        foot = Beside(links, self.start_button)
        self._load_rule = horizontal_rule()
        vbox(
            *(self.here, self._load_rule, self.load, horizontal_rule(), self.server, horizontal_rule(), foot),
            into=card,
            margins=1,
        )
        return card

    def _why(self) -> str:
        return self.tr(
            "All this works already. A language model lets Partner write and talk freely, too: use one that "
            "is here, get one, or begin without. It can come later."
        )

    @property
    def fault(self) -> str:
        """Why what was asked for did not work."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def show_looking(self) -> None:
        """The look at the disk is under way."""
        self.here.show_looking()

    def show_found(self, found: FoundModels | None) -> None:
        """What lies here, the best first; `None`: nobody could look."""
        self.here.show_found(found)
        self._say_more()
        self._lead()

    def show_suggested(self, model: CatalogModel | None) -> None:
        """The download that fits this machine; `None`: none does."""
        self.load.show_model(model)
        self._lead()

    def show_download(self, download: Download | None) -> None:
        """The newest download, wherever it was asked for."""
        self.load.show_download(download)
        self._lead()

    def show_servers_looking(self) -> None:
        self.server.show_looking()

    def show_servers(self, servers: Sequence[FoundEndpoint] | None) -> None:
        """Which answered; `None`: nobody could ask."""
        self.server.show_servers(servers)

    def show_fault(self, sentence: str) -> None:
        """What was asked for did not work; empty: something else is tried."""
        show_words(self._fault, sentence)

    def _say_more(self) -> None:
        count = self.here.more
        words = self.tr("Others to get…")
        if count:
            words = (
                self.tr("1 more on this computer…")
                if count == 1
                else self.tr("{count} more on this computer…")
            )
        self.more_button.setText(words.format(count=count))
        self.more_button.setAccessibleName(self.more_button.text())

    def _lead(self) -> None:
        """One button leads the eye: what is here, else what can be loaded, else to begin."""
        here = self.here.leads
        self.load.lead(first=not here)
        self._load_rule.setVisible(not self.load.isHidden())
        nothing = self.here.looked and not here and self.load.isHidden()
        set_look(self.start_button, "small-primary" if nothing else "small")


class _Here(QWidget):
    """The best of what was found on this computer. `used(path)`."""

    used = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._best: FoundModel | None = None
        self._looking = self.looked = False
        self.more = 0
        """How many there are beside it."""
        self.row: OfferRow | None = None
        self._place = vbox()
        self._told = text_label("", "muted", wrap=True)
        self._progress = ProgressLine(theme)
        self._words = QWidget()
        vbox(
            self._told,
            self._progress,
            into=self._words,
            gap=Space.S,
            margins=(Space.L, Space.M, Space.L, Space.M),
        )
        vbox(self._place, self._words, into=self)
        in_every_language(self, self._say, now=True)

    @property
    def leads(self) -> bool:
        """Whether one can be used at once."""
        return self._best is not None and self._best.fit.level != "too_large"

    @property
    def words(self) -> str:
        """What is said while there is none."""
        return self._told.text()

    def show_looking(self) -> None:
        self._looking = True
        self._say()

    def show_found(self, found: FoundModels | None) -> None:
        if found is None:
            self._looking = False
            self._say()
            return
        usable = [one for one in found.models if one.facts.purpose == "chat" and not one.trouble]
        self._looking, self.looked = False, True
        self._best, self.more = (usable[0] if usable else None), len(usable) - bool(usable)
        clear_layout(self._place)
        self.row = None
        if usable:
            best, first = usable[0], self.leads
            self.row = OfferRow(self._theme, lambda: self._offer(best, first=first))
            self.row.act_pressed.connect(lambda: self.used.emit(best.path))
            self._place.addWidget(self.row)
        self._say()

    def _offer(self, model: FoundModel, *, first: bool) -> ModelOffer:
        return replace(offer_of_found(model, first=first), word=self.tr("on this computer"), kind="good")

    def _say(self) -> None:
        self._words.setVisible(self._best is None)
        self._progress.setVisible(self._looking)
        if self._looking:
            words = self.tr("Looking whether a model lies on this computer already…")
        elif self.looked:
            words = self.tr("No model lies on this computer where other programs keep theirs.")
        else:
            words = self.tr("A model that lies on this computer can be used where it is.")
        self._told.setText(words)


class _Load(QWidget):
    """The download that fits. `wanted(id)`, `pause_wanted(id)`, `resume_wanted(id)`, `cancel_wanted(id)`."""

    wanted = Signal(str)
    pause_wanted = Signal(str)
    resume_wanted = Signal(str)
    cancel_wanted = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._model: CatalogModel | None = None
        self._first = False
        self.offer: OfferRow | None = None
        self.row: DownloadRow | None = None
        self._column = vbox(into=self)
        self.hide()

    def show_model(self, model: CatalogModel | None) -> None:
        self._model = model
        self._lay_out()

    def show_download(self, download: Download | None) -> None:
        if self.row is not None and (download is None or self.row.download.id != download.id):
            drop_widget(self.row)
            self.row = None
        if self.row is not None and download is not None:
            self.row.show_download(download)
        elif download is not None:
            self.row = row = DownloadRow(self._theme, download)
            row.pause_wanted.connect(lambda: self.pause_wanted.emit(row.download.id))
            row.resume_wanted.connect(lambda: self.resume_wanted.emit(row.download.id))
            row.cancel_wanted.connect(lambda: self.cancel_wanted.emit(row.download.id))
            self._column.addWidget(row)
        self._lay_out()

    def lead(self, *, first: bool) -> None:
        """Whether it is the one to take."""
        self._first = first
        self._lay_out()

    def _lay_out(self) -> None:
        model, first = self._model, self._first
        if model is not None:
            says = lambda: offer_of_catalog(model, first=first)  # noqa: E731 - in the present language
            if self.offer is None:
                self.offer = OfferRow(self._theme, says)
                self.offer.act_pressed.connect(self._begin)
                self._column.addWidget(self.offer)
            self.offer.show_offer(says)
        if self.offer is not None:
            self.offer.setVisible(model is not None and self.row is None)
        self.setVisible(model is not None or self.row is not None)

    def _begin(self) -> None:
        if self._model is not None:
            self.wanted.emit(self._model.id)


class _Server(QWidget):
    """A program that serves models. `used(address, model)`."""

    used = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._servers: Sequence[FoundEndpoint] | None = None
        self._looking = False
        self._told = text_label("", "muted", wrap=True)
        self.rows: list[OfferRow] = []
        self._place = vbox()
        self.look_button = push_button(
            lambda: self.tr("Look for one"),
            "small",
            name=lambda: self.tr("Look for servers that run on this computer"),
        )
        self.address_button = push_button(
            lambda: self.tr("Address…"), "small", name=lambda: self.tr("Give the address of a server…")
        )
        words = vbox(text_label(lambda: self.tr("A server"), "title"), self._told, gap=3)
        buttons = QWidget()
        hbox(self.look_button, self.address_button, into=buttons, gap=Space.S)
        line = Beside(words, buttons)
        vbox(line, self._place, into=self)
        in_every_language(self, self._say, now=True)

    @property
    def words(self) -> str:
        return self._told.text()

    def show_looking(self) -> None:
        self._looking = True
        self._say()

    def show_servers(self, servers: Sequence[FoundEndpoint] | None) -> None:
        self._looking = False
        self._servers = self._servers if servers is None else servers
        clear_layout(self._place)
        self.rows.clear()
        for server, model in served_models(self._servers or ())[:_MOST_SERVED]:
            self._add(server, model)
        self._say()

    def _add(self, server: FoundEndpoint, model: str) -> None:
        row = OfferRow(self._theme, lambda: offer_of_served(server, model))
        row.act_pressed.connect(lambda: self.used.emit(server.base_url, model))
        self.rows.append(row)
        self._place.addWidget(row)

    def _say(self) -> None:
        self.look_button.setEnabled(not self._looking)
        if self._looking:
            words = self.tr("Asking the addresses that such programs have…")
        elif self.rows:
            words = self.tr("These run on this computer now:")
        elif self._servers is not None:
            words = self.tr("None runs on this computer now. One elsewhere is added by its address.")
        else:
            words = self.tr("Ollama, LM Studio, llama-server and the like, here or elsewhere.")
        self._told.setText(words)
