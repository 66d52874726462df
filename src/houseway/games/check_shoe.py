"""What a declaration lacks of its shoe, and of the cards that it deals in the course of a round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from houseway.rule import arguments_of

if TYPE_CHECKING:
    from houseway.games.model import Game, LaterDeal, Zone


def check_later(game: Game) -> Iterator[str]:
    """Cards that are dealt later: places that exist, each filled once, and by something that is known by then."""
    zones = {zone.key: zone for zone in game.zones}
    filled: set[tuple[str, int]] = set()
    for deal in game.later_deals:
        if (deal.when is None) == (not deal.wager):
            yield f"{deal.label} is dealt by a rule (when) or with a wager, and needs one of the two"
        if deal.wager and deal.wager not in game.followers:
            yield f"{deal.label} is dealt with the wager {deal.wager}, which no choice makes"
        if deal.burns < 0 or not deal.to:
            yield f"{deal.label} is dealt to nobody, or burns {deal.burns} cards"
        for zone, place in deal.to:
            if zone not in zones or not zones[zone].cards <= place < zones[zone].places:
                yield f"{deal.label} is dealt to place {place} of {zone}, which is no place that is dealt later (later)"
            elif zones[zone].owner == "spot" and not deal.wager:
                yield f"{deal.label} is dealt to spots by a rule; a spot's card is dealt with a wager"
            if (zone, place) in filled:
                yield f"{deal.label} fills place {place} of {zone} a second time"
        yield from _known_by_then(game, deal, filled)
        filled |= set(deal.to)
    for known in game.zones:
        for place in range(known.cards, known.places):
            if (known.key, place) not in filled:
                yield f"place {place} of {known.key} is dealt later, and no step deals it"
        yield from _parts(known)


def _known_by_then(game: Game, deal: LaterDeal, filled: set[tuple[str, int]]) -> Iterator[str]:
    from houseway.games.check import shared_values
    from houseway.games.model import Hand
    from houseway.games.plan import with_what_they_need

    if deal.when is None:
        return
    shared = shared_values(game)
    sizes = {zone.key: zone for zone in game.zones}
    for name in arguments_of(deal.when):
        if name not in shared or name in game.options_by_name:
            yield f"whether {deal.label} is dealt asks for {name}, which is no value that all share"
    for name in with_what_they_need(game, arguments_of(deal.when)):
        value = game.value_of(name)
        if not isinstance(value, Hand):
            continue
        for zone, places in value.places:
            for place in range(sizes[zone].places) if places is None else places:
                if place >= sizes[zone].cards and (zone, place) not in filled:
                    yield f"whether {deal.label} is dealt asks for {name}, which looks at a card that is not dealt by then"


def check_reasons(game: Game) -> Iterator[str]:
    """What a table says and marks of a wager: the commission that it leaves out, and the values that it compares."""
    from houseway.games.check import shared_values
    from houseway.games.model import Hand

    for wager in game.wagers:
        for name in arguments_of(wager.commission) if wager.commission is not None else ():
            if name != "stake" and name not in shared_values(game):
                yield f"the commission of {wager.key} asks for {name}, which is neither its stake nor a value that all share"
        for name in wager.compares or ():
            if not isinstance(game.value_of(name), Hand):
                yield f"wager {wager.key} compares {name}, which is no value of cards"
    if any(wager.commission for wager in game.wagers) and "commission_collected" not in game.options_by_name:
        yield "a wager with commission needs the option commission_collected"


def _parts(zone: Zone) -> Iterator[str]:
    if not zone.parts:
        return
    places = sorted(place for _, part in zone.parts for place in part)
    if zone.owner != "table" or places != list(range(zone.places)):
        yield f"the parts of {zone.key} must be hands of the table that hold each of its {zone.places} places once"


def check_shoe(game: Game) -> Iterator[str]:
    """A shoe: its options, and a cut card that leaves enough for the longest round."""
    shoe = game.shoe
    if shoe is None:
        return
    for name in (shoe.decks, shoe.penetration):
        if name and name not in game.options_by_name:
            yield f"its shoe asks the option {name}, which the game does not have"
    if shoe.decks not in game.options_by_name:
        return
    if bool(shoe.penetration) == bool(shoe.behind_cut):
        yield "its shoe needs an option (penetration) or a number of cards (behind_cut) that says where the cut card is"
    if len(game.pack(game.defaults)) < game.round_cards(game.most_spots):
        yield f"a round needs {game.round_cards(game.most_spots)} cards, and its shoe has {len(game.pack(game.defaults))}"
    for wager in game.wagers:
        if wager.by_hands_dealt or wager.key == "progressive":
            yield f"wager {wager.key} cannot be counted from a shoe"
