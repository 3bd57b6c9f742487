"""Days to look at: what a Partner holds, and what the person does in the window."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePath

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QScrollArea

from partner_desktop.desktop.chat.reasoning import Reasoning
from partner_desktop.desktop.models.models_page import ModelsPage
from partner_desktop.desktop.panel.server.page import ServerPage
from partner_desktop.desktop.window import MainWindow
from partner_desktop.domain.action import ActionStatus, ResultPart
from partner_desktop.domain.events import NoticeEvent, ProgressEvent, ReplyEvent, TurnEvent
from partner_desktop.domain.json_value import JsonObject
from partner_desktop.domain.mcp_server import ServerPhase
from partner_desktop.domain.message import Role
from partner_desktop.domain.meta_action import Route
from partner_desktop.domain.model_call import ModelCall
from partner_desktop.domain.model_status import EndpointCheck, EndpointReport
from partner_desktop.domain.run_facts import PathUse, Risk

from . import chain_days, run_days
from .fake_config import FakeConfig, house_files
from .fake_partner import FakeEngine, FakePartner, FakeSandbox
from .in_context import add_turn, block, demo_blocks
from .model_samples import BROKEN, CLUSTER, LLAMA, QWEN
from .samples import OPEN, ability, broken_ability, count_action
from .server_samples import OUTSIDE, failed, full, question, server, tool, unsteady, zone_tools

#: Today, so that times read as times, but always at the same hour.
NOW = datetime.now(UTC).replace(hour=10, minute=42, second=0, microsecond=0)

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


def filled() -> FakePartner:
    """A Partner in the middle of a day."""
    partner = FakePartner(engine=FakeEngine("building", 42, "compiling"))
    partner.known_abilities = [
        ability(
            "count_types",
            "Count how often each file type occurs in a folder",
            aliases=("count file types", "统计文件类型"),
        ),
        ability(
            "find_duplicates", "Find files with the same content", aliases=("find duplicates", "查找重复文件")
        ),
        ability("note.sh", "Append a line to the notes", route=Route.ORIGIN),
        ability("now", "Say what time it is", route=Route.BUILTIN),
        ability("list_folder", "List what is in a folder", route=Route.BUILTIN),
        broken_ability(),
    ]
    now = NOW
    for days, title in (
        (0, "Tidy up my downloads"),
        (0.01, "Trip to Ulm"),
        (0.02, "周报整理"),
        (1, "Duplicates"),
    ):
        moment = now - timedelta(days=days)
        made = partner.add_conversation(title)
        partner.known_conversations[made.id] = replace(made, created_at=moment, updated_at=moment)
    for days, title in (
        (1.1, "Backup every evening at six, please"),
        (5, "What did the report say about it?"),
    ):
        moment = now - timedelta(days=days)
        made = partner.add_conversation(title)
        partner.known_conversations[made.id] = replace(made, created_at=moment, updated_at=moment)
    return partner


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


def waiting(partner: FakePartner) -> None:
    """A proposal in the flow."""
    partner.engine = FakeEngine()
    partner.known_abilities = [each for each in partner.known_abilities if each.usable]
    partner.add_message(
        "c1", Role.USER, "tidy up my downloads by file type, but leave the PDFs where they are"
    )
    partner.add_message("c1", Role.PARTNER, "I can sort `~/Downloads` into folders. The PDFs stay. Shall I?")
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
    partner.known_actions[record.id] = record
    partner.add_message("c1", Role.ACTION, "", action_id=record.id)
    _others(partner)
    _turns(partner)


def form(partner: FakePartner) -> None:
    """A proposal with a field of each kind."""
    partner.add_message(
        "c1", Role.USER, "tidy up my downloads by file type, but leave the PDFs where they are"
    )
    partner.add_message(
        "c1", Role.PARTNER, "I found an ability that counts them first. Have a look at what it would do."
    )
    now = NOW
    record = count_action(created_at=now)
    partner.known_actions[record.id] = record
    partner.add_message("c1", Role.ACTION, "", action_id=record.id)
    _others(partner)


def _others(partner: FakePartner) -> None:
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
    for record in (failed, done, running):
        partner.known_actions[record.id] = record


def states(partner: FakePartner) -> None:
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
    partner.add_message("c1", Role.USER, "count the types in my downloads")
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
        partner.known_actions[record.id] = record
        partner.add_message("c1", Role.ACTION, "", action_id=record.id)


def unsandboxed(partner: FakePartner) -> None:
    """A run that nothing holds."""
    partner.sandbox = FakeSandbox(available=False, reason="bwrap is not installed")
    partner.add_message("c1", Role.USER, "run my cleanup script")
    record = count_action(
        "d1",
        risk=Risk.SYSTEM,
        isolation=OPEN,
        grantable=False,
        title="Clean up",
        paths=(PathUse("folder", "/home/user/Downloads", "write"),),
    )
    partner.known_actions[record.id] = record
    partner.add_message("c1", Role.ACTION, "", action_id=record.id)


def reply(partner: FakePartner) -> None:
    """Markdown in full."""
    partner.add_message("c1", Role.USER, "what is in my downloads?")
    partner.add_message("c1", Role.PARTNER, REPLY)
    _others(partner)


def markdown(partner: FakePartner) -> None:
    """Everything that Markdown knows."""
    partner.add_message("c1", Role.USER, "how does the backup work?")
    partner.add_message("c1", Role.PARTNER, LONG_REPLY)


def settings(partner: FakePartner) -> None:
    """Files with settings of every kind."""
    waiting(partner)
    partner.config = FakeConfig(house_files())


def models(partner: FakePartner) -> None:
    """Models in every state."""
    reply(partner)
    partner.engine = FakeEngine()
    partner.known_models, partner.mind_name = [QWEN, LLAMA, CLUSTER, BROKEN], "Qwen3 4B"
    partner.keys_in = (
        "in the file ~/partner/secrets.toml, readable by you alone, because this system has no keyring"
    )
    partner.report = EndpointReport(
        (
            EndpointCheck("reachable", True, "The server answers in 12 ms."),
            EndpointCheck("key", False, "The server does not accept this key."),
        ),
        ("llama3.1:8b", "qwen3:4b", "mistral-nemo:12b-instruct-2407-q4_K_M"),
    )


def models_day(partner: FakePartner) -> None:
    """A few models on a day like any other."""
    waiting(partner)
    idle = replace(LLAMA, state="idle", progress=0.0, context_tokens=0, threads=0, gpu_layers=0)
    cellar = replace(CLUSTER, name="Cellar")
    partner.known_models, partner.mind_name = [QWEN, idle, cellar], "Qwen3 4B"


def no_models(partner: FakePartner) -> None:
    """A page with nothing on it yet."""
    reply(partner)
    partner.engine = FakeEngine()


def answered(partner: FakePartner) -> None:
    """A turn that a model answered, nearly at the end of its context."""
    waiting(partner)
    partner.known_models, partner.mind_name = [QWEN], "Qwen3 4B"
    thought = "The person wants the files sorted by type.\nPDFs stay, so I leave them out of the plan."
    partner.known_messages[-2] = replace(partner.known_messages[-2], reasoning=thought)
    turn = partner.known_turns[-1]
    calls = (
        ("pick_ability", 5_310, 5_020, 12),
        ("extract_params", 5_402, 5_310, 41),
        ("reply", 6_530, 5_402, 96),
    )
    for number, (asks, prompt, reused, out) in enumerate(calls):
        partner.known_calls.append(
            ModelCall(
                id=f"call{number}",
                at=NOW,
                model="Qwen3 4B",
                question=asks,
                conversation_id="c1",
                turn_id=turn.turn_id,
                prompt_tokens=prompt,
                reused_tokens=reused,
                output_tokens=out,
                context_tokens=8_192,
                first_token_ms=240.0,
                duration_ms=240.0 + 26 * out,
            )
        )


def loading(partner: FakePartner) -> None:
    """What was said waits for the model."""
    waiting(partner)
    partner.known_models = [replace(QWEN, state="loading", progress=0.4)]
    partner.mind_name = "starter"


def partner_of(day: str) -> FakePartner:
    """The Partner of a day."""
    partner = filled()
    if day in SCENES:
        SCENES[day](partner)
    if day == "empty":
        partner.known_conversations.clear()
        partner.known_actions.clear()
        partner.engine = FakeEngine()
    if day == "fault":
        partner.launch_error = (
            "The database partner.db was written by a newer Partner (version 9). "
            "Install that version, or choose another home with --home."
        )
    return partner


def _turns(partner: FakePartner) -> None:
    """What went into the answers so far."""
    for number, said in enumerate(
        (
            "how big is my downloads folder?",
            "",
            "tidy up my downloads by file type, but leave the PDFs where they are",
        )
    ):
        add_turn(partner, said, at=NOW - timedelta(minutes=20 - 10 * number), blocks=demo_blocks() * 1)
    last = partner.known_turns[-1]
    partner.known_turns[-1] = replace(last, used_tokens=2510)
    kept = partner.known_snapshots[last.turn_id]
    partner.known_snapshots[last.turn_id] = replace(
        kept,
        used_tokens=2510,
        blocks=(
            *kept.blocks[:-2],
            block(
                "ability_digest",
                "action",
                source="action_catalog",
                tier="compact",
                score=66,
                tokens=640,
                reason="Twelve abilities stand near what you said.",
            ),
            *kept.blocks[-2:],
        ),
    )


def context(partner: FakePartner) -> None:
    """A day on which one asks why."""
    waiting(partner)


def explained(partner: FakePartner) -> None:
    """A long reply that one asks about."""
    reply(partner)
    add_turn(partner, "what is in my downloads?", at=NOW - timedelta(minutes=2), blocks=demo_blocks())


LONG = "Rechtsschutzversicherungsgesellschaften_und_andere_sehr_lange_Namen_ohne_ein_einziges_Leerzeichen.txt"


def long(partner: FakePartner) -> None:
    """Names and texts that do not fit."""
    first = partner.known_conversations["c1"]
    title = "Everything about the letters of the insurance companies from the last eleven years"
    partner.known_conversations["c1"] = replace(first, title=title)
    partner.add_message("c1", Role.USER, f"read ~/Documents/{LONG} and tell me what it says " * 3)
    partner.add_message("c1", Role.PARTNER, f"It is `{LONG * 2}`.")
    record = count_action(
        title="Count the words of every letter of every insurance company since two thousand and nineteen",
        description="Counts. " * 60,
        params={"folder": f"/home/user/Documents/{LONG}/{LONG}"},
        paths=(PathUse("folder", f"/home/user/Documents/{LONG}/{LONG}", "write"),),
        risk=Risk.WRITE,
    )
    partner.known_actions[record.id] = record
    partner.add_message("c1", Role.ACTION, "", action_id=record.id)
    partner.known_abilities.append(ability("long", LONG))
    _others(partner)


def look_into_context(window: MainWindow, scene: str) -> None:
    """The tab, and what the person does in it a moment later."""
    window.columns.show_panel()
    window.show_tab(2)
    tab = window.panel.context_tab

    def act() -> None:
        if scene == "context-open":
            tab.view.list.toggle(tab.view.list.rows.index(1))
        if scene == "context-prompt":
            tab.view.show_kind("prompt")
            tab.view.list.toggle(tab.view.list.rows.index(1))
        if scene == "context-turns":
            tab.chooser.list_toggled.emit()
        if scene == "calls":
            tab.view.show_kind("calls")
        if scene == "context-end":
            bar = tab.view.list.verticalScrollBar()
            bar.setValue(bar.maximum())

    QTimer.singleShot(200, tab, act)


def look_at_models(window: MainWindow, scene: str) -> None:
    """The page, and what the person does on it a moment later."""
    window.models_wanted.emit()
    page = window.findChild(ModelsPage)
    assert page is not None

    def fill_in() -> None:
        if page.form is not None:
            page.form.known_buttons[0].click()
            page.form.test_button.click()

    def act() -> None:
        if scene == "models-server":
            page.doors.server_button.click()
            QTimer.singleShot(100, page, fill_in)
        if scene == "models-remove":
            page.cards["Qwen3 4B"].remove_button.click()
        if scene == "models-key":
            page.cards[CLUSTER.name].key_button.click()
        if scene == "models-end":
            bar = page.area.verticalScrollBar()
            bar.setValue(bar.maximum())

    QTimer.singleShot(100, page, act)


def servers(partner: FakePartner) -> None:
    """A day with servers of every kind."""
    reply(partner)
    partner.known_abilities += [
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
    partner.known_servers = {one.id: one for one in known}
    partner.known_logs["time"] = "".join(f"10:42:{second:02} answered in 3 ms\n" for second in range(40))


def servers_day(partner: FakePartner) -> None:
    """A day with a few servers, for a picture."""
    servers(partner)
    partner.known_abilities = [
        each
        for each in partner.known_abilities
        if each.fault is None and not each.temporary and not each.key.startswith("files::")
    ]
    del partner.known_servers["files"]


def missing_secret(partner: FakePartner) -> None:
    """A server waits for its key."""
    servers(partner)
    partner.known_servers["weather"] = replace(failed(needs=("WEATHER_KEY",)), since=NOW)


def asked(partner: FakePartner) -> None:
    """Runs of servers: one asks a form, one a page, one brought pictures and files."""
    said = "book a seat to Ulm, and draw me the way"
    partner.add_message("c1", Role.USER, said)
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
        partner.known_actions[action_id] = replace(record, **facts)  # type: ignore[arg-type] # a day's own facts
        partner.add_message("c1", Role.ACTION, "", action_id=action_id)
    partner.known_questions["q1"] = question()


def asked_to_visit(partner: FakePartner) -> None:
    """A server wants a page to be visited."""
    asked(partner)
    address = "https://travel.example.org/sign-in?state=4f1c2b&next=%2Fbook%2Fulm"
    message = "Sign in so that I can book for you."
    partner.known_questions["q1"] = question(message=message, url=address, schema={})


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


def many_servers(partner: FakePartner) -> None:
    """Fifty servers with twenty tools each."""
    servers(partner)
    for number in range(50):
        name = f"server-{number:02}"
        partner.known_servers[name] = server(name, tools=20)
        partner.known_abilities += [tool(name, f"tool_{one}", "Does it. " * 30) for one in range(20)]


GIT_VERBS = ("status", "diff", "add", "commit", "log", "branch", "checkout", "show", "reset", "init")


def look_at_abilities(window: MainWindow, scene: str) -> None:
    """The tab, and what the person does in it a moment later."""
    window.columns.show_panel()
    window.show_tab(1)
    tab = window.panel.abilities_tab

    def act() -> None:
        known = tab.list.rows.servers
        if scene in ("servers-page", "servers-open", "servers-end"):
            tab.server_asked.emit("log" if scene == "servers-open" else "details", known["time"])
        if scene == "servers-failed":
            tab.server_asked.emit("details", known["weather"])
        if scene == "servers-add":
            tab.server_wanted.emit()
        if scene == "servers-ability":
            tab.asked.emit("details", tab.list.rows.abilities["time::convert_time"])
        QTimer.singleShot(100, tab, act_on_page)

    def act_on_page() -> None:
        page = tab.form
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


def stage(window: MainWindow, partner: FakePartner, scene: str) -> None:
    """What the person does on such a day."""
    if scene.startswith("run-"):
        run_days.act(window, partner, scene)
    if scene.startswith("chain"):
        chain_days.act(window, scene)
    if scene.startswith(("models", "no-models")):
        look_at_models(window, scene)
    if scene == "loading":
        partner.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started"))
    if scene == "thinking":
        partner.deliver(
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
    if scene == "settings":
        window.settings_wanted.emit()
    if scene == "drop":
        window.drop_sign.show_over(window.page)
    if scene == "sheet":
        window.open_appearance()
    if scene == "details":
        card = window.page.feed.card("a1")
        if card is not None:
            card.toggle_details()
    if scene.startswith(("abilities", "servers")):
        look_at_abilities(window, scene)
    if scene in ("asked", "visit"):
        partner.deliver(
            ProgressEvent(
                conversation_id="c1", action_id="a1", progress=3, total=5, message="Looking for a seat"
            )
        )
    if scene.startswith("context") or scene == "calls":
        look_into_context(window, scene)
    if scene == "toast":
        partner.deliver(NoticeEvent(title="Tea", text="The water has boiled."))
        partner.deliver(NoticeEvent(title="", text="The disk is nearly full; free some room.", level="error"))
        window.files_dropped.emit([Path("/home/user/resize.py")])
        partner.deliver(TurnEvent(conversation_id="c1", turn_id="t", state="started"))


SCENES = {
    **run_days.SCENES,
    **chain_days.SCENES,
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
    "settings": settings,
    **dict.fromkeys(("models", "models-server", "models-remove", "models-key", "models-end"), models),
    "models-day": models_day,
    "no-models": no_models,
    **dict.fromkeys(("answered", "calls", "thinking", "thought"), answered),
    "loading": loading,
    "long": long,
    "markdown": markdown,
}
