"""Many tables of Three Card Poker at once: the same rules, compiled, for agents that need millions of rounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from houseway.games.three_card_poker import GAME, ante_bonus, ante_returned, play_returned
from houseway.gym.env import TableEnv
from houseway.proof.compiled import jit
from houseway.ranking.three_card import CATEGORIES, value_of_three
from houseway.refusal import Refusal

Cards: TypeAlias = npt.NDArray[np.int64]

HAND: Final = GAME.player_cards
DECK: Final = len(GAME.deck)


class ThreeCardPokerMany(VectorEnv[Cards, Cards, Cards]):
    """``num_envs`` spots, each against a dealer of its own, with an Ante and nothing else.

    Every step is a round of every spot and deals the next: episodes have one round, and the environment resets itself
    in the same step. An observation is three card numbers a spot. ``reset(options={"cards": array})`` practises those
    hands until the next reset; ``info["dealer"]`` shows what the dealers held.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str = GAME.key,
        wagers: Mapping[str, int] | None = None,
        tables: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if game != GAME.key:
            raise Refusal("game", f"only {GAME.key} is played at many tables at once")
        if type(num_envs) is not int or num_envs < 1:
            raise Refusal("num_envs", "must be a whole number above zero")
        one = TableEnv(GAME.key, wagers=wagers, tables=tables, options=options, render_mode=render_mode)
        if set(one.wagers) != {"ante"}:
            raise Refusal("wagers", "only an Ante is played at many tables at once")
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._ante = one.wagers["ante"]
        self._equal_lose = one.options["equal_hands"] == "lose"
        num, den = one.tables["ante_bonus"].schedule(CATEGORIES)
        self._num, self._den = np.array(num, dtype=np.int64), np.array(den, dtype=np.int64)
        self.single_observation_space = spaces.MultiDiscrete([DECK] * HAND)
        self.single_action_space = spaces.Discrete(2)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._practised: Cards | None = None
        self._cards: Cards = np.empty((0, 2 * HAND), dtype=np.int64)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cards, dict[str, Any]]:
        """Deal to every spot. One seed stands for all of them together."""
        if isinstance(seed, list):
            raise Refusal("seed", "must be one whole number: all spots are dealt from one stream")
        super().reset(seed=seed)
        self._practised = self._checked((options or {}).get("cards"))
        self._cards = self._dealt()
        return self._hands(), self._info()

    def step(self, actions: Cards) -> tuple[Cards, Cards, Any, Any, dict[str, Any]]:
        """Fold (0) or play (1) every hand; the rewards are cents."""
        if not len(self._cards):
            raise Refusal("step", "reset comes first")
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,) or chosen.min() < 0 or chosen.max() > 1:
            raise Refusal("actions", f"must be {self.num_envs} numbers, each 0 or 1")
        rewards = _settled(self._cards, chosen, self._ante, self._equal_lose, self._num, self._den)
        before = self._cards
        self._cards = self._dealt()
        over, cut = np.ones(self.num_envs, dtype=np.bool_), np.zeros(self.num_envs, dtype=np.bool_)
        told = {"final_obs": before[:, :HAND].copy(), "_final_obs": over.copy(), "dealer": before[:, HAND:].copy()}
        return self._hands(), rewards, over, cut, {**self._info(), **told}

    def _hands(self) -> Cards:
        return self._cards[:, :HAND].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": np.ones((self.num_envs, 2), dtype=np.int8)}

    def _checked(self, cards: Any) -> Cards | None:
        if cards is None:
            return None
        hands = np.ascontiguousarray(cards, dtype=np.int64)
        if hands.shape != (self.num_envs, HAND) or hands.min() < 0 or hands.max() >= DECK:
            raise Refusal("options.cards", f"must be {self.num_envs} hands of {HAND} card numbers")
        ordered = np.sort(hands, axis=1)
        if (ordered[:, 1:] == ordered[:, :-1]).any():
            raise Refusal("options.cards", "a hand holds a card twice")
        return hands

    def _dealt(self) -> Cards:
        """Six different cards a spot, every order equally likely; of a hand that is practised the other three."""
        known = 0 if self._practised is None else HAND
        left = [DECK - place for place in range(known, 2 * HAND)]
        drawn = self.np_random.integers(0, left, size=(self.num_envs, len(left)))
        cards = np.empty((self.num_envs, 2 * HAND), dtype=np.int64)
        if self._practised is not None:
            cards[:, :HAND] = self._practised
        _placed(cards, drawn, known)
        return cards


@jit()
def _placed(cards: Any, drawn: Any, known: Any) -> None:
    """Of the cards that are left, in rising order, the one drawn: for every spot, card after card."""
    used = np.empty(cards.shape[1], dtype=np.int64)
    for spot in range(len(cards)):
        for place in range(cards.shape[1]):
            given = place < known
            card = cards[spot, place] if given else drawn[spot, place - known]
            at = 0
            while at < place and used[at] <= card:
                if not given:
                    card += 1
                at += 1
            for later in range(place, at, -1):
                used[later] = used[later - 1]
            used[at] = card
            cards[spot, place] = card


@jit()
def _settled(cards: Any, plays: Any, ante: Any, equal_lose: Any, num: Any, den: Any) -> Any:
    """What every spot comes to in cents, by the rules of the table."""
    made = np.empty(len(cards), dtype=np.int64)
    for spot in range(len(cards)):
        if plays[spot] == 0:
            made[spot] = -ante
            continue
        player = value_of_three(cards[spot, 0], cards[spot, 1], cards[spot, 2])
        dealer = value_of_three(cards[spot, 3], cards[spot, 4], cards[spot, 5])
        play = ante
        returned = ante_returned(player, dealer, ante, equal_lose) + play_returned(player, dealer, play, equal_lose)
        made[spot] = returned + ante_bonus(player, ante, num, den) - ante - play
    return made
