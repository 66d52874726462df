"""The one interpreter of a declaration: what every wager of a round gives back.

It gives each rule what the rule asks for by name and adds nothing of its own. The compiled loops of the proof and the
simulation are generated from the same declaration and call the same rules.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from houseway.cards import JOKER, Card, rank_of
from houseway.games.flow import Made, made_by
from houseway.games.model import Derived, Game, Hand, Rule, Split, Value, Wager
from houseway.games.round import (
    DealerSettlement,
    Outcome,
    Round,
    Setting,
    Settlement,
    Spot,
    SpotSettlement,
    WagerResult,
)
from houseway.games.rules import FOUL, LOSE, PUSH, WIN
from houseway.paytables import PayTable
from houseway.rule import arguments_of

OUTCOMES: Final[Mapping[int, Outcome]] = {WIN: "win", PUSH: "push", LOSE: "lose", FOUL: "foul"}
Zones = dict[str, tuple[Card, ...]]
Env = dict[str, Any]


def settled(wagered: int, returned: int, table: PayTable | None = None) -> WagerResult:
    """The result of a wager: a win gives back more than was wagered, a push as much, a loss nothing.

    On a table that pays "for" one anything at all is a win.
    """
    if not returned:
        return WagerResult("lose", wagered, 0)
    if returned > wagered or (table is not None and not table.returns_wager):
        return WagerResult("win", wagered, returned)
    return WagerResult("push", wagered, returned)


class _Payer(NamedTuple):
    """One wager as it is settled."""

    wager: Wager
    rule: Rule
    arguments: tuple[str, ...]
    envies: bool


class Settler:
    """Settles rounds of one game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        spot, dealer, table = (game.zone_of(owner) for owner in ("spot", "dealer", "table"))
        self._spot_zone = spot.key if spot else ""
        self._dealer_zone = dealer.key if dealer else ""
        self._board_zone = table.key if table else ""
        self._spot_split = game.split_of(self._spot_zone)
        self._dealer_split = game.split_of(self._dealer_zone) if dealer else None
        shared = [key for key in (self._dealer_zone, self._board_zone) if key]
        if self._dealer_split is not None:
            shared += [self._dealer_split.high, self._dealer_split.low]
        levels = _levels(game, shared)
        self._shared_values = tuple(_getter(value) for value in game.values if levels[value.key] == "table")
        self._spot_values = tuple(_getter(value) for value in game.values if levels[value.key] == "spot")
        envies = {schema.wager for schema in game.schemas if schema.envy}
        self._payers = tuple(
            _Payer(wager, wager.pays, arguments_of(wager.pays), wager.key in envies)
            for wager in game.wagers
            if wager.pays is not None
        )
        self._hand_ranking = _ranking_of(game, game.hand)
        self._dealer_ranking = _ranking_of(game, game.dealer_hand) if game.dealer_hand else None
        self._row = game.progressive
        self._row_arguments = arguments_of(game.progressive.row) if game.progressive else ()
        self._qualifies_arguments = arguments_of(game.qualifies) if game.qualifies else ()
        self._numbers = {option.name: option for option in game.options if _is_number(option.default, option.values)}

    def settle(self, round_: Round) -> Settlement:
        game = self._game
        shared: Env = {name: option.number(round_.options[name]) for name, option in self._numbers.items()}
        zones: Zones = {}
        dealer_setting = None
        if self._dealer_zone:
            zones[self._dealer_zone] = round_.dealer
            if self._dealer_split is not None:
                place = house_way_place(game, self._dealer_split, round_.dealer)
                dealer_setting = setting_of(round_.dealer, place, "house way")
                _set_zones(zones, self._dealer_split, round_.dealer, place)
        if self._board_zone:
            zones[self._board_zone] = round_.board
        for getter in self._shared_values:
            getter(shared, zones)
        qualifies = None
        if game.qualifies is not None:
            qualifies = bool(game.qualifies(*[shared[name] for name in self._qualifies_arguments]))
        dealer = DealerSettlement("", "", None)
        if self._dealer_ranking is not None:
            value = shared[game.dealer_hand]
            dealer = DealerSettlement(
                self._dealer_ranking.name(value), self._dealer_ranking.category(value), qualifies, dealer_setting
            )
        spots = [self._spot(spot, shared, zones) for spot in round_.spots]
        if game.highest is not None:
            self._find_highest(round_, spots, shared)
        return Settlement(dealer, tuple(self._settle_spot(round_, known, spots) for known in spots))

    def _spot(self, spot: Spot, shared: Env, zones: Zones) -> _Known:
        """What is known of a spot before anything is paid: what it did, and what its cards are worth."""
        made = made_by(self._game, spot.wagers, spot.actions)
        own: Zones = {**zones, self._spot_zone: spot.cards}
        setting = None
        if self._spot_split is not None:
            if made.low is None:
                place, by = house_way_place(self._game, self._spot_split, spot.cards), "house way"
            else:
                place, by = spot.cards.index(made.low), "player"
            setting = setting_of(spot.cards, place, by)
            _set_zones(own, self._spot_split, spot.cards, place)
        env = dict(shared)
        for getter in self._spot_values:
            getter(env, own)
        value = env[self._game.hand]
        return _Known(spot, made, env, setting, self._hand_ranking.name(value), self._hand_ranking.category(value))

    def _find_highest(self, round_: Round, spots: Iterable[_Known], shared: Env) -> None:
        wanted = self._game.highest
        if wanted is None:
            return
        counts_folded = round_.options[wanted.counts_folded]
        highest = shared[wanted.dealer]
        for known in spots:
            if known.env[wanted.of] > highest and (counts_folded or not known.made.folded):
                highest = known.env[wanted.of]
        for known in spots:
            known.env[wanted.key] = highest

    def _settle_spot(self, round_: Round, known: _Known, spots: Sequence[_Known]) -> SpotSettlement:
        game, env, made = self._game, known.env, known.made
        env.update(made.wagers)
        wagers: dict[str, WagerResult] = {}
        for wager, rule, arguments, envies in self._payers:
            key = wager.key
            amount = made.wagers.get(key)
            if wager.kind == "award":
                if wager.of not in made.wagers:
                    continue
                amount = 0
            if amount is None:
                continue
            if key in made.taken_back:
                wagers[key] = WagerResult("taken_back", amount, amount)
                continue
            table = round_.tables[wager.table_key] if wager.hands else None
            if made.folded and not game.stays(key, round_.options):
                if wager.kind != "award":
                    wagers[key] = settled(amount, 0)
                continue
            env["stake"] = amount
            if table is not None:
                column = len(spots) + 1 if wager.by_hands_dealt else None
                env["num"], env["den"] = table.schedule(wager.hands, column)
            returned = rule(*[env[name] for name in arguments])
            if wager.kind == "award":
                if returned:
                    wagers[key] = settled(0, returned)
                continue
            result = settled(amount, returned, table)
            wagers[key] = _with_envy(result, table, known, spots) if envies and table is not None else result
        row = ""
        if self._row is not None:
            row = self._row.hands[self._row.row(*[env[name] for name in self._row_arguments])]
        return SpotSettlement(
            known.spot.number,
            known.name,
            known.category,
            self._outcome(wagers, env, made),
            wagers,
            row,
            made.folded,
            known.setting,
        )

    def _outcome(self, wagers: Mapping[str, WagerResult], env: Env, made: Made) -> Outcome | None:
        if made.folded:
            return "fold"
        decided = self._game.outcome
        if self._game.wager(decided) is None:
            return OUTCOMES[env[decided]]
        result = wagers.get(decided)
        return None if result is None or result.result == "taken_back" else result.result


