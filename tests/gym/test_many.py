"""Many tables at once play by the same rules, and the example agent learns the counted strategy at them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import gymnasium
import numpy as np
import pytest

from houseway.adjudication import settle_object
from houseway.cards import parse_cards, text_of
from houseway.games import all_games, approved_book
from houseway.gym import environment_id
from houseway.gym.many import ManyTables
from houseway.proof.collect import Request, count, questions_of
from houseway.proof.figure import Play
from houseway.proof.simulation import Setup, plan_of
from houseway.refusal import Refusal

AGENT = Path(__file__).parents[2] / "examples" / "agents" / "three_card_poker.py"


def counted() -> Play:
    """How the base game is best played, by the proof."""
    request = Request(games=("three-card-poker",), wagers=("base",), tables=("A",))
    play = count(questions_of(request))[0].play
    assert play is not None
    return play


def tables(many: int, **given: Any) -> ManyTables:
    made = gymnasium.make_vec(environment_id("three-card-poker"), num_envs=many, **given)
    assert isinstance(made, ManyTables)
    return made


@pytest.mark.parametrize("equal", ["push", "lose"])
def test_rewards_are_what_the_rulebook_settles(equal: str) -> None:
    env = tables(400, wagers={"ante": 500}, tables={"ante_bonus": "B"}, options={"equal_hands": equal})
    hands, info = env.reset(seed=6)
    assert info["action_mask"].shape == (400, 2)
    chosen = np.arange(400) % 2
    _, rewards, over, cut, told = env.step(chosen)
    assert rewards.dtype == np.int64
    assert over.all()
    assert not cut.any()
    assert (told["final_obs"] == hands).all()
    for hand, dealer, plays, reward in zip(hands, told["dealer"], chosen, rewards, strict=True):
        request = {
            "game": "three-card-poker",
            "dealer": text_of(dealer),
            "tables": {"ante_bonus": "B"},
            "options": {"equal_hands": equal},
            "spots": [
                {"spot": 1, "cards": text_of(hand), "wagers": {"ante": 500},
                 "decision": {"play": True} if plays else {"fold": True}}
            ],
        }  # fmt: skip
        spot = settle_object(request, approved_book())["spots"][0]
        assert reward == spot["returned"] - spot["wagered"]


def test_equal_hands_come_up_and_follow_the_option() -> None:
    """A king high against the same king high, dealt by hand: the option decides."""
    for equal, reward in (("push", 0), ("lose", -200)):
        env = tables(1, options={"equal_hands": equal})
        env.reset(seed=1)
        env._cards = np.array([[*parse_cards("Kc 7d 3h", 3), *parse_cards("Kd 7h 3s", 3)]])
        assert env.step(np.array([1]))[1].tolist() == [reward]


@pytest.mark.parametrize("practised", [False, True])
def test_every_deal_is_equally_likely(practised: bool) -> None:
    env = tables(60_000)
    held = np.array(parse_cards("Qs 6d 4c", 3))
    options = {"cards": np.tile(held, (60_000, 1))} if practised else None
    hands, _ = env.reset(seed=2, options=options)
    _, _, _, _, told = env.step(np.ones(60_000, dtype=np.int64))
    cards = np.hstack([hands, told["dealer"]])
    assert (np.diff(np.sort(cards, axis=1)) > 0).all()
    dealt = cards[:, 3:] if practised else cards
    left = [card for card in range(52) if not practised or card not in held]
    for place in range(dealt.shape[1]):
        seen = np.bincount(dealt[:, place], minlength=52)
        expected = 60_000 / len(left)
        assert seen.sum() == seen[left].sum()
        assert ((seen[left] - expected) ** 2 / expected).sum() < 105  # at most 51 degrees of freedom
    if practised:
        assert (hands == held).all()
        assert (env.step(np.ones(60_000, dtype=np.int64))[0] == held).all()
        assert not (env.reset()[0] == held).all()


def test_always_playing_costs_what_was_counted() -> None:
    play = counted()
    env = tables(200_000)
    env.reset(seed=3)
    rewards = np.concatenate([env.step(np.ones(200_000, dtype=np.int64))[1] for _ in range(10)])
    error = rewards.std() / len(rewards) ** 0.5
    assert abs(rewards.mean() + 100 * float(play.thumbs["play every hand"])) < 4 * error


def test_the_same_seed_deals_the_same() -> None:
    def played(seed: int) -> list[Any]:
        env = tables(50)
        hands, _ = env.reset(seed=seed)
        return [hands.tolist(), *(env.step(np.ones(50, dtype=np.int64))[1].tolist() for _ in range(3))]

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_what_cannot_be_is_refused() -> None:
    for given, field in (
        ({"num_envs": 0}, "num_envs"),
        ({"game": "whist"}, "game"),
        ({"wagers": {"progressive": 100}}, "wagers"),
        ({"wagers": {"ante": -1}}, "wagers.ante"),
    ):
        with pytest.raises(Refusal) as refused:
            ManyTables(**{"game": "three-card-poker", **given})  # type: ignore[arg-type]
        assert refused.value.field == field
    env = ManyTables(2, game="three-card-poker")
    with pytest.raises(Refusal, match="reset comes first"):
        env.step(np.array([1, 1]))
    for cards in ([[1, 2, 3]], [[1, 2, 3], [4, 5, 52]], [[1, 2, 3], [4, 4, 5]]):
        with pytest.raises(Refusal, match=r"options\.cards"):
            env.reset(options={"cards": cards})
    with pytest.raises(Refusal, match="seed"):
        env.reset(seed=[1, 2])
    env.reset(seed=1)
    for actions in ([1], [0, 2], [-1, 0]):
        with pytest.raises(Refusal, match="actions"):
            env.step(np.array(actions))


# ------------------------------------------------------------------------------------------------------------ the agent


@pytest.fixture(scope="module")
def agent() -> ModuleType:
    spec = importlib.util.spec_from_file_location("three_card_poker_agent", AGENT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_agent_learns_the_counted_strategy(agent: ModuleType) -> None:
    """Hand by hand: it plays what is worth playing by the count, queen-six-four or better, and nothing else."""
    (way,) = plan_of(Setup(all_games()["three-card-poker"])).way.points
    lowest = way.limits[2]
    lines: list[str] = []
    learned = agent.learn(seed=7, told=lines.append)
    assert learned.undecided == ()
    assert agent.rule(learned) == "play queen-six-four or better"
    from houseway.ranking.three_card import value_of_three

    for kind, plays in learned.plays.items():
        for hand in agent.hands_of(kind):
            assert plays == (value_of_three(*map(int, hand)) >= lowest), kind
    assert sum(len(agent.hands_of(kind)) for kind in learned.plays) == 22_100
    assert learned.rounds < 30_000_000
    assert lines[-1].lstrip().startswith(f"{learned.rounds:,} rounds,   0 of 741")


def test_the_agent_says_when_there_is_no_one_rule(agent: ModuleType) -> None:
    every = agent.kinds()
    plays = {kind: kind.ranks[0] % 2 == 0 for kind in every}
    assert agent.rule(agent.Learned(plays, {}, 0, ())) == "there is no one hand from which on to play"
