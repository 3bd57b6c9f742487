"""One reply: Markdown as it streams, without a bubble; and what the feed is made of beside it.

Chunks are only noted when they come; the page is brought up to date at most once a frame. What has settled
stays as it is: a frame costs the new blocks and the open one, however long the reply is. A long text that
comes at once is read and drawn in slices.

What a model thought before it spoke is folded, quiet, and no part of the reply: plain text, never read out
by itself and never copied with the reply. While the thinking goes on its last words show in one line; the
whole of it is laid out only where someone opened it.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from partner_desktop.base.clock import Clock
from partner_desktop.desktop.card.card import ActionCard
from partner_desktop.desktop.chat.bubble import Bubble
from partner_desktop.desktop.chat.reply.reply_body import ReplyBody
from partner_desktop.desktop.markup.reader import MarkdownReader
from partner_desktop.desktop.parts.boxes import aligned, at_middle, hbox, stay_painted, vbox
from partner_desktop.desktop.parts.controls import (
    CopyButton,
    ElidedLabel,
    push_button,
    show_words,
    text_label,
)
from partner_desktop.desktop.parts.text_view import TextView
from partner_desktop.desktop.slices import Slices
from partner_desktop.desktop.theme.theme import Theme, set_look
from partner_desktop.desktop.wording import in_every_language, set_tip, tr
from partner_desktop.domain.message import Message, MessageState, Role

#: About thirty frames a second.
FRAME_MS = 33
#: The name of a reply says it as plain text; beyond this, its parts are read one by one.
_MOST_SPOKEN = 10_000


#: When so many characters wait to be read, nobody can read along: what is not in view is not drawn.
_RUSH = 8_192

#: Characters; a shorter reply of one paragraph has no button of its own.
_SHORT = 240
#: From the text to the middle of a line that has no place of its own below it.
_BELOW_PX = 8
_NOTE_GAP_PX = 4


class ReplyView(QWidget):
    """`link_clicked(address)`; `why_pressed()`: what went into this is asked for; `menu_wanted(menu)`: add to
    it what else is offered; `changed_above(by)`: what stands above the view became so much higher; `text` is
    everything said so far."""

    link_clicked = Signal(str)
    menu_wanted = Signal(object)
    why_pressed = Signal()
    changed_above = Signal(int)

    def __init__(self, theme: Theme, slices: Slices) -> None:
        super().__init__()
        self._slices = slices
        self._reader = MarkdownReader()
        self._settled = 0
        self._whole = False
        self.told_before = False
        """Whether it is long and of earlier: what nobody sees of it is not made yet."""
        self._pieces: list[str] = []
        self._speaker = ""
        self._say_name()
        in_every_language(self, self._say_name)
        self._frame = QTimer(self, interval=FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self._draw)
        self.body = ReplyBody(theme, slices)
        self.body.link_clicked.connect(self.link_clicked)
        self.body.changed_above.connect(self.changed_above)
        self._note = text_label("", "muted", wrap=True)
        self._note.setContentsMargins(0, _NOTE_GAP_PX, 0, 0)
        self._note.hide()
        self._state = MessageState.STREAMING
        self._thoughts: Reasoning | None = None
        in_every_language(self, lambda: self._show_state(self._state))
        self._copy = CopyButton(lambda: self.text, lambda: self.tr("Copy this reply"), look="bare")
        self._copy.hide()
        self.why = push_button(lambda: self.tr("Why this answer?"), "bare", pressed=self.why_pressed)
        self.why.hide()
        self._foot = foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(12)
        foot.addWidget(self._copy)
        foot.addWidget(self.why)
        foot.addStretch()
        stay_painted(self)
        vbox(self.body, self._note, foot, into=self)

    @property
    def text(self) -> str:
        """Everything said so far, as it came."""
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    @property
    def reader(self) -> MarkdownReader:
        """What has been read so far."""
        return self._reader

    @property
    def waiting(self) -> bool:
        """Whether something came that the next frame will show."""
        return self._frame.isActive()

    @property
    def note(self) -> str:
        """What stands below a reply that was not finished."""
        return self._note.text()

    @property
    def whole(self) -> bool:
        """Whether nothing more comes."""
        return self._whole

    @property
    def copies(self) -> bool:
        """Whether it has a button of its own that copies it."""
        return not self._copy.isHidden()

    @property
    def room_below(self) -> QPoint:
        """Where the line below the text has room: its left end, at half its height."""
        items = (self._foot.itemAt(place) for place in range(self._foot.count()))
        shown = [item.widget() for item in items if item is not None]
        rects = [widget.geometry() for widget in shown if widget is not None and not widget.isHidden()]
        if not rects:
            return QPoint(0, self.height() + _BELOW_PX)
        last = max(rects, key=lambda rect: rect.right())
        return QPoint(last.right() + self._foot.spacing(), last.center().y())

    def add_to_foot(self, widget: QWidget) -> None:
        """Put something small below, after what stands there; it goes when its owner takes it away."""
        self._foot.insertWidget(self._foot.count() - 1, widget)

    def add(self, content: str) -> None:
        self._pieces.append(content)
        self._reader.feed(content)
        if not self._frame.isActive():
            self._frame.start()

    def replace(self, text: str) -> None:
        self._slices.stop(self)
        self._reader = MarkdownReader()
        self._settled = 0
        self._pieces.clear()
        self.body.cut(0)
        self.add(text)

    def finish(self, text: str, state: MessageState = MessageState.DONE) -> None:
        """The reply is whole: `text` is what counts."""
        if text.startswith(self.text):
            self.add(text[len(self.text) :])
        else:
            self.replace(text)
        self._reader.finish()
        self._whole = True
        self._frame.stop()
        self._show_state(state)
        self._draw()

    def end(self) -> None:
        """The reply leaves the window: nothing of it is drawn any more."""
        self._frame.stop()
        self._slices.stop(self)

    @property
    def thoughts(self) -> Reasoning | None:
        """What the model thought before it spoke; folded."""
        return self._thoughts

    def think(self, text: str, *, whole: bool = False) -> None:
        """More was thought, or with `whole` all of it is here."""
        if self._thoughts is None:
            self._thoughts = Reasoning()
            self._put_above(self._thoughts)
        if whole:
            self._thoughts.show_whole(text)
        else:
            self._thoughts.add(text)

    @property
    def speaker(self) -> str:
        """The name above; empty over what Partner said."""
        return self._speaker

    def show_speaker(self, name: str) -> None:
        """Somebody else said this, in a chat from elsewhere."""
        self._speaker = name
        label = text_label(name, "muted", wrap=True)
        label.setContentsMargins(0, 0, 0, _NOTE_GAP_PX)
        self._put_above(label)
        self._say_name()

    def _put_above(self, widget: QWidget) -> None:
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(0, widget)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.add_to_menu(menu)
        menu.popup(event.globalPos())

    def add_to_menu(self, menu: QMenu) -> None:
        """What a reply offers beside what its texts do."""
        if self._whole:
            menu.addSeparator()
            if not self._speaker:  # what somebody said elsewhere is no answer
                menu.addAction(self.tr("Why this answer?")).triggered.connect(self.why_pressed)
            self.menu_wanted.emit(menu)

    def _say_name(self) -> None:
        """A finished reply is read out; one in the making only says that it is one."""
        said = self.body.plain(_MOST_SPOKEN) if self._whole else self.tr("Reply")
        self.setAccessibleName(f"{self._speaker}: {said}" if self._speaker else said)

    def _show_state(self, state: MessageState) -> None:
        self._state = state
        words = {
            MessageState.STOPPED: self.tr("You stopped this reply."),
            MessageState.CUT: self.tr("The reply reached its longest length and ends here."),
            MessageState.BROKEN_OFF: self.tr("This reply broke off before its end."),
        }.get(state, "")
        show_words(self._note, words)
        self._copy.setVisible(_worth_copying(self.text))
        self.why.setVisible(_worth_copying(self.text) and not self._speaker)

    def _draw(self) -> None:
        if self._thoughts is not None and self._thoughts.going_on and (self._whole or self.text):
            self._thoughts.settle()
        self._slices.start(self, self._drawing(self._reader))

    def _drawing(self, reader: MarkdownReader) -> Iterator[None]:
        """Read and draw in small steps, until the page shows the text as it is by then."""
        while True:
            self.body.hurry(hurried=self.told_before or reader.waiting > _RUSH)
            if reader.busy:
                reader.step()
                yield
            while self._settled < len(reader.parts):
                self.body.put(self._settled, reader.parts[self._settled])
                self._settled += 1
                yield
            while reader.revised:
                index = reader.revised.pop()
                self.body.revise(index, reader.parts[index])
            if not reader.busy:
                break
            yield
        self._draw_tail(reader)
        self.body.hurry(hurried=False)

    def _draw_tail(self, reader: MarkdownReader) -> None:
        tail = [] if self._whole else reader.tail()
        for number, part in enumerate(tail):
            self.body.put(self._settled + number, part)
        self.body.cut(self._settled + len(tail))
        if self._whole:
            self._say_name()
            self.body.settle()


def _worth_copying(text: str) -> bool:
    """A sentence or two are marked with the mouse in no time, and a button under each would be noise."""
    return len(text) > _SHORT or "\n\n" in text.strip()


#: Thoughts come in pieces; what shows of them is renewed this often.
_FRAME_MS = 66
#: As much of the newest line as any window is wide.
_PREVIEWED = 240


class Reasoning(QWidget):
    """Above the reply. `text` is everything thought so far."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._done = False
        self._open = False
        self._view: TextView | None = None
        self._holder = QFrame()
        self._holder.setObjectName("thoughts")
        self._holder.hide()
        self._laid = ""
        self.fold = push_button("", "bare", pressed=self.toggle)
        self.preview = ElidedLabel("", "muted")
        self._frame = QTimer(self, interval=_FRAME_MS, singleShot=True)
        self._frame.timeout.connect(self._draw)
        self._column = vbox(
            hbox(at_middle(self.fold), aligned(self.preview, Qt.AlignmentFlag.AlignVCenter, 1), gap=10),
            self._holder,
            into=self,
            gap=4,
            margins=(0, 0, 0, 8),
        )
        in_every_language(self, self._say, now=True)

    @property
    def is_open(self) -> bool:
        return self._open

    @property
    def going_on(self) -> bool:
        """Whether no answer came yet."""
        return not self._done

    @property
    def shown(self) -> str:
        """What is laid out; empty while it is folded and was never opened."""
        return self._view.toPlainText() if self._view is not None else ""

    def add(self, piece: str) -> None:
        self.text += piece
        if not self._frame.isActive():
            self._frame.start()

    def show_whole(self, text: str) -> None:
        """All of it, as it was kept."""
        self.text = text
        self._draw()

    def settle(self) -> None:
        """The thinking is over: an answer came, or there will be none."""
        if not self._done:
            self._done = True
            self._draw()
            self._say()

    def toggle(self) -> None:
        self._open = not self._open
        if self._view is None:
            self._view = self._make_view()
        self._holder.setVisible(self._open)
        self._draw()
        self._say()

    def _make_view(self) -> TextView:
        view = TextView(lambda: self.tr("What the model thought"))
        set_look(view, "thoughts")
        vbox(view, into=self._holder, margins=(12, 2, 0, 2))
        return view

    def _draw(self) -> None:
        self._frame.stop()
        self.preview.setVisible(not self._done and not self._open)
        if not self._done:
            lines = self.text.rstrip().rpartition("\n")
            self.preview.set_text(lines[2][-_PREVIEWED:])
        if self._view is not None and self._open:
            self._lay_out(self._view)

    def _lay_out(self, view: TextView) -> None:
        """Only what is new, so that a selection and the place stay."""
        if self.text.startswith(self._laid):
            cursor = QTextCursor(view.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(self.text[len(self._laid) :])
        else:
            view.setPlainText(self.text)
        self._laid = self.text

    def _say(self) -> None:
        sign = "▾" if self._open else "▸"
        words = self.tr("Thought for a moment") if self._done else self.tr("Thinking…")
        self.fold.setText(f"{sign}  {words}")
        act = self.tr("fold") if self._open else self.tr("show")
        self.fold.setAccessibleName(f"{words}: {act}")
        set_tip(self.fold, self.tr("What the model thought is no part of its answer"))


#: Characters of an earlier reply from which on it is a guessed height until it comes near the view.
_SLEEPS_FROM = 300

__all__ = ["ActionCard", "Bubble", "ReplyView", "Role", "make_bubble", "make_card", "make_reply"]


def make_bubble(message: Message) -> Bubble:
    """What the person said, here or in a terminal; or somebody else, in a chat from elsewhere."""
    terminal = message.source == "terminal"
    note = (lambda: tr("from a terminal")) if terminal else ""
    shown = [(each.file, each.name, each.mime, each.size_bytes) for each in message.pictures]
    return Bubble(
        message.text, note=note, speaker=message.speaker, pictures=shown, attachments=message.attachments
    )


def make_reply(theme: Theme, slices: Slices, message: Message | None = None) -> ReplyView:
    """What Partner said; without a message, a reply that is about to come."""
    view = ReplyView(theme, slices)
    if message is None:
        return view
    if message.speaker:
        view.show_speaker(message.speaker)
    if message.reasoning:
        view.think(message.reasoning, whole=True)
    if message.state is MessageState.STREAMING:
        view.add(message.text)
    else:
        view.told_before = len(message.text) > _SLEEPS_FROM
        view.finish(message.text, message.state)
    return view


def make_card(theme: Theme, clock: Clock | None) -> ActionCard:
    """The place of an action; its record comes on its own."""
    return ActionCard(theme, clock=clock)
