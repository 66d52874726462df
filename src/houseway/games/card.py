"""A game's rule card as a document: what the declaration says, for people and programs that only read it."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from houseway.games.model import Choice, Decide, Game, LaterDeal, Owner, Reveal, Step


class RuleText(Struct, frozen=True, kw_only=True):
    text: str
    clauses: tuple[str, ...]
    fixed: bool
    """Whether the documents leave it open and it is fixed here."""


class RuleTexts(Struct, frozen=True, kw_only=True):
    title: str
    lines: tuple[RuleText, ...]


class RuleZone(Struct, frozen=True, kw_only=True):
    """A place where cards lie."""

    zone: str
    owner: Owner
    """spot, dealer or table: the table's cards are the board, which everybody shares."""
    cards: int
    shown: tuple[int, ...]
    """Places that lie face up once the cards are dealt."""
    later: tuple[str, ...]
    """The names of further places, which are filled in the course of the round."""
    parts: dict[str, tuple[int, ...]]
    """Where a board is several hands: their names, and the places of each."""


class RuleSplit(Struct, frozen=True, kw_only=True):
    """A zone whose cards are set into a high hand and a low card."""

    zone: str
    high: str
    low: str


class RuleStake(Struct, frozen=True, kw_only=True):
    """A wager that a choice makes: so many times another one."""

    wager: str
    of: str
    times: int
    optional: bool
    """Whether the player may leave it, and names the amount."""


class RuleChoice(Struct, frozen=True, kw_only=True):
    """Something a spot may do at a decision point."""

    choice: str
    name: str
    folds: bool
    takes_card: bool
    """Whether it names the low card of a hand that is set."""
    surrenders: str
    """The wager of which one half is given up; empty for none."""
    takes_back: str
    """The wager that it takes back; empty for none."""
    conditional: bool
    """Whether it is open only with some cards."""
    stakes: tuple[RuleStake, ...]


class RulePoint(Struct, frozen=True, kw_only=True, tag_field="kind", tag="decide"):
    """A decision point."""

    point: str
    name: str
    needs: str
    """The wager without which a spot is not asked; empty for none."""
    unless: tuple[str, ...]
    """Wagers of earlier choices after which a spot is not asked any more."""
    left: str
    """The choice of a player who left."""
    choices: tuple[RuleChoice, ...]


class RuleStreet(Struct, frozen=True, kw_only=True, tag_field="kind", tag="reveal"):
    """Cards that are turned over between two decisions."""

    zone: str
    places: tuple[int, ...]
    name: str
    """What the street is called; empty where it has no name."""


class RuleLaterDeal(Struct, frozen=True, kw_only=True, tag_field="kind", tag="deal"):
    """Cards that are dealt in the course of the round."""

    name: str
    places: tuple[tuple[str, int], ...]
    """Zones and places, in the order in which they are filled."""
    wager: str
    """The wager that they are dealt with; empty where a rule of the cards calls for them."""
    burns: int
    """How many cards are laid aside unseen before the first."""


class RuleWager(Struct, frozen=True, kw_only=True):
    """One betting place on the layout."""

    wager: str
    name: str
    kind: Literal["required", "optional", "follows", "award"]
    needs: str
    """The wager without which it is not accepted; empty for none."""


class RuleOption(Struct, frozen=True, kw_only=True):
    """A house option."""

    option: str
    default: Any
    allowed: str
    says: str
    clauses: tuple[str, ...]
    settles: bool
    """Whether it changes a settlement."""


class RuleCard(Struct, frozen=True, kw_only=True):
    """A game's rules in words, with their clauses, and what a round of it consists of."""

    game: str
    title: str
    short_title: str
    document: str
    cards: int
    """In one deck."""
    decks: int
    """How many decks are shuffled together, unless the house says otherwise."""
    joker: bool
    most_spots: int
    player_cards: int
    dealer_cards: int
    board_cards: int
    """How many cards everybody shares."""
    zones: tuple[RuleZone, ...]
    splits: tuple[RuleSplit, ...]
    flow: tuple[RulePoint | RuleStreet | RuleLaterDeal, ...]
    """Decisions, streets and later deals in their order, from the deal on."""
    rules: tuple[RuleTexts, ...]
    wagers: tuple[RuleWager, ...]
    reconcile: tuple[str, ...]
    options: tuple[RuleOption, ...]
    example_hands: dict[str, str]
    """Hands to choose at a demonstration table: words and cards."""


def rule_card(game: Game) -> RuleCard:
    """What a declaration says."""
    return RuleCard(
        game=game.key,
        title=game.title,
        short_title=game.short_title or game.title,
        document=game.document,
        cards=len(game.deck),
        decks=game.copies(game.defaults),
        joker=game.has_joker,
        most_spots=game.most_spots,
        player_cards=game.player_cards,
        dealer_cards=game.dealer_cards,
        board_cards=game.board_cards,
        zones=tuple(
            RuleZone(
                zone=zone.key,
                owner=zone.owner,
                cards=zone.cards,
                shown=zone.shown,
                later=zone.later,
                parts=dict(zone.parts),
            )
            for zone in game.zones
        ),
        splits=tuple(RuleSplit(zone=split.zone, high=split.high, low=split.low) for split in game.splits),
        flow=tuple(_step(step) for step in game.flow),
        rules=tuple(
            RuleTexts(
                title=section.title,
                lines=tuple(RuleText(text=line.text, clauses=line.clauses, fixed=line.fixed) for line in section.lines),
            )
            for section in game.sections
        ),
        wagers=tuple(
            RuleWager(wager=wager.key, name=wager.label, kind=wager.kind, needs=wager.needs) for wager in game.wagers
        ),
        reconcile=game.reconcile,
        options=tuple(
            RuleOption(
                option=option.name,
                default=option.default,
                allowed=option.allowed,
                says=option.says,
                clauses=option.clauses,
                settles=option.settles,
            )
            for option in game.options
        ),
        example_hands=dict(game.example_hands),
    )


def _step(step: Step) -> RulePoint | RuleStreet | RuleLaterDeal:
    if isinstance(step, Reveal):
        return _street(step)
    if isinstance(step, LaterDeal):
        return RuleLaterDeal(name=step.label, places=step.to, wager=step.wager, burns=step.burns)
    return _point(step)


def _point(point: Decide) -> RulePoint:
    return RulePoint(
        point=point.key,
        name=point.label or point.key.replace("_", " ").capitalize(),
        needs=point.needs,
        unless=point.unless,
        left=point.left,
        choices=tuple(_choice(choice) for choice in point.choices),
    )


def _choice(choice: Choice) -> RuleChoice:
    return RuleChoice(
        choice=choice.key,
        name=choice.words,
        folds=choice.folds,
        takes_card=choice.sets == "player",
        surrenders=choice.surrenders,
        takes_back=choice.takes_back,
        conditional=choice.when is not None,
        stakes=tuple(
            RuleStake(wager=stake.wager, of=stake.of, times=stake.times, optional=stake.optional)
            for stake in choice.stakes
        ),
    )


def _street(reveal: Reveal) -> RuleStreet:
    return RuleStreet(zone=reveal.zone, places=reveal.places, name=reveal.label)
