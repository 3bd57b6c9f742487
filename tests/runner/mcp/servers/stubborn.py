"""Does not end when it is asked to, nor does its child. `argv[1]`: a file for their process ids."""

import os
import signal
import sys
import time
from pathlib import Path

from by_hand import Server  # type: ignore[import-not-found]

signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setsid()
    while True:
        time.sleep(60)
Path(sys.argv[1]).write_text(f"{os.getpid()} {child}", encoding="utf-8")
server = Server("stubborn")
server.tool("hello", lambda *_: "hello")
try:
    server.run()
except SystemExit:
    while True:
        time.sleep(60)
