"""A ``houseway serve`` beside or instead of the servers that take orders: only what ``/readyz`` says is looked at."""

from __future__ import annotations

import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

from faults.counts import Stuck
from faults.databases import PATIENCE
from faults.server import HOUSEWAY, key_beside
from houseway.manager.floor_file import example_floor

SAYS_SO: Final = 5.0
"""How soon a server that cannot record must say so, in seconds."""
READY: Final = 200


class WebServer:
    """One ``houseway serve``. What the floor file says does not matter: the floor is there, and is served as it is."""

    def __init__(self, url: str, log: Path) -> None:
        file = log.with_name("floor.toml")
        file.write_text(example_floor(), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._log = log
        self._ready = f"http://127.0.0.1:{port}/readyz"
        command = ["serve", str(file), "--db", url, "--key-file", str(key_beside(log)), "--port", str(port)]
        with log.open("ab") as log_file:
            self.process = subprocess.Popen(
                [*HOUSEWAY, *command],
                stdin=subprocess.DEVNULL,
                stdout=log_file,
                stderr=log_file,
                start_new_session=True,
            )

    @property
    def is_ready(self) -> bool:
        """Whether it says now that it can record."""
        try:
            with urlopen(self._ready, timeout=SAYS_SO) as answer:
                return bool(answer.status == READY)
        except (HTTPError, URLError, OSError):
            return False

    def becomes(self, *, ready: bool, seconds: float = PATIENCE) -> bool:
        """Wait until it is ready, or is not, so long at most; answers whether that came."""
        ends = time.monotonic() + seconds
        while self.is_ready != ready:
            if time.monotonic() > ends or (ready and self.process.poll() is not None):
                return False
            time.sleep(0.05)
        return True

    def start(self) -> None:
        """Wait until it serves."""
        if not self.becomes(ready=True):
            raise Stuck(f"houseway serve does not become ready: {self._log.read_text(errors='replace')[-2_000:]}")

    def ended(self, seconds: float) -> int | None:
        """How it left by itself within so long; None where it did not."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(seconds)
        return None

    def kill(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
