"""The stylesheet of the windows, which can become another one in small steps.

Qt would go through all widgets that it knows the rules of, and the loop would stand still meanwhile. So it is
made to forget them first (`QStyle.unpolish(app)`), and then has nothing to do with another sheet. The widgets
are polished one after another instead, parents first, for they hand down their fonts.

A widget whose own work depends on colours or sizes has a method `restyle`; it is called when its turn comes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication, QWidget

from partner_desktop.desktop.window_change import WindowChange


class StyleSheet(WindowChange):
    """`polished` counts the widgets that got a newer one."""

    def __init__(self, app: QApplication, *, now: Callable[[], float] = time.perf_counter) -> None:
        super().__init__(app, now=now)
        self._app = app
        self.polished = 0

    def replace(self, text: str, *, sizes: bool) -> None:
        """Give every window another one; `sizes`: what is in it takes more or less room."""
        if self._app.styleSheet():
            self._app.style().unpolish(self._app)
        self._app.setStyleSheet(text)
        self.start(lambda widget: self._restyle(widget, sizes=sizes))

    def _restyle(self, widget: QWidget, *, sizes: bool) -> None:
        # What was never shown is polished when it is.
        if widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
            self.polished += 1
            self._app.style().polish(widget)
            if sizes:
                QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
        own = getattr(widget, "restyle", None)
        if own is not None:
            own()
