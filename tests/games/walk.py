"""What every installed game gets, part by part: run by `tests.games.installed.played` where a game is installed.

Nothing here knows a game: bets, choices and cards follow from its declaration.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.table.table_kit import Room
from tests.web.web_kit import Person, serving

from houseway.cards import text_of
from houseway.games import Game, all_games, approved_book
from houseway.games.flow import BOARD, DEALER, sample_action
from houseway.games.model import PROGRESSIVE, Reveal
from houseway.games.round import Action, Round, Spot
from houseway.manager.floor_file import example_floor
from houseway.paytables import PayTable

ANTE = 1_000
PARTS: dict[str, Callable[[Game, Path], None]] = {}


def part(function: Callable[[Game, Path], None]) -> Callable[[Game, Path], None]:
    PARTS[function.__name__] = function
    return function


def bets(game: Game) -> dict[str, int]:
    """Every wager that is placed before the deal."""
    return {wager.key: ANTE for wager in game.wagers if wager.kind in ("required", "optional")}


# ------------------------------------------------------------------------------------------------ tables


def play_table(game: Game, folder: Path, kind: str) -> None:
    """A round of two spots from the bets to the close, and its text, settled again."""
    linked = game.progressive is not None
    room = Room(folder, game.key, kind=kind, linked=linked, seed=500_00, spots=4)
    room.bets({1: bets(game), 2: bets(game)})
    room.call()
    dealt = game.deal(game.deck[::-1], (1, 2), game.defaults)
    hands = {spot: text_of(cards) for spot, cards in dealt.hands.items()}
    hands |= {DEALER: text_of(dealt.dealer)} if game.dealer_cards else {}
    hands |= {BOARD: text_of(dealt.board)} if game.board_cards and kind == "virtual" else {}
    room.cards(hands)
    assert room.seen().prompt
    for point in game.points:
        while room.seen().stage == "turning":
            turn(room, game, dealt.board, kind)
        for spot in (1, 2):
            if room.spot(spot).deciding:
                room.act(spot, sample_action(game, point, dealt.hands[spot], dealt.dealer, dealt.board).name)
            assert room.seen().stage != "dealing"
    while room.seen().stage == "turning" or (kind == "cards" and len(room.play().board_up) < game.board_cards):
        turn(room, game, dealt.board, kind)
    room.reveal()
    settlement = game.settle(
        Round(
            dealt.dealer,
            tuple(Spot(spot, dealt.hands[spot], bets(game), actions_of(room, spot)) for spot in (1, 2)),
            {key: table for key, table in tables_of(game).items() if isinstance(table, PayTable)},
            game.defaults,
            dealt.board,
        )
    )
    for known in settlement.spots:
        paid = {key: line.returned for key, line in room.hand(known.number).lines.items() if key != PROGRESSIVE}
        assert paid == {key: result.returned for key, result in known.wagers.items()}, (paid, known)
    room.reconcile_all()
    room.end("T1")
    assert room.replayed() == room.state
    room.floor.close()


def turn(room: Room, game: Game, board: Any, kind: str) -> None:
    """The next street; at a real table the dealer enters its cards."""
    if kind == "virtual":
        room.reveal()
        return
    turned = len(room.play().board_up)
    streets = [len(step.places) for step in game.flow if isinstance(step, Reveal)]
    size = next((size for place, size in enumerate(streets) if sum(streets[:place]) == turned), len(board) - turned)
    room.enter(BOARD, text_of(board[turned : turned + size]))


def actions_of(room: Room, spot: int) -> tuple[Action, ...]:
    return tuple(Action(known.action, known.card, known.cents) for known in room.hand(spot).actions)


def tables_of(game: Game) -> dict[str, Any]:
    return {key: approved_book().of(game.families, key)[0] for key in game.table_wagers}


@part
def virtual(game: Game, folder: Path) -> None:
    play_table(game, folder, "virtual")


@part
def physical(game: Game, folder: Path) -> None:
    play_table(game, folder, "cards")


@part
def limits(game: Game, folder: Path) -> None:
    """Every wager has limits, those that follow from a choice too: nothing is settled over a posted maximum."""
    from houseway.table.config import Limits
    from houseway.table.limits import effective

    first = game.base[0]
    for wager, stakes in game.followers.items():
        posted = {
            first: Limits(minimum_cents=5_00, maximum_cents=50_00),
            wager: Limits(minimum_cents=5_00, maximum_cents=25_00),
        }
        least = min(stake.times for stake in stakes if stake.of == first)
        assert effective(game, first, posted).maximum_cents == min(50_00, 25_00 // least)


# ------------------------------------------------------------------------------------------------ agents


@part
def gym(game: Game, folder: Path) -> None:
    """One table after the other, and many at once: rewards are what the rulebook settles."""
    import gymnasium
    import numpy as np

    from houseway.gym import environment_id

    env = gymnasium.make(environment_id(game.key))
    rounds = 0
    for seed in range(20):
        env.reset(seed=seed)
        over = False
        while not over:
            mask = env.unwrapped.action_mask()  # type: ignore[attr-defined]
            _, reward, over, _, _ = env.step(int(np.flatnonzero(mask)[-1]))
        assert abs(reward) < 100 * ANTE
        rounds += 1
    assert rounds == 20


@part
def many(game: Game, folder: Path) -> None:
    import gymnasium
    import numpy as np

    from houseway.gym import environment_id

    env = gymnasium.make_vec(environment_id(game.key), num_envs=64)
    _, info = env.reset(seed=7)
    for _ in range(20):
        mask = info["action_mask"]
        actions = mask.shape[1] - 1 - np.argmax(mask[:, ::-1] != 0, axis=1)
        _, rewards, _, _, info = env.step(actions)
        assert rewards.shape == (64,)


# ------------------------------------------------------------------------------------------------ a server


def floor_text(game: Game) -> str:
    """The example floor with a virtual table of the game, and a link where it has a progressive."""
    keys = [wager.key for wager in game.wagers if wager.kind != "award" and wager.key != PROGRESSIVE]
    limits = "\n".join(f'limits.{key} = {{ min = "5.00", max = "300.00" }}' for key in keys)
    made = [f'[[tables]]\nid = "V-NEW"\ngame = "{game.key}"\nconsole = "touch"\nspots = 4\nkind = "virtual"\n{limits}']
    made += [f'pay_tables.{key} = "{table.id}"' for key, table in tables_of(game).items() if key != PROGRESSIVE]
    example = example_floor()
    place = example.index("[[tables]]")
    approval = f"""
