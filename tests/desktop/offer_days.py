"""Days on which a model is looked for: the first run, and the page of models with all that could be had."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtWidgets import QWidget

from partner_desktop.desktop.models.first_run import FirstRun
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.model_file import FoundModels

from .offer_samples import CATALOG, CHECKED, CHECKING, DOWNLOADS, FOUND, LISTING, LOADING, SERVERS, SUGGESTED

#: A moment after the window stands.
_LATER_MS = 150
_AIR_PX = 40
PAGE_SCENES = (
    *("offers-found", "offers-looking", "offers-servers", "offers-get", "offers-all"),
    *("offers-downloads", "offers-files", "offers-checking", "offers-checked"),
)
FIRST_SCENES = (
    "first-found",
    "first-looking",
    "first-nothing",
    "first-loading",
    "first-servers",
    "first-end",
)


def first_run(window: MainWindow, scene: str) -> None:
    """What the welcome offers while there is no model."""
    QTimer.singleShot(_LATER_MS, window, lambda: _fill_first_run(window, scene))


def _fill_first_run(window: MainWindow, scene: str) -> None:
    offers = window.page.welcome.offers
    if not isinstance(offers, FirstRun):
        offers = FirstRun(window.theme)
        window.page.welcome.show_offers(offers)
    offers.show_found(FoundModels() if scene in ("first-nothing", "first-loading") else FOUND)
    offers.show_suggested(SUGGESTED)
    if scene == "first-looking":
        fresh = FirstRun(window.theme)
        fresh.show_looking()
        window.page.welcome.show_offers(fresh)
    if scene == "first-loading":
        offers.show_download(LOADING)
    if scene == "first-servers":
        offers.show_servers(SERVERS)
    if scene == "first-end":
        bar = window.page.welcome.verticalScrollBar()
        QTimer.singleShot(_LATER_MS, bar, lambda: bar.setValue(bar.maximum()))


def look_at_offers(page: ModelsPage, scene: str) -> None:
    """The page of models, with what was found here and what can be got."""
    QTimer.singleShot(_LATER_MS, page, lambda: _fill_page(page, scene))


def _fill_page(page: ModelsPage, scene: str) -> None:
    card = page.cards["Qwen3 4B"]
    if scene in ("offers-checking", "offers-checked"):
        check = CHECKING if scene == "offers-checking" else CHECKED
        card.show_check(check, check.by_question())
        if scene == "offers-checked" and card.check is not None:
            card.check.failed.toggle()
        return
    page.found.show_found(FOUND)
    page.get.show_catalog(CATALOG)
    if scene == "offers-looking":
        page.found.show_looking()
    if scene == "offers-servers":
        page.found.show_servers(SERVERS)
        page.found.list.more_button.click()
        page.found.others.fold.toggle()
    if scene == "offers-downloads":
        page.get.show_downloads(DOWNLOADS)
    if scene == "offers-files":
        page.get.show_listing(LISTING)
        page.get.field.setText(LISTING.repository)
    if scene == "offers-all":
        page.get.list.more_button.click()
    shown: QWidget = {
        "offers-downloads": page.get.downloads,
        "offers-files": page.get.files,
        "offers-all": page.get.list,
        "offers-get": page.get.list,
    }.get(scene, page.found)
    QTimer.singleShot(_LATER_MS, shown, lambda: _scroll(page, shown))


def _scroll(page: ModelsPage, shown: QWidget) -> None:
    inner = page.area.widget()
    assert inner is not None
    page.area.verticalScrollBar().setValue(max(0, shown.mapTo(inner, QPoint(0, 0)).y() - _AIR_PX))
