"""Days to look at: what a Partner holds, and what the person does in the window."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path, PurePath

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QScrollArea

from partner_desktop.base.paths import Home
from partner_desktop.config.field import SECTIONS
from partner_desktop.desktop.card.words import SandboxSeen
from partner_desktop.desktop.chat.reply.reply import Reasoning
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.panel.server.offers import LogView
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.desktop.settings.settings_page import SettingsPage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionStatus, ResultPart
from partner_desktop.domain.elicitation import Elicitation
from partner_desktop.domain.events import (
    ElicitationEvent,
    ModelsEvent,
    NoticeEvent,
    ProgressEvent,
    ReplyEvent,
    TurnEvent,
)
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerPhase
from partner_desktop.domain.message import Role
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.model_status import EndpointCheck, EndpointReport
from partner_desktop.domain.run_facts import PathUse, Risk

from . import chain_days, memory_days, offer_days, run_days, schedule_days
from .day import NOW, Day
from .in_context import add_turn, block, demo_blocks
from .model_samples import BROKEN, CLUSTER, LLAMA, QWEN
from .moments import Loop
from .samples import OPEN, ability, count_action
from .server_samples import OUTSIDE, failed, full, question, server, tool, unsteady, zone_tools
from .setting_samples import house_files

REPLY = """I looked through **58 files** in `~/Downloads`. This is what is there:

| type | files | size |
|---|---|---|
| pdf | 17 | 41 MB |
| png | 19 | 12 MB |
| zip | 9 | 230 MB |

1. The archives take most of the room.
2. Seven names occur twice:
   - `invoice.pdf`
   - `photo (1).png`

```python
from pathlib import Path

for path in sorted(Path.home().glob("Downloads/*.pdf")):
    print(path.name)
```

> Nothing was changed.

