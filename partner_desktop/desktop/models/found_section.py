"""What lies on this computer already, and which programs serve models on it now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.models.offer_row import Listed, ModelOffer, OfferList
from partner_desktop.desktop.models.offer_words import found_words
from partner_desktop.desktop.parts.boxes import flow, vbox
from partner_desktop.desktop.parts.controls import push_button, show_words, text_label
from partner_desktop.desktop.parts.fold import Fold
from partner_desktop.desktop.parts.progress import ProgressLine
from partner_desktop.desktop.theme.theme import Space, Theme
from partner_desktop.desktop.wording import in_every_language, joined_words, tr
from partner_desktop.domain.model_file import FoundEndpoint, FoundModel, FoundModels

#: Of the models of one server so many are listed; its form lists them, too.
_MOST_OF_A_SERVER = 6


class FoundSection(QWidget):
    """`look_wanted()`, `folder_wanted()`, `servers_wanted()`; `model_used(path)`, `known_used(name)`,
    `server_used(address, model)`."""

    look_wanted = Signal()
    folder_wanted = Signal()
    servers_wanted = Signal()
    model_used = Signal(str)
    known_used = Signal(str)
    server_used = Signal(str, str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._found: FoundModels | None = None
        self._models: dict[str, FoundModel] = {}
        self._served: dict[str, tuple[FoundEndpoint, str]] = {}
        self._servers: Sequence[FoundEndpoint] | None = None
        self._looking = False
        self.look_button = push_button("", "small", pressed=self.look_wanted)
        self.folder_button = push_button(
            lambda: self.tr("Add folder…"),
            "small",
            name=lambda: self.tr("Look in another folder too…"),
            pressed=self.folder_wanted,
        )
        self.servers_button = push_button(
            lambda: self.tr("Look for running servers"), "small", pressed=self.servers_wanted
        )
        self.told = text_label("", "muted", wrap=True)
        self.progress = ProgressLine(theme)
        self.list = OfferList(theme, lambda: self.tr("Search what was found"))
        self.list.acted.connect(self._use)
        self.others = _Others(theme)
        self.notes = text_label("", "muted", wrap=True, selectable=True, hidden=True)
        self.servers = OfferList(theme, lambda: self.tr("Search the servers"))
        self.servers.acted.connect(self._use_server)
        self.servers_told = text_label("", "muted", wrap=True, hidden=True)
        vbox(
            text_label(lambda: self.tr("Found on this computer").upper(), "head"),
            self.told,
            self.progress,
            self.list,
            self.others,
            self.notes,
            self.servers_told,
            self.servers,
            flow(self.look_button, self.folder_button, self.servers_button, gap=6),
            into=self,
            gap=Space.S,
        )
        in_every_language(self, self._say, now=True)

    def show_looking(self) -> None:
        self._looking = True
        self._say()

    def show_found(self, found: FoundModels | None) -> None:
        """What was found; `None`: the look did not come to an end."""
        self._looking = False
        if found is not None:
            self._found = found
            self._models = {one.path: one for one in found.models}
            self.list.show_rows([_listed(one) for one in found.models if _talks(one)])
            self.others.show_models([one for one in found.models if not _talks(one)])
        self._say()

    def show_servers_looking(self) -> None:
        self.servers_button.setEnabled(False)
        self.servers_told.setText(self.tr("Asking the addresses that such programs have…"))
        self.servers_told.show()

    def show_servers(self, servers: Sequence[FoundEndpoint] | None) -> None:
        """Which answered; `None`: nobody could ask."""
        self.servers_button.setEnabled(True)
        self._servers = self._servers if servers is None else servers
        self._served = {f"{one.base_url} {name}": (one, name) for one, name in served_models(servers or ())}
        self.servers.show_rows(
            [Listed(key, partial(offer_of_served, *one)) for key, one in self._served.items()]
        )
        self._say_servers()

    def _use(self, path: str) -> None:
        model = self._models.get(path)
        if model is not None and model.known_as:
            self.known_used.emit(model.known_as)
        elif model is not None:
            self.model_used.emit(path)

    def _use_server(self, key: str) -> None:
        server, model = self._served[key]
        if server.known_as:
            self.known_used.emit(server.known_as)
        else:
            self.server_used.emit(server.base_url, model)

    def _say(self) -> None:
        found = self._found
        words = self.tr("Look again") if found is not None else self.tr("Look on this computer")
        self.look_button.setText(words)
        self.look_button.setAccessibleName(self.tr("Look for models on this computer"))
        self.look_button.setEnabled(not self._looking)
        self.progress.setVisible(self._looking)
        show_words(self.told, self._told())
        show_words(self.notes, "\n".join(found.notes) if found is not None else "")
        self._say_servers()

    def _told(self) -> str:
        if self._looking:
            return self.tr("Looking where other programs keep their models…")
        if self._found is None:
            return self.tr(
                "Ollama, LM Studio, Jan, GPT4All and others keep models on this computer. Partner can use "
                "them where they lie; it only reads there."
            )
        if not self._found.models:
            return self.tr("No model lies where other programs keep theirs.")
        return ""

    def _say_servers(self) -> None:
        if self._servers is None:
            return
        none = not self._served
        self.servers_told.setText(
            self.tr("No program on this computer serves models now.")
            if none
            else self.tr("They serve models now:")
        )
        self.servers_told.show()


def _talks(model: FoundModel) -> bool:
    """One that is broken is listed with the others: whoever looks for it wants to know why."""
    return model.facts.purpose == "chat" or bool(model.trouble)


def _listed(model: FoundModel) -> Listed:
    words = f"{model.title} {found_words(model)} {model.facts.name} {model.path}"
    return Listed(model.path, lambda: offer_of_found(model), words)


def offer_of_found(model: FoundModel, *, first: bool = False) -> ModelOffer:
    """What a row says of a model that lies here."""
    usable = not model.trouble
    return ModelOffer(
        model.title,
        facts=found_words(model),
        fit=model.fit,
        trouble=model.trouble,
        word=_word(model),
        kind="busy" if model.known_as else "plain",
        act=tr("Use") if usable else "",
        act_name=tr("Use {name}").format(name=model.title),
        first=first,
    )


def _word(model: FoundModel) -> str:
    if model.known_as:
        return tr("in the list")
    return tr("sees pictures") if model.projector and not model.trouble else ""


def served_models(servers: Sequence[FoundEndpoint]) -> list[tuple[FoundEndpoint, str]]:
    """Each server with each of its models; one that names none stands by itself."""
    return [(one, name) for one in servers for name in (one.models[:_MOST_OF_A_SERVER] or ("",))]


def offer_of_served(server: FoundEndpoint, model: str, *, first: bool = False) -> ModelOffer:
    """What a row says of a model that a server runs."""
    title = model or server.program
    return ModelOffer(
        title,
        facts=joined_words(server.program if model else "", server.base_url),
        word=tr("in the list") if server.known_as else "",
        kind="busy",
        act=tr("Use"),
        act_name=tr("Use {name}").format(name=title),
        first=first,
    )


class _Others(QWidget):
    """Those that do not talk, folded away: to be seen, not to be used."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._models: Sequence[FoundModel] = ()
        self._list: OfferList | None = None
        self.fold = Fold(self._title, self._make, look="bare")
        vbox(self.fold, into=self)
        self.hide()

    def show_models(self, models: Sequence[FoundModel]) -> None:
        self._models = models
        self.fold.retitle(self._title)
        self._fill()
        self.setVisible(bool(models))

    def _title(self) -> str:
        return self.tr("Not for talking ({count}): embedding models and projectors").format(
            count=len(self._models)
        )

    def _make(self) -> QWidget:
        self._list = OfferList(self._theme, self._title)
        self._fill()
        return self._list

    def _fill(self) -> None:
        if self._list is not None:
            self._list.show_rows([Listed(one.path, _quietly(one)) for one in self._models])


def _quietly(model: FoundModel) -> Callable[[], ModelOffer]:
    return lambda: ModelOffer(model.title, facts=found_words(model))
