"""What a declaration lacks, as one sentence when the game is loaded: never a silent default, never a surprise later."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from keyword import iskeyword
from typing import TYPE_CHECKING, Final

from houseway.cards import read_cards
from houseway.games.flow import shown_at
from houseway.refusal import Refusal
from houseway.rule import arguments_of

if TYPE_CHECKING:
    from houseway.games.model import Choice, Decide, Game, Hand, Rule, Split, Wager

KEY: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
WORD: Final = re.compile(r"[a-z0-9_]+")
GIVEN: Final = ("stake", "num", "den")
"""What every rule of a wager may ask for."""


class DeclarationError(ValueError):
    """A declaration that cannot be played."""


def check_declaration(game: Game) -> None:
    """Raise with the first thing that is missing or contradicts itself."""
    from houseway.games.check_shoe import check_later, check_reasons, check_shoe

    words = (_words, _names, _cards, _values, _wagers, _tables)
    for checks in (*words, _flow, check_later, check_shoe, check_reasons, _settling, _house, _deciding):
        for sentence in checks(game):
            raise DeclarationError(f"the declaration of {game.key or 'a game'} cannot be used: {sentence}")


# ------------------------------------------------------------------------------------------------ words and names


def _words(game: Game) -> Iterator[str]:
    if not KEY.fullmatch(game.key):
        yield f"its key is {game.key!r}; a key is small letters and digits, with hyphens between them"
    for name in ("title", "document"):
        if not getattr(game, name).strip():
            yield f"its {name} is empty"
    if not game.rule_card:
        yield "it has no rule card"
    for section in game.rule_card:
        if not section.lines:
            yield f"its rule card has no line under {section.title!r}"
        for line in section.lines:
            if not line.text or not line.clauses:
                yield f"a line of its rule card lacks its words or its clause: {line.text!r}"
    if game.most_spots < 1:
        yield "no spot can play it"


def _names(game: Game) -> Iterator[str]:
    values = [value.key for value in game.values] + ([game.highest.key] if game.highest else [])
    named = [*values, *(wager.key for wager in game.wagers), *(option.name for option in game.options)]
    for name in (*named, *_zone_keys(game)):
        if not name.isidentifier() or iskeyword(name) or name.startswith("_"):
            yield f"{name!r} cannot be the name of an argument, and rules ask for things by name"
    twice = _twice(named)
    if twice is not None:
        yield f"{twice} is the name of two things; values, wagers and options share one set of names"
    for name in named:
        if name in GIVEN:
            yield f"{name} means something to every rule and cannot name anything else"
    twice = _twice(_zone_keys(game))
    if twice is not None:
        yield f"two zones are called {twice}"


def _zone_keys(game: Game) -> list[str]:
    return [*(zone.key for zone in game.zones), *(part for split in game.splits for part in (split.high, split.low))]


# ------------------------------------------------------------------------------------------------ cards and values


def _cards(game: Game) -> Iterator[str]:
    owners = [zone.owner for zone in game.zones]
    for zone in game.zones:
        if zone.owner not in ("spot", "dealer", "table"):
            yield f"zone {zone.key} belongs to {zone.owner!r}: spot, dealer or table"
        if zone.cards < 1:
            yield f"zone {zone.key} has {zone.cards} cards"
        if zone.burned and (zone.burned < 0 or zone.owner != "table"):
            yield f"zone {zone.key} burns {zone.burned} cards; only the table's zone burns any"
        yield from _places(f"zone {zone.key} shows", zone.shown, zone.cards)
    if _twice(owners) is not None:
        yield f"it has two zones for the {_twice(owners)}; a spot, the dealer and the table have one each at most"
    if "spot" not in owners and not game.board_parts:
        yield "it has no zone for a spot's cards, and no hands that all share (parts)"
    if _twice(game.deck) is not None:
        yield "its deck holds a card twice"
    needed = game.player_cards * game.most_spots + game.dealer_cards + game.board_cards + game.burned_cards
    if needed > len(game.deck) and game.shoe is None:
        yield f"{game.most_spots} spots need {needed} cards, and its deck has {len(game.deck)}"


def _places(what: str, places: Collection[int], cards: int) -> Iterator[str]:
    for place in places:
        if not 0 <= place < cards:
            yield f"{what} place {place}; it has {cards} cards, counted from 0"
    if _twice(places) is not None:
        yield f"{what} place {_twice(places)} twice"


def _values(game: Game) -> Iterator[str]:
    from houseway.games.model import Derived, Hand

    zones = {zone.key: zone.places for zone in game.zones}
    for split in game.splits:
        if split.zone not in zones:
            yield f"it splits {split.zone}, which is no zone"
            return
        zones |= {split.high: zones[split.zone] - 1, split.low: 1}
    known = {option.name for option in game.options}
    for value in game.values:
        if isinstance(value, Derived):
            for name in arguments_of(value.rule):
                if name not in known:
                    yield f"value {value.key} needs {name}, which no value or option before it is called"
        else:
            yield from _hand(value, zones)
        known.add(value.key)
    for what, key in (("hand", game.hand), ("dealer_hand", game.dealer_hand)):
        if key and not isinstance(game.value_of(key), Hand):
            yield f"its {what} is {key!r}, which is no value of cards"
    if bool(game.hand) != (game.zone_of("spot") is not None):
        yield "it does not say by which value a spot's hand is called, or says so though a spot has no cards"
    if game.dealer_hand and game.dealer_hand not in shared_values(game):
        yield f"its dealer_hand {game.dealer_hand} looks at a spot's cards"
    for split in game.splits:
        yield from _split(game, split)
    if game.highest is not None:
        yield from _highest(game)


def _hand(hand: Hand, zones: dict[str, int]) -> Iterator[str]:
    count = 0
    for zone, places in hand.places:
        if zone not in zones:
            yield f"value {hand.key} looks at {zone}, which is no zone"
            return
        yield from _places(f"value {hand.key} looks in {zone} at", places or (), zones[zone])
        count += zones[zone] if places is None else len(places)
    if hand.ranking.cards not in (0, count):
        yield f"value {hand.key} gives {count} cards to the ranking {hand.ranking.key}, which takes {hand.ranking.cards}"


def _split(game: Game, split: Split) -> Iterator[str]:
    from houseway.games.model import Hand

    for key, part in zip(split.given, (split.high, split.low), strict=True):
        value = game.value_of(key)
        if not isinstance(value, Hand) or value.cards != (part,):
            yield f"the setting of {split.zone} is judged on {key}, which is no value of {part}"
    if len(arguments_of(split.merit)) != 2:
        yield f"the merit of a setting of {split.zone} must take two values, of the high hand and of the low card"


def _highest(game: Game) -> Iterator[str]:
    from houseway.games.model import Hand

    highest, zone = game.highest, game.zone_of("spot")
    if highest is None or zone is None:
        return
    value = game.value_of(highest.of)
    if not isinstance(value, Hand) or value.cards != (zone.key,):
        yield f"the highest hand is looked for by {highest.of}, which is no value of {zone.key} alone"
    if highest.dealer not in shared_values(game) or game.value_of(highest.dealer) is None:
        yield f"the highest hand counts {highest.dealer}, which is no value of the dealer's cards"
    if highest.counts_folded not in game.options_by_name:
        yield f"the highest hand asks the option {highest.counts_folded}, which the game does not have"
    yield from _answered(highest.exposes, "whether a hand stays exposed as the highest", _everything(game))


# ------------------------------------------------------------------------------------------------ wagers


def _wagers(game: Game) -> Iterator[str]:
    keys = {wager.key for wager in game.wagers}
    for key in game.base:
        if key not in keys:
            yield f"its base game has a wager {key}, which is not declared"
    if not game.base and not game.at_least_one:
        yield "it names no wager of its base game (base), and none of which a spot must make one (at_least_one)"
    for wager in game.wagers:
        if wager.kind not in ("required", "optional", "follows", "award"):
            yield f"wager {wager.key} is {wager.kind!r}: required, optional, follows or award"
        if not wager.label:
            yield f"wager {wager.key} has no label"
        yield from _pays(game, wager)
        for other in (wager.needs, wager.equals, wager.of, *wager.needs_one_of):
            if other and (other not in keys or other == wager.key):
                yield f"wager {wager.key} depends on {other}, which is no other wager"
        if (wager.kind == "award") != bool(wager.of):
            yield f"wager {wager.key}: an award says on which wager it is paid (of), and no other wager does"
        if wager.kind == "follows" and wager.key not in game.followers:
            yield f"wager {wager.key} follows from a choice, and no choice makes it"
        if wager.after_fold not in ("loses", "stays", *game.options_by_name):
            yield f"wager {wager.key} after a fold is {wager.after_fold!r}: loses, stays, or a house option"
        if wager.table and not wager.hands:
            yield f"wager {wager.key} pays by the table {wager.table} without saying by which rows"
        if wager.advice_cents < 0:
            yield f"wager {wager.key} recommends {wager.advice_cents} cents"
    if game.base and _kind(game, game.base[0]) not in ("required", "optional"):
        yield f"its base game begins with {game.base[0]}, which is not placed before the deal"
    for key in game.at_least_one:
        if _kind(game, key) != "optional":
            yield f"at_least_one names {key}, which is no optional wager"
    for key, option in game.required_by.items():
        if _kind(game, key) != "optional" or option not in game.options_by_name:
            yield f"the option {option} makes {key} required: that must be an option of the game and an optional wager"


def _kind(game: Game, key: str) -> str:
    wager = game.wager(key)
    return wager.kind if wager else ""


def _pays(game: Game, wager: Wager) -> Iterator[str]:
    named = wager.key == "progressive"
    if (wager.pays is None) != named:
        yield f"wager {wager.key} has {'a' if named else 'no'} rule that says what it pays"
    if wager.pays is None:
        return
    given = _everything(game) | {other.key for other in game.wagers if other.kind != "award"}
    given |= set() if wager.kind == "award" else {"stake"}
    given |= {"num", "den"} if wager.hands else set()
    yield from _answered(wager.pays, f"the rule of wager {wager.key}", given)


def _tables(game: Game) -> Iterator[str]:
    if not game.families:
        yield "it names no family of pay tables"
    schemas = {schema.wager: schema for schema in reversed(game.schemas)}
    tables = {wager.table_key for wager in game.wagers}
    for schema in game.schemas:
        if schema.game not in game.families:
            yield f"the schema of {schema.game} {schema.wager} belongs to a family that the game does not use"
        if schema.wager not in tables:
            yield f"the schema of {schema.game} {schema.wager} is for no wager and no table of the game"
    if (game.wager("progressive") is None) != (game.progressive is None):
        yield "it has a progressive wager or a progressive hand without the other"
    for wager in game.wagers:
        known = schemas.get(wager.table_key)
        if (known is not None) != bool(wager.hands or wager.key == "progressive"):
            yield f"wager {wager.key}: the rows of a table (hands) and the schema of such a table go together"
        if known is not None:
            yield from _rows(wager.key, known.hands, _rows_of(game, wager))
            if wager.by_hands_dealt != (known.kind == "columns"):
                yield f"wager {wager.key}: by_hands_dealt and a schema with columns go together"
    envied = {schema.wager for schema in game.schemas if schema.envy}
    for wager in game.wagers:
        if (wager.table_key in envied) != (wager.envy_row is not None):
            yield f"wager {wager.key}: tables that pay envy, and the row in which a hand is envied (envy_row), go together"
        if wager.envy_row is not None:
            yield from _answered(wager.envy_row, f"the envy row of {wager.key}", _everything(game))
    if game.progressive is not None:
        yield from _answered(game.progressive.row, "the progressive hand", _everything(game))
    for file in game.table_files:
        if not file.is_file():
            yield f"its pay table file {file.name} is not there"


def _rows_of(game: Game, wager: Wager) -> tuple[str, ...]:
    return game.progressive.hands if wager.key == "progressive" and game.progressive else wager.hands


def _rows(wager: str, schema: Iterable[str], hands: Collection[str]) -> Iterator[str]:
    for hand in schema:
        if hand not in hands:
            yield f"a table for {wager} may hold the row {hand}, which is not among its hands and would never pay"


# ------------------------------------------------------------------------------------------------ decisions


def _flow(game: Game) -> Iterator[str]:
    from houseway.games.model import Decide, LaterDeal

    zones = {zone.key: zone for zone in game.zones}
    turned = {(zone.key, place) for zone in game.zones for place in zone.shown}
    if _twice(point.key for point in game.points) is not None:
        yield f"two decisions are called {_twice(point.key for point in game.points)}"
    for step in game.flow:
        if isinstance(step, Decide):
            yield from _point(game, step)
            continue
        if isinstance(step, LaterDeal):
            continue
        if step.zone not in zones or zones[step.zone].owner == "spot":
            yield f"it turns over {step.zone}, which is no zone of the dealer or the table"
            return
        if not step.places:
            yield f"it turns over no card of {step.zone}"
        yield from _places(f"it turns over {step.zone} at", step.places, zones[step.zone].cards)
        for place in step.places:
            if (step.zone, place) in turned:
                yield f"it turns over {step.zone} at place {place}, which is face up already"
            turned.add((step.zone, place))
    yield from _made_twice(game)
    for thumb in game.thumbs:
        if bool(thumb.rules) == bool(thumb.blind_to):
            yield f"the rule of thumb {thumb.words!r} needs rules, or blind_to"
        for key in thumb.rules:
            if all(key != point.key for point in game.points):
                yield f"the rule of thumb {thumb.words!r} is for {key}, which is no decision"
        if thumb.blind_to and thumb.blind_to not in zones:
            yield f"the rule of thumb {thumb.words!r} does not look at {thumb.blind_to}, which is no zone"


def _point(game: Game, point: Decide) -> Iterator[str]:
    seen = seen_values(game, point)
    if not WORD.fullmatch(point.key):
        yield f"a decision is called {point.key!r}; small letters, digits and underscores are allowed"
    if _twice(choice.key for choice in point.choices) is not None:
        yield f"two choices at {point.key} are called {_twice(choice.key for choice in point.choices)}"
    left = point.choice(point.left)
    if left is None:
        yield f"a player who left at {point.key} would choose {point.left!r}, which is none of its choices"
    elif left.when is not None or any(not stake.optional for stake in left.stakes):
        yield f"a player who left at {point.key} would choose {left.key}, which costs a wager or is not always open"
    yield from _answered(point.sample, f"the simple way to play at {point.key}", seen)
    if point.when is not None:
        yield from _answered(point.when, f"the condition of {point.key}", seen)
        if point is not game.points[-1]:
            yield f"the decision {point.key} is asked with some cards only, and is not the last one"
    for key in (*point.unless, *((point.needs,) if point.needs else ())):
        if game.wager(key) is None:
            yield f"the decision {point.key} looks for the wager {key}, which is not declared"
    for choice in point.choices:
        yield from _choice(game, point, choice, seen)
    for thumb in game.thumbs:
        if point.key in thumb.rules:
            yield from _answered(thumb.rules[point.key], f"the rule of thumb {thumb.words!r}", seen)


def _choice(game: Game, point: Decide, choice: Choice, seen: set[str]) -> Iterator[str]:
    if not WORD.fullmatch(choice.key):
        yield f"a choice at {point.key} is called {choice.key!r}; small letters, digits and underscores are allowed"
    if choice.when is not None:
        yield from _answered(choice.when, f"the condition of {choice.key} at {point.key}", seen)
    if choice.sets and not game.splits:
        yield f"choice {choice.key} sets a hand, and no zone is split"
    if choice.folds and (choice.stakes or choice.sets or choice.takes_back or choice.surrenders):
        yield f"choice {choice.key} folds and does something else"
    for does, gone in (("takes back", choice.takes_back), ("surrenders", choice.surrenders)):
        if gone and _kind(game, gone) not in ("required", "optional"):
            yield f"choice {choice.key} {does} {gone}, which is no wager placed before the deal"
    for stake in choice.stakes:
        kind = _kind(game, stake.of)
        if _kind(game, stake.wager) != "follows":
            yield f"choice {choice.key} makes {stake.wager}, which is no wager that follows"
        if kind not in ("required", "optional", "follows"):
            yield f"choice {choice.key} makes a multiple of {stake.of}, which is no wager"
        if kind == "optional" and stake.of != point.needs:
            yield f"choice {choice.key} makes a multiple of {stake.of}, which the decision {point.key} must then need"
        if stake.times < 1:
            yield f"choice {choice.key} makes {stake.times} times {stake.of}"
        if stake.less and (not stake.optional or stake.less not in game.options_by_name):
            yield f"choice {choice.key} asks the option {stake.less}: for optional wagers, and one the game has"


def _made_twice(game: Game) -> Iterator[str]:
    """A wager that two decisions can make, or take back, must end a spot's way to the second."""
    made: set[str] = set()
    gone: set[str] = set()
    for point in game.points:
        here = {stake.wager for choice in point.choices for stake in choice.stakes}
        back = {choice.takes_back for choice in point.choices if choice.takes_back}
        for wager in sorted(here & made - set(point.unless)):
            yield f"{point.key} may make {wager} a second time; let it be asked unless {wager} is made"
        for wager in sorted(back & gone):
            yield f"{point.key} may take back {wager} a second time"
        made |= here
        gone |= back