class _Known(NamedTuple):
    """A spot of a round that is being settled."""

    spot: Spot
    made: Made
    env: Env
    setting: Setting | None
    name: str
    category: Any


def _with_envy(result: WagerResult, table: PayTable, known: _Known, spots: Iterable[_Known]) -> WagerResult:
    """PGF-2: flat envy for every other player's hand on the table's envy list."""
    if not table.envy_cents:
        return result
    envy = 0
    if result.wagered >= table.envy_minimum_cents:
        spot = known.spot
        envy = sum(
            table.envy_cents.get(other.category, 0)
            for other in spots
            if other.spot.number != spot.number and (not spot.player or other.spot.player != spot.player)
        )
    return WagerResult("win" if envy else result.result, result.wagered, result.returned + envy, envy)


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
    needed = _with_what_they_need(game, wanted)
    for value in game.values:
        if value.key in needed:
            _getter(value)(env, zones)
    return env


def _with_what_they_need(game: Game, wanted: Collection[str]) -> set[str]:
    found: set[str] = set()
    waiting = list(wanted)
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            value = game.value_of(key)
            if isinstance(value, Derived):
                waiting += arguments_of(value.rule)
    return found


def _getter(value: Value) -> Callable[[Env, Zones], None]:
    """What puts a value among the others."""
    if isinstance(value, Derived):
        rule, arguments, key = value.rule, arguments_of(value.rule), value.key

        def derive(env: Env, _zones: Zones) -> None:
            env[key] = rule(*[env[name] for name in arguments])

        return derive
    return _hand_getter(value)


