"""What a spot may do, point by point, and what its actions came to.

Against a dealer who follows a fixed procedure actions change stakes and never cards: so what a spot did is the list of
its actions, and everything else about it follows from that list and the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from houseway.cards import Card, parse_card, text_of
from houseway.games.model import Choice, Decide, Game, LaterDeal, Reveal, Stake
from houseway.games.round import Action, Dealt
from houseway.refusal import Refusal
from houseway.rule import arguments_of

MOST_COURSES: Final = 10_000
"""How many a game keeps: more than any floor comes to, and an end to what a stranger can fill."""


class Made(NamedTuple):
    """What the actions of a spot came to."""

    wagers: Mapping[str, int]
    """Every wager that it made, those of its choices too."""
    folded: bool = False
    taken_back: frozenset[str] = frozenset()
    low: Card | None = None
    """The low card as the player set it; None where the house way sets."""


@dataclass(frozen=True, slots=True, eq=False)
class SpotCourse:
    """The way of a spot through the decisions of its game: the same for every spot with these wagers and choices."""

    next_point: Decide | None
    """The decision it comes to next; None where it has none left to make."""
    by_name: Mapping[str, Action]
    """What it may do there with any cards, and with no more than the name."""
    wagers: frozenset[str]
    """Every wager that it made, those of its choices too."""
    stakes: tuple[tuple[Stake, int], ...] = ()
    """The wagers that its choices made, each with the place of the action."""
    folded: bool = False
    taken_back: frozenset[str] = frozenset()
    surrendered: frozenset[str] = frozenset()
    """Wagers of which one half is given up."""
    set_at: int | None = None
    """The place of the action that set the hand."""


def course_of(game: Game, wagers: Mapping[str, int], actions: Sequence[Action]) -> SpotCourse:
    """The course of a spot; its actions are trusted to fit. The same few come round after round, so they are kept."""
    chosen = tuple(actions)
    if game.takes_more:  # which card, and how much, is not part of the way
        chosen = tuple([Action(action.name, cents=min(action.cents, 1)) for action in actions])
    key = (tuple(wagers), chosen)
    course = game.courses.get(key)
    if course is None:
        course = _course(game, wagers, actions)
        if len(game.courses) < MOST_COURSES:
            game.courses[key] = course
    return course


def _course(game: Game, wagers: Mapping[str, int], actions: Sequence[Action]) -> SpotCourse:
    made = set(wagers)
    stakes: list[tuple[Stake, int]] = []
    folded = False
    taken_back: set[str] = set()
    surrendered: set[str] = set()
    set_at: int | None = None
    next_point: Decide | None = None
    place = 0
    for point in game.points:
        if folded or not asks(point, made):
            continue
        if place == len(actions):
            next_point = point
            break
        action = actions[place]
        choice = point.choice(action.name)
        if choice is None:
            raise ValueError(f"{game.key} has no choice {action.name} at {point.key}")
        for stake in choice.stakes:
            if action.cents or not stake.optional:
                stakes.append((stake, place))
                made.add(stake.wager)
        folded = choice.folds
        if choice.takes_back:
            taken_back.add(choice.takes_back)
        if choice.surrenders:
            surrendered.add(choice.surrenders)
        if choice.sets == "player":
            set_at = place
        place += 1
    if place < len(actions):
        raise ValueError(f"{game.key}: more actions than decisions")
    by_name = {
        choice.key: Action(choice.key)
        for choice in (next_point.choices if next_point else ())
        if choice.sets != "player" and choice.when is None
    }
    gone = frozenset(taken_back), frozenset(surrendered)
    return SpotCourse(next_point, by_name, frozenset(made), tuple(stakes), folded, *gone, set_at)


def made_by(game: Game, wagers: Mapping[str, int], actions: Sequence[Action]) -> Made:
    """What a spot has done; its actions are trusted to fit."""
    course = course_of(game, wagers, actions)
    amounts = amounts_of(course, wagers, actions)
    low = None if course.set_at is None else actions[course.set_at].card
    return Made(amounts, course.folded, course.taken_back, low)


def amounts_of(course: SpotCourse, wagers: Mapping[str, int], actions: Sequence[Action]) -> Mapping[str, int]:
    """In cents: the wagers of a spot, those of its choices too."""
    if not course.stakes:
        return wagers
    amounts = dict(wagers)
    for stake, place in course.stakes:
        amounts[stake.wager] = actions[place].cents if stake.optional else stake.times * amounts[stake.of]
    return amounts


def asks(point: Decide, wagers: Collection[str]) -> bool:
    """Whether a spot with these wagers, and those of its choices so far, is asked at a point."""
    return (not point.needs or point.needs in wagers) and not any(wager in wagers for wager in point.unless)


def next_point(
    game: Game,
    wagers: Mapping[str, int],
    actions: Sequence[Action] = (),
    sight: Callable[[Decide], bool] | None = None,
) -> Decide | None:
    """The decision that a spot comes to next; None where it has none left to make.

    ``sight`` says of a decision that is asked with some cards alone whether these are such cards.
    """
    point = course_of(game, wagers, actions).next_point
    if point is None or point.when is None or sight is None:
        return point
    return point if sight(point) else None


def is_asked(
    game: Game,
    point: Decide,
    cards: Sequence[Card],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
    options: Mapping[str, Any] | None = None,
) -> bool:
    """Whether a spot with these cards is asked at a point."""
    return point.when is None or bool(told(game, point.when, cards, dealer, board, options))


def shown_at(game: Game, point: Decide) -> dict[str, tuple[int, ...]]:
    """By zone: the places that a spot sees at a point, its own cards included."""
    seen = {zone.key: tuple(range(zone.cards)) if zone.owner == "spot" else tuple(zone.shown) for zone in game.zones}
    for step in game.flow:
        if step is point:
            break
        if isinstance(step, Reveal):
            seen[step.zone] = tuple(sorted({*seen[step.zone], *step.places}))
        elif isinstance(step, LaterDeal):
            for zone, place in step.to:
                seen[zone] = tuple(sorted({*seen[zone], place}))
    return seen


def stake_cents(stake: Stake, wagers: Mapping[str, int]) -> int:
    """What a stake comes to at most, beside these wagers."""
    return stake.times * wagers[stake.of]


def sample_actions(
    game: Game,
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
) -> tuple[Action, ...]:
    """A simple way to play a spot to the end, for demonstrations and dealers in training."""
    actions: tuple[Action, ...] = ()
    while (point := next_point(game, wagers, actions)) is not None and is_asked(game, point, cards, dealer, board):
        actions = (*actions, sample_action(game, point, cards, dealer, board))
    return actions


def sample_action(
    game: Game, point: Decide, cards: Sequence[Card], dealer: Sequence[Card] = (), board: Sequence[Card] = ()
) -> Action:
    """What the simple way to play does at a point."""
    place = int(told(game, point.sample, cards, dealer, board))
    choice = point.choices[place]
    return Action(choice.key)


def told(
    game: Game,
    rule: Any,
    cards: Sequence[Card],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
    options: Mapping[str, Any] | None = None,
) -> int:
    """What a rule says to the values of these cards; it asks for none that are not seen yet."""
    from houseway.games.settle import values_for

    needed = arguments_of(rule)
    values = values_for(game, needed, cards, dealer, board, options)
    return int(rule(*[values[name] for name in needed]))


def is_open(
    game: Game,
    choice: Choice,
    cards: Sequence[Card],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
    options: Mapping[str, Any] | None = None,
) -> bool:
    """Whether a choice is open with these cards, under these house options."""
    return choice.when is None or bool(told(game, choice.when, cards, dealer, board, options))


# ------------------------------------------------------------------------------------------------ reading


def read_actions(
    game: Game,
    raw: Any,
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    options: Mapping[str, Any],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
) -> tuple[Action, ...]:
    """The actions in a list of names, one for each decision that the spot comes to, or a refusal.

    A choice that takes more than its name is an object, as in the decision: ``{"low": "Kd", "double_down": 500}``.
    """
    if not isinstance(raw, list):
        raise Refusal("actions", "must be a list of the spot's actions, in order")
    actions: tuple[Action, ...] = ()
    for place, given in enumerate(raw):
        where = f"actions[{place}]"
        course = course_of(game, wagers, actions)
        point = course.next_point
        if point is None or not is_asked(game, point, cards, dealer, board, options):
            raise Refusal(where, "is one too many: this spot has no decision left to make")
        action = course.by_name.get(given) if isinstance(given, str) else None
        if action is None:
            if isinstance(given, str) and point.choice(given) is None:
                raise Refusal(where, f"must be one of {choice_names(point)}")
            action = _read_at(game, point, given, where, cards, wagers, options, dealer, board)
        actions = (*actions, action)
    point = next_point(game, wagers, actions)
    if point is not None and is_asked(game, point, cards, dealer, board, options):
        raise Refusal("actions", f"has {len(actions)}; this spot still decides between {choice_names(point)}")
    return actions


def _read_at(
    game: Game,
    point: Decide,
    given: Any,
    where: str,
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    options: Mapping[str, Any],
    dealer: Sequence[Card],
    board: Sequence[Card],
) -> Action:
    """One of several actions; a refusal names its place in the list."""
    try:
        action = read_action(game, point, {given: True} if isinstance(given, str) else given, cards, wagers, options)
    except Refusal as refusal:
        raise Refusal(f"{where}{refusal.field.removeprefix('decision')}", refusal.sentence) from None
    _check_open(game, point, action, where, cards, dealer, board, options)
    return action


def _check_open(
    game: Game,
    point: Decide,
    action: Action,
    where: str,
    cards: Sequence[Card],
    dealer: Sequence[Card],
    board: Sequence[Card],
    options: Mapping[str, Any],
) -> None:
    """Refuse a choice that these cards, or the house, do not open."""
    choice = point.choice(action.name)
    if choice is not None and not is_open(game, choice, cards, dealer, board, options):
        open_now = ", ".join(
            other.key for other in point.choices if is_open(game, other, cards, dealer, board, options)
        )
        raise Refusal(where, f"{action.name} is not open with these cards; open are {open_now}")


def read_decision(
    game: Game,
    raw: Mapping[str, Any],
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    options: Mapping[str, Any],
    dealer: Sequence[Card] = (),
    board: Sequence[Card] = (),
) -> tuple[Action, ...]:
    """The one decision of a game that has one: ``{"play": true}``. A game with several takes ``actions``."""
    if len(game.points) > 1:
        raise Refusal("decision", f"is for games with one decision; {game.key} takes actions")
    course = course_of(game, wagers, ())
    if course.next_point is not None and not is_asked(game, course.next_point, cards, dealer, board, options):
        raise Refusal("decision", "must be left out: with these cards the spot has no decision to make")
    if len(raw) == 1:
        ((name, given),) = raw.items()
        if given is True and name in course.by_name:
            return (course.by_name[name],)
    if course.next_point is None:
        if raw:
            raise Refusal("decision", "must be left out: these wagers have no decision to make")
        return ()
    action = read_action(game, course.next_point, raw, cards, wagers, options)
    _check_open(game, course.next_point, action, "decision", cards, dealer, board, options)
    return (action,)


def read_action(
    game: Game,
    point: Decide,
    raw: Any,
    cards: Sequence[Card],
    wagers: Mapping[str, int],
    options: Mapping[str, Any],
) -> Action:
    """One action as an object: the name of a choice, what it names, and its optional wager."""
    if not isinstance(raw, Mapping):
        raise Refusal("decision", f"must be one of {choice_names(point)}")
    extras = {stake.wager: stake for choice in point.choices for stake in choice.stakes if stake.optional}
    names = [choice.key for choice in point.choices]
    unknown = [key for key in raw if key not in names and key not in extras]
    if unknown and extras:
        known = " or ".join(names)
        raise Refusal(f"decision.{str(unknown[0])[:40]}", f"is not known; it may hold {known}, and {', '.join(extras)}")
    chosen = [choice for choice in point.choices if choice.key in raw]
    if unknown or len(chosen) != 1:
        raise Refusal("decision", f"must be {_forms(point)}")
    choice = chosen[0]
    cents = 0
    for stake in choice.stakes:
        if stake.optional and stake.wager in raw:
            cents = _optional_cents(stake, raw[stake.wager], wagers, options)
    given = raw[choice.key]
    if choice.sets == "player":
        return Action(choice.key, _low_card(given, cards), cents)
    if given is not True:
        raise Refusal(f"decision.{choice.key}" if extras else "decision", f"must be true, or {_forms(point)}")
    return Action(choice.key, None, cents)


def _optional_cents(stake: Stake, given: Any, wagers: Mapping[str, int], options: Mapping[str, Any]) -> int:
    """PGD-1: exactly the multiple, or less where the house allows that."""
    field, most = f"decision.{stake.wager}", stake_cents(stake, wagers)
    if type(given) is not int or given <= 0:
        raise Refusal(field, "must be a whole number of cents above zero")
    if given > most:
        raise Refusal(field, f"must not be more than the {stake.of} wager, {most} cents")
    if given < most and not (stake.less and options[stake.less]):
        raise Refusal(field, f"must equal the {stake.of} wager, {most} cents")
    return given


def _low_card(given: Any, cards: Sequence[Card]) -> Card:
    if not isinstance(given, str):
        raise Refusal("decision.low", "must be one card of the hand, such as Kd")
    try:
        low = parse_card(given)
    except Refusal as refusal:
        raise Refusal("decision.low", refusal.sentence) from None
    if low not in cards:
        raise Refusal("decision.low", f"{text_of([low])} is not one of the {len(cards)} cards of this hand")
    return low


def _forms(point: Decide) -> str:
    forms = ['{"low": "Kd"}' if choice.sets == "player" else f'{{"{choice.key}": true}}' for choice in point.choices]
    return " or ".join(forms)


def choice_names(point: Decide) -> str:
    """What may be chosen at a point, for a sentence."""
    return ", ".join(choice.key for choice in point.choices)


def action_words(action: Action) -> str:
    """An action for people and for the text of a round: ``play``, ``low Kd``."""
    return f"{action.name} {text_of([action.card])}" if action.card is not None else action.name


# ------------------------------------------------------------------------------------------------ dealing


def deal(game: Game, deck: Sequence[Card], spots: Sequence[int], options: Mapping[str, Any], first: int = 1) -> Dealt:
    """Packets off the top of the deck: to the spots in rising order, the dealer, and the board last.

    PG-3, PG-18: at a game that deals by positions packets go counter-clockwise from position ``first``, and an empty
    position's goes unseen to the rack.
    """
    hands: dict[int, tuple[Card, ...]] = {}
    dealer: tuple[Card, ...] = ()
    board: tuple[Card, ...] = ()
    rack: tuple[Card, ...] = ()
    if not game.player_cards:
        hands = dict.fromkeys(spots, ())
    at = 0
    for target in targets(game, spots, options, first):
        packet = tuple(deck[at : at + packet_size(game, target)])
        at += len(packet)
        if target == DEALER:
            dealer = packet
        elif target == BOARD:
            board = packet
        elif target == EMPTY:
            rack += packet
        else:
            hands[target] = packet
    face_up = tuple(dealer[place] for place in game.dealer_face_up)
    return Dealt(hands, dealer, face_up, rack + tuple(deck[at:]), board)


DEALER = 0
EMPTY = -1
BOARD = -2
"""Whom a packet goes to, where it is not a spot; an empty one goes unseen to the rack (PG-3), or is burned (LR-1)."""


def packet_size(game: Game, target: int) -> int:
    """How many cards a packet has; one that nobody gets is a hand, or the cards that are burned before the board."""
    if target == EMPTY and not game.by_positions:
        return game.burned_cards
    return game.dealer_cards if target == DEALER else game.board_cards if target == BOARD else game.player_cards


def targets(game: Game, spots: Sequence[int], options: Mapping[str, Any], start: int) -> tuple[int, ...]:
    """Whom the packets go to, in order.

    Spot 1 up, the dealer and the board; or counter-clockwise from a position, where position p is spot 8 - p with the
    dealer at position 1 (PG-3).
    """
    if not game.by_positions:
        dealer = (DEALER,) if game.dealer_cards else ()
        burned = (EMPTY,) if game.burned_cards else ()
        board = (*burned, BOARD) if game.board_cards else ()
        return (*(sorted(spots) if game.player_cards else ()), *dealer, *board)
    positions, dealer_at = options["positions"], options["dealer_position"]
    found = []
    for turn in range(positions):
        position = (start - 1 + turn) % positions + 1
        spot = positions - (position - dealer_at) % positions
        found.append(DEALER if position == dealer_at else spot if spot in spots else EMPTY)
    return tuple(found)
