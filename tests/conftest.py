"""What every test gets: a home of its own, a clock that stands still, and a Partner that is always closed."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType

import hypothesis
import pytest

# How long a case takes says nothing of the product: the machine is shared.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")

# Containers often tell Python to keep no compiled code. The suite starts Partner dozens of times, and each
# start would compile all of it, and each run all tests: so it is kept, but not beside the sources.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parent.parent / ".pytest_cache" / "compiled")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

import partner_desktop
from partner_desktop.app import Partner
from partner_desktop.base.messages import set_process_language
from partner_desktop.base.paths import Home
from partner_desktop.domain.events import AbilitiesEvent
from tests import memory_disk
from tests.features.fork_server import ForkServer, forking_popen
from tests.support import UPPER_SCRIPT, FakeClock, HastyClock, Trusting, Watcher

# A worker thread that happens to collect would destroy a window's Qt objects on that thread, and crash:
# as in the app (desktop/garbage.py), garbage is collected on this thread only.
gc.disable()

# Programs inherit what is ignored or held back: a run in the background of a shell would leave them deaf to
# Ctrl-C, and one under nohup to a hangup. A handler they do not inherit, and this process stays as deaf as
# its caller wants it, but for Ctrl-C. What Python itself ignores, it gives back to what it starts.
for number in signal.valid_signals() - {signal.SIGPIPE, signal.SIGXFSZ}:
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else lambda *_: None)
signal.pthread_sigmask(signal.SIG_SETMASK, ())

# A program reads its language once, when it begins: this process, and all that it starts or lets fork, alike.
os.environ["LANG"] = "C.UTF-8"
for name in ("LC_ALL", "LC_MESSAGES"):
    os.environ.pop(name, None)

# What the desktop of whoever runs the tests would show.
os.environ.pop("DBUS_SESSION_BUS_ADDRESS", None)

# Before Qt is asked for its one application, which outlives every test.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


#: Each holds one process for many seconds: begun last, the other processes would wait for it.
_FIRST = ("tests/test_gate.py", "tests/long/", "tests/samples/test_many_files.py")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Before pytest looks where its temporary folders go; the processes of xdist are in the same place."""
    if config.option.basetemp is None:
        memory_disk.mount()


_LONG = Path(__file__).resolve().parent / "long"

#: What is about the disk itself, and about being killed, keeps the disk.
_ON_DISK = ("tests/storage/", "tests/files/", "tests/long/", "tests/features/test_endings.py")


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A folder of this test alone: in memory where it may be, but for tests of the disk and of crashes."""
    where = request.node.nodeid
    if not (where.startswith(_ON_DISK) or "_after_a_crash.py" in where):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(prefix="partner-tests-") as folder:
        yield Path(folder).resolve()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Half as many processes again as processors: tests also wait for timers, disks and programs."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    return max(2, (os.cpu_count() or 1) * 3 // 2)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file that `-m "not …"` leaves out as a whole need not be imported."""
    if collection_path.suffix != ".py" or config.args != config.getini("testpaths"):
        return None
    left_out = re.findall(r"not (\w+)", config.option.markexpr)
    if not left_out or config.option.markexpr != " and ".join(f"not {name}" for name in left_out):
        return None
    marks = _MARKS_OF_FILE.search(collection_path.read_text(encoding="utf-8"))
    return True if marks and not set(left_out).isdisjoint(re.findall(r"mark\.(\w+)", marks[0])) else None


