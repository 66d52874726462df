"""Loops that are written from a declaration: every round as the table settles it, for every game there is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from tests.proof.kernels import games as kernel_games
from tests.proof.simulation.declarations import HIGH_CARD_FLIP, TWO_STREETS, book

from houseway.cards import NO_CARD, Card
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import is_asked, is_open, made_by, next_point, read_action, sample_actions, told
from houseway.games.model import Thumb
from houseway.games.round import Action, Round, Spot
from houseway.games.rules import even_money
from houseway.gym import TableEnv
from houseway.gym.actions import Actions
from houseway.gym.many import ManyTables
from houseway.paytables import Book
from houseway.proof.collect import is_counted
from houseway.proof.executors import Engine
from houseway.proof.simulation import results_of, simulate, solved
from houseway.proof.simulation.chunk import play_chunk
from houseway.proof.simulation.declared import BASE, Declared
from houseway.proof.simulation.loops import GameLoops, loops_of
from houseway.proof.simulation.plan import Plan, Setup, plan_of
from houseway.proof.simulation.stream import cards_of_round, deal_shoe, seed_words
from houseway.refusal import Refusal
from houseway.rule import rule

UNIT = 420
"""Cents of every wager: no odds of the tables used here leave a rest."""
ROUNDS = 400
DECLARED: Mapping[str, tuple[Game, Book]] = {
    **{game.key: (game, approved_book()) for game in all_games().values()},
    **{game.key: (game, approved_book()) for game in kernel_games.GAMES},
    **{game.key: (game, book()) for game in (HIGH_CARD_FLIP, TWO_STREETS)},
}


def shape_of(game: Game) -> tuple[bool, ...]:
    """What the loop of a game is written from, roughly."""
    conditional = any(choice.when for point in game.points for choice in point.choices)
    seen = bool(game.points), bool(game.board_cards), bool(game.dealer_face_up)
    return (*seen, game.shoe is not None, bool(game.splits), game.has_joker, conditional)


FIRST_OF_SHAPE = {
    shape_of(game): key for key, (game, _) in reversed(DECLARED.items()) if game not in kernel_games.GAMES
}
EVERY_GAME = [
    # A loop takes seconds to compile: one of each shape is enough for every day. Two Streets has what the kernels'
    # games have: a board, streets, multiples.
    pytest.param(key, marks=() if FIRST_OF_SHAPE.get(shape_of(game)) == key else pytest.mark.long)
    for key, (game, _) in DECLARED.items()
]


@pytest.fixture(autouse=True)
def declared_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game here is one of the installed ones."""
    for key, (game, _) in DECLARED.items():
        monkeypatch.setitem(all_games(), key, game)


def cards_of(plan: Plan, game: Game, number: int) -> tuple[list[tuple[Card, ...]], tuple[Card, ...], tuple[Card, ...]]:
    """The hands of the spots, the dealer's cards and the board of a round, a card for every place that may get one."""
    if game.shoe is None:
        cards = [Card(card) for card in cards_of_round(plan.seed, number, plan.deck, plan.cards)]
    else:
        dealt = np.zeros((plan.cards, 1), np.int64)
        places, moved = np.zeros((2, plan.cards), np.int64)
        deal_shoe(number, *seed_words(plan.seed), plan.deck, len(game.deck), places, moved, dealt)
        cards = [Card(int(card)) for card in dealt[:, 0]]
    zones = {owner: game.zone_of(owner) for owner in ("spot", "dealer")}
    each, theirs = (zone.places if zone else 0 for zone in zones.values())
    hands = [tuple(cards[spot * each :][:each]) for spot in range(plan.spots)]
    shared = cards[each * plan.spots :]
    return hands, tuple(shared[:theirs]), tuple(shared[theirs:])