# ------------------------------------------------------------------------------------------------ the table


def _settling(game: Game) -> Iterator[str]:
    if (
        (game.outcome or game.base)
        and game.outcome not in {value.key for value in game.values}
        and game.wager(game.outcome) is None
    ):
        yield f"its outcome is {game.outcome!r}, which is no wager and no value"
    if game.qualifies is not None:
        yield from _answered(game.qualifies, "whether the dealer qualifies", shared_values(game))
        if not game.dealer_hand:
            yield "the dealer may qualify, and has no hand (dealer_hand)"
    envies = {f"{schema.wager}_envy" for schema in game.schemas if schema.envy}
    for key in game.reconcile:
        if game.wager(key) is None and key not in envies:
            yield f"the order of reconciling names {key}, which is no wager"
    if _twice(game.reconcile) is not None:
        yield f"the order of reconciling names {_twice(game.reconcile)} twice"
    for wager in game.wagers:
        if wager.kind != "award" and wager.key not in game.reconcile:
            yield f"wager {wager.key} has no place in the order of reconciling"
    for key in (key for group in game.later for key in group):
        if key not in game.reconcile:
            yield f"{key} waits for the other spots (later), and has no place in the order of reconciling"


def _house(game: Game) -> Iterator[str]:
    for option in game.options:
        if not option.fits(option.default):
            yield f"the default of the option {option.name} is {option.default!r}; allowed is {option.allowed}"
        if not option.says or not option.clauses:
            yield f"the option {option.name} lacks its words or its clause"
    if game.by_positions and not {"positions", "dealer_position"} <= game.options_by_name.keys():
        yield "it deals by positions without the options positions and dealer_position"
    if _twice(mode.key for mode in game.shuffler) is not None:
        yield f"two shuffler modes are called {_twice(mode.key for mode in game.shuffler)}"
    if game.key in game.never_linked_with:
        yield "it may not be linked with itself"
    for words, cards in game.example_hands.items():
        try:
            hand = read_cards(cards)
        except Refusal as refusal:
            yield f"the example hand {words!r} cannot be read: {refusal.sentence}"
            continue
        if len(hand) != game.player_cards or not set(hand) <= set(game.deck):
            yield f"the example hand {words!r} is not {game.player_cards} cards of its deck"


