"""What the dealer does next with the wagers: forfeits, the pass of a dealer without a hand, then spot by spot."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from houseway.table.card_round.decide import Felt
from houseway.table.card_round.forfeits import forfeits
from houseway.table.card_round.state import Line, forfeit_lines
from houseway.table.card_round.view import prompt_of, stage_of


class DueLine(Struct, frozen=True, kw_only=True):
    """One wager of a step of reconciling."""

    spot: int
    wager: str
    label: str
    result: str
    take_cents: int
    pay_cents: int
    """Beside the wager itself, which stays with the player; before commission that is marked."""
    mark_cents: int
    """BA-10: the commission that is marked at the spot."""
    envy_cents: int
    why: str


class StepOffer(Struct, frozen=True, kw_only=True):
    """The next step: what is taken from a spot and what is paid to it, or all of it in one pass around the table."""

    command: str
    """The order that does it: ``collect`` for forfeits (CS-5, TC-15), else ``reconcile``."""
    spot: int
    """0 for several spots at once."""
    words: str
    """What the dealer does, where several spots are settled at once; empty otherwise."""
    take_cents: int
    pay_cents: int
    mark_cents: int
    lines: tuple[DueLine, ...]


def step(felt: Felt) -> StepOffer | None:
    """What the next step takes and pays: forfeits, then the pass of a dealer without a hand, then spot by spot."""
    play, config = felt.play, felt.table.config
    lying = forfeits(config, play)
    if lying and stage_of(felt) == "collecting":
        lost = {spot: forfeit_lines(wagers) for spot, wagers in lying.items()}
        return _step_offer(felt, "collect", lost, prompt_of(felt, "collecting"))
    if not play.steps:
        return None
    at_once = [due for due in play.steps if due.at_once]
    lines_at = {spot: hand.lines for spot, hand in play.hands.items()}
    due_lines = {
        due.spot: {wager: lines_at[due.spot][wager] for wager in due.wagers} for due in at_once or play.steps[:1]
    }
    return _step_offer(felt, "reconcile", due_lines, prompt_of(felt, "reconciling") if at_once else "")


def _step_offer(felt: Felt, command: str, due: Mapping[int, Mapping[str, Line]], words: str) -> StepOffer:
    lines = tuple(
        DueLine(
            spot=spot,
            wager=wager,
            label=_label(felt, wager),
            result=line.result,
            take_cents=max(0, line.wagered - line.returned),
            pay_cents=max(0, line.returned - line.wagered) + _mark_cents(felt, spot, line),
            mark_cents=_mark_cents(felt, spot, line),
            envy_cents=line.envy,
            why=line.why,
        )
        for spot, by_wager in due.items()
        for wager, line in by_wager.items()
    )
    return StepOffer(
        command=command,
        spot=0 if words else next(iter(due)),
        words=words,
        take_cents=sum(line.take_cents for line in lines),
        pay_cents=sum(line.pay_cents for line in lines),
        mark_cents=sum(line.mark_cents for line in lines),
        lines=lines,
    )


def _mark_cents(felt: Felt, spot: int, line: Line) -> int:
    """BA-10: nothing is marked for a player who left."""
    return 0 if felt.play.hands[spot].left else line.commission


def _label(felt: Felt, wager: str) -> str:
    known = felt.game.wager(wager)
    return known.label if known else wager.replace("_", " ")
