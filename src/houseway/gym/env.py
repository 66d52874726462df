"""One spot against the dealer as a Gymnasium environment.

An action is a choice of the game's declaration. The reward comes at the end of a round, in whole cents: everything
returned less everything wagered, the wagers that follow from choices included. Choices and the settlement go through
the game itself, so that an agent meets the rules of the table and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from houseway.cards import DECK_53, Card, parse_cards, rank_of, text_of
from houseway.games import Game, all_games, approved_book, find_game
from houseway.games.flow import is_asked, is_open, made_by, next_point, shown_at
from houseway.games.later import deal_rest, later_fields
from houseway.games.model import Decide, Wager
from houseway.games.round import Action, Dealt, Round, Settlement, Spot
from houseway.gym.actions import Actions
from houseway.money import dollars
from houseway.paytables import Book, PayTable, ProgressiveTable
from houseway.progressive import Entry, Meter, Policy, award_round
from houseway.progressive.awards import check_policy, seed_amount
from houseway.refusal import Refusal

SPOT: Final = 1
UNIT_CENTS: Final = 100
SEEDS: Final = 1 << 62
HIGHEST_FIRST: Final = tuple((-rank_of(card), card) for card in DECK_53)
"""By card: its place in a hand that is shown, a rank's clubs before its spades."""

Observation: TypeAlias = dict[str, npt.NDArray[np.int64]]


