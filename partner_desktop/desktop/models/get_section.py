"""Getting a model: what is on its way, the list that fits this machine, and whatever repository is pasted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from partner_desktop.desktop.models.download_row import DownloadList
from partner_desktop.desktop.models.offer_row import Listed, ModelOffer, OfferList
from partner_desktop.desktop.models.offer_words import (
    catalog_words,
    download_state_words,
    hub_words,
    use_words,
)
from partner_desktop.desktop.parts.boxes import at_middle, grow, hbox, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import announce, bind_text, in_every_language, tr
from partner_desktop.domain.model_download import CatalogModel, Download, HubFile, HubListing

_LONGEST = 500
_FEW = 3


class GetSection(QWidget):
    """`download_wanted(reference, file)`, `repository_wanted(reference)`, `known_used(name)`;
    `downloads` tells what is to be done with one."""

    download_wanted = Signal(str, str)
    repository_wanted = Signal(str)
    known_used = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._catalog: dict[str, CatalogModel] = {}
        self._listing: HubListing | None = None
        self._loads: Sequence[Download] = ()
        self.downloads = DownloadList(theme)
        self.downloads.use_wanted.connect(self.known_used)
        self.list = OfferList(theme, lambda: self.tr("Search the list"), few=_FEW)
        self.list.acted.connect(self._act)
        self.field = QLineEdit()
        self.field.setMaxLength(_LONGEST)
        bind_text(
            self.field,
            self.field.setPlaceholderText,
            lambda: self.tr("A repository, as owner/name, or a link"),
        )
        bind_text(
            self.field,
            self.field.setAccessibleName,
            lambda: self.tr("A repository of models, or a link to one"),
        )
        self.field.returnPressed.connect(self._look)
        self.look_button = push_button(
            lambda: self.tr("Show its files"),
            name=lambda: self.tr("Show the files of this repository"),
            pressed=self._look,
        )
        self.progress = ProgressLine(theme)
        self.progress.hide()
        self._fault = text_label("", "fault-small", wrap=True, selectable=True, hidden=True)
        self._repository = text_label("", "muted", wrap=True, hidden=True)
        self.files = OfferList(theme, lambda: self.tr("Search the files"), few=6)
        self.files.acted.connect(self._load_file)
        vbox(
            text_label(lambda: self.tr("Get a model").upper(), "head"),
            self.downloads,
            self.list,
            hbox(grow(self.field), at_middle(self.look_button), gap=Space.S),
            self.progress,
            self._fault,
            self._repository,
            self.files,
            into=self,
            gap=Space.S,
        )
        in_every_language(self, self._say_repository)

    @property
    def fault(self) -> str:
        """Why a repository could not be looked at, or a download not begin."""
        return self._fault.text() if not self._fault.isHidden() else ""

    def show_catalog(self, catalog: Sequence[CatalogModel]) -> None:
        """The shipped list; the one that this machine should take comes first."""
        self._catalog = {one.id: one for one in _by_need(catalog)}
        self._fill()

    def show_downloads(self, downloads: Sequence[Download]) -> None:
        before = {(one.repository, one.file, one.state, download_state_words(one)) for one in self._loads}
        self._loads = downloads
        self.downloads.show_downloads(downloads)
        if before != {(one.repository, one.file, one.state, download_state_words(one)) for one in downloads}:
            self._fill()
            self._fill_files()

    def show_looking(self) -> None:
        show_words(self._fault, "")
        self.progress.show()

    def show_listing(self, listing: HubListing) -> None:
        self._listing = listing
        self.progress.hide()
        self._fill_files()
        self._say_repository()
        announce(self, self._repository.text())

    def show_fault(self, sentence: str) -> None:
        """It could not be looked at, or not be loaded."""
        self.progress.hide()
        show_words(self._fault, sentence)
        announce(self, sentence, urgent=True)

    def _look(self) -> None:
        reference = self.field.text().strip()
        if reference:
            self.repository_wanted.emit(reference)
        else:
            self.field.setFocus()

    def _act(self, key: str) -> None:
        model = self._catalog[key]
        show_words(self._fault, "")
        if model.known_as:
            self.known_used.emit(model.known_as)
        else:
            self.download_wanted.emit(model.id, "")

    def _load_file(self, file: str) -> None:
        show_words(self._fault, "")
        if self._listing is not None:
            self.download_wanted.emit(self._listing.repository, file)

    def _fill(self) -> None:
        self.list.show_rows(
            [
                Listed(
                    one.id,
                    lambda one=one: offer_of_catalog(one, self._load_of(one.repository, one.file)),  # type: ignore[misc] # bound now
                    f"{one.title} {one.repository} {one.use} {one.why}",
                )
                for one in self._catalog.values()
            ]
        )

    def _fill_files(self) -> None:
        listing = self._listing
        if listing is None:
            return
        named = [one for one in listing.files if one.file == listing.file]
        others = [one for one in listing.files if one.file != listing.file]
        self.files.show_rows(
            [
                Listed(
                    one.file,
                    lambda one=one: offer_of_file(  # type: ignore[misc] # bound now
                        one, listing, self._load_of(listing.repository, one.file)
                    ),
                    one.file,
                )
                for one in (*named, *others)
            ]
        )

    def _load_of(self, repository: str, file: str) -> Download | None:
        return next((one for one in self._loads if (one.repository, one.file) == (repository, file)), None)

    def _say_repository(self) -> None:
        listing = self._listing
        words = ""
        if listing is not None:
            words = (
                self.tr("{repository} has these model files:")
                if listing.files
                else self.tr("{repository} has no model file in the GGUF format.")
            ).format(repository=listing.repository)
        show_words(self._repository, words)


def _by_need(catalog: Sequence[CatalogModel]) -> list[CatalogModel]:
    """What this machine should take, then by what they are for, each from the small to the large; of those
    that talk the ones that fit come first."""
    uses = ("chat", "code", "embedding")
    return sorted(
        catalog,
        key=lambda one: (
            not one.suggested,
            uses.index(one.use),
            one.use == "chat" and one.fit.level == "too_large",
            one.memory_gb,
        ),
    )


def offer_of_catalog(
    model: CatalogModel, download: Download | None = None, *, first: bool | None = None
) -> ModelOffer:
    """What a row says of one of the list; `first`: whether it leads the eye, in place of whether it is
    suggested."""
    offer = ModelOffer(
        model.title,
        facts=catalog_words(model),
        why=model.why,
        fit=model.fit,
        word=tr("suggested") if model.suggested else use_words(model.use),
        kind="busy" if model.suggested else "plain",
        act=tr("Download"),
        act_name=tr("Download {name}").format(name=model.title),
        first=model.suggested if first is None else first,
    )
    if model.known_as:
        use = tr("Use") if model.use != "embedding" else ""
        name = tr("Use {name}").format(name=model.title)
        offer = replace(offer, word=tr("in the list"), kind="busy", act=use, act_name=name, first=False)
    return _on_its_way(offer, download)


def offer_of_file(file: HubFile, listing: HubListing, download: Download | None = None) -> ModelOffer:
    """What a row says of a file of a repository."""
    name = file.file.rpartition("/")[2]
    offer = ModelOffer(
        name,
        facts=hub_words(file, listing.licence),
        fit=file.fit,
        word=tr("of the link") if file.file == listing.file else "",
        kind="busy",
        act=tr("Download"),
        act_name=tr("Download {name}").format(name=name),
        first=file.file == listing.file,
    )
    return _on_its_way(offer, download)


def _on_its_way(offer: ModelOffer, download: Download | None) -> ModelOffer:
    """With a download of its own there is nothing to press here: its row has the buttons."""
    if download is None or download.state == "done":
        return offer
    return replace(offer, word=download_state_words(download), kind="busy", act="", first=False)
