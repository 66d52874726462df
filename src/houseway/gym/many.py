"""Many tables of a game at once: the same rules, compiled, for agents that need millions of rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from houseway.games.model import PROGRESSIVE, Decide
from houseway.gym.actions import Actions
from houseway.gym.env import TableEnv
from houseway.paytables import Book
from houseway.proof.compiled import jit
from houseway.proof.simulation.chunk import odds_arrays
from houseway.proof.simulation.declared import has_optional, sets_hands
from houseway.proof.simulation.loops import loops_of
from houseway.refusal import Refusal

Cards: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Bytes: TypeAlias = npt.NDArray[np.uint8]


class ManyTables(VectorEnv[Cards, Cards, Cards]):
    """``num_envs`` spots of one game, each against a dealer of its own.

    Every step is a decision of every spot. A spot whose round ends is paid and dealt the next in the same step:
    episodes have one round. An observation is one row a spot: its hand as dealt, the dealer's cards that are seen, and
    the board; a card that is face down is the number after the last card. ``reset(options={"cards": array})`` practises
    those hands until the next reset; ``info["dealer"]`` shows what the dealers of the rounds that ended held.
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        *,
        game: str,
        wagers: Mapping[str, int] | None = None,
        tables: Mapping[str, str] | None = None,
        options: Mapping[str, Any] | None = None,
        meters_cents: Mapping[str, int] | None = None,
        render_mode: str | None = None,
        book: Book | None = None,
    ) -> None:
        if type(num_envs) is not int or num_envs < 1:
            raise Refusal("num_envs", "must be a whole number above zero")
        single = TableEnv(
            game,
            wagers=wagers,
            tables=tables,
            options=options,
            meters_cents=meters_cents,
            render_mode=render_mode,
            book=book,
        )
        self.game = single.game
        self.pay_tables = single.tables
        self.num_envs = num_envs
        self.render_mode = render_mode
        self._actions = Actions(self.game)
        self._loops = loops_of(self.game)
        self._sight = single.sight
        declared = self._loops.declared
        self._amounts = np.array([single.wagers.get(wager.key, 0) for wager in self.game.wagers], np.int64)
        self._amounts[[wager.key == PROGRESSIVE for wager in self.game.wagers]] = 0
        self._options = np.array(declared.option_numbers(single.options), np.int64)
        self._num, self._den = odds_arrays(tuple(single.schedule(wager) for wager in declared.with_tables))
        self._prizes = np.array(single.progressive_prizes(), np.int64).reshape(2, -1)
        self._wagers = frozenset(single.wagers)
        self._steps = tuple(_Step(self._actions, point) for point in self.game.points)
        only = np.arange(self._actions.count) == self._actions.only
        self._shown_open = np.array([*(step.has for step in self._steps), only], np.bool_)
        """By point: the actions that it has; behind the last one that which stands for none."""
        self._taken = np.array([*(step.has for step in self._steps), np.ones(self._actions.count)], np.bool_)
        self._conditional = any(choice.when is not None for point in self.game.points for choice in point.choices)
        self._choice_names = list(self._names_of_choices())
        self._always_asked = len(self._steps) == 1 and self.game.points[0].when is None
        """Every round has the same one decision."""

        self._hand = self.game.player_cards
        self._dealer_first = declared.spot_cards
        zone = self.game.zone_of("dealer")
        board_first = self._dealer_first + (zone.places if zone is not None else 0)
        self._dealt_cards = declared.spot_cards + declared.table_cards
        self._face_down = len(self.game.deck)
        self._pack = self._face_down * self.game.copies(single.options)
        """How many cards there are, those of all decks together."""
        dealer, board = (np.array(places, np.int64) for places in (self._sight.dealer, self._sight.board))
        self._seen_places = np.concatenate(
            [np.arange(self._hand), self._dealer_first + dealer, board_first + board]
        ).astype(np.int64)
        self._hidden = np.array([self._hidden_at(point) for point in (*self.game.points, None)], np.bool_)
        numbers = np.where(self._hidden.any(axis=0), self._face_down + 1, self._face_down)
        self.single_observation_space = spaces.MultiDiscrete(numbers)
        self.single_action_space = spaces.Discrete(self._actions.count)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._practised: Cards | None = None
        self._cards: Cards = np.empty((0, self._dealt_cards), dtype=np.int64)
        self._place = self._first = np.zeros(num_envs, np.int64)
        """By spot: the decision point it stands at, from 0; behind the last one where it has none."""
        self._made: dict[str, Flags] = {}
        self._folded = np.zeros(num_envs, np.bool_)
        self._chosen: dict[str, Bytes] = {}

    # -------------------------------------------------------------------------------------------- the interface

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Cards, dict[str, Any]]:
        """Deal to every spot. One seed stands for all of them together."""
        if isinstance(seed, list):
            raise Refusal("seed", "must be one whole number: all spots are dealt from one stream")
        super().reset(seed=seed)
        self._practised = self._checked((options or {}).get("cards"))
        self._cards = self._dealt(None)
        self._start(np.ones(self.num_envs, np.bool_))
        return self._observed(), self._info()

    def step(self, actions: Cards) -> tuple[Cards, Cards, Any, Any, dict[str, Any]]:
        """Take one decision at every spot; the rewards are cents, 0 where a round goes on."""
        if not len(self._cards):
            raise Refusal("step", "reset comes first")
        chosen = np.ascontiguousarray(actions, dtype=np.int64)
        if chosen.shape != (self.num_envs,) or chosen.min() < 0 or chosen.max() >= self._actions.count:
            raise Refusal("actions", f"must be {self.num_envs} numbers, each from 0 to {self._actions.count - 1}")
        self._refuse_closed(chosen)
        self._take(chosen)
        over = self._place == len(self._steps)
        rewards = self._settled(over)
        before = self._cards
        final = self._observed()
        everywhere = bool(over.all())
        if everywhere:
            self._cards = self._dealt(None)
        elif over.any():
            self._cards = before.copy()
            self._cards[over] = self._dealt(over)
        dealers = before[:, self._dealer_first : self._dealer_first + self.game.dealer_cards].copy()
        if not everywhere:
            dealers[~over] = self._face_down
        self._start(over)
        told = {"final_obs": final, "_final_obs": over.copy(), "dealer": dealers}
        return self._observed(), rewards, over, np.zeros(self.num_envs, np.bool_), {**self._info(), **told}

    # -------------------------------------------------------------------------------------------- what is seen

    def _hidden_at(self, point: Decide | None) -> list[bool]:
        """By place of an observation: whether the card is face down at a point."""
        dealer, board = self._sight.at(point)
        return [
            *[False] * self._hand,
            *(place not in dealer for place in self._sight.dealer),
            *(place not in board for place in self._sight.board),
        ]

    def _observed(self) -> Cards:
        seen = self._cards[:, self._seen_places]
        if self._hidden.any():
            seen[self._hidden[self._place]] = self._face_down
        return seen

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._open().astype(np.int8)}

    def _open(self) -> Flags:
        """By spot and action: whether it makes sense; a setting that fouls does not."""
        mask: Flags = self._shown_open[self._place]
        if not any(step.conditional for step in self._steps):
            return mask
        open_choices = self._open_choices()
        choices = sum(len(point.choices) for point in self.game.points)
        first = 0
        for place, step in enumerate(self._steps):
            here = self._place == place
            if step.conditional and here.any():
                mask[here] &= open_choices[here][:, first + step.choice]
                if step.sets:
                    mask[here] &= open_choices[here][:, choices + step.low] | ~step.names_low
            first += len(self.game.points[place].choices)
        return mask

    def _open_choices(self) -> Flags:
        """By spot and choice, point after point: whether it is open with the cards that lie there."""
        choices = sum(len(point.choices) for point in self.game.points)
        open_choices = np.ones((self.num_envs, choices + self._hand), np.bool_)
        cards = np.ascontiguousarray(self._cards.T)
        self._loops.find_open(cards, self._options, open_choices, *self._loops.lookups)
        return open_choices

    # -------------------------------------------------------------------------------------------- a step

    def _start(self, which: Flags) -> None:
        """Bring these spots to the first decision of a round."""
        if self._made and self._always_asked:
            self._place = np.where(which, self._first, self._place)
            return
        if not self._made or bool(which.all()):
            self._made = {wager: np.full(self.num_envs, wager in self._wagers) for wager in self.game.wager_keys}
            self._folded = np.zeros(self.num_envs, np.bool_)
            self._chosen = {name: np.zeros(self.num_envs, np.uint8) for name in self._choice_names}
        elif which.any():
            for wager, made in self._made.items():
                made[which] = wager in self._wagers
            self._folded[which] = False
        self._first = self._next(np.full(self.num_envs, -1))
        self._place = np.where(which, self._first, self._place)

    def _names_of_choices(self) -> Iterator[str]:
        """What the compiled settlement takes, in its order."""
        for place, point in enumerate(self.game.points):
            yield f"chose {place}"
            if has_optional(point):
                yield f"extra {place}"
            if sets_hands(point):
                yield f"low {place}"

    def _take(self, actions: Cards) -> None:
        """Write down what every spot chooses, and go to its next decision."""
        for place, step in enumerate(self._steps):
            here = self._place == place
            if not here.any():
                continue
            choice = step.choice[actions]
            self._chosen[f"chose {place}"][here] = choice[here]
            if f"extra {place}" in self._chosen:
                self._chosen[f"extra {place}"][here] = step.extra[actions][here]
            if f"low {place}" in self._chosen:
                low = np.take_along_axis(self._cards, step.low[actions][:, None], axis=1)[:, 0]
                self._chosen[f"low {place}"][here] = low[here]
            if len(self._steps) > 1:
                self._folded |= here & step.folds[choice]
                for wager, makes in step.makes.items():
                    self._made[wager] |= here & (makes[choice] | (step.extras[wager] & step.extra[actions]))
        self._place = self._next(self._place) if len(self._steps) > 1 else np.full(self.num_envs, len(self._steps))

    def _refuse_closed(self, actions: Cards) -> None:
        """Refuse a choice that the point of its spot does not have, or that is not open with the spot's cards."""
        if self._conditional:
            taken = np.take_along_axis(self._open(), actions[:, None], axis=1)[:, 0]
        else:
            taken = self._taken[self._place, actions]
        if not taken.all():
            spot = int(np.argmin(taken))
            words = self._actions.every[actions[spot]].choice.key
            raise Refusal("actions", f"must be open at each spot; {words} is not at spot {spot}")

    def _next(self, places: Cards) -> Cards:
        """By spot: the next point that asks it, after the one at which it stands."""
        following = np.full(self.num_envs, len(self._steps))
        open_choices = self._open_choices() if any(step.point.when is not None for step in self._steps) else None
        first = sum(len(point.choices) for point in self.game.points)
        for place in reversed(range(len(self._steps))):
            point = self._steps[place].point
            first -= len(point.choices)
            is_next = (places < place) & ~self._folded
            if point.when is not None and open_choices is not None:
                is_next &= open_choices[:, first : first + len(point.choices)].any(axis=1)
            if point.needs:
                is_next &= self._made[point.needs]
            for wager in point.unless:
                is_next &= ~self._made[wager]
            following[is_next] = place
        return following

    def _settled(self, over: Flags) -> Cards:
        """What the rounds that are over come to in cents, by the rules of the table."""
        rewards = np.zeros(self.num_envs, np.int64)
        whole = bool(over.all())
        if not over.any():
            return rewards
        cards = self._cards if whole else self._cards[over]
        chosen = [array if whole else array[over] for array in self._chosen.values()]
        paid = rewards if whole else np.zeros(len(cards), np.int64)
        self._loops.settle_given(
            *(cards, *chosen, self._amounts, self._options, self._num, self._den, self._prizes, paid),
            *self._loops.lookups,
        )
        if not whole:
            rewards[over] = paid
        return rewards

    # -------------------------------------------------------------------------------------------- dealing

    def _checked(self, cards: Any) -> Cards | None:
        if cards is None:
            return None
        hands = np.ascontiguousarray(cards, dtype=np.int64)
        if hands.shape != (self.num_envs, self._hand) or hands.min() < 0 or hands.max() >= self._face_down:
            raise Refusal("options.cards", f"must be {self.num_envs} hands of {self._hand} card numbers")
        ordered = np.sort(hands, axis=1)
        if self._pack == self._face_down and (ordered[:, 1:] == ordered[:, :-1]).any():
            raise Refusal("options.cards", "a hand holds a card twice")
        return hands

    def _dealt(self, which: Flags | None) -> Cards:
        """Different cards for these spots, every order equally likely; of a hand that is practised all the others."""
        practised = self._practised if which is None or self._practised is None else self._practised[which]
        known = 0 if practised is None else self._hand
        spots = self.num_envs if which is None else int(which.sum())
        left = self._pack - np.arange(known, self._dealt_cards)
        drawn = self.np_random.integers(0, left, size=(spots, len(left)))
        cards = np.empty((spots, self._dealt_cards), dtype=np.int64)
        if practised is not None:
            cards[:, : self._hand] = practised
        _placed(cards, drawn, known)
        # From a shoe the places of all decks are drawn: those of the same card are one deck apart.
        return cards if self._pack == self._face_down else cards % self._face_down


class _Step:
    """A decision point, by the numbers of actions and of choices."""

    def __init__(self, actions: Actions, point: Decide) -> None:
        places = actions.at(point)
        self.point = point
        self.has = np.array([place is not None for place in places], np.bool_)
        self.choice = np.array([place or 0 for place in places], np.int64)
        self.extra = np.array([action.extra for action in actions.every], np.bool_)
        self.low = np.array([action.low or 0 for action in actions.every], np.int64)
        self.names_low = np.array([action.low is not None for action in actions.every], np.bool_)
        self.folds = np.array([choice.folds for choice in point.choices], np.bool_)
        self.sets = sets_hands(point)
        self.conditional = self.sets or any(choice.when is not None for choice in point.choices)
        stakes = [{stake.wager: stake.optional for stake in choice.stakes} for choice in point.choices]
        wagers = {wager for stake in stakes for wager in stake}
        self.makes = {wager: np.array([stake.get(wager) is False for stake in stakes], np.bool_) for wager in wagers}
        """By wager: which choices make it."""
        self.extras = {wager: any(stake.get(wager) for stake in stakes) for wager in wagers}
        """By wager: whether it is the optional one."""


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
