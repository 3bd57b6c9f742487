"""The reference of `startup`: a bare PySide6 window with one text edit, reporting its first paint."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow, QTextEdit


class FirstPaint(QObject):
    """Reports once, after the text edit was painted and takes keys."""

    def __init__(self, edit: QTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._reported = False

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and not self._reported:
            self._reported = True
            QTimer.singleShot(0, self._report)
        return super().eventFilter(watched, event)

    def _report(self) -> None:
        now = time.monotonic_ns()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        body = {"first_paint_monotonic_ns": now, "rss_bytes": pages * os.sysconf("SC_PAGE_SIZE")}
        Path(os.environ["PARTNER_STARTUP_REPORT"]).write_text(json.dumps(body))
        QApplication.quit()


def main() -> int:
    app = QApplication(sys.argv)
    window = QMainWindow()
    edit = QTextEdit()
    window.setCentralWidget(edit)
    edit.viewport().installEventFilter(FirstPaint(edit))
    window.resize(1280, 800)
    window.show()
    edit.setFocus()
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
