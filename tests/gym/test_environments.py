"""The environments are Gymnasium's, and what they reward is what the rulebook settles."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from houseway.adjudication import settle_object
from houseway.cards import Card, parse_cards, text_of
from houseway.games import Game, all_games, approved_book
from houseway.games.model import PROGRESSIVE
from houseway.gym import ENVIRONMENTS, TableEnv, environment_id
from houseway.gym.many import ManyTables
from houseway.proof.collect import Request, count, questions_of
from houseway.refusal import Refusal

GAMES = tuple(key for key, game in all_games().items() if game.points)
WITHOUT_DECISION = tuple(key for key in all_games() if key not in GAMES)
EVERY_WAGER: dict[str, dict[str, Any]] = {
    "caribbean-stud": {
        "wagers": {"ante": 500, "bonus": 300, "cover_all": 100, "progressive": 100},
        "tables": {"progressive": "CSTUD-14"},
        "meters_cents": {"main": 12_345_678},
    },
    "six-card-pai-gow": {
        "wagers": {"base": 700, "fortune": 500, "insurance": 300, "progressive": 100},
        "tables": {"progressive": "3", "fortune": "2"},
        "meters_cents": {"five aces": 5_000_000, "royal flush": 1_000_000},
    },
    "straight-edge-1": {
        "wagers": {"ante": 300, "bonus": 200, "insurance": 100, "progressive": 100},
        "meters_cents": {"main": 2_000_001},
    },
    "straight-edge-2": {
        "wagers": {"ante": 300, "blind": 300, "four_plus": 200, "insurance": 100, "progressive": 100},
        "options": {"blind_on_margin_zero": "lose"},
        "meters_cents": {"main": 2_000_001},
    },
    "three-card-poker": {
        "wagers": {"ante": 300, "pair_plus": 250, "six_card_bonus": 100, "progressive": 200},
        "tables": {"ante_bonus": "B", "pair_plus": "C"},
        "options": {"equal_hands": "lose"},
    },
}


def table(game: str, **given: Any) -> TableEnv:
    made = gymnasium.make(environment_id(game), **given).unwrapped
    assert isinstance(made, TableEnv)
    return made


def every_wager(game: str) -> dict[str, Any]:
    """All wagers that one spot can make at once."""
    if game in EVERY_WAGER:
        return EVERY_WAGER[game]
    declared = all_games()[game]
    return {"wagers": dict.fromkeys(set(declared.wagers_together(declared.defaults)) - {PROGRESSIVE}, 500)}


def test_every_game_with_a_decision_has_an_environment() -> None:
    assert set(ENVIRONMENTS) == {environment_id(key) for key in GAMES}
    assert environment_id("three-card-poker") == "houseway/ThreeCardPoker-v0"


@pytest.mark.parametrize("game", WITHOUT_DECISION)
def test_a_game_without_a_decision_is_refused(game: str) -> None:
    with pytest.raises(Refusal, match=r"game: .* has no decision to make"):
        TableEnv(game)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("every", [False, True], ids=["base", "every wager"])
def test_gymnasiums_own_check_finds_nothing(game: str, every: bool) -> None:
    """With any action at a game whose actions are always open; else with open ones alone."""
    given = every_wager(game) if every else {}
    if is_always_open(all_games()[game]):
        check_env(table(game, **given))
    else:
        check_env(OpenActions(game, **given), skip_render_check=True)


def is_always_open(game: Game) -> bool:
    names = {tuple(choice.key for choice in point.choices) for point in game.points}
    return len(names) == 1 and not any(choice.when for point in game.points for choice in point.choices)


class OpenActions(TableEnv):
    """Takes the first open action for one that is not."""

    def step(self, action: np.int64 | int) -> Any:
        mask = self.action_mask()
        return super().step(action if mask[action] else int(np.argmax(mask)))


@pytest.mark.parametrize("game", GAMES)
def test_rewards_are_what_the_rulebook_settles(game: str) -> None:
    """Every round put to ``houseway settle`` once more, with the cards, the decisions and the meters of the round."""
    given = every_wager(game)
    env = table(game, **given)
    source = np.random.default_rng(11)
    _, info = env.reset(seed=5)
    won = set()
    for _ in range(300):
        cards = info["cards"]
        hand = parse_cards(cards, env.game.player_cards, joker=True)
        over, decisions = False, []
        while not over:
            allowed = info["action_mask"] if env.game.splits == () else np.ones(env._actions.count)
            action = int(source.choice(np.flatnonzero(allowed)))
            if env._point is not None:
                decisions.append(env._actions.decision(action, env._point, hand, env.wagers))
            _, reward, over, cut, info = env.step(action)
            assert type(reward) is int
            assert not cut
            assert over or reward == 0
        later = {zone.owner: {name: info[name] for name in zone.later if name in info} for zone in env.game.zones}
        request: dict[str, Any] = {
            "game": game,
            "spots": [
                {"spot": 1, "cards": cards, "wagers": given["wagers"], **later.pop("spot"), "actions": decisions}
            ],
            "tables": {wager: one.id for wager, one in env.tables.items()},
            "options": given.get("options", {}),
            **({"dealer": info["dealer"]} if info["dealer"] else {}),
            **({"board": info["board"]} if "board" in info else {}),
            **later.get("dealer", {}),
        }
        if env.progressive is not None:
            request["tables"][PROGRESSIVE] = env.progressive.id
            request["meters"] = {name: meter.amount_cents for name, meter in env._meters.items()}
            request["seeds"] = {name: meter.seed_cents for name, meter in env._meters.items()}
        spot = settle_object(request, approved_book())["spots"][0]
        assert reward == spot["returned"] - spot["wagered"]
        assert info["outcome"] == (spot.get("outcome") or "")
        assert info["wagers"] == {key: (one["wagered"], one["returned"]) for key, one in spot["wagers"].items()}
        won |= {key for key, one in spot["wagers"].items() if one["returned"] > one["wagered"]}
        _, info = env.reset()
    assert len(won) >= min(3, len(given["wagers"])), won


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_deals_the_same_rounds(game: str) -> None:
    def played(seed: int) -> list[Any]:
        env = table(game, rounds=20)
        observation, info = env.reset(seed=seed)
        seen = [observation["hand"].tolist()]
        for _ in range(20):
            observation, reward, *_, info = env.step(int(np.argmax(info["action_mask"])))
            seen.append([observation["hand"].tolist(), reward, info.get("dealer")])
        return seen

    assert played(3) == played(3)
    assert played(3) != played(4)


def test_an_episode_has_as_many_rounds_as_it_was_given() -> None:
    env = table("caribbean-stud", rounds=3)
    env.reset(seed=1)
    assert [env.step(0)[2] for _ in range(3)] == [False, False, True]
    with pytest.raises(Refusal, match="the episode is over"):
        env.step(0)
    env.reset()
    assert env.step(0)[2] is False


def test_resets_without_a_seed_go_on_in_the_stream() -> None:
    env = table("straight-edge-1")
    env.reset(seed=9)
    later = [env.reset()[0]["hand"].tolist() for _ in range(5)]
    assert len({tuple(hand) for hand in later}) == 5
    env.reset(seed=9)
    assert [env.reset()[0]["hand"].tolist() for _ in range(5)] == later


@pytest.mark.parametrize("game", GAMES)
def test_cards_are_different_and_of_the_deck_and_the_hand_starts_with_the_highest(game: str) -> None:
    env = table(game)
    deck = all_games()[game].deck
    for seed in range(30):
        observation, info = env.reset(seed=seed)
        over, told = False, info
        while not over:
            _, _, over, _, told = env.step(int(np.argmax(told["action_mask"])))
        hand = [Card(int(card)) for card in observation["hand"]]
        dealer = parse_cards(told["dealer"], env.game.dealer_cards, joker=True) if told["dealer"] else ()
        assert env.game.shoe is not None or len({*hand, *dealer}) == len(hand) + len(dealer)
        assert {*hand, *dealer} <= set(deck)
        assert text_of(hand) == info["cards"]
        up = env.game.dealer_face_up
        assert observation.get("up", np.array([])).tolist() == [dealer[place] for place in up]


def test_a_hand_to_practise_is_dealt_and_the_dealer_gets_any_others() -> None:
    env = table("three-card-poker")
    held = parse_cards("Qs 6d 4c", 3)
    dealt = np.zeros(52, dtype=np.int64)
    rounds = 4900
    for seed in range(rounds):
        observation, _ = env.reset(seed=seed if seed == 0 else None, options={"cards": "6d 4c Qs"})
        assert observation["hand"].tolist() == list(held)
        _, _, _, _, told = env.step(1)
        dealt[list(parse_cards(told["dealer"], 3))] += 1
    assert dealt[list(held)].sum() == 0
    others = np.delete(dealt, list(held))
    expected = 3 * rounds / 49
    assert ((others - expected) ** 2 / expected).sum() < 95  # 48 degrees of freedom: beyond 95 once in 10,000
    env.reset()
    assert env._needed == 6


def test_pai_gow_hands_to_practise_reach_the_spot() -> None:
    env = table("six-card-pai-gow")
    for seed in range(20):
        _, info = env.reset(seed=seed, options={"cards": "Jk Ac Ad Ks 5h 2c"})
        assert info["cards"] == "Ac Ad Jk Ks 5h 2c"


# -------------------------------------------------------------------------------------------------------------- actions


def test_the_mask_leaves_out_settings_that_foul_and_nothing_else() -> None:
    env = table("six-card-pai-gow")
    _, info = env.reset(seed=1, options={"cards": "Ac Kd 9h 7s 3c 2d"})
    assert info["action_mask"].tolist() == [0, 1, 1, 1, 1, 1, 1] * 2
    assert env.step(0)[4]["outcome"] == "foul"
    source = env.action_space
    source.seed(4)
    for seed in range(60):
        _, info = env.reset(seed=seed)
        action = source.sample(info["action_mask"])
        assert env.step(action)[4]["outcome"] != "foul"


def test_settings_are_what_they_say() -> None:
    env = table("six-card-pai-gow", wagers={"base": 500}, render_mode="ansi")
    for action in range(env._actions.count):
        env.reset(seed=2, options={"cards": "Ac Kd 9h 7s 3c 2d"})
        words = env.action_words(action)
        _, _, _, _, info = env.step(action)
        assert ("double_down" in info["wagers"]) == (action >= 7) == ("double" in words)
        shown = env.render()
        assert shown is not None
        assert words in shown
    assert env.action_words(1) == "Kd low"
    assert env.action_words(13) == "house way, double down"


def test_a_spot_is_asked_only_with_the_cards_that_call_for_a_decision() -> None:
    env = table("casino-war", render_mode="ansi")
    asked = set()
    for seed in range(60):
        observation, info = env.reset(seed=seed)
        equal = observation["hand"][0] % 13 == observation["up"][0] % 13
        assert info["action_mask"].tolist() == [int(equal), 1]
        info = env.step(1)[4]
        assert ("war" in info["wagers"]) == ("war_card" in info) == ("war_dealer" in info) == equal
        asked.add(equal)
    assert asked == {False, True}


def test_many_tables_with_a_shoe_settle_as_one_does() -> None:
    """The cards of each round and what the spot did go to `houseway settle`, which pays the same."""
    many = gymnasium.make_vec(
        environment_id("casino-war"), num_envs=300, wagers={"bet": 500, "tie": 100}, options={"war_tie_bonus": True}
    )
    assert isinstance(many, ManyTables)
    seen, info = many.reset(seed=1)
    surrender, war = 0, 1
    met = Counter[str]()
    for turn in range(8):
        equal = seen[:, 0] % 13 == seen[:, 1] % 13
        assert (info["action_mask"] == np.where(equal[:, None], [1, 1], [0, 1])).all()
        chosen = np.where(equal, (np.arange(300) + turn) % 2, war)
        cards = many._cards.copy()
        seen, rewards, over, _, info = many.step(chosen)
        assert over.all()
        for (own, own_later, dealer, dealer_later), does, reward in zip(cards, chosen, rewards, strict=True):
            spot = {"spot": 1, "cards": text_of((own,)), "wagers": {"bet": 500, "tie": 100}}
            request = {"game": "casino-war", "dealer": text_of((dealer,)), "options": {"war_tie_bonus": True}}
            goes_to_war = own % 13 == dealer % 13 and does == war
            if own % 13 == dealer % 13:
                spot["actions"] = ["surrender" if does == surrender else "war"]
            if goes_to_war:
                spot["war_card"], request["war_dealer"] = text_of((own_later,)), text_of((dealer_later,))
            paid = settle_object({**request, "spots": [spot]}, approved_book())["spots"][0]
            assert reward == paid["returned"] - paid["wagered"], (request, spot)
            met[paid["outcome"]] += 1
    assert {"win", "lose", "surrender"} <= set(met), met


def test_many_tables_deal_from_whole_shoes() -> None:
    """The same card comes twice, as often as six decks have it; going to war on every tie costs what was counted."""
    rounds = 300_000
    many = ManyTables(rounds, game="casino-war")
    many.reset(seed=4)
    same = (many._cards[:, 0] == many._cards[:, 2]).mean()
    assert abs(same - 5 / 311) < 4 * (5 / 311 / rounds) ** 0.5
    rewards = many.step(np.ones(rounds, np.int64))[1]
    assert abs(rewards.mean() + 2.877) < 4 * rewards.std() / rounds**0.5
    held = np.zeros((2, 1), np.int64)
    assert (ManyTables(2, game="casino-war").reset(seed=1, options={"cards": held})[0][:, 0] == 0).all()


def test_a_game_without_a_decision_has_no_environment() -> None:
    """Nobody decides anything at baccarat: one table and many refuse it in the same words."""
    for make in (lambda: TableEnv("baccarat"), lambda: ManyTables(2, game="baccarat")):
        with pytest.raises(Refusal, match="baccarat has no decision to make; an environment needs one"):
            make()


def test_a_spot_without_a_decision_has_one_action() -> None:
    env = table("three-card-poker", wagers={"pair_plus": 100})
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [0, 1]
    *_, info = env.step(1)
    assert set(info["wagers"]) == {"pair_plus"}


def test_folding_and_playing_are_the_two_actions_elsewhere() -> None:
    env = table("caribbean-stud")
    env.reset(seed=1)
    assert env.step(0)[1] == -100
    env.reset(seed=1)
    assert set(env.step(1)[4]["wagers"]) == {"ante", "bet"}
    assert env.action_mask().tolist() == [1, 1]


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"game": "whist"}, "game"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"render_mode": "human"}, "render_mode"),
        ({"wagers": {"bonus": 100}}, "wagers.ante"),
        ({"wagers": {"ante": 0}}, "wagers.ante"),
        ({"wagers": {"ante": 1.5}}, "wagers.ante"),
        ({"wagers": {"ante": 100, "blind": 100}}, "wagers.blind"),
        ({"options": {"equal_hands": "lose"}}, "options.equal_hands"),
        ({"options": {"folded_keeps_bonus": 1}}, "options.folded_keeps_bonus"),
        ({"tables": {"bonus": "CPSB-01"}}, "tables.bonus"),
        ({"tables": {"bet": "none"}}, "tables.bet"),
        ({"meters_cents": {"main": 1}}, "meters_cents"),
        ({"wagers": {"ante": 100, "progressive": 500}}, "wagers.progressive"),
        ({"wagers": {"ante": 100, "progressive": 100}, "tables": {"progressive": "01"}}, "meters_cents.main"),
        ({"wagers": {"ante": 100, "progressive": 100}, "meters_cents": {"mega": 1}}, "meters_cents.mega"),
        ({"wagers": {"ante": 100, "progressive": 100}, "meters_cents": {"main": -1}}, "meters_cents.main"),
    ],
)
def test_a_table_that_cannot_be_is_refused(given: dict[str, Any], field: str) -> None:
    with pytest.raises(Refusal) as refused:
        TableEnv(**{"game": "caribbean-stud", **given})
    assert refused.value.field == field


def test_a_step_or_a_hand_that_cannot_be_is_refused() -> None:
    env = TableEnv("three-card-poker")
    with pytest.raises(Refusal, match="the episode is over"):
        env.step(1)
    with pytest.raises(Refusal, match="is there twice"):
        env.reset(options={"cards": "Qs Qs 4c"})
    with pytest.raises(Refusal, match=r"options\.cards: must be cards as text"):
        env.reset(options={"cards": [1, 2, 3]})
    with pytest.raises(Refusal, match=r"options\.hand"):
        env.reset(options={"hand": "Qs 6d 4c"})
    env.reset(seed=1)
    with pytest.raises(Refusal, match="from 0 to 1"):
        env.step(2)


def test_meters_stand_at_the_printed_seed_unless_given() -> None:
    env = table("three-card-poker", wagers={"ante": 100, "progressive": 100}, tables={"progressive": "1"})
    env.reset(seed=3, options={"cards": "As Ks Qs"})
    assert env.step(1)[4]["wagers"]["progressive"] == (100, 100_000)
    env = table("three-card-poker", wagers={"ante": 100, "progressive": 100}, meters_cents={"main": 777_777})
    env.reset(seed=3, options={"cards": "As Ks Qs"})
    assert env.step(1)[4]["wagers"]["progressive"] == (100, 777_777)


def test_importing_the_environments_imports_no_compiler() -> None:
    program = "import sys, houseway.gym; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_mean_reward_of_folding_is_the_ante_and_of_always_playing_near_the_count() -> None:
    request = Request(games=("three-card-poker",), wagers=("base",), tables=("A",))
    play = count(questions_of(request))[0].play
    assert play is not None
    env = table("three-card-poker", rounds=20_000)
    env.reset(seed=8)
    rewards = np.array([env.step(1)[1] for _ in range(20_000)])
    error = rewards.std() / len(rewards) ** 0.5
    assert abs(rewards.mean() + 100 * float(play.thumbs["play every hand"])) < 4 * error
