"""A list, or what stands in its place: a sentence where it is empty, a page where one is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QStackedWidget, QWidget

from partner_desktop.desktop.parts.boxes import vbox

if TYPE_CHECKING:
    from partner_desktop.desktop.panel.page import PanelPage

_EMPTY, _LIST, _PAGE = range(3)


class PageStack(QStackedWidget):
    """One page at a time."""

    def __init__(self, empty: QWidget, list_: QWidget) -> None:
        super().__init__()
        self._page: PanelPage | None = None
        self.addWidget(empty)
        self.addWidget(list_)

    @property
    def page(self) -> PanelPage | None:
        """What stands in place of the list."""
        return self._page

    def show_page(self, page: PanelPage) -> None:
        """In place of the list, until `drop_page`."""
        self.drop_page()
        self._page = page
        place = QWidget()
        vbox(page, into=place, margins=(12, 8, 12, 0))
        self.insertWidget(_PAGE, place)
        self.setCurrentIndex(_PAGE)
        page.begin()

    def drop_page(self) -> None:
        """Take it away; `show_list` brings what is behind it to view."""
        place = self._page.parentWidget() if self._page is not None else None
        self._page = None
        if place is not None:
            self.removeWidget(place)
            place.hide()
            place.deleteLater()

    def show_list(self, *, empty: bool) -> None:
        """The list, or the sentence in its place; a page that is read stays."""
        if self._page is None:
            self.setCurrentIndex(_EMPTY if empty else _LIST)