def _hand_getter(hand: Hand) -> Callable[[Env, Zones], None]:
    key, value, parts = hand.key, hand.ranking.value, hand.places
    if len(parts) == 1 and parts[0][1] is None:
        zone = parts[0][0]

        def whole(env: Env, zones: Zones) -> None:
            env[key] = value(*zones[zone])

        return whole

    def some(env: Env, zones: Zones) -> None:
        env[key] = value(*cards_of(hand, zones))

    return some


def cards_of(hand: Hand, zones: Mapping[str, Sequence[Card]]) -> list[Card]:
    """The cards that a value is judged on."""
    found: list[Card] = []
    for zone, places in hand.places:
        found += zones[zone] if places is None else [zones[zone][place] for place in places]
    return found


def _levels(game: Game, shared: Collection[str]) -> dict[str, str]:
    """By value: whether it is the same for every spot of a round (``table``) or not (``spot``)."""
    levels: dict[str, str] = {}
    for value in game.values:
        if isinstance(value, Hand):
            same = all(zone in shared for zone, _ in value.places)
        else:
            same = all(levels.get(name, "table") == "table" for name in arguments_of(value.rule))
        levels[value.key] = "table" if same else "spot"
    return levels


def _ranking_of(game: Game, key: str) -> Any:
    value = game.value_of(key)
    if not isinstance(value, Hand):
        raise TypeError(f"{game.key}: {key} is not the value of a hand")
    return value.ranking


def _is_number(default: Any, values: tuple[str, ...]) -> bool:
    return bool(values) or isinstance(default, bool | int)


# ------------------------------------------------------------------------------------------------ settings


def settings(game: Game, cards: Sequence[Card], split: Split | None = None) -> list[tuple[int, int, int]]:
    """Every way to set a hand: (value of the high hand, value of the low card, place of the low card)."""
    chosen = split or game.split_of(game.zones[0].key)
    if chosen is None:
        raise ValueError(f"{game.key} sets no hands")
    high, low = (game.value_of(key) for key in chosen.given)
    if not isinstance(high, Hand) or not isinstance(low, Hand):
        raise TypeError(f"{game.key}: a setting is judged on two values of cards")
    high_value, low_value = high.ranking.value, low.ranking.value
    return [
        (high_value(*cards[:place], *cards[place + 1 :]), low_value(card), place) for place, card in enumerate(cards)
    ]


def house_way_place(game: Game, split: Split, cards: Sequence[Card]) -> int:
    """PG-10 to PG-16: the place of the low card in the setting that the house prefers."""
    merit = split.merit
    return max(settings(game, cards, split), key=lambda setting: merit(setting[0], setting[1]))[2]


def hand_words(game: Game, value: str, cards: Sequence[Card]) -> str:
    """What cards are called, as a value of the game ranks them."""
    ranking = _ranking_of(game, value)
    return str(ranking.name(ranking.value(*cards)))


def setting_of(cards: Sequence[Card], place: int, by: str) -> Setting:
    """A hand as it is set, the high hand from the joker and the highest rank down."""
    high = [card for at, card in enumerate(cards) if at != place]
    return Setting(tuple(sorted(high, key=_falling)), cards[place], by)


def _falling(card: Card) -> tuple[bool, int, Card]:
    return card != JOKER, -rank_of(card), card


def _set_zones(zones: Zones, split: Split, cards: Sequence[Card], place: int) -> None:
    zones[split.high] = (*cards[:place], *cards[place + 1 :])
    zones[split.low] = (cards[place],)