class TableEnv(gymnasium.Env[Observation, np.int64]):
    """One spot at a table of a game.

    ``wagers`` are what the spot bets before every deal, in cents by wager; without them one dollar on the base game.
    ``tables`` names pay tables by wager, else the first approved one is taken; ``options`` are house options. With a
    progressive wager the meters stand before every round at ``meters_cents``, or at their printed seed.

    An observation holds the hand (highest card first), the dealer's cards that are seen and the board where the game
    has them, as the numbers of ``houseway.cards``; a card that is still face down is the number after the last card.
    An episode has ``rounds`` rounds, each from a fresh deck or shoe; each step is one decision. A game
    without decisions is refused.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  declared so by Gymnasium

    def __init__(
        self,
        game: str,
        *,
        wagers: Mapping[str, int] | None = None,
        tables: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        meters_cents: Mapping[str, int] | None = None,
        rounds: int = 1,
        render_mode: str | None = None,
        book: Book | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Refusal("render_mode", f"{render_mode!r} is not known; there is ansi, or none")
        if type(rounds) is not int or rounds < 1:
            raise Refusal("rounds", "must be a whole number above zero")
        self.render_mode = render_mode
        self.game = _known(game)
        self._actions = Actions(self.game)
        self.options = _options(self.game, options or {})
        self.wagers = _wagers(self.game, wagers, self.options)
        self._first = next_point(self.game, self.wagers)
        self._pack = self.game.pack(self.options)
        self._book = book or approved_book()
        self.tables, self.progressive = _tables(self.game, self.wagers, tables or {}, self._book)
        self._policy = Policy()
        if self.game.progressive is not None:
            self._policy = Policy.of(self.options, self.game.second_spot_envies)
        self._meters = _meters(self.progressive, meters_cents or {}, self.wagers, self._policy)
        self._rounds = rounds
        places = self.game.deal([Card(place) for place in range(len(self.game.deck))], (SPOT,), self.options)
        self._hand_places = places.hands[SPOT]
        self._dealer_places = places.dealer
        self._board_places = places.board
        self._dealt = max(*self._hand_places, *self._dealer_places, *self._board_places) + 1
        self._needed = max(self._dealt, self.game.round_cards(1))
        self.sight = Sight(self.game)
        self._asks_once = len(self.game.points) == 1
        self._first_by_cards = self._first is not None and self._first.when is not None
        deck = len(self.game.deck)
        counts = {
            "hand": [deck] * len(self._hand_places),
            "up": [deck + self.sight.hides_dealer] * len(self.sight.dealer),
            "board": [deck + 1] * len(self.sight.board),
        }
        space: Any = spaces.Dict({name: spaces.MultiDiscrete(numbers) for name, numbers in counts.items() if numbers})
        self.observation_space = space
        self.action_space = spaces.Discrete(self._actions.count)
        self._source: Random | None = None
        self._played = rounds
        self._hand: tuple[Card, ...] = ()
        self._cards = ""
        self._dealer: tuple[Card, ...] = ()
        self._board: tuple[Card, ...] = ()
        self._rest: list[Card] = []
        self._done: tuple[Action, ...] = ()
        self._chosen: list[int] = []
        self._point: Decide | None = None
        self._shown = "nothing dealt yet"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal the first round. ``options={"cards": "Qs 6d 4c"}`` practises that hand in it."""
        super().reset(seed=seed)
        if seed is not None or self._source is None:
            self._source = Random(int(self.np_random.integers(SEEDS)))
        given_hand = _given_hand(self.game, options or {})
        self._played = 0
        self._deal(given_hand)
        return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, int, bool, bool, dict[str, Any]]:
        """Decide; at the last decision settle the round, and deal the next one if the episode has one."""
        if self._played >= self._rounds:
            raise Refusal("step", "the episode is over; reset deals the next one")
        number = int(action)
        if not 0 <= number < self._actions.count:
            raise Refusal("action", f"must be a whole number from 0 to {self._actions.count - 1}")
        self._chosen.append(number)
        if self._point is not None:
            self._done = (*self._done, self._read(number, self._point))
            self._point = None if self._asks_once else self._ask(next_point(self.game, self.wagers, self._done))
            if self._point is not None:
                return self._seen(), 0, False, False, self._info()
        hand, dealer, board, later = self._hand, self._dealer, self._board, {}
        if self.game.later_deals:
            dealt = self._deal_rest()
            hand, dealer, board, later = dealt.hands[SPOT], dealt.dealer, dealt.board, self._later_cards(dealt)
        spot = Spot(SPOT, hand, self.wagers, self._done)
        settlement = self.game.settle(Round(dealer, (spot,), self.tables, self.options, board))
        results = self._results(settlement)
        reward = sum([returned - wagered for wagered, returned in results.values()])
        if self.render_mode is not None:
            self._show(settlement, reward)
        info = {
            "dealer": text_of(self._dealer),
            "outcome": settlement.spots[0].outcome or "",
            "wagers": results,
            **later,
        }
        self._played += 1
        over = self._played >= self._rounds
        if not over:
            self._deal(())
        return self._seen(), reward, over, False, self._info() | info

    def _read(self, number: int, point: Decide) -> Action:
        """An action as the game reads it, or a refusal."""
        if self._actions.at(point)[number] is None:
            names = ", ".join(choice.key for choice in point.choices)
            raise Refusal("action", f"{self._actions.words(number, self._hand)} is not allowed here; allowed: {names}")
        action = self._actions.read(number, point, self._hand, self.wagers, self.options)
        choice = point.choice(action.name) if point.key in self._actions.by_cards else None
        if choice is not None and not is_open(self.game, choice, self._hand, *self._table_seen(), self.options):
            raise Refusal("action", f"{action.name} is not open with these cards")
        return action

    def render(self) -> str | None:
        """The last round in words."""
        return self._shown if self.render_mode == "ansi" else None

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Which actions make sense with the hand dealt; ``action_space.sample(mask)`` takes it."""
        point = self._point or (self._ask(self._first) if self._played >= self._rounds else None)
        return np.array(self._actions.open(point, self._hand, *self._table_seen(), self.options), dtype=np.int8)

    def action_words(self, action: int) -> str:
        """An action with the hand dealt, for people."""
        return self._actions.words(int(action), self._hand)

    def _deal(self, dealt: tuple[Card, ...]) -> None:
        if self._source is None:
            raise Refusal("reset", "comes first")
        if dealt:
            # The cards asked for change places with those dealt to the hand; all others stay as the shuffle left them.
            order = self._source.sample(self._pack, len(self._pack))
            for card, place in zip(dealt, self._hand_places, strict=True):
                other = order.index(card)
                order[other], order[place] = order[place], card
        else:
            order = self._source.sample(self._pack, self._needed)
        self._hand = _highest_first([order[place] for place in self._hand_places])
        self._cards = text_of(self._hand)
        self._dealer = tuple([order[place] for place in self._dealer_places])
        self._board = tuple([order[place] for place in self._board_places])
        self._rest = order[self._dealt :]
        self._done = ()
        self._chosen = []
        self._point = self._ask(self._first) if self._first_by_cards else self._first

    def _ask(self, point: Decide | None) -> Decide | None:
        """A decision, where the spot is asked for it with these cards."""
        if (
            point is None
            or point.when is None
            or is_asked(self.game, point, self._hand, *self._table_seen(), self.options)
        ):
            return point
        return None

    def _deal_rest(self) -> Dealt:
        """The round with the cards that its decisions call for."""
        dealt = Dealt({SPOT: self._hand}, self._dealer, (), tuple(self._rest), self._board)
        return deal_rest(self.game, dealt, {SPOT: made_by(self.game, self.wagers, self._done).wagers})

    def _later_cards(self, dealt: Dealt) -> dict[str, str]:
        """The cards that were dealt after a decision, by the names of their places."""
        texts: dict[str, str] = {}
        for zone, cards in (
            (self.game.zone_of("spot"), dealt.hands[SPOT]),
            (self.game.zone_of("dealer"), dealt.dealer),
        ):
            if zone is not None and zone.later:
                texts |= later_fields(zone.later, cards[zone.cards :])
        return texts

    def _table_seen(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """The dealer's cards and the board, for rules that ask only for what is seen."""
        return self._dealer, self._board

    def _seen(self) -> Observation:
        observation = {"hand": np.array(self._hand, dtype=np.int64)}
        sight = self.sight
        if not sight.dealer and not sight.board:
            return observation
        face_down = len(self.game.deck)
        dealer, board = sight.at(self._point)
        if sight.dealer:
            ups = [self._dealer[at] if at in dealer else face_down for at in sight.dealer]
            observation["up"] = np.array(ups, dtype=np.int64)
        if sight.board:
            shared = [self._board[at] if at in board else face_down for at in sight.board]
            observation["board"] = np.array(shared, dtype=np.int64)
        return observation

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.action_mask(), "cards": self._cards, "up": ""}
        sight = self.sight
        if sight.dealer or sight.board:
            dealer, board = sight.at(self._point)
            info["up"] = text_of([self._dealer[at] for at in sight.dealer if at in dealer])
            if sight.board:
                info["board"] = text_of([self._board[at] for at in sight.board if at in board])
        return info

    def _results(self, settlement: Settlement) -> dict[str, tuple[int, int]]:
        """Every wager of the spot: what was wagered, and what came back."""
        spot = settlement.spots[0]
        results = {key: (result.wagered, result.returned) for key, result in spot.wagers.items()}
        if self.progressive is not None:
            results["progressive"] = self._progressive(spot.progressive_hand, spot.folded)
        return results

    def schedule(self, wager: Wager) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """What the table of a wager pays by row, as its rule takes it; nothing where the spot does not play it."""
        table = self.tables.get(wager.table_key)
        return ((), ()) if table is None else table.schedule(wager.hands, 2 if wager.by_hands_dealt else None)

    def progressive_prizes(self) -> list[list[int]]:
        """By row, for a spot that folded and for one that did not: what its progressive wager comes to in cents."""
        if self.progressive is None or self.game.progressive is None:
            return [[], []]
        wager, hands = self.wagers["progressive"], self.game.progressive.hands
        return [[self._progressive(hand, folded)[1] - wager for hand in hands] for folded in (True, False)]

    def _progressive(self, hand: str, folded: bool) -> tuple[int, int]:
        """What the progressive wager was, and what came back for a hand."""
        wager = self.wagers["progressive"]
        if self.progressive is None:
            return wager, 0
        awards = award_round(self.progressive, self._meters, [Entry(SPOT, hand, wager, folded)], self._policy).awards
        return wager, sum(award.from_meter_cents + award.from_tray_cents for award in awards)

    def _show(self, settlement: Settlement, reward: int) -> None:
        spot = settlement.spots[0]
        ups = text_of(self._dealer[at] for at in self.sight.dealer)
        up = f", dealer shows {ups}" if ups else ""
        board = f", board {text_of(self._board)}" if self._board else ""
        words = ", ".join(self._actions.words(number, self._hand) for number in self._chosen)
        dealer = f"Dealer {text_of(self._dealer)} ({settlement.dealer.hand}). " if self._dealer else ""
        self._shown = (
            f"{text_of(self._hand)} ({spot.hand}){up}{board}: {words}. {dealer}"
            f"{spot.outcome or 'settled'}, {dollars(reward)}"
        )


