"""What a declaration lacks, as one sentence when the game is loaded: never a silent default, never a surprise later."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houseway.games.flow import shown_at
from houseway.rule import arguments_of

if TYPE_CHECKING:
    from houseway.games.model import Game, Hand, Rule


class DeclarationError(ValueError):
    """A declaration that cannot be played."""


def check_declaration(game: Game) -> None:
    """Raise with the first thing that is missing or contradicts itself."""
    for checks in (_cards, _names, _values, _wagers, _flow, _settling, _words):
        for sentence in checks(game):
            raise DeclarationError(f"the declaration of {game.key} cannot be used: {sentence}")


def _cards(game: Game) -> Iterator[str]:
    owners = [zone.owner for zone in game.zones]
    if len(set(owners)) != len(owners):
        yield "it has two zones of one owner; a spot, the dealer and the table have one each at most"
    if "spot" not in owners:
        yield "it has no zone for a spot's cards"
    keys = [*(zone.key for zone in game.zones), *(part for split in game.splits for part in (split.high, split.low))]
    if len(set(keys)) != len(keys):
        yield "two zones have one key"
    for zone in game.zones:
        if zone.cards < 1 or any(not 0 <= place < zone.cards for place in zone.shown):
            yield f"zone {zone.key} has {zone.cards} cards and shows place {max(zone.shown, default=0)}"
    needed = game.player_cards * game.most_spots + game.dealer_cards + game.board_cards
    if needed > len(game.deck):
        yield f"{game.most_spots} spots need {needed} cards, and its deck has {len(game.deck)}"


def _names(game: Game) -> Iterator[str]:
    values = [value.key for value in game.values] + ([game.highest.key] if game.highest else [])
    every = [*values, *(wager.key for wager in game.wagers), *(option.name for option in game.options)]
    for name in every:
        if every.count(name) > 1:
            yield f"{name} is the name of two things; values, wagers and options share one set of names"
        if name in ("stake", "num", "den"):
            yield f"{name} means something to every rule and cannot name anything else"


def _values(game: Game) -> Iterator[str]:
    from houseway.games.model import Derived

    zones = {zone.key: zone.cards for zone in game.zones}
    for split in game.splits:
        if split.zone not in zones:
            yield f"it splits {split.zone}, which is no zone"
            return
        zones |= {split.high: zones[split.zone] - 1, split.low: 1}
    known = {option.name for option in game.options}
    for value in game.values:
        if isinstance(value, Derived):
            missing = [name for name in arguments_of(value.rule) if name not in known]
            if missing:
                yield f"value {value.key} needs {missing[0]}, which no value or option before it is called"
        else:
            yield from _hand(value, zones)
        known.add(value.key)
    for what, key in (("hand", game.hand), ("dealer_hand", game.dealer_hand)):
        if key and (key not in {value.key for value in game.values} or isinstance(game.value_of(key), Derived)):
            yield f"{what} is {key}, which is no value of cards"


def _hand(hand: Hand, zones: dict[str, int]) -> Iterator[str]:
    count = 0
    for zone, places in hand.places:
        if zone not in zones:
            yield f"value {hand.key} looks at {zone}, which is no zone"
            return
        if places is not None and any(not 0 <= place < zones[zone] for place in places):
            yield f"value {hand.key} looks at place {max(places)} of {zone}, which has {zones[zone]} cards"
        count += zones[zone] if places is None else len(places)
    if hand.ranking.cards not in (0, count):
        yield f"value {hand.key} gives {count} cards to the ranking {hand.ranking.key}, which takes {hand.ranking.cards}"


def _wagers(game: Game) -> Iterator[str]:
    keys = {wager.key for wager in game.wagers}
    schemas = {schema.wager for schema in game.schemas if schema.game in game.families}
    options = game.options_by_name
    for key in game.base:
        if key not in keys:
            yield f"its base game has a wager {key}, which is not declared"
    if not game.base:
        yield "it names no wager of its base game"
    for wager in game.wagers:
        named = wager.key == "progressive"
        if (wager.pays is None) != named:
            yield f"wager {wager.key} has {'a' if named else 'no'} rule that says what it pays"
        if wager.pays is not None:
            yield from _answered(game, wager.pays, f"wager {wager.key}", stakes=True, odds=bool(wager.hands))
        if wager.table and not wager.hands:
            yield f"wager {wager.key} pays by the table {wager.table} without saying by which rows"
        if wager.hands and wager.table_key not in schemas:
            yield f"wager {wager.key} pays by a table, and no schema says what such a table holds"
        for other in (wager.needs, wager.equals, wager.of):
            if other and other not in keys:
                yield f"wager {wager.key} depends on {other}, which is no wager"
        if wager.kind == "award" and not wager.of:
            yield f"award {wager.key} does not say on which wager it is paid"
        if wager.kind == "follows" and wager.key not in game.followers:
            yield f"wager {wager.key} follows from a choice, and no choice makes it"
        if wager.after_fold not in ("loses", "stays", *options):
            yield f"wager {wager.key} after a fold is {wager.after_fold!r}: loses, stays, or a house option"
        if wager.kind != "award" and wager.key not in game.reconcile:
            yield f"wager {wager.key} has no place in the order of reconciling"
    if ("progressive" in keys) != (game.progressive is not None):
        yield "it has a progressive wager or hand without the other"
    if game.progressive is not None:
        yield from _answered(game, game.progressive.row, "the progressive hand")


def _flow(game: Game) -> Iterator[str]:
    from houseway.games.model import Decide

    kinds = {wager.key: wager.kind for wager in game.wagers}
    zones = {zone.key: zone.cards for zone in game.zones}
    for step in game.flow:
        if not isinstance(step, Decide):
            if step.zone not in zones or any(not 0 <= place < zones[step.zone] for place in step.places):
                yield f"it turns over {step.zone} {step.places}, which is no place of a zone"
            continue
        if step.choice(step.left) is None:
            yield f"a player who left at {step.key} would choose {step.left!r}, which is none of its choices"
        seen = _seen(game, step)
        yield from _answered(game, step.sample, f"the simple way to play at {step.key}", seen=seen)
        for choice in step.choices:
            if choice.when is not None:
                yield from _answered(game, choice.when, f"the condition of {choice.key} at {step.key}", seen=seen)
            if choice.sets and not game.splits:
                yield f"choice {choice.key} sets a hand, and no zone is split"
            if choice.takes_back and choice.takes_back not in kinds:
                yield f"choice {choice.key} takes back {choice.takes_back}, which is no wager"
            for stake in choice.stakes:
                if kinds.get(stake.wager) != "follows":
                    yield f"choice {choice.key} makes {stake.wager}, which is no wager that follows"
                if stake.of not in kinds:
                    yield f"choice {choice.key} makes a multiple of {stake.of}, which is no wager"
                if stake.less and stake.less not in game.options_by_name:
                    yield f"choice {choice.key} asks the option {stake.less}, which the game does not have"
        for thumb in game.thumbs:
            if step.key in thumb.rules:
                yield from _answered(game, thumb.rules[step.key], f"the rule of thumb {thumb.words!r}", seen=seen)


def _settling(game: Game) -> Iterator[str]:
    values = {value.key for value in game.values}
    if game.outcome not in values and game.wager(game.outcome) is None:
        yield f"its outcome is {game.outcome}, which is no wager and no value"
    if game.highest is not None:
        yield from _answered(game, game.highest.exposes, "whether a hand stays exposed as the highest")
        if game.highest.counts_folded not in game.options_by_name:
            yield f"the highest hand asks the option {game.highest.counts_folded}, which the game does not have"
    if game.qualifies is not None:
        yield from _answered(game, game.qualifies, "whether the dealer qualifies")
    for split in game.splits:
        if any(key not in values for key in split.given):
            yield f"the setting of {split.zone} is judged on {', '.join(split.given)}, which are no values"
    if not game.families or any(schema.game not in game.families for schema in game.schemas):
        yield "a schema belongs to a family of pay tables that the game does not use"
    if game.by_positions and not {"positions", "dealer_position"} <= game.options_by_name.keys():
        yield "it deals by positions without the options positions and dealer_position"
    for key, option in game.required_by.items():
        if game.wager(key) is None or option not in game.options_by_name:
            yield f"the option {option} makes {key} required, and one of them is not declared"


def _words(game: Game) -> Iterator[str]:
    for name in ("key", "title", "document"):
        if not getattr(game, name):
            yield f"its {name} is empty"
    if not game.rule_card:
        yield "it has no rule card"
    if game.most_spots < 1:
        yield "no spot can play it"


def _seen(game: Game, point: object) -> set[str]:
    """The values that a spot can know at a point."""
    from houseway.games.model import Derived

    shown = shown_at(game, point)  # type: ignore[arg-type]  # a decision point, as it says
    sizes = {zone.key: zone.cards for zone in game.zones}
    known = {option.name for option in game.options}
    for value in game.values:
        if isinstance(value, Derived):
            sees = all(name in known for name in arguments_of(value.rule))
        else:
            sees = all(
                zone in shown and set(range(sizes[zone]) if places is None else places) <= set(shown[zone])
                for zone, places in value.places
            )
        if sees:
            known.add(value.key)
    return known


def _answered(
    game: Game, rule: Rule, whose: str, *, stakes: bool = False, odds: bool = False, seen: set[str] | None = None
) -> Iterator[str]:
    """Whether a rule asks only for what it can be given."""
    given = seen
    if given is None:
        given = {value.key for value in game.values} | {option.name for option in game.options}
        if game.highest is not None:
            given.add(game.highest.key)
    if stakes:
        given = given | {wager.key for wager in game.wagers} | {"stake"}
    if odds:
        given = given | {"num", "den"}
    for name in arguments_of(rule):
        if name not in given:
            yield f"{whose} asks for {name}, which it cannot be given; it may ask for {', '.join(sorted(given))}"
