"""One solver for every game: it chooses a kernel by the shape of the declaration, and says so where none fits.

What kernels count does not depend on pay tables: it is kept, in this process and in the cache folder under the digest
of the game, and priced anew for every table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from houseway.cards import Card
from houseway.games.flow import shown_at
from houseway.games.model import Game, Thumb
from houseway.paytables import PayTable
from houseway.proof.compiled import Progress, silent
from houseway.proof.fits import scored_rules, why_not_by_ranks, why_not_swept
from houseway.proof.shape import needs_options, option_numbers
from houseway.refusal import Refusal

if TYPE_CHECKING:
    from houseway.proof.leaves import DealerSolution, Leaves
    from houseway.proof.solution import Solution

SWEEP: Final = "sweep"
BY_RANKS: Final = "by ranks"
SUPERSETS: Final = "supersets"
BOARD: Final = "board"
SHOE_COUNTS: Final = "shoe by counts"
SPECIAL: Final = "special"
BOARDS: Final = ("streets", "suit_classes")
"""Modules that the kernels for shared boards have in common."""
SORTED: Final = ("board", "board_loops", "board_play", "board_prices")
"""Modules of the kernel for boards that the dealer shares."""

NEEDS_EXTRA: Final = "counting needs the proof extra: pip install 'houseway[proof]'"

MOST_SIGHTS: Final = 1_000_000
"""So many sights are asked in plain Python within a minute."""

Deck: TypeAlias = tuple[Card, ...]


class Chosen(NamedTuple):
    """The kernel that counts a game; empty where none can, and then why each cannot."""

    kernel: str
    reasons: Mapping[str, str] = {}


@cache
def choose_kernel(game: Game, deck: Deck | None = None) -> Chosen:
    """The kernel that fits the shape of a game. Brute force is chosen by those who ask for it, never here."""
    if game.solver:
        return Chosen(SPECIAL)
    cards = tuple(sorted(game.deck if deck is None else deck))
    reasons: dict[str, str] = {}
    for kernel, why_not in _kernels(game):
        reasons[kernel] = why_not(game, cards)
        if not reasons[kernel]:
            return Chosen(kernel)
    return Chosen("", reasons)


def prices(game: Game, thumb: Thumb) -> bool:
    """Whether the cost of a rule of thumb can be counted.

    Where the dealer shares the board, a rule that looks at the whole board is asked sight by sight, in plain Python: a
    board of five and two own cards have 145 million, and nothing can wait for that.
    """
    own, board, deck = game.player_cards, game.board_cards, len(game.deck)
    if _kernel_by_shape(game) != BOARD or comb(deck, own) * comb(deck - own, board) <= MOST_SIGHTS:
        return True
    zone = game.zone_of("table")
    whole = {point.key for point in game.points if zone and len(shown_at(game, point)[zone.key]) == board}
    return thumb.rules.keys().isdisjoint(whole)


def _kernels(game: Game) -> Iterator[tuple[str, Callable[[Game, Deck], str]]]:
    """Kernels, and what each says against a game; those for shared boards are loaded for games that have one."""
    if game.shoe is not None:
        try:
            from houseway.proof.kernels.shoe_counts import why_not_counts
        except ImportError:
            yield SHOE_COUNTS, lambda _game, _deck: NEEDS_EXTRA
            return
        yield SHOE_COUNTS, why_not_counts
        return
    yield BY_RANKS, why_not_by_ranks
    yield SWEEP, why_not_swept
    if not game.board_cards:
        return
    try:
        from houseway.proof.kernels.board import why_not_board
        from houseway.proof.kernels.supersets import why_not_supersets
    except ImportError:
        yield SUPERSETS, lambda _game, _deck: NEEDS_EXTRA
        return
    yield SUPERSETS, why_not_supersets
    yield BOARD, why_not_board


def _kernel_by_shape(game: Game) -> str:
    """The kernel that `choose_kernel` chooses, where one can count the game, found without loading those for boards
    and shoes."""
    if game.shoe is not None:
        return SHOE_COUNTS
    if game.solver or not game.board_cards:
        return choose_kernel(game).kernel
    return BOARD if game.dealer_cards else SUPERSETS


def kernel_modules(game: Game) -> tuple[str, ...]:
    """The modules that only the games of one kernel are counted by; a floor without the proof extra knows them too."""
    kernel = _kernel_by_shape(game)
    highest = ("houseway.proof.cover_all",) if any(wager.by_hands_dealt for wager in game.wagers) else ()
    names = {
        SWEEP: ("sweep",),
        BY_RANKS: ("by_ranks",),
        SUPERSETS: ("supersets", *BOARDS),
        BOARD: (*SORTED, *BOARDS),
        SHOE_COUNTS: ("shoe_counts",),
    }
    if kernel == SPECIAL:
        from houseway.proof.special import special_modules

        return (*special_modules(game), *highest)
    return (*(f"houseway.proof.kernels.{name}" for name in names.get(kernel, ())), *highest)


def solve(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any] | None = None,
    *,
    deck: Sequence[Card] | None = None,
    progress: Progress | None = None,
    fresh: bool = False,
) -> Solution:
    """The best play of a base game and what every choice is worth, by the pay tables of its wagers and the options.

    ``tables`` are by table wager. With ``fresh`` everything is counted again, whatever is kept.
    """
    cards = tuple(sorted(game.deck if deck is None else deck))
    chosen = choose_kernel(game, None if deck is None else cards)
    chosen_options = dict(options or {})
    if chosen.kernel in (SWEEP, BY_RANKS):
        return _against_dealer(game, tables, chosen_options, cards, chosen.kernel, progress or silent, fresh)
    if chosen.kernel == SUPERSETS:
        from houseway.proof.kernels.supersets import solve_supersets

        return solve_supersets(game, tables, chosen_options, deck=cards, progress=progress)
    if chosen.kernel == SHOE_COUNTS:
        from houseway.proof.kernels.shoe_counts import solve_shoe

        return solve_shoe(game, tables, chosen_options, deck)
    if chosen.kernel == BOARD:
        from houseway.proof.kernels.board_play import solve_board

        return solve_board(game, tables, chosen_options, deck=cards, progress=progress)
    if chosen.kernel == SPECIAL:
        raise Refusal("game", f"{game.key} is counted by a solver of its own, {game.solver}")
    raise Refusal("game", refusal_words(game, chosen))


def refusal_words(game: Game, chosen: Chosen) -> str:
    """Why no kernel counts a game, in a sentence."""
    reasons = "; ".join(f"{kernel}: {reason}" for kernel, reason in chosen.reasons.items())
    return f"no kernel counts {game.key} ({reasons})"


# ------------------------------------------------------------------------------------------------ against a dealer


def _against_dealer(
    game: Game,
    tables: Mapping[str, PayTable],
    options: Mapping[str, Any],
    deck: Deck,
    kernel: str,
    progress: Progress,
    fresh: bool,
) -> DealerSolution:
    from houseway.proof.keep import kept_leaves, replace_leaves
    from houseway.proof.leaves import DealerSolution, StepsDifferError

    bearing = _bearing(game, options)
    leaves = kept_leaves(game, deck, bearing, lambda: _counted(game, options, deck, kernel, progress), fresh=fresh)
    if leaves is None:
        raise RuntimeError(f"nothing was counted for {game.key}")
    solution = DealerSolution(game, tables, options, leaves)
    try:
        solution.price()
    except StepsDifferError as differ:
        # A table by which results change where the rules did not show it: the same count with more steps.
        leaves = _counted(game, options, deck, kernel, progress, differ.starts)
        replace_leaves(game, deck, bearing, leaves)
        solution = DealerSolution(game, tables, options, leaves)
        solution.price()
    return solution


def _counted(
    game: Game, options: Mapping[str, Any], deck: Deck, kernel: str, progress: Progress, more: Any = None
) -> Leaves:
    from houseway.proof.kernels import by_ranks, sweep
    from houseway.proof.leaves import Outcomes

    counting = sweep.count_leaves if kernel == SWEEP else by_ranks.count_leaves
    return counting(game, Outcomes(game, {**game.defaults, **options}), deck, progress, more)


def _bearing(game: Game, options: Mapping[str, Any]) -> dict[str, int]:
    """The options that leaves depend on, as rules take them."""
    numbers = option_numbers(game, options)
    return {name: numbers[name] for name in needs_options(game, [rule for _, rule in scored_rules(game)])}


def kept_solution(
    game: Game, tables: Mapping[str, PayTable], options: Mapping[str, Any], deck: Deck
) -> DealerSolution | None:
    """A solution from leaves that are kept, nothing counted and nothing priced yet; None where none are kept."""
    from houseway.proof.keep import kept_leaves
    from houseway.proof.leaves import DealerSolution

    leaves = kept_leaves(game, deck, _bearing(game, options), None)
    return None if leaves is None else DealerSolution(game, tables, options, leaves)