class Sight:
    """Which cards of the dealer and of the board a spot sees when, by place."""

    def __init__(self, game: Game) -> None:
        self._dealer_zone = next((zone.key for zone in game.zones if zone.owner == "dealer"), "")
        self._board_zone = next((zone.key for zone in game.zones if zone.owner == "table"), "")
        self._shown = {point.key: shown_at(game, point) for point in game.points}
        self.dealer = tuple(sorted({at for shown in self._shown.values() for at in shown.get(self._dealer_zone, ())}))
        """The dealer's cards that are ever seen before a decision."""
        self.board = tuple(range(game.board_cards))
        first = self._shown[game.points[0].key].get(self._dealer_zone, ()) if game.points else ()
        self._seen_at = {
            key: (shown.get(self._dealer_zone, ()), shown.get(self._board_zone, ()))
            for key, shown in self._shown.items()
        }
        self.hides_dealer = int(len(self.dealer) > len(first))

    def at(self, point: Decide | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The places of the dealer's cards and of the board that are seen; everything at the end of a round."""
        if point is None:
            return self.dealer, self.board
        return self._seen_at[point.key]


def _known(key: str) -> Game:
    game = find_game(key) if isinstance(key, str) else None
    if game is None:
        raise Refusal("game", f"{str(key)[:40]!r} is not a game here; known are {', '.join(all_games())}")
    if not game.points:
        raise Refusal("game", f"{game.key} has no decision to make; an environment needs one")
    return game


def _options(game: Game, options: Mapping[str, Any]) -> Mapping[str, Any]:
    known = {option.name: option for option in game.options}
    for name, value in options.items():
        if name not in known:
            raise Refusal(f"options.{name}", f"is not an option of {game.key}; its options are {', '.join(known)}")
        if not known[name].fits(value):
            raise Refusal(f"options.{name}", f"{value!r} is not allowed; allowed is {known[name].allowed}")
    return {**game.defaults, **options}


def _wagers(game: Game, stakes: Mapping[str, int] | None, options: Mapping[str, Any]) -> dict[str, int]:
    if stakes is None:
        required = [wager.key for wager in game.wagers if wager.kind == "required"]
        stakes = dict.fromkeys(required or [game.wagers[0].key], UNIT_CENTS)
    for key, cents in stakes.items():
        if key not in game.wager_keys:
            raise Refusal(f"wagers.{key}", f"is not a wager of {game.key}")
        if type(cents) is not int or cents < 1:
            raise Refusal(f"wagers.{key}", "must be a whole number of cents above zero")
    game.check_wagers(stakes, options)
    return dict(stakes)


def _tables(
    game: Game, wagers: Mapping[str, int], named: Mapping[str, str], book: Book
) -> tuple[dict[str, PayTable], ProgressiveTable | None]:
    """The pay table of every wager that has one: the one named, else the first."""
    needed = game.tables_needed(wagers)
    for wager in named:
        if wager not in needed:
            raise Refusal(f"tables.{wager}", f"no wager of this spot pays by it; those are {', '.join(needed)}")
    tables: dict[str, PayTable] = {}
    progressive = None
    for wager in needed:
        known = book.of(game.families, wager)
        pay_table = book.find(game.families, wager, named[wager]) if wager in named else known[0]
        if isinstance(pay_table, ProgressiveTable):
            progressive = pay_table
        elif isinstance(pay_table, PayTable):
            tables[wager] = pay_table
        else:
            names = ", ".join(table.id for table in known)
            raise Refusal(f"tables.{wager}", f"{str(named[wager])[:40]!r} is no table for it; there are {names}")
    return tables, progressive


def _meters(
    table: ProgressiveTable | None, shares: Mapping[str, int], wagers: Mapping[str, int], policy: Policy
) -> dict[str, Meter]:
    if table is None:
        if shares:
            raise Refusal("meters_cents", "is given without a progressive wager")
        return {}
    check_policy(table, policy)
    wager = wagers["progressive"]
    if table.stated_wager_cents not in (None, wager):
        raise Refusal("wagers.progressive", f"must be {table.stated_wager_cents} cents, the wager of {table.label}")
    for name, cents in shares.items():
        if name not in table.meters or type(cents) is not int or cents < 0:
            raise Refusal(f"meters_cents.{name}", f"must be whole cents for a meter of {', '.join(table.meters)}")
    seed = seed_amount(table, wager) if len(table.meters) == 1 else None
    missing = [name for name in table.meters if name not in shares and seed is None]
    if missing:
        raise Refusal(f"meters_cents.{missing[0]}", f"is missing; {table.label} prints no seed to stand at")
    return {name: Meter(shares.get(name, seed or 0), seed or 0) for name in table.meters}


def _given_hand(game: Game, options: Mapping[str, Any]) -> tuple[Card, ...]:
    unknown = [name for name in options if name != "cards"]
    if unknown:
        raise Refusal(f"options.{unknown[0]}", "is not known; a reset may be given cards")
    cards = options.get("cards")
    if cards is None:
        return ()
    if not isinstance(cards, str):
        raise Refusal("options.cards", "must be cards as text, such as Qs 6d 4c")
    return parse_cards(cards, game.player_cards, joker=game.has_joker)


def _highest_first(cards: list[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=HIGHEST_FIRST.__getitem__))
