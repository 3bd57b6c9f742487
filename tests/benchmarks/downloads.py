"""`downloads`: a gigabyte from a hub on the loopback, against what `curl` takes for the same file.

Both fetch by the hub's own link, with its redirect to the CDN, in turn, onto the same disk. `curl` writes the
file and is done; the download is hashed and checked besides, gets its name and is in the settings, which is
what the ratio compares. Neither waits for the disk: the kernel has what `curl` wrote, and a download goes to
the disk after it may be used. Both step back behind other programs alike, as downloads do, so that a busy
machine slows both. The hub runs in a process of its own, so that it takes nothing of either.

`seconds` of a download is from its request to its event `done`, with the start of the process that fetches;
`cpu` is what that process, or `curl`, took of the processors. The ratio is the median of those of each round,
whose two runs meet about the same machine. A round before them is not counted: what Python has compiled is
there then, as it is in an installed Partner.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from partner_desktop.app import Partner
from partner_desktop.base.paths import Home
from partner_desktop.base.processes import NICENESS
from tests.benchmarks.calls import DataError
from tests.model.hub import HEADER

SIZE_BYTES = 1_000_000_000
ROUNDS = 5
RATIO_LIMIT = 1.3
_REPOSITORY, _FILE = "bench/gigabyte-GGUF", "gigabyte-Q8_0.gguf"
_BLOCK_BYTES = 4_000_000

_HUB = """\
import sys
from pathlib import Path
from tests.model.hub import HubFileData, serving
with serving() as hub:
    data = HubFileData(Path(sys.argv[3]), sha256=sys.argv[4])
    hub.add(sys.argv[1]).files[sys.argv[2]] = data
    print(hub.url, flush=True)
    sys.stdin.read()
"""


def measure() -> dict[str, Any]:
    """The figures, and whether they keep their limit."""
    if shutil.which("curl") is None:
        raise DataError("There is no curl to measure against.")
    with tempfile.TemporaryDirectory(prefix="partner-bench-") as place:
        root = Path(place)
        file = root / _FILE
        digest = _make(file)
        command = [sys.executable, "-c", _HUB, _REPOSITORY, _FILE, str(file), digest]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hub:
            assert hub.stdout is not None
            url = hub.stdout.readline().strip()
            os.environ["HF_ENDPOINT"] = url
            if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
                os.environ["PYTHONPYCACHEPREFIX"] = str(root / "compiled")
            curls, ours, hashes, curl_cpu, own_cpu = [], [], [], [], []
            for number in range(ROUNDS + 1):
                before_s = _children_s()
                curls.append(_curl(url, root / "curl.gguf"))
                curl_cpu.append(_children_s() - before_s)
                hashes.append(_hash(root / "curl.gguf"))
                (root / "curl.gguf").unlink()
                before_s = _children_s()
                ours.append(asyncio.run(_download(root / f"home{number}")))
                own_cpu.append(_children_s() - before_s)
                shutil.rmtree(root / f"home{number}")
            for measured in (curls, ours, hashes, curl_cpu, own_cpu):
                del measured[0]
            hub.communicate("")
    curl_s, own_s = statistics.median(curls), statistics.median(ours)
    ratio = statistics.median(own / curl for own, curl in zip(ours, curls, strict=True))
    return {
        "size_mb": SIZE_BYTES // 1_000_000,
        "curl_s": round(curl_s, 2),
        "sha256sum_s": round(statistics.median(hashes), 2),
        "download_s": round(own_s, 2),
        "download_least_s": round(min(ours), 2),
        "curl_least_s": round(min(curls), 2),
        "curl_cpu_s": round(statistics.median(curl_cpu), 2),
        "download_cpu_s": round(statistics.median(own_cpu), 2),
        "ratio": round(ratio, 2),
        "ratio_to_curl_and_sha256sum": round(own_s / (curl_s + statistics.median(hashes)), 2),
        "ok": ratio <= RATIO_LIMIT,
    }


def _make(file: Path) -> str:
    """A file that begins as models do; its hash."""
    block = os.urandom(_BLOCK_BYTES)
    with file.open("wb") as out:
        out.write(HEADER)
        for _ in range(SIZE_BYTES // _BLOCK_BYTES):
            out.write(block)
    return subprocess.run(["sha256sum", str(file)], capture_output=True, text=True, check=True).stdout[:64]


def _curl(url: str, target: Path) -> float:
    link = f"{url}/{_REPOSITORY}/resolve/main/{_FILE}"
    begun = time.perf_counter()
    subprocess.run(["nice", "-n", str(NICENESS), "curl", "-sfL", "-o", str(target), link], check=True)
    return time.perf_counter() - begun


def _hash(file: Path) -> float:
    begun = time.perf_counter()
    subprocess.run(["sha256sum", str(file)], capture_output=True, check=True)
    return time.perf_counter() - begun


def _children_s() -> float:
    """What the processes that ended took of the processors."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


async def _download(home: Path) -> float:
    partner = Partner(Home(home), home / "action", meaning=False)
    await partner.launch()
    try:
        begun = time.perf_counter()
        download = await partner.downloads.start(_REPOSITORY, file=_FILE)
        took = 0.0
        async for last in partner.downloads.follow(download.id):  # it ends when all is on the disk
            if last["state"] == "done" and not took:
                took = time.perf_counter() - begun
        if last["state"] != "done":
            raise DataError(f"The download ended otherwise: {last['reason']}")
        return took
    finally:
        await partner.close()