def without_later(
    game: Game, spots: tuple[Spot, ...], dealer: tuple[Card, ...], board: tuple[Card, ...]
) -> tuple[tuple[Spot, ...], tuple[Card, ...], tuple[Card, ...]]:
    """The cards that the rules and wagers of the round call for; no card in the other places that are dealt later."""
    zones = {zone.key: zone for zone in game.zones}
    shared = {"dealer": list(dealer), "table": list(board)}
    hands = {spot.number: list(spot.cards) for spot in spots}
    kept = {owner: list(cards) for owner, cards in shared.items()}
    own = {number: list(cards) for number, cards in hands.items()}
    for deal in game.later_deals:
        for zone, place in deal.to:
            for cards in own.values() if zones[zone].owner == "spot" else [kept[zones[zone].owner]]:
                cards[place] = NO_CARD
    for deal in game.later_deals:
        called = {spot.number for spot in spots if deal.wager in made_by(game, spot.wagers, spot.actions).wagers}
        if not called if deal.when is None else not told(game, deal.when, (), kept["dealer"], kept["table"]):
            continue
        for zone, place in deal.to:
            owner = zones[zone].owner
            if owner == "spot":
                for number in called:
                    own[number][place] = hands[number][place]
            else:
                kept[owner][place] = shared[owner][place]
    return (
        tuple(spot._replace(cards=tuple(own[spot.number])) for spot in spots),
        tuple(kept["dealer"]),
        tuple(kept["table"]),
    )


def wagers_of(plan: Plan, game: Game) -> dict[str, int]:
    declared = Declared(game)
    played = {wager.key for line in plan.lines for wager in declared.lines[line.wager]}
    return {key: UNIT for key in declared.placed if key in played}


def by_thumb(game: Game, thumb: Thumb, hand: Any, wagers: Any, dealer: Any, board: Any, options: Any) -> Any:
    """What a rule of thumb does; the simple way at points it says nothing of."""
    actions: tuple[Action, ...] = ()
    while (point := next_point(game, wagers, actions)) is not None and is_asked(game, point, hand, dealer, board):
        chosen = thumb.rules.get(point.key, point.sample)
        actions = (*actions, Action(point.choices[told(game, chosen, hand, dealer, board, options)].key))
    return actions


def nets_of(plan: Plan, game: Game, number: int, thumb: Thumb | None = None) -> list[dict[str, int]]:
    """By spot and line: what a round comes to at the table, envy apart."""
    hands, dealer, board = cards_of(plan, game, number)
    wagers = wagers_of(plan, game)
    spots = tuple(
        Spot(
            place + 1,
            hand,
            wagers,
            sample_actions(game, hand, wagers, dealer, board)
            if thumb is None
            else by_thumb(game, thumb, hand, wagers, dealer, board, plan.options),
        )
        for place, hand in enumerate(hands)
    )
    if game.later_deals:
        spots, dealer, board = without_later(game, spots, dealer, board)
    settled = game.settle(Round(dealer, spots, plan.tables, plan.options, board))
    declared = Declared(game)
    found = []
    for spot in settled.spots:
        nets = {name: won.returned - won.wagered - (won.envy or 0) for name, won in spot.wagers.items()}
        found.append(
            {line.wager: sum(nets.get(wager.key, 0) for wager in declared.lines[line.wager]) for line in plan.lines}
        )
    return found


def options_of(game: Game, source: Random) -> dict[str, Any]:
    """Some setting of the options that bear on settling, in which every choice that the simple way makes is open."""
    found: dict[str, Any] = {}
    for option in game.options:
        if option.settles and option.values and option.name != "preflop_multiples":
            found[option.name] = source.choice(option.values)
        elif option.settles and isinstance(option.default, bool) and option.fits(not option.default):
            found[option.name] = source.random() < 0.5
    return found