More about this is in the [handbook](https://example.org/handbook).
"""


LONG_REPLY = """# How the backup works

The script copies **only what changed** since the last run, and *never* removes anything by itself.
Run it with `backup --dry-run ~/Notes` first; ~~`--force`~~ is gone since version 2.
中文也可以：**重点。**后面的字，见 https://example.org/指南。

## What it does

1. Reads the list of folders
   - from `~/.config/backup.toml`
   - or from the command line
     - relative paths are taken from where you are
     - globs work too
2. Compares hashes, file by file:

   ```python
   import hashlib
   from pathlib import Path


   def digest(path: Path, *, size: int = 1 << 16) -> str:
       \"\"\"The SHA-256 of a file, read in pieces.\"\"\"
       found = hashlib.sha256()
       with path.open("rb") as file:
           while piece := file.read(size):  # an empty piece is the end
               found.update(piece)
       return found.hexdigest()
   ```

3. Writes one archive per folder

- [x] tested on Linux
- [ ] tested on macOS

> Nothing is deleted. A file that is gone from the source stays in the backup
> until you say otherwise.
>
> - This holds for folders too.

### Numbers

| folder | files | changed | size | note |
|:--|--:|--:|--:|:--|
| `~/Notes` | 340 | 12 | 4.1 MB | every evening at six |
| `~/Pictures` | 12 804 | 3 | 38.2 GB | only **on Sundays**, because it takes a while |
| 周报 | 52 | 1 | 1.2 MB | 每周五 |

```bash
# every weekday at 18:00
0 18 * * 1-5  backup --quiet "$HOME/Notes" --to /mnt/backup && echo "done: $(date +%F)" >> ~/backup.log
```

```json
{"folders": ["~/Notes", "~/Pictures"], "keep": 14, "verify": true, "mail": null}
```

---

![The dialog](https://example.org/dialog.png) and more is in the [handbook](https://例子.com/handbook?x=1);
or ask <me@example.org>. HTML stays text: <b>bold</b> &amp; done.
"""


TIDY_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "folder": {
            "type": "string",
            "format": "path",
            "access": "write",
            "description": "the folder to sort",
        },
        "skip": {"type": "string", "description": "types that stay where they are"},
        "preview": {"type": "boolean", "description": "only say what would move"},
    },
    "required": ["folder"],
}


def waiting(day: Day, *, thought: str = "") -> None:
    """A proposal in the flow; `thought`: what the model said to itself before it."""
    day.abilities = [each for each in day.abilities if each.usable]
    day.add_message("c1", Role.USER, "tidy up my downloads by file type, but leave the PDFs where they are")
    said = "I can sort `~/Downloads` into folders. The PDFs stay. Shall I?"
    day.add_message("c1", Role.PARTNER, said, reasoning=thought)
    record = count_action(
        key="local::tidy_folder",
        title="Tidy a folder by type",
        description="Sort the files of a folder into folders named after their types",
        params={"folder": "/home/user/Downloads", "skip": "pdf", "preview": False},
        schema=TIDY_SCHEMA,
        risk=Risk.WRITE,
        paths=(PathUse("folder", "/home/user/Downloads", "write"),),
        created_at=NOW,
    )
    day.put(record)
    _others(day)
    _turns(day)


def form(day: Day) -> None:
    """A proposal with a field of each kind."""
    day.add_message("c1", Role.USER, "tidy up my downloads by file type, but leave the PDFs where they are")
    day.add_message(
        "c1", Role.PARTNER, "I found an ability that counts them first. Have a look at what it would do."
    )
    now = NOW
    record = count_action(created_at=now)
    day.put(record)
    _others(day)


def _others(day: Day) -> None:
    now = NOW
    done = count_action(
        "a2",
        conversation_id="c2",
        status=ActionStatus.SUCCEEDED,
        title="Resize 12 photos",
        params={"folder": "/home/user/Pictures/Ulm", "width": 1600},
        paths=(PathUse("folder", "/home/user/Pictures/Ulm", "write"),),
        created_at=now,
        started_at=now,
        duration_ms=3100,
        finished_at=now,
    )
    failed = count_action(
        "a3",
        conversation_id="c2",
        status=ActionStatus.FAILED,
        title="Fetch weather",
        error="The network is not granted to this script.",
        created_at=now - timedelta(minutes=3),
    )
    running = count_action(
        "a4",
        conversation_id="c2",
        status=ActionStatus.RUNNING,
        title="Zip backup of ~/Notes",
        params={"folder": "/home/user/Notes"},
        paths=(PathUse("folder", "/home/user/Notes", "read"),),
        started_at=now - timedelta(seconds=12),
        created_at=now,
    )
    day.put(failed, done, running)


def states(day: Day) -> None:
    """A card in each state."""
    now = NOW
    output = "\n".join(
        f"{number:>4}  .{kind}"
        for number, kind in (
            (19, "png"),
            (17, "pdf"),
            (9, "zip"),
            (6, "mp3"),
            (4, "txt"),
            (2, "csv"),
            (1, "odt"),
        )
    )
    day.add_message("c1", Role.USER, "count the types in my downloads")
    for record in (
        count_action("b1", status=ActionStatus.SUCCEEDED, stdout=output, started_at=now, duration_ms=840),
        count_action(
            "b2",
            status=ActionStatus.FAILED,
            error="The folder ~/Downloads/x does not exist.",
            stderr="Traceback: no such folder\n",
            started_at=now,
            duration_ms=300,
        ),
        count_action("b3", status=ActionStatus.RUNNING, started_at=now),
        count_action("b4", status=ActionStatus.REJECTED, created_at=now),
        count_action("b5", status=ActionStatus.INTERRUPTED, created_at=now),
        count_action("b6", status=ActionStatus.ASKING, asked_param="folder", created_at=now),
    ):
        day.put(record)


def unsandboxed(day: Day) -> None:
    """A run that nothing holds."""
    day.add_message("c1", Role.USER, "run my cleanup script")
    record = count_action(
        "d1",
        risk=Risk.SYSTEM,
        isolation=OPEN,
        grantable=False,
        title="Clean up",
        paths=(PathUse("folder", "/home/user/Downloads", "write"),),
    )
    day.put(record)


def reply(day: Day) -> None:
    """Markdown in full."""
    day.add_message("c1", Role.USER, "what is in my downloads?")
    day.add_message("c1", Role.PARTNER, REPLY)
    _others(day)


def markdown(day: Day) -> None:
    """Everything that Markdown knows."""
    day.add_message("c1", Role.USER, "how does the backup work?")
    day.add_message("c1", Role.PARTNER, LONG_REPLY)


def models_day(day: Day) -> None:
    """A few models on a day like any other."""
    waiting(day)
    idle = replace(LLAMA, state="idle", progress=0.0, context_tokens=0, threads=0, gpu_layers=0)
    day.told.append(ModelsEvent(models=(QWEN, idle, replace(CLUSTER, name="Cellar")), mind=QWEN.name))


def models(day: Day) -> None:
    """Models in every state."""
    reply(day)
    day.told.append(ModelsEvent(models=(QWEN, LLAMA, CLUSTER, BROKEN), mind=QWEN.name))


def one_model(day: Day) -> None:
    """A model that works, and more to be had."""
    reply(day)
    day.told.append(ModelsEvent(models=(QWEN,), mind=QWEN.name))


def nothing_yet(day: Day) -> None:
    """Nothing was said yet, and no model is here."""


def answered(day: Day) -> None:
    """A turn that a model answered, nearly at the end of its context."""
    waiting(
        day,
        thought="The person wants the files sorted by type.\nPDFs stay, so I leave them out of the plan.",
    )
    day.told.append(ModelsEvent(models=(QWEN,), mind=QWEN.name))
    for asks, prompt, reused, out in (
        ("pick_ability", 5_310, 5_020, 12),
        ("extract_params", 5_402, 5_310, 41),
        ("reply", 6_530, 5_402, 96),
    ):
        day.add_call(
            ModelCall(
                id="",
                at=NOW,
                model=QWEN.name,
                question=asks,
                conversation_id="c1",
                turn_id="t3",
                prompt_tokens=prompt,
                reused_tokens=reused,
                output_tokens=out,
                context_tokens=8_192,
                first_token_ms=240.0,
                duration_ms=240.0 + 26 * out,
            )
        )


def loading(day: Day) -> None:
    """What was said waits for the model."""
    waiting(day)
    day.told.append(ModelsEvent(models=(replace(QWEN, state="loading", progress=0.4),), mind="starter"))


def day_of(loop: Loop, home: Home, action_dir: Path, scene: str) -> Day:
    """The Partner of a day."""
    day = Day(loop, home, action_dir)
    if scene != "empty" and not scene.startswith(("memory", "first-")):
        for days_ago, title in (
            (0, "Tidy up my downloads"),
            (0.01, "Trip to Ulm"),
            (0.02, "周报整理"),
            (1, "Duplicates"),
            (1.1, "Backup every evening at six, please"),
            (5, "What did the report say about it?"),
        ):
            one = day.add_conversation(title, days_ago=days_ago)
            if days_ago:  # what nothing was said in is not listed
                day.add_message(one.id, Role.USER, title)
    if scene in SCENES:
        SCENES[scene](day)
    return day


def _turns(day: Day) -> None:
    """What went into the answers so far."""
    for number, said in enumerate(
        (
            "how big is my downloads folder?",
            "",
            "tidy up my downloads by file type, but leave the PDFs where they are",
        )
    ):
        add_turn(day, said, at=NOW - timedelta(minutes=20 - 10 * number), blocks=demo_blocks() * 1)
    digest = block(
        "ability_digest",
        "action",
        source="action_catalog",
        tier="compact",
        score=66,
        tokens=640,
        reason="Twelve abilities stand near what you said.",
    )
    known = demo_blocks()
    day.amend_turn("t3", used_tokens=2510, blocks=(*known[:-2], digest, *known[-2:]))


def context(day: Day) -> None:
    """A day on which one asks why."""
    waiting(day)


def explained(day: Day) -> None:
    """A long reply that one asks about."""
    reply(day)
    add_turn(day, "what is in my downloads?", at=NOW - timedelta(minutes=2), blocks=demo_blocks())


LONG = "Rechtsschutzversicherungsgesellschaften_und_andere_sehr_lange_Namen_ohne_ein_einziges_Leerzeichen.txt"


def long(day: Day) -> None:
    """Names and texts that do not fit."""
    title = "Everything about the letters of the insurance companies from the last eleven years"
    day.write("UPDATE conversations SET title = ? WHERE id = 'c1'", title)
    day.add_message("c1", Role.USER, f"read ~/Documents/{LONG} and tell me what it says " * 3)
    day.add_message("c1", Role.PARTNER, f"It is `{LONG * 2}`.")
    record = count_action(
        title="Count the words of every letter of every insurance company since two thousand and nineteen",
        description="Counts. " * 60,
        params={"folder": f"/home/user/Documents/{LONG}/{LONG}"},
        paths=(PathUse("folder", f"/home/user/Documents/{LONG}/{LONG}", "write"),),
        risk=Risk.WRITE,
    )
    day.put(record)
    day.abilities.append(ability("long", LONG))
    _others(day)


def look_into_context(window: MainWindow, scene: str) -> None:
    """The tab, and what the person does in it a moment later."""
    window.columns.show_panel()
    window.show_tab(2)
    tab = window.panel.context_tab

    def act() -> None:
        if scene == "context-open":
            tab.view.list.act(tab.view.list.rows.index(1))
        if scene == "context-prompt":
            tab.view.show_kind("prompt")
            tab.view.list.act(tab.view.list.rows.index(1))
        if scene == "context-turns":
            tab.chooser.list_toggled.emit()
        if scene == "calls":
            tab.view.show_kind("calls")
        if scene == "context-end":
            bar = tab.view.list.verticalScrollBar()
            bar.setValue(bar.maximum())

    QTimer.singleShot(200, tab, act)


_KEYS_IN = "in the file ~/partner/secrets.toml, readable by you alone, because this system has no keyring"
_REPORT = EndpointReport(
    (
        EndpointCheck("reachable", True, "The server answers in 12 ms."),
        EndpointCheck("key", False, "The server does not accept this key."),
    ),
    ("llama3.1:8b", "qwen3:4b", "mistral-nemo:12b-instruct-2407-q4_K_M"),
)


def look_at_models(window: MainWindow, scene: str) -> None:
    """The page, and what the person does on it a moment later."""
    window.models_wanted.emit()
    page = window.findChild(ModelsPage)
    assert page is not None

    def act() -> None:
        if scene == "models-server":
            page.show_form(_KEYS_IN).known_buttons[0].click()
            page.show_report(_REPORT)
        if scene == "models-remove":
            page.cards["Qwen3 4B"].remove_button.click()
        if scene == "models-key":
            page.cards[CLUSTER.name].show_key_form(_KEYS_IN)
        if scene == "models-end":
            bar = page.area.verticalScrollBar()
            bar.setValue(bar.maximum())

    QTimer.singleShot(100, page, act)
    if scene.startswith("offers"):
        offer_days.look_at_offers(page, scene)


def servers(day: Day) -> None:
    """A day with servers of every kind."""
    reply(day)
    day.abilities += [
        *zone_tools("time"),
        *(tool("git", f"git_{verb}", f"Does {verb} in a repository") for verb in GIT_VERBS),
        tool("files", LONG, "Reads a file of any length and tells what is in it. " * 6),
    ]
    known = [
        replace(full("time"), since=NOW),
        server("git", tools=len(GIT_VERBS), since=NOW, name="mcp-git 1.2.0"),
        server("files", tools=1, since=NOW),
        server("browser", ServerPhase.STARTING, since=NOW),
        server("mail", ServerPhase.STOPPED, since=NOW),
        replace(failed(), since=NOW),
        unsteady(NOW),
    ]
    day.servers = {one.id: one for one in known}


def servers_day(day: Day) -> None:
    """A day with a few servers, for a picture."""
    servers(day)
    day.abilities = [
        each
        for each in day.abilities
        if each.fault is None and not each.temporary and not each.key.startswith("files::")
    ]
    del day.servers["files"]


def missing_secret(day: Day) -> None:
    """A server waits for its key."""
    servers(day)
    day.servers["weather"] = replace(failed(needs=("WEATHER_KEY",)), since=NOW)


def asked(day: Day, *, open_question: Elicitation | None = None) -> None:
    """Runs of servers: one asks a form, one a page, one brought pictures and files."""
    said = "book a seat to Ulm, and draw me the way"
    day.add_message("c1", Role.USER, said)
    done = PurePath(tempfile.gettempdir()) / "partner-days"
    picture(Path(done))
    runs: tuple[tuple[str, str, dict[str, object]], ...] = (
        (
            "a0",
            "Draw a map",
            {
                "status": ActionStatus.SUCCEEDED,
                "started_at": NOW,
                "duration_ms": 3_100,
                "stdout": "The way takes 2 h 10 min.",
                "parts": (
                    ResultPart("image", "The way to Ulm", "image/png", str(done / "map.png"), "", 48_000),
                    ResultPart("image", "", "image/png", str(done / "broken.png"), "", 12),
                    ResultPart("audio", "Directions", "audio/wav", str(done / "say.wav"), "", 1_230_000),
                    ResultPart("link", "The timetable", "text/html", "", "https://example.org/ulm?from=a"),
                ),
            },
        ),
        ("a1", "Book a seat", {"status": ActionStatus.RUNNING, "started_at": NOW, "params": {"to": "Ulm"}}),
    )
    for action_id, title, facts in runs:
        record = count_action(action_id, title=title, key=f"travel::{action_id}", isolation=TRAVEL, paths=())
        day.put(replace(record, **facts))  # type: ignore[arg-type] # a day's own facts
    day.told.append(ElicitationEvent(conversation_id="c1", elicitation=open_question or question()))


def asked_to_visit(day: Day) -> None:
    """A server wants a page to be visited."""
    address = "https://travel.example.org/sign-in?state=4f1c2b&next=%2Fbook%2Fulm"
    message = "Sign in so that I can book for you."
    asked(day, open_question=question(message=message, url=address, schema={}))


def picture(folder: Path) -> None:
    """A picture, and one that is broken."""
    folder.mkdir(exist_ok=True)
    image = QImage(900, 420, QImage.Format.Format_RGB32)
    image.fill(0xDCE8DF)
    painter = QPainter(image)
    painter.setPen(QPen(QColor("#2F6F9F"), 14))
    painter.drawPolyline([QPoint(60, 340), QPoint(300, 200), QPoint(520, 260), QPoint(840, 70)])
    painter.end()
    image.save(str(folder / "map.png"))
    (folder / "broken.png").write_bytes(b"no picture")


TRAVEL = replace(OUTSIDE, server="travel")


def many_servers(day: Day) -> None:
    """Fifty servers with twenty tools each."""
    servers(day)
    for number in range(50):
        name = f"server-{number:02}"
        day.servers[name] = server(name, tools=20)
        day.abilities += [tool(name, f"tool_{one}", "Does it. " * 30) for one in range(20)]


GIT_VERBS = ("status", "diff", "add", "commit", "log", "branch", "checkout", "show", "reset", "init")


_LOG = "".join(f"10:42:{second:02} answered in 3 ms\n" for second in range(40))


def look_at_abilities(window: MainWindow, scene: str) -> None:
    """The tab, and what the person does in it a moment later."""
    window.columns.show_panel()
    window.show_tab(1)
    tab = window.panel.abilities_tab

    def act() -> None:
        known = tab.known.servers
        if scene in ("servers-page", "servers-open", "servers-end"):
            tab.server_asked.emit("log" if scene == "servers-open" else "details", known["time"])
        if scene == "servers-failed":
            tab.server_asked.emit("details", known["weather"])
        if scene == "servers-add":
            tab.server_wanted.emit()
        if scene == "servers-ability":
            tab.asked.emit("details", tab.known.abilities["time::convert_time"])
        QTimer.singleShot(100, tab, act_on_page)

    def act_on_page() -> None:
        page = tab.form
        if isinstance(page, ServerPage) and isinstance(page.log.inside, LogView):
            page.log.inside.show_text(_LOG)
        if isinstance(page, ServerPage) and scene == "servers-end":
            for offers in (page.tools, page.resources, page.prompts):
                offers.folds[-1].toggle()
            page.tools.folds[0].toggle()
        QTimer.singleShot(50, tab, scroll)

    def scroll() -> None:
        for area in tab.findChildren(QScrollArea):
            if scene == "servers-end":
                area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())

    QTimer.singleShot(150, tab, act)


def look_at_settings(window: MainWindow, scene: str) -> None:
    """A section of the real settings, a search over them, or settings of every kind."""
    window.settings_wanted.emit()
    page = window.findChild(SettingsPage)
    assert page is not None
    kind = scene.removeprefix("settings").removeprefix("-")

    def act() -> None:
        if kind == "kinds":
            page.show_files(house_files(), "~/partner/config")
        elif kind == "search":
            page.search.setText("memory")
        else:
            page.show_section(next(each for each in SECTIONS if each == (kind or "abilities")))

    QTimer.singleShot(50, page, act)


def stage(window: MainWindow, day: Day, scene: str) -> None:
    """What the window hears on such a day, and what the person does."""
    day.tell(window)
    if scene.startswith("run-"):
        run_days.act(window, day, scene)
    if scene.startswith(("chain", "plan")):
        chain_days.act(window, scene)
    if scene.startswith(("models", "no-models", "offers")):
        look_at_models(window, scene)
    if scene.startswith("first-"):
        offer_days.first_run(window, scene)
    if scene.startswith("schedule-"):
        schedule_days.stage_schedules(window, scene)
    if scene == "loading":
        day.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started"))
    if scene == "thinking":
        day.deliver(
            ReplyEvent(
                conversation_id="c1",
                reply_id="r9",
                seq=0,
                content="",
                reasoning="The person asks about the disk.\nI could look at the folders one by one, but",
            )
        )
    if scene == "thought":
        for view in window.findChildren(Reasoning):
            view.toggle()
    if scene == "keys":
        window.toggle_keys()
    if scene.startswith("settings"):
        look_at_settings(window, scene)
    if scene == "open":
        card = window.page.feed.card("d1")
        assert card is not None
        card.know_sandbox(SandboxSeen(available=False, reason="bwrap is not installed"))
    if scene == "drop":
        window.drop_sign.show_over(window.page)
    if scene == "sheet":
        window.open_appearance()
    if scene == "details":
        card = window.page.feed.card("a1")
        if card is not None:
            card.toggle_details()
            card.show_source("print('hello')\n")
    if scene.startswith(("abilities", "servers")):
        look_at_abilities(window, scene)
    if scene in ("asked", "visit"):
        day.deliver(
            ProgressEvent(
                conversation_id="c1", action_id="a1", progress=3, total=5, message="Looking for a seat"
            )
        )
    if scene.startswith("memory"):
        memory_days.look_into_memory(window, day, scene)
    if scene.startswith("context") or scene == "calls":
        look_into_context(window, scene)
    if scene == "toast":
        day.deliver(NoticeEvent(title="Tea", text="The water has boiled."))
        day.deliver(NoticeEvent(title="", text="The disk is nearly full; free some room.", level="error"))
        window.files_dropped.emit([Path("/home/user/resize.py")])
        day.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started"))


SCENES = {
    **run_days.SCENES,
    **chain_days.SCENES,
    **schedule_days.SCENES,
    "waiting": waiting,
    "details": waiting,
    "abilities": reply,
    **dict.fromkeys(("servers", "servers-page", "servers-open", "servers-add", "servers-ability"), servers),
    **dict.fromkeys(("servers-end",), servers),
    "servers-failed": missing_secret,
    "servers-day": servers_day,
    "servers-many": many_servers,
    "asked": asked,
    "visit": asked_to_visit,
    **dict.fromkeys(("context", "context-open", "context-prompt", "context-turns", "context-end"), context),
    "toast": waiting,
    "states": states,
    "open": unsandboxed,
    "reply": reply,
    "form": form,
    "keys": waiting,
    "sheet": waiting,
    "drop": waiting,
    "why": explained,
    "settings": waiting,
    **dict.fromkeys((f"settings-{kind}" for kind in (*SECTIONS, "kinds", "search")), waiting),
    **dict.fromkeys(("models", "models-server", "models-remove", "models-key", "models-end"), models),
    "models-day": models_day,
    **dict.fromkeys(offer_days.PAGE_SCENES, one_model),
    **dict.fromkeys(offer_days.FIRST_SCENES, nothing_yet),
    "no-models": reply,
    **dict.fromkeys(("answered", "calls", "thinking", "thought"), answered),
    **dict.fromkeys(memory_days.SCENES, memory_days.remembered),
    "memory-empty": memory_days.forgetful,
    "memory-speakers": memory_days.brought_in,
    "loading": loading,
    "long": long,
    "markdown": markdown,
}