def _deciding(game: Game) -> Iterator[str]:
    """What names pay tables and figures beside the wagers themselves."""
    for wager in (*game.table_defaults, *(known.wager for known in game.table_options)):
        if wager not in game.table_wagers:
            yield f"it names a table for {wager}, which is no wager that pays by a table"
    for known in game.table_options:
        option = game.options_by_name.get(known.option)
        if option is None or not all(option.fits(value) for value, _ in known.tables):
            yield f"the option {known.option} names tables of {known.wager}: it must be an option that takes these values"
    for wager, name in game.figures_by.items():
        if name not in game.options_by_name or not game.options_by_name[name].values:
            yield f"the figures of {wager} are told apart by {name}, which is no option with named values"


# ------------------------------------------------------------------------------------------------ who knows what


def shared_values(game: Game) -> set[str]:
    """The values that look at no spot's cards, and the house options."""
    spot = game.zone_of("spot")
    own = {spot.key} if spot else set()
    own |= {part for split in game.splits if split.zone in own for part in (split.high, split.low)}
    return _known(game, lambda hand: all(zone not in own for zone, _ in hand.places))


def seen_values(game: Game, point: Decide) -> set[str]:
    """The values that a spot can know at a point, and the house options."""
    shown = shown_at(game, point)
    sizes = {zone.key: zone.places for zone in game.zones}

    def sees(hand: Hand) -> bool:
        return all(
            zone in shown and set(range(sizes[zone]) if places is None else places) <= set(shown[zone])
            for zone, places in hand.places
        )

    return _known(game, sees)


def _known(game: Game, sees: Callable[[Hand], bool]) -> set[str]:
    from houseway.games.model import Derived

    known = {option.name for option in game.options}
    for value in game.values:
        if all(name in known for name in arguments_of(value.rule)) if isinstance(value, Derived) else sees(value):
            known.add(value.key)
    return known


def _everything(game: Game) -> set[str]:
    """The names of all values and options."""
    names = {value.key for value in game.values} | {option.name for option in game.options}
    return names | ({game.highest.key} if game.highest else set())


def _answered(rule: Rule, whose: str, given: Collection[str]) -> Iterator[str]:
    """Whether a rule asks only for what it can be given."""
    for name in arguments_of(rule):
        if name not in given:
            yield f"{whose} asks for {name}, which it cannot be given; it may ask for {', '.join(sorted(given))}"


def _twice(items: Iterable[object]) -> object:
    """Something that is there more than once, or None."""
    return next((item for item, count in Counter(items).items() if count > 1), None)