#: Up to the end of the line, or of the list.
_MARKS_OF_FILE = re.compile(r"^pytestmark = (?:\[[^\]]*\]|.*)", re.MULTILINE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The longest first; the others keep their order. Those marked long only where somebody named them."""
    named = [Path(word.partition("::")[0]).resolve() for word in config.args]
    asked_for = [path for path in named if path.is_relative_to(_LONG)]
    items[:] = [
        item
        for item in items
        if item.get_closest_marker("long") is None or any(map(item.path.is_relative_to, asked_for))
    ]
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))


def pytest_collection_finish() -> None:
    """What was imported and collected is there to stay: no later round looks at it, nor does a first one."""
    gc.freeze()


@pytest.fixture(scope="session")
def runtime_folder() -> Iterator[Path]:
    """Where hosts put their sockets: by a short name, because those of tests are longer than a socket's."""
    with tempfile.TemporaryDirectory(prefix="partner-tests-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session", autouse=True)
def own_trash(tmp_path_factory: pytest.TempPathFactory) -> None:
    """send2trash settles at its first use where the trash lies: not in the home of whichever test that is,
    which may be gone or on another disk later.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        with suppress(ImportError):
            importlib.import_module("send2trash.plat_other")


@pytest.fixture(autouse=True)
def own_surroundings(tmp_path: Path, runtime_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's folder of its own, no variable that leads to the real one, and English spoken.

    What a test left behind is collected on this thread, which owns Qt.
    """
    user = tmp_path / "user"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    for name in ("PARTNER_HOME", "PARTNER_ENGINE_STATUS", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(runtime_folder))
    set_process_language("en")
    yield
    gc.collect(1)


#: The command line of everything that this process has started, as the interpreter itself tells it.
_STARTED: list[tuple[str, ...]] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    if event == "subprocess.Popen" and isinstance(arguments[1], list | tuple) and _by_us():
        _STARTED.append(tuple(os.fsdecode(word) for word in arguments[1]))


def _by_us() -> bool:
    """Whether Partner's own code starts it; tests may start what they like."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(_OWN_CODE):
            return True
        frame = frame.f_back
    return False


sys.addaudithook(_hear)
_OWN_CODE = str(Path(partner_desktop.__file__).parent)
#: Where abilities lie, and the copies that run.
_ABILITIES = ("/action/dynamic/", "/action/tmp/", "/cache/abilities/")


# What every test is looked after for is no fixture: each of those costs as much as a small test.


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Nothing is started yet, and no error logged."""
    _STARTED.clear()
    _ERRORS.texts.clear()
    _LOG.setLevel(logging.INFO)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """An error in our log fails the test, unless it is marked `logs_errors`."""
    outcome = yield
    if item.get_closest_marker("logs_errors") is None:
        assert not _ERRORS.texts, f"unexpected errors in the log: {_ERRORS.texts}"
    return outcome


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    """Nobody's script, and no interpreter on it, is started but by the guard in bwrap.

    Except in tests marked `unheld`, which say yes to just that.
    """
    outcome = yield
    if item.get_closest_marker("unheld") is None:
        about = [words for words in _STARTED if any(part in word for word in words for part in _ABILITIES)]
        free = [words for words in about if not _is_held(words)]
        assert not free, f"started outside of the sandbox: {free}"
    return outcome


class _Errors(logging.Handler):
    """Our own log's errors of one test."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())


_ERRORS = _Errors()
_LOG = logging.getLogger("partner")
_LOG.addHandler(_ERRORS)


def _is_held(words: tuple[str, ...]) -> bool:
    if not any(word.endswith("/guard.py") for word in words[:6]) or "--" not in words:
        return False
    return Path(words[words.index("--") + 1]).name == "bwrap"


@pytest.fixture(autouse=True, scope="module")
def old_garbage() -> Iterator[None]:
    """Collect everything when a module is done; what is left then serves the others, as imports do."""
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """Begins with the first start that it is asked for."""
    one = ForkServer()
    yield one
    one.close()


@pytest.fixture
def quick_starts(
    request: pytest.FixtureRequest, fork_server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starts of the real program are forks, except in tests marked `real_start`, which are about that."""
    if request.node.get_closest_marker("real_start") is None:
        monkeypatch.setattr(subprocess, "Popen", forking_popen(fork_server))


@pytest.fixture
def user_home() -> Path:
    """The user's folder of this test."""
    return Path(os.environ["HOME"])


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def action_dir(tmp_path: Path) -> Path:
    folder = tmp_path / "action"
    (folder / "dynamic").mkdir(parents=True)
    (folder / "tmp").mkdir()
    return folder


@pytest.fixture(scope="session")
def fresh_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home that a Partner made and left: made once, because that takes as long as a launch."""
    folder = tmp_path_factory.mktemp("fresh")

    async def live() -> None:
        partner = Partner(Home(folder / "home"), folder / "action", meaning=False)
        await partner.launch()
        await partner.close()

    asyncio.run(live())
    return folder / "home"


@pytest.fixture
async def partner(home: Home, action_dir: Path, fresh_home: Path) -> AsyncIterator[Partner]:
    """A real Partner on a home that was used once; by words, because a model takes a second to start."""
    if not home.root.exists():
        shutil.copytree(fresh_home, home.root)
    one = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    person = Trusting(one)
    await one.launch()
    try:
        yield one
    finally:
        await one.close()
        await person.settled()
    left = [task.get_name() for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert not left, f"tasks outlived the Partner: {left}"


@pytest.fixture
def watcher(partner: Partner) -> Watcher:
    """Listens to everything that `partner` says."""
    found = Watcher()
    partner.subscribe(found)
    return found


@pytest.fixture
async def shout(partner: Partner, watcher: Watcher, action_dir: Path) -> Path:
    """A small ability, dropped into `dynamic/` and listed."""
    path = action_dir / "dynamic" / "upper.py"
    path.write_text(UPPER_SCRIPT, encoding="utf-8")
    await watcher.until(lambda event: isinstance(event, AbilitiesEvent))
    assert any(ability.key == "local::upper" for ability in partner.abilities.list())
    watcher.events.clear()
    return path