def compare(plan: Plan, game: Game, thumb: Thumb | None = None) -> None:
    first = 1_000
    tally = play_chunk(plan, first, ROUNDS)
    expected: dict[str, Counter[int]] = {line.wager: Counter() for line in plan.lines}
    for number in range(first, first + ROUNDS):
        for nets in nets_of(plan, game, number, thumb):
            for line in plan.lines:
                assert nets[line.wager] * line.unit % UNIT == 0
                expected[line.wager][nets[line.wager] * line.unit // UNIT] += 1
    for line, counts in zip(plan.lines, tally.counts, strict=True):
        found = {line.low + place: count for place, count in enumerate(counts.tolist()) if count}
        assert found == dict(expected[line.wager]), line.wager


@pytest.mark.parametrize("key", EVERY_GAME)
def test_rounds_are_settled_as_at_the_table(key: str) -> None:
    game, tables = DECLARED[key]
    source = Random(key)
    strategy = "house-way" if game.splits else "simple"
    for spots in (1, min(game.most_spots, 4)):
        options = options_of(game, source)
        compare(plan_of(Setup(game, spots, seed=7, strategy=strategy, options=options, book=tables)), game)


WITH_THUMBS = [
    # Counting what a rule of thumb costs takes over a minute where the dealer shares a board of five.
    pytest.param(key, marks=pytest.mark.long if game.board_cards == 5 or game is kernel_games.LET_IT_RIDE else ())
    for key, (game, _) in DECLARED.items()
    if any(thumb.rules for thumb in game.thumbs)
]


@pytest.mark.parametrize("key", WITH_THUMBS)
def test_rules_of_thumb_are_played_as_they_say(key: str) -> None:
    game, tables = DECLARED[key]
    for thumb in game.thumbs:
        if thumb.rules:
            compare(plan_of(Setup(game, 2, seed=8, strategy=thumb.words, book=tables)), game, thumb)


def test_best_play_of_high_card_flip_is_that_of_the_solver() -> None:
    """A card is played from the rank on that loses less than the Ante on average: of 51 cards, higher against lower."""
    lowest = next(rank for rank in range(2, 15) if 2 * (4 * (rank - 2) - 4 * (14 - rank)) > -51)
    plan = plan_of(Setup(HIGH_CARD_FLIP, book=book()))
    assert plan.way.points[0].limits == (lowest, 0, lowest, 1)
    nets = [max(-51, 2 * (4 * (rank - 2) - 4 * (14 - rank))) for rank in range(2, 15)]
    assert plan.way.edge == Fraction(-sum(nets), 13 * 51)


@pytest.mark.parametrize(
    "game", [kernel_games.MISSISSIPPI_STUD, pytest.param(kernel_games.LET_IT_RIDE, marks=pytest.mark.long)]
)
def test_best_play_of_several_decisions_comes_to_its_figure(game: Game) -> None:
    """What is best on a street depends on the wagers before it: the simulated edge is that of the count."""
    plan = plan_of(Setup(game, seed=4, wagers=(BASE,), book=approved_book()))
    tally = play_chunk(plan, 0, 400_000)
    (line,) = plan.lines
    assert plan.way.distribution is not None
    mean = sum((line.low + place) * count for place, count in enumerate(tally.counts[0].tolist())) / tally.rounds
    error = plan.way.distribution.standard_deviation / tally.rounds**0.5
    assert abs(-mean / line.unit - float(plan.way.distribution.house_edge)) < 4 * error
    simple = plan_of(Setup(game, seed=4, wagers=(BASE,), strategy="simple", book=approved_book()))
    assert play_chunk(simple, 0, 1_000).counts[0].tolist() != play_chunk(plan, 0, 1_000).counts[0].tolist()


# A game without a decision has no environment, and tables with a shoe are played one by one.
AT_MANY_TABLES = [param for param in EVERY_GAME if DECLARED[str(param.values[0])][0].shoe is None]


@pytest.mark.parametrize("key", AT_MANY_TABLES)
def test_many_tables_settle_as_the_table_does(key: str) -> None:
    """Random actions at the tables of the vector environment, each round settled once more by the interpreter."""
    game, tables = DECLARED[key]
    source = np.random.default_rng(5)
    count = 60
    wagers = dict.fromkeys(Declared(game).placed, UNIT)
    env = ManyTables(count, game=key, wagers=wagers, book=tables)
    env.reset(seed=3)
    actions = Actions(game)
    done: list[tuple[Action, ...]] = [()] * count
    options = game.defaults
    ended = 0
    while ended < 150:
        cards = env._cards.copy()
        mask = env._info()["action_mask"]
        chosen = np.array([source.choice(np.flatnonzero(row)) for row in mask])
        hands = [tuple(Card(int(card)) for card in row[: game.player_cards]) for row in cards]
        dealers = [tuple(int(card) for card in row[game.player_cards :][: game.dealer_cards]) for row in cards]
        boards = [tuple(int(card) for card in row[game.player_cards + game.dealer_cards :]) for row in cards]
        for spot in range(count):
            point = next_point(game, wagers, done[spot])
            assert point is not None
            raw = actions.decision(int(chosen[spot]), point, hands[spot], wagers)
            done[spot] = (*done[spot], read_action(game, point, raw, hands[spot], wagers, options))
            for number, action in enumerate(actions.every):
                choice = point.choice(action.choice.key)
                if not mask[spot][number] and choice is not None and not choice.sets:
                    assert not is_open(game, choice, hands[spot], dealers[spot], boards[spot], options)
        observed, rewards, over, _, info = env.step(chosen)
        assert env.observation_space.contains(observed)
        for spot in range(count):
            assert over[spot] == (next_point(game, wagers, done[spot]) is None)
            if not over[spot]:
                assert rewards[spot] == 0
                continue
            round_ = Round(
                tuple(Card(card) for card in dealers[spot]),
                (Spot(1, hands[spot], wagers, done[spot]),),
                env.pay_tables,
                options,
                tuple(Card(card) for card in boards[spot]),
            )
            (settled,) = game.settle(round_).spots
            assert rewards[spot] == sum(won.returned - won.wagered for won in settled.wagers.values())
            assert info["dealer"][spot].tolist() == list(dealers[spot])
            done[spot] = ()
            ended += 1


@rule
def ante_never_wins(player: int, dealer: int, ante: int) -> int:
    """A planted error: the Ante comes back at best."""
    return ante if player > dealer else 0


def test_a_planted_change_in_a_rule_changes_the_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    game, tables = DECLARED["straight-edge-1"]
    before = play_chunk(plan_of(Setup(game, strategy="simple", book=tables)), 0, ROUNDS)
    changed = replace(
        game, wagers=tuple(replace(w, pays=ante_never_wins) if w.key == "ante" else w for w in game.wagers)
    )
    monkeypatch.setitem(all_games(), game.key, changed)
    plan = plan_of(Setup(changed, strategy="simple", book=tables))
    after = play_chunk(plan, 0, ROUNDS)
    assert after.counts[0].tolist() != before.counts[0].tolist()
    assert [counts.tolist() for counts in after.counts[1:]] == [counts.tolist() for counts in before.counts[1:]]
    assert GameLoops(changed).digest != GameLoops(game).digest
    compare(plan, changed)


def test_a_rule_that_only_its_callee_changes_has_another_digest() -> None:
    """The digest goes through the functions that a rule calls, so kept machine code is never that of another rule."""
    scope: dict[str, Any] = {"even_money": even_money}
    source = "def pays(ante):\n    return even_money(ante)\n"
    exec(source, scope)
    other: dict[str, Any] = {"even_money": ante_never_wins}
    exec(source, other)

    def digest(pays: Any) -> str:
        wagers = tuple(replace(w, pays=pays) if w.key == "ante" else w for w in HIGH_CARD_FLIP.wagers)
        return GameLoops(replace(HIGH_CARD_FLIP, wagers=wagers)).digest

    assert digest(scope["pays"]) != digest(other["pays"])


def test_the_source_reads_as_a_round_does() -> None:
    """Three passes, every rule by its own name, and nothing of another game."""
    loops = loops_of(TWO_STREETS)
    source = loops.source
    for line in (
        "# first: fold, check, bet.",
        "if chose_second[spot, at] == 0:  # fold",
        "street = 3 * ante",
        "taken_ante = 1",
        "if folded == 0 and street == 0:",
        "net += street_returned(player, dealer, street, equal_hands)",
        "if folded == 0 or folded_keeps == 1:",
    ):
        assert line in source, line
    assert loops.functions["street_returned"] is TWO_STREETS.wagers[0].pays
    assert loops.file is not None
    assert loops.file.read_text() == source
    assert loops.digest[:32] in loops.file.name
    assert "caribbean" not in source


@pytest.mark.parametrize("game", [HIGH_CARD_FLIP, TWO_STREETS])
def test_results_stand_beside_their_figures_where_a_solver_counts_the_game(game: Game) -> None:
    counted = is_counted(game)
    plan = plan_of(Setup(game, 2, strategy="best" if counted else "simple", book=book()))
    results = results_of(simulate(plan, 20_000, Engine(workers=1)), book())
    assert [(wager.exact is not None) for wager in results.wagers] == [counted, counted]
    if counted:
        assert all(wager.deviations is not None and abs(wager.deviations) < 4 for wager in results.wagers)
    assert results.to_json()["game"] == game.key


@pytest.mark.parametrize("game", [HIGH_CARD_FLIP, TWO_STREETS])
def test_one_table_plays_every_decision_of_a_round(game: Game) -> None:
    env = TableEnv(game.key, wagers=dict.fromkeys(Declared(game).placed, UNIT), book=book(), render_mode="ansi")
    if len(game.points) == 1:
        check_env(env, skip_render_check=True)  # it takes actions at random, whether they are open or not
    source = np.random.default_rng(2)
    steps = []
    for seed in range(60):
        observation, info = env.reset(seed=seed)
        over, count = False, 0
        while not over:
            assert env.observation_space.contains(observation)
            hidden = [int(card) == len(game.deck) for card in observation.get("board", ())]
            assert hidden == [count <= place for place in range(game.board_cards)]
            action = int(source.choice(np.flatnonzero(info["action_mask"])))
            observation, reward, over, _, info = env.step(action)
            assert over or reward == 0
            count += 1
        assert reward == sum(returned - wagered for wagered, returned in info["wagers"].values())
        steps.append(count)
    assert set(steps) == set(range(1, len(game.points) + 1))


def test_an_action_of_another_point_is_refused() -> None:
    env = TableEnv(TWO_STREETS.key, book=book())
    env.reset(seed=1)
    words = [env.action_words(number) for number in range(env._actions.count)]
    assert words == ["fold", "check", "bet", "1x", "3x", "surrender"]
    with pytest.raises(Refusal, match="surrender is not allowed here; allowed: fold, check, bet"):
        env.step(5)
    many = ManyTables(2, game=TWO_STREETS.key, book=book())
    many.reset(seed=1)
    with pytest.raises(Refusal, match="surrender is not at spot 1"):
        many.step(np.array([1, 5]))


def test_the_lines_of_a_game_are_its_base_game_and_its_side_wagers() -> None:
    assert list(Declared(TWO_STREETS).lines) == [BASE, "board_bet"]
    assert [wager.key for wager in Declared(TWO_STREETS).lines[BASE]] == ["ante", "street", "first_bonus"]


def test_a_way_that_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Refusal, match="'bluff' is not known; there are best, simple, always check"):
        plan_of(Setup(TWO_STREETS, strategy="bluff", book=book()))

    def refuse(*_: Any, **__: Any) -> None:
        raise Refusal("game", "no kernel counts two-streets")

    monkeypatch.setattr(solved, "solve", refuse)
    monkeypatch.setattr(solved, "kept_folder", lambda: None)
    with pytest.raises(Refusal, match="strategy: best cannot be played: no kernel counts two-streets"):
        plan_of(Setup(TWO_STREETS, book=book()))
