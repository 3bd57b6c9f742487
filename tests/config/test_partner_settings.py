"""Settings through the whole Partner and through the real command."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from partner_desktop.action.schedules.schedule_settings import ScheduleSettings
from partner_desktop.action.settings import ActionSettings
from partner_desktop.app import Partner
from partner_desktop.base.errors import ConfigError
from partner_desktop.base.messages import speaking
from partner_desktop.base.paths import Home
from partner_desktop.config.handle import SettingsModel
from partner_desktop.config.settings_file import SettingsFile
from partner_desktop.domain.events import ConfigEvent, NoticeEvent
from partner_desktop.domain.json_value import Json
from partner_desktop.gateways.settings import GatewaySettings
from partner_desktop.model.settings import ModelSettings
from partner_desktop.runtime.settings import UpdateSettings
from tests.config.rooms import GateSettings
from tests.support import REPOSITORY, HastyClock, Watcher, run_cli_arguments

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("quick_starts")]


def value(partner: Partner, name: str, key: str) -> Json:
    file = next(file for file in partner.config.files() if file.name == name)
    field = file.field((key,))
    assert field is not None
    return field.value


async def told(watcher: Watcher, part: str) -> NoticeEvent:
    event = await watcher.until(lambda event: isinstance(event, NoticeEvent) and part in event.text)
    assert isinstance(event, NoticeEvent)
    watcher.events.clear()
    return event


@pytest.mark.promise("framework.config.reload")
async def test_an_edited_file_is_in_force_without_a_restart_and_a_broken_one_changes_nothing(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    runtime, context = home.config / "runtime.toml", home.config / "context.toml"
    runtime.write_text(runtime.read_text().replace("# parallel_turns = 4", "parallel_turns = 9"))
    notice = await told(watcher, "runtime.toml: taken over (parallel_turns 4 → 9).")
    assert notice.level == "info"
    assert value(partner, "runtime", "parallel_turns") == 9

    context.write_text("budget_tokens = 2048\n")
    await told(watcher, "context.toml: taken over (budget_tokens 4096 → 2048).")
    assert value(partner, "context", "budget_tokens") == 2048
    assert value(partner, "runtime", "parallel_turns") == 9

    runtime.write_text("parallel_turns = 9\ndebounce_window_ms = '500'\n")
    notice = await told(
        watcher, "runtime.toml, line 2: debounce_window_ms must be a whole number from 0 to 5,000 ms"
    )
    assert notice.level == "error"
    assert value(partner, "runtime", "parallel_turns") == 9
    assert value(partner, "runtime", "debounce_window_ms") == 300

    runtime.write_text("parallel_turns = 9\ndebounce_window_ms = 500\n")
    await told(watcher, "debounce_window_ms 300 → 500")
    assert value(partner, "runtime", "debounce_window_ms") == 500


async def test_a_form_changes_the_file_and_an_open_one_hears_of_it(
    partner: Partner, watcher: Watcher, home: Home
) -> None:
    await partner.config.set("runtime", ("parallel_turns",), 2)
    await watcher.until(lambda event: isinstance(event, ConfigEvent) and event.name == "runtime")
    assert "\nparallel_turns = 2\n" in (home.config / "runtime.toml").read_text()
    with pytest.raises(ConfigError, match="from 1 to 32"):
        await partner.config.set("runtime", ("parallel_turns",), 0)
    assert value(partner, "runtime", "parallel_turns") == 2


async def test_a_file_broken_before_the_start_is_told_to_whoever_listens_and_partner_runs(
    home: Home, action_dir: Path
) -> None:
    home.config.mkdir(parents=True)
    (home.config / "runtime.toml").write_text("paralel_turns = 2\n")
    partner, watcher = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock()), Watcher()
    await partner.launch()
    partner.subscribe(watcher)
    await partner.close()
    assert not any(isinstance(event, NoticeEvent) for event in watcher.events), "nobody is told it twice"
    (notice,) = [event for event in partner.start_notices() if isinstance(event, NoticeEvent)]
    assert "line 1: there is no setting paralel_turns; the nearest one is parallel_turns." in notice.text
    assert "The defaults hold" in notice.text


@pytest.mark.logs_errors
@pytest.mark.promise("framework.config.docs")
async def test_partner_does_not_start_without_a_required_setting_and_starts_once_it_is_written(
    home: Home, action_dir: Path
) -> None:
    stopped = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    stopped.config.register("gate", GateSettings)
    with pytest.raises(
        ConfigError, match="a whole number from 1,000 to 9,999 digits, for example code = 1234"
    ):
        await stopped.launch()
    await stopped.close()
    (home.config / "gate.toml").write_text("code = 4321\n")
    partner = Partner(home, action_dir, meaning=False, quiet_clock=HastyClock())
    gate = partner.config.register("gate", GateSettings)
    await partner.launch()
    await partner.close()
    assert gate.value.code == 4321


def test_every_setting_is_explained_and_its_model_is_strict(partner: Partner) -> None:
    for entry in partner.config._entries.values():
        model = entry.file.model
        assert model.model_config.get("frozen"), f"{model.__name__} is not frozen"
        assert model.model_config.get("extra") == "forbid", f"{model.__name__} takes unknown keys"
        assert entry.file.description, f"{model.__name__} has no docstring"
        for field in entry.file.fields:
            assert field.description, f"{entry.name}: {field.name} has no description"
        assert entry.file.judge(entry.file.fresh()).settings is not None


def run(home: Home, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        run_cli_arguments(*arguments, "--home", str(home.root)),
        env=os.environ | {"PYTHONPATH": str(REPOSITORY)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.promise("framework.config.docs")
def test_the_docs_say_type_unit_range_default_and_example_without_a_host(home: Home) -> None:
    done = run(home, "config", "docs", "runtime")
    assert done.returncode == 0
    assert (
        "## debounce_window_ms\n\n"
        "Messages of one conversation that come within this time are answered together.\n\n"
        "- Type: int\n- Unit: ms\n- Range: from 0 to 5,000\n- Default: 300\n"
        "- Example: debounce_window_ms = 300\n"
    ) in done.stdout
    assert "budget_tokens" not in done.stdout
    assert not home.root.exists()
    lines = [json.loads(line) for line in run(home, "config", "docs", "--json").stdout.splitlines()]
    found = {(line["file"], line["key"]): line for line in lines}
    assert found["runtime", "parallel_turns"]["maximum"] == 32
    assert found["context", "budget_tokens"]["unit"] == "tokens"


@pytest.mark.promise("framework.messages")
def test_every_setting_is_called_and_told_in_chinese(partner: Partner) -> None:
    files = partner.config.files()
    with speaking("zh"):
        english = {f"{file.name}: {file.title} {file.text}" for file in files if not _is_chinese(file.text)}
        for file in files:
            for told in (field.told for field in file.fields):
                if not _is_chinese(told.description):
                    english.add(f"{file.name} {told.name}: {told.title} {told.description}")
                if told.unit not in ("", "%", "KiB", "MiB", "MB") and not _is_chinese(told.unit):
                    english.add(f"{file.name} {told.name}: {told.unit}")
    assert english == set()


def _is_chinese(text: str) -> bool:
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.slow
def test_the_check_says_every_mistake_and_fails(home: Home) -> None:
    home.config.mkdir(parents=True)
    assert run(home, "config", "path").stdout.strip() == str(home.config)
    assert run(home, "config", "check").returncode == 0
    (home.config / "runtime.toml").write_text("parallel_turns = 0\n")
    (home.config / "context.toml").write_text("budget_tokens\n")
    done = run(home, "config", "check")
    assert done.returncode == 1
    assert "runtime.toml, line 1: parallel_turns must be a whole number from 1 to 32" in done.stdout
    assert "context.toml, line 1, column 14: a key needs “=” and a value." in done.stdout
    assert run(home, "config", "docs", "attic").returncode == 2
    done = run(home, "audit")
    assert done.returncode == 0
    assert "runtime.toml, line 1" in done.stderr
    assert "The defaults hold" in done.stderr


@pytest.mark.parametrize(
    ("model", "text", "english", "chinese"),
    [
        (
            UpdateSettings,
            'url = "http://example.org/x"',
            "url must begin with https://",
            "url 必须以 https:// 开头",
        ),
        (UpdateSettings, 'url = "example"', "url is no address such as", "url 不是地址"),
        (ModelSettings, 'use = "small"', "use names small, but no model", "use 写的是 small，但没有模型"),
        (
            ModelSettings,
            '[[role]]\nquestion = "reply"\nmodel = "x"',
            "names x, but no model",
            "写的是 x，但没有模型",
        ),
        (
            ModelSettings,
            '[[role]]\nquestion = "reply"\n' * 2,
            "the role reply stands twice",
            "角色 reply 出现了两次",
        ),
        (
            ModelSettings,
            '[[file]]\nname = "a"\npath = "/a"\n' * 2,
            "the name a is taken; each model",
            "名字 a 已被占用",
        ),
        (GatewaySettings, '[[gateway]]\nname = "a"\n' * 2, "two gateways are called a", "有两个网关都叫 a"),
        (
            ScheduleSettings,
            'quiet_from = "25:00"',
            "must be a time of day as 22:00",
            "必须是像 22:00 这样的时刻",
        ),
        (ActionSettings, 'roots = ["files"]', "files is not a whole path", "files 不是完整路径"),
    ],
)
def test_what_no_settings_take_is_said_in_the_reader_s_language(
    tmp_path: Path, model: type[SettingsModel], text: str, english: str, chinese: str
) -> None:
    file = SettingsFile(tmp_path / "any.toml", model, None)
    file.path.write_text(text)
    for language, words in (("en", english), ("zh", chinese)):
        with speaking(language):
            (problem,) = file.look().problems
        assert words in problem.message