[[approvals]]
game = "{game.key}"
demonstration = true
submission = 3119
rules = [2023-05-05, 2023-06-05]
items.game = {{ date = 2023-06-14, reference = "DEMONSTRATION: no such file" }}
items.controls_submitted = {{ date = 2023-07-03, reference = "DEMONSTRATION: no such file" }}
items.controls_approved = {{ date = 2023-08-01, reference = "DEMONSTRATION: no such file" }}
items.makers_licensed = {{ date = 2023-06-14, reference = "DEMONSTRATION: no such file", sold = 2023-09-01 }}
"""
    link = ""
    if game.progressive is not None:
        link = f"""
[[links]]
id = "new-link"
name = "A link of its own"
tables = ["V-NEW"]
pay_table = "{tables_of(game)[PROGRESSIVE].id}"
wager = "1.00"
meters.main = {{ contribution = "20%", reserve = "1%", seed = "500.00" }}
"""
    return example[:place] + "\n".join(made) + "\n\n" + example[place:] + link + approval


def bet(player: Person, game: Game) -> None:
    for wager, cents in bets(game).items():
        player.order("tables/V-NEW/bet", spot=1, wager=wager, cents=100 if wager == PROGRESSIVE else cents)


@part
def screens(game: Game, folder: Path) -> None:
    """What the pages are drawn from: a real server's answers about the game, its table, its rules and its sign."""
    with serving(folder, text=floor_text(game)) as server:
        dealer: Person = server.sign_in("2001")
        rules = dealer.get(f"games/{game.key}")
        assert rules["title"] == game.title
        table = dealer.get("tables/V-NEW")
        assert table["game"] == game.key
        signs = ["/sign/V-NEW", *(["/display/new-link"] if game.progressive is not None else [])]
        for page in ("/", "/table/V-NEW", "/seat/V-NEW", *signs):
            shown = dealer.http.get(page, follow_redirects=True)
            assert shown.status_code == 200, page
        sign = dealer.get("tables/V-NEW/sign")
        assert game.title in str(sign)
        player = server.player("Ada", dealer)
        player.order("tables/V-NEW/sit-down", spot=1, player="Ada")
        bet(player, game)
        dealer.order("tables/V-NEW/no-more-bets")
        if game.progressive is not None:
            dealer.order("tables/V-NEW/lock-in")
        dealer.order("tables/V-NEW/deal", packets=0)
        finish(player, dealer)
        text = dealer.http.get("/api/v1/tables/V-NEW/rounds/1.txt").text
        assert game.key in text


def finish(player: Person, dealer: Person) -> None:
    """A round to its close: the player takes what is offered, the dealer presses what the server says is next."""
    orders = {
        "turning": "reveal",
        "revealing": "reveal",
        "reconciling": "reconcile",
        "closing": "close-round",
    }
    streets = set()
    for _ in range(40):
        seen = dealer.get("tables/V-NEW")
        play = seen["play"]
        if play["stage"] == "betting":
            return
        streets.add(play["board"])
        if play["stage"] == "deciding":
            offers = player.get("tables/V-NEW")["actions"]
            offer = next(offer for offer in offers if not offer["folds"])
            player.order("tables/V-NEW/act", spot=1, action=offer["action"])
        else:
            assert seen["next_press"], play["stage"]
            assert play["prompt"]
            dealer.order(f"tables/V-NEW/{orders[play['stage']]}")
    raise AssertionError("the round does not come to its close")


def main() -> None:
    name, key, folder = sys.argv[1:]
    PARTS[name](all_games()[key], Path(folder))
    print("played", name, key)


if __name__ == "__main__":
    main()
