"""The one interpreter of a declaration: what every wager of a round gives back.

It gives each rule what the rule asks for by name and adds nothing of its own. The compiled loops of the proof and the
simulation are generated from the same declaration and call the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from itertools import combinations, starmap
from typing import Any

from houseway.cards import JOKER, Card, rank_of
from houseway.games.check import shared_values
from houseway.games.flow import MOST_COURSES, SpotCourse, course_of
from houseway.games.model import Derived, Game, Hand, Highest, Split, Value
from houseway.games.plan import Env, SettleSpot, settled, with_what_they_need, write_plan
from houseway.games.round import DealerSettlement, Round, Setting, Settlement, Spot, SpotSettlement, WagerResult
from houseway.rule import arguments_of

__all__ = ["Settler", "cards_of", "hand_words", "house_way_place", "set_hand", "settings", "settled", "values_for"]

Zones = dict[str, tuple[Card, ...]]


class Settler:
    """Settles rounds of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._defaults = game.defaults
        spot, dealer, table = (game.zone_of(owner) for owner in ("spot", "dealer", "table"))
        self._spot_zone = spot.key if spot else ""
        self._dealer_zone = dealer.key if dealer else ""
        self._board_zone = table.key if table else ""
        self._spot_split = game.split_of(self._spot_zone)
        self._dealer_split = game.split_of(self._dealer_zone) if dealer else None
        self._shared = shared_values(game)
        self._envies = [wager.key for wager in game.wagers if wager.envy_row is not None]
        self._plans: dict[SpotCourse, SettleSpot] = {}
        self._dealer_ranking = _hand_of(game, game.dealer_hand).ranking if game.dealer_hand else None
        rules = [rule for wager in game.wagers for rule in (wager.pays, wager.envy_row)]
        rules += [game.qualifies, game.progressive.row if game.progressive else None]
        asked = [game.dealer_hand, game.outcome, game.highest.dealer if game.highest else ""]
        if game.winner is not None:
            asked.append(game.winner[0])
        asked += [name for rule in rules if rule is not None for name in arguments_of(rule)]
        needed = with_what_they_need(game, asked)
        self._shared_values = tuple(
            _getter(value) for value in game.values if value.key in needed and value.key in self._shared
        )
        self._numbers = {option.name: option for option in game.options if option.name in needed}
        self._default_numbers = self._numbers_of(game.defaults)

    def _numbers_of(self, options: Mapping[str, Any]) -> Env:
        """The house options that a rule asks for, as numbers."""
        return {name: option.number(options[name]) for name, option in self._numbers.items()}

    def settle(self, round_: Round) -> Settlement:
        """What every wager of the round gives back, the progressive apart."""
        game, options = self._game, round_.options
        env = dict(self._default_numbers) if options is self._defaults else self._numbers_of(options)
        zones: Zones = {}
        setting = None
        if self._dealer_zone:
            zones[self._dealer_zone] = round_.dealer
            if self._dealer_split is not None:
                split = self._dealer_split
                setting, zones[split.high], zones[split.low] = set_hand(game, split, round_.dealer)
        if self._board_zone:
            zones[self._board_zone] = round_.board
        for getter in self._shared_values:
            getter(env, zones)
        envied: dict[str, list[str]] = {wager: [] for wager in self._envies}
        if game.highest is not None:
            worth = _hand_of(game, game.highest.of).ranking.value
            hands = [worth(*spot.cards) for spot in round_.spots]
            env[game.highest.key] = self._highest(game.highest, round_, hands, env)
            spots = [
                self._plan(spot)(spot, round_, env, zones, envied, hand)
                for spot, hand in zip(round_.spots, hands, strict=True)
            ]
        else:
            spots = [self._plan(spot)(spot, round_, env, zones, envied) for spot in round_.spots]
        for wager, rows in envied.items():
            if wager in round_.tables:
                self._add_envy(wager, round_, spots, rows)
        winner = game.winner[1][env[game.winner[0]]] if game.winner else ""
        return Settlement(self._dealer(env, setting), tuple(spots), winner)

    def _dealer(self, env: Env, setting: Setting | None) -> DealerSettlement:
        game, ranking = self._game, self._dealer_ranking
        if ranking is None:
            return DealerSettlement("", "", None)
        qualifies = None
        if game.qualifies is not None:
            qualifies = bool(game.qualifies(*[env[name] for name in arguments_of(game.qualifies)]))
        value = env[game.dealer_hand]
        return DealerSettlement(ranking.name(value), ranking.category(value), qualifies, setting)

    def _plan(self, spot: Spot) -> SettleSpot:
        """How a spot is settled that took its course."""
        course = self._course(spot)
        plan = self._plans.get(course)
        if plan is None:
            plan = write_plan(self._game, course, self._shared, self._set_hand)
            if len(self._plans) < MOST_COURSES:
                self._plans[course] = plan
        return plan

    def _course(self, spot: Spot) -> SpotCourse:
        return course_of(self._game, spot.wagers, spot.actions)

    def _set_hand(self, cards: tuple[Card, ...], low: Card | None) -> SetHand:
        if self._spot_split is None:
            raise ValueError(f"{self._game.key} sets no hands")
        return set_hand(self._game, self._spot_split, cards, low)

    def _highest(self, wanted: Highest, round_: Round, hands: Sequence[int], env: Env) -> int:
        """The highest hand of the round, the dealer's included."""
        counts_folded = round_.options[wanted.counts_folded]
        highest: int = env[wanted.dealer]
        for spot, hand in zip(round_.spots, hands, strict=True):
            if hand > highest and (counts_folded or not self._course(spot).folded):
                highest = hand
        return highest

    def _add_envy(self, wager: str, round_: Round, spots: Sequence[SpotSettlement], rows: Sequence[str]) -> None:
        """PGF-2: flat envy for every other player's hand on the table's envy list."""
        table = round_.tables[wager]
        if not table.envy_cents:
            return
        for spot, settlement in zip(round_.spots, spots, strict=True):
            result = settlement.wagers.get(wager)
            if result is None or (settlement.folded and not self._game.stays(wager, round_.options)):
                continue
            envy = 0
            if result.wagered >= table.envy_minimum_cents:
                envy = sum(
                    table.envy_cents.get(row, 0)
                    for other, row in zip(round_.spots, rows, strict=True)
                    if other.number != spot.number and (not spot.player or other.player != spot.player)
                )
            settlement.wagers[wager] = WagerResult(
                "win" if envy else result.result, result.wagered, result.returned + envy, envy
            )


