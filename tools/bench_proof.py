"""Time and memory of every solver, each in a process of its own: with nothing cached, and again from what was kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from houseway.proof.collect import counted_games

HOUSEWAY = Path(sys.executable).with_name("houseway")


def measured(arguments: list[str], cache: str) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and peak memory in GB of one run of the program."""
    started = time.perf_counter()
    process = subprocess.Popen(
        [HOUSEWAY, "figures", "--json", *arguments],
        env=os.environ | {"HOUSEWAY_CACHE": cache},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"houseway figures {' '.join(arguments)} left with {process.returncode}")
    return time.perf_counter() - started, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024**2


def main() -> int:
    """Print one line a run."""
    print(f"{'figures':<34}{'seconds':>9}{'processor':>11}{'peak GB':>9}")

    def line(name: str, arguments: list[str], cache: str) -> None:
        wall, processor, memory = measured(arguments, cache)
        print(f"{name:<34}{wall:>9.1f}{processor:>11.1f}{memory:>9.2f}", flush=True)

    for game in counted_games():
        with tempfile.TemporaryDirectory() as cache:
            line(f"{game.key}, nothing cached", ["--fresh", "--game", game.key], cache)
    with tempfile.TemporaryDirectory() as cache:
        line("everything, nothing cached", ["--fresh"], cache)
        line("everything, compiled code kept", ["--fresh"], cache)
        line("everything, second run", [], cache)
    print("asked for: everything with nothing cached under 60 s and 3 GB on two cores, a second run under 2 s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
