"""The kit itself: a real server, a real order."""

from __future__ import annotations

from pathlib import Path

from tests.web.web_kit import serving


def test_a_chip_on_a_sensor_is_seen_on_the_floor(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        dealer = server.sign_in("2001")
        done = dealer.order("tables/CS-1/light", spot=2)
        assert done["events"] == [{"type": "sensor_lit", "spot": 2, "waits": False}]
        assert dealer.get("tables/CS-1")["progressive"]["lit"] == [2]
        assert server.stop() == 0
