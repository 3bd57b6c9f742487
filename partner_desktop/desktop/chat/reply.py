"""One reply: Markdown as it streams, without a bubble.

Chunks are only noted when they come; the page is brought up to date at most once a frame. What has settled
stays as it is: a frame costs the new blocks and the open one, however long the reply is.
"""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from partner_desktop.desktop.chat.blocks import Block, BlockReader
from partner_desktop.desktop.chat.code_block import CodeBlock
from partner_desktop.desktop.chat.prose import Prose
from partner_desktop.desktop.parts.flow import widget_at
from partner_desktop.desktop.parts.labels import text_label
from partner_desktop.desktop.theme.theme import Theme
from partner_desktop.desktop.wording import in_every_language
from partner_desktop.domain.message import MessageState

#: About thirty frames a second.
FRAME_MS = 33


class ReplyView(QWidget):
    """`link_clicked(address)`; `text` is everything said so far."""

    link_clicked = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._reader = BlockReader()
        self._settled: list[Block] = []
        self._last: Prose | CodeBlock | None = None
        self._last_open = False
        self._last_kind = ""
        self.text = ""
        self._frame = QTimer(self, interval=FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self._draw)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._note = text_label("", "muted")
        self._note.hide()
        self._layout.addWidget(self._note)
        self._state = MessageState.STREAMING
        in_every_language(self, lambda: self._show_state(self._state))

    @property
    def note(self) -> str:
        """What stands below a reply that was not finished."""
        return self._note.text()

    def add(self, content: str) -> None:
        """More text came."""
        self.text += content
        self._settled += self._reader.feed(content)
        if not self._frame.isActive():
            self._frame.start()

    def replace(self, text: str) -> None:
        """The text so far is another."""
        self._clear()
        self.add(text)

    def finish(self, text: str, state: MessageState = MessageState.DONE) -> None:
        """The reply is whole: `text` is what counts."""
        if text.startswith(self.text):
            self.add(text[len(self.text) :])
        else:
            self.replace(text)
        self._settled += self._reader.finish()
        self._frame.stop()
        self._draw()
        self._show_state(state)

    def _show_state(self, state: MessageState) -> None:
        self._state = state
        words = {
            MessageState.STOPPED: self.tr("You stopped this reply."),
            MessageState.BROKEN_OFF: self.tr("Partner was closed while it wrote this."),
        }.get(state, "")
        self._note.setText(words)
        self._note.setVisible(bool(words))

    def _clear(self) -> None:
        self._reader = BlockReader()
        self._settled.clear()
        self.text = ""
        self._last = None
        self._last_open = False
        while self._layout.count() > 1 and (segment := widget_at(self._layout, 0)) is not None:
            self._layout.removeWidget(segment)
            segment.hide()
            segment.deleteLater()

    def _draw(self) -> None:
        settled, self._settled = self._settled, []
        for block in settled:
            self._show(block, is_open=False)
        tail = self._reader.tail()
        if tail is not None:
            self._show(tail, is_open=True)
        elif self._last_open:
            self._drop_open()

    def _show(self, block: Block, *, is_open: bool) -> None:
        if self._last_open and block.kind != self._last_kind:
            self._drop_open()
        widget = self._widget_for(block)
        if isinstance(widget, CodeBlock):
            widget.show_text(block.text)
        elif is_open:
            widget.show_tail(block.text)
        else:
            widget.settle(block.text)
        self._last_open, self._last_kind = is_open, block.kind

    def _widget_for(self, block: Block) -> Prose | CodeBlock:
        """The open segment goes on; settled prose takes more prose; everything else begins anew."""
        goes_on = self._last_open or (block.kind == "prose" and self._last_kind == "prose")
        if self._last is None or not goes_on:
            self._last = self._new_segment(block)
        return self._last

    def _new_segment(self, block: Block) -> Prose | CodeBlock:
        segment: Prose | CodeBlock
        if block.kind == "code":
            segment = CodeBlock(block.language)
        else:
            segment = Prose(self._theme)
            segment.link_clicked.connect(self.link_clicked)
        self._layout.insertWidget(self._layout.count() - 1, segment)
        return segment

    def _drop_open(self) -> None:
        """The open block turned out to be something else."""
        last = self._last
        self._last_open = False
        if isinstance(last, Prose):
            last.drop_tail()
            if not last.empty:
                return
        if last is not None:
            self._layout.removeWidget(last)
            last.hide()
            last.deleteLater()
        self._last, self._last_kind = None, ""
