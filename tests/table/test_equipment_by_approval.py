"""FL-11: no document describes a game from public rules; the approval that the operator entered names its equipment."""

from __future__ import annotations

import pytest
from tests.table.test_equipment import NEXUS, NEXUS_2, approved, at, item

from houseway.table.equipment import item_faults, lacks


@pytest.mark.clause("FL-11")
def test_the_approval_of_a_game_from_public_rules_names_its_equipment() -> None:
    bare = at("mississippi-stud")
    (sentence,) = lacks(approved(*NEXUS, "vips"), bare)
    assert "no document describes Mississippi Stud, and its approval names no whole system" in sentence
    named = bare._replace(named=(*NEXUS, "vips"))
    here = approved(*NEXUS, "vips")
    assert [*item_faults(here, named), *lacks(here, named)] == []
    faults = item_faults(approved(*NEXUS_2, "monitor"), named)
    assert len(faults) == 3
    assert all("is not approved for Mississippi Stud: no document describes that game" in fault for fault in faults)
    assert lacks(approved(*NEXUS_2, "monitor"), named) != []
    old = item("nexus-game-manager", "1.2.9")
    assert "1.2.9 is not approved" in item_faults([old], named)[0]