# ------------------------------------------------------------------------------------------------ values


def values_for(
    game: Game,
    wanted: Collection[str],
    cards: Sequence[Card],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
    options: Mapping[str, Any] | None = None,
) -> Env:
    """The values of that name for one spot's cards, and the options; whoever asks sees the cards that it needs."""
    zones: Zones = {}
    for zone, held in (("spot", cards), ("dealer", dealer), ("table", board)):
        known = game.zone_of(zone)  # type: ignore[arg-type]  # one of the three owners
        if known is not None:
            zones[known.key] = tuple(held)
    chosen = {**game.defaults, **(options or {})}
    env: Env = {
        name: game.options_by_name[name].number(chosen[name]) for name in wanted if name in game.options_by_name
    }
    needed = with_what_they_need(game, wanted)
    for value in game.values:
        if value.key in needed:
            _getter(value)(env, zones)
    return env


def _getter(value: Value) -> Callable[[Env, Mapping[str, tuple[Card, ...]]], None]:
    """What puts a value among the others."""
    key = value.key
    if isinstance(value, Derived):
        rule, names = value.rule, arguments_of(value.rule)

        def derive(env: Env, _zones: Mapping[str, tuple[Card, ...]]) -> None:
            env[key] = rule(*[env[name] for name in names])

        return derive
    worth, hand = value.ranking.value, value

    def look(env: Env, zones: Mapping[str, tuple[Card, ...]]) -> None:
        env[key] = worth(*cards_of(hand, zones))

    return look


def cards_of(hand: Hand, zones: Mapping[str, Sequence[Card]]) -> list[Card]:
    """The cards that a value is judged on."""
    found: list[Card] = []
    for zone, places in hand.places:
        found += zones[zone] if places is None else [zones[zone][place] for place in places]
    return found


@cache
def _hand_of(game: Game, key: str) -> Hand:
    value = game.value_of(key)
    if not isinstance(value, Hand):
        raise TypeError(f"{game.key}: {key} is no value of cards")
    return value


# ------------------------------------------------------------------------------------------------ settings


def settings(game: Game, cards: Sequence[Card], split: Split | None = None) -> list[tuple[int, int, int]]:
    """Every way to set a hand: (value of the high hand, value of the low card, place of the low card)."""
    chosen = split or game.split_of(game.zones[0].key)
    if chosen is None:
        raise ValueError(f"{game.key} sets no hands")
    return list(zip(*_set_values(game, chosen, cards), range(len(cards)), strict=True))


def _set_values(game: Game, split: Split, cards: Sequence[Card]) -> tuple[list[int], list[int]]:
    """By the place of the low card: the value of the high hand, and that of the low card."""
    high, low = split.given
    high_values = [*starmap(_hand_of(game, high).ranking.value, combinations(cards, len(cards) - 1))]
    high_values.reverse()  # the first combination is the one without the last card
    return high_values, [*map(_hand_of(game, low).ranking.value, cards)]


def house_way_place(game: Game, split: Split, cards: Sequence[Card]) -> int:
    """PG-10 to PG-16: the place of the low card in the setting that the house prefers."""
    merits = [*map(split.merit, *_set_values(game, split, cards))]
    return merits.index(max(merits))


SetHand = tuple[Setting, tuple[Card, ...], tuple[Card, ...]]


def set_hand(game: Game, split: Split, cards: tuple[Card, ...], low: Card | None = None) -> SetHand:
    """A hand as a player set it, or the house way: the setting, the high hand and the low card as they were dealt."""
    place = house_way_place(game, split, cards) if low is None else cards.index(low)
    setting = setting_of(cards, place, "house way" if low is None else "player")
    return setting, (*cards[:place], *cards[place + 1 :]), (cards[place],)


def hand_words(game: Game, value: str, cards: Sequence[Card]) -> str:
    """What cards are called, as a value of the game ranks them."""
    ranking = _hand_of(game, value).ranking
    return str(ranking.name(ranking.value(*cards)))


def setting_of(cards: Sequence[Card], place: int, by: str) -> Setting:
    """A hand as it is set, the high hand from the joker and the highest rank down."""
    high = [card for at, card in enumerate(cards) if at != place]
    return Setting(tuple(sorted(high, key=_falling)), cards[place], by)


def _falling(card: Card) -> tuple[bool, int, Card]:
    return card != JOKER, -rank_of(card), card
