"""A client of AT-SPI that has the window by nothing else: `client.py COMMAND …` starts it, goes round, ends it.

Run by the system's own Python, which has the bindings (`gi`, Atspi); it knows nothing of the project. What it
found is printed as one JSON object; a step that does not come about within its time is its `failed`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402 - after its version was chosen

PATIENCE_S = 60
#: As long as a card does not listen yet, with room for a busy machine.
QUIET_S = 1.5
REQUEST = "water the plants"
ANSWER = "The plants are watered."


class Client:
    """What is seen and done by the accessibility bus."""

    def __init__(self) -> None:
        self.announced: list[str] = []
        self._listener = Atspi.EventListener.new(self._hear)
        self._listener.register("object:announcement")

    def _hear(self, event) -> None:  # noqa: ANN001 - the bindings have no types
        self.announced.append(str(event.any_data))

    def until(self, what: str, find):  # noqa: ANN001, ANN201
        """Look again and again; the first thing found."""
        print("waits for", what, file=sys.stderr)
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
            time.sleep(0.1)
        raise TimeoutError(what)

    def window(self):  # noqa: ANN201
        """The one window of Partner."""
        desktop = Atspi.get_desktop(0)
        for number in range(desktop.get_child_count()):
            app = desktop.get_child_at_index(number)
            if app is not None and "partner" in (app.get_name() or "").lower() and app.get_child_count():
                return app.get_child_at_index(0)
        return None

    def all(self, start, depth: int = 0):  # noqa: ANN001, ANN201
        """The tree in view from here down, as the client walks it."""
        if start is None or depth > 60:
            return
        if depth and not start.get_state_set().contains(Atspi.StateType.VISIBLE):
            return
        yield start
        for number in range(start.get_child_count()):
            yield from self.all(start.get_child_at_index(number), depth + 1)

    def find(self, role: str, name: str = "", text: str = ""):  # noqa: ANN201
        """By its role and how its name begins, or by what stands in it."""
        for one in self.all(self.window()):
            if one.get_role_name() == role and (one.get_name() or "").startswith(name):
                if not text or text in self.text(one) or text in (one.get_name() or ""):
                    return one
        return None

    def text(self, one) -> str:  # noqa: ANN001
        face = one.get_text_iface()
        return Atspi.Text.get_text(face, 0, -1) if face is not None else ""

    def actions(self, one) -> list[str]:  # noqa: ANN001
        face = one.get_action_iface()
        return [face.get_action_name(number) for number in range(face.get_n_actions())] if face else []

    def act(self, one, name: str) -> None:  # noqa: ANN001
        actions = self.actions(one)
        if not one.get_action_iface().do_action(actions.index(name)):
            raise ValueError(f"{one.get_name()}: {name} of {actions} was refused")


def go_round(client: Client) -> dict[str, object]:
    """Walk the tree, ask, approve, read, and have a row of a list."""
    client.until("the window", client.window)
    composer = client.until(
        "the message field", lambda: client.find("text", "Message") or client.find("entry", "Message")
    )
    client.until(
        "the ability",
        lambda: client.find("push button", "Send the message") or client.find("button", "Send the message"),
    )
    found: dict[str, object] = {}
    tree = [(one.get_role_name(), one.get_name() or "") for one in client.all(client.window())]
    found["roles"] = sorted({role for role, _ in tree})
    found["nameless"] = [role for role, name in tree if not name and role in NAMED]
    composer.get_editable_text_iface().insert_text(0, REQUEST, len(REQUEST))
    client.until("the words in it", lambda: client.text(composer) == REQUEST)
    send = client.find("push button", "Send the message") or client.find("button", "Send the message")
    client.act(send, "Press")
    client.until("an empty field", lambda: client.text(composer) == "")

    def approve():  # noqa: ANN202
        return client.find("push button", "Approve once") or client.find("button", "Approve once")

    client.until("a card that asks", approve)
    time.sleep(QUIET_S)
    button = client.until("its button", approve)
    found["approves"] = button.get_name()
    client.act(button, "Press")
    client.until("what the run said", lambda: any(ANSWER in text for text in seen(client)))
    client.until("the end told", lambda: any("done" in text for text in client.announced))
    found["announced"] = client.announced
    row = client.until(
        "the conversation's row",
        lambda: (
            client.find("list item", "", REQUEST.split()[0].capitalize())
            or client.find("list item", "", "plants")
        ),
    )
    found["row actions"] = client.actions(row)
    found["row"] = row.get_name()
    tab = client.until("the memory's tab", lambda: client.find("page tab", "Show Memory"))
    client.act(tab, "Press")
    client.until("it is chosen", lambda: tab.get_state_set().contains(Atspi.StateType.CHECKED))
    return found


NAMED = {
    "push button",
    "button",
    "check box",
    "radio button",
    "page tab",
    "text",
    "entry",
    "list",
    "list item",
}


def seen(client: Client):  # noqa: ANN201
    """Every text in view."""
    for one in client.all(client.window()):
        yield one.get_name() or ""
        yield client.text(one)


def main() -> int:
    app = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=sys.stderr)
    client = Client()
    found: dict[str, object] = {}
    try:
        found = go_round(client)
    except (TimeoutError, ValueError) as error:
        tree = [
            f"{one.get_role_name()} {one.get_name()!r} {client.actions(one)}"
            for one in client.all(client.window())
        ]
        print(
            "poll",
            app.poll(),
            [
                (a.get_name(), a.get_child_count())
                for a in [
                    Atspi.get_desktop(0).get_child_at_index(i)
                    for i in range(Atspi.get_desktop(0).get_child_count())
                ]
            ],
            file=sys.stderr,
        )
        found = {"failed": f"{type(error).__name__}: {error}", "tree": tree, "announced": client.announced}
    finally:
        app.terminate()
        app.wait(30)
    print(json.dumps(found, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
