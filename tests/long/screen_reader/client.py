"""A client of AT-SPI that has the window by nothing else: it starts COMMAND, goes round in it, and ends it.

Run by the system's own Python, which has the bindings (`gi`, Atspi); it knows nothing of the project. What
it found is the last line that it prints, one JSON object; a step that does not come in time is its `failed`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402 - after its version was chosen

PATIENCE_S = 90
LOOK_S = 0.1
#: As long as a card does not listen yet, with room for a busy machine.
QUIET_S = 1.5
ENDS_S = 60
REQUEST = "water the plants"
ANSWER = "The plants are watered."
MOST_DEEP = 60
BUTTONS = ("push button", "button")
FIELDS = ("text", "entry")
NAMED = (*BUTTONS, *FIELDS, "check box", "radio button", "page tab", "list", "list item", "heading")


class Client:
    """What is seen, heard and done by the accessibility bus."""

    def __init__(self) -> None:
        self.announced: list[str] = []
        self._listener = Atspi.EventListener.new(lambda event: self.announced.append(str(event.any_data)))
        self._listener.register("object:announcement")

    def until(self, what: str, find: Callable[[], Any]) -> Any:
        """Look again and again; the first thing found."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            while GLib.MainContext.default().iteration(False):
                pass
            try:
                found = find()
            except GLib.Error:  # it went while it was looked at
                found = None
            if found:
                return found
            time.sleep(LOOK_S)
        raise TimeoutError(what)

    def window(self) -> Any:
        """The one window of Partner; `None` before it is there."""
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(number)
            if app is not None and "partner" in (app.get_name() or "").lower() and app.get_child_count():
                return app.get_child_at_index(0)
        return None

    def below(self, start: Any, depth: int = 0) -> Iterator[Any]:
        """The tree in view from here down."""
        if start is None or depth > MOST_DEEP:
            return
        if depth and not start.get_state_set().contains(Atspi.StateType.VISIBLE):
            return
        yield start
        for number in range(start.get_child_count()):
            yield from self.below(start.get_child_at_index(number), depth + 1)

    def find(self, roles: tuple[str, ...], begins: str, *, can: str = "") -> Any:
        """By its role, how its name begins, and what can be done with it."""
        for one in self.below(self.window()):
            named = (one.get_name() or "").lower().startswith(begins.lower())
            if named and one.get_role_name() in roles and (not can or can in self.actions(one)):
                return one
        return None

    def text(self, one: Any) -> str:
        """What is written in it."""
        face = one.get_text_iface()
        return str(Atspi.Text.get_text(face, 0, -1)) if face is not None else ""

    def texts(self) -> Iterator[str]:
        """Everything that can be read in the window."""
        for one in self.below(self.window()):
            yield one.get_name() or ""
            yield self.text(one)

    def actions(self, one: Any) -> list[str]:
        """What can be done with it."""
        face = one.get_action_iface()
        return [face.get_action_name(at) for at in range(face.get_n_actions())] if face else []

    def act(self, one: Any, name: str) -> None:
        """Do it."""
        if not one.get_action_iface().do_action(self.actions(one).index(name)):
            raise ValueError(f"{one.get_name()}: {name} was refused")

    def holds(self, one: Any, state: str) -> bool:
        """Whether it is in a state."""
        return bool(one.get_state_set().contains(getattr(Atspi.StateType, state)))


def go_round(client: Client) -> dict[str, object]:
    """Walk the tree, ask, approve, read the answer, and have a tab and a row of a list."""
    found: dict[str, object] = {}
    field = client.until("the message", lambda: client.find(FIELDS, "Message"))
    client.until("the button", lambda: client.find(BUTTONS, "Send the message"))
    tree = [(one.get_role_name(), one.get_name() or "") for one in client.below(client.window())]
    found["roles"] = sorted({role for role, _ in tree})
    found["nameless"] = [role for role, name in tree if role in NAMED and not name]

    field.get_editable_text_iface().insert_text(0, REQUEST, len(REQUEST))
    client.until("the words in it", lambda: client.text(field) == REQUEST)
    client.act(client.find(BUTTONS, "Send the message"), "Press")
    client.until("an empty message", lambda: client.text(field) == "")

    client.until("a card that asks", lambda: client.find(BUTTONS, "Approve once"))
    time.sleep(QUIET_S)
    client.act(client.until("its button", lambda: client.find(BUTTONS, "Approve once")), "Press")
    client.until("the reply", lambda: any(ANSWER in text for text in client.texts()))
    client.until("the end told", lambda: any(said.endswith(": done") for said in client.announced))
    found["announced"] = client.announced
    talk = client.until("the conversation", lambda: client.find(("list item",), REQUEST, can="Delete"))
    found["of the conversation"] = client.actions(talk)

    tab = client.until("a tab", lambda: client.find(("page tab",), "Show Abilities"))
    client.act(tab, "Press")
    client.until("the tab in view", lambda: client.holds(tab, "CHECKED"))
    row = client.until("the ability", lambda: client.find(("list item",), "Water", can="Toggle"))
    found["was on"] = client.holds(row, "CHECKED")
    client.act(row, "Toggle")
    client.until(
        "the ability off",
        lambda: not client.holds(client.find(("list item",), "Water", can="Toggle"), "CHECKED"),
    )
    return found


def main() -> int:
    """Begin, go round, end."""
    app = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    client = Client()
    try:
        found = go_round(client)
    except (TimeoutError, ValueError) as error:
        tree = [f"{one.get_role_name()} {one.get_name()!r}" for one in client.below(client.window())]
        said = client.announced
        found = {"failed": f"{error} (the window: {app.poll()})", "announced": said, "tree": tree}
    finally:
        app.terminate()
        app.wait(ENDS_S)
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
