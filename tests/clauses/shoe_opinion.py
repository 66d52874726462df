"""Casino War and baccarat settled a second time, written from the clauses and with nothing of the program."""

from __future__ import annotations

import random
from typing import Any

ORDER = "23456789TJQKA"
COUNTS = {"A": 1, **{str(number): number for number in range(2, 10)}, **dict.fromkeys("TJQK", 0)}
BONUS = {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1}


def war_round(source: random.Random) -> tuple[dict[str, Any], list[dict[str, int]]]:
    """A request for Casino War, and by spot what every wager gives back."""
    decks = source.choice((6, 8))
    shoe = [rank + suit for rank in ORDER for suit in "cdhs"] * decks
    source.shuffle(shoe)
    bonus, table = source.random() < 0.5, source.choice(("10", "11"))
    spots, expected = [], []
    dealer, war_dealer = shoe.pop(), shoe.pop()
    for number in sorted(source.sample(range(1, 8), source.randint(1, 7))):
        card = source.choice([held for held in shoe if held[0] == dealer[0]]) if source.random() < 0.4 else shoe.pop()
        if card in shoe:
            shoe.remove(card)
        bet = source.randint(1, 5000)
        spot: dict[str, Any] = {"spot": number, "cards": card, "wagers": {"bet": bet}}
        back = {}
        if source.random() < 0.5:
            spot["wagers"]["tie"] = source.randint(1, 500)
            equal = card[0] == dealer[0]
            back["tie"] = spot["wagers"]["tie"] * (int(table) + 1) if equal else 0
        mine, theirs = ORDER.index(card[0]), ORDER.index(dealer[0])
        if mine != theirs:
            back["bet"] = 2 * bet if mine > theirs else 0
        elif source.random() < 0.3:
            spot["actions"] = ["surrender"]
            back["bet"] = bet - (bet + 1) // 2
        else:
            spot["actions"], spot["war_card"] = ["war"], shoe.pop()
            own, other = ORDER.index(spot["war_card"][0]), ORDER.index(war_dealer[0])
            back |= {"bet": bet, "war": 2 * bet} if own >= other else {"bet": 0, "war": 0}
            if own == other and bonus:
                back["war_bonus"] = bet
        spots.append(spot)
        expected.append(back)
    request = {
        "game": "casino-war",
        "dealer": dealer,
        "spots": spots,
        "tables": {"tie": table},
        "options": {"war_tie_bonus": bonus, "decks": decks},
    }
    if any(spot.get("actions") == ["war"] for spot in spots):
        request["war_dealer"] = war_dealer
    return request, expected


def baccarat_round(source: random.Random) -> tuple[dict[str, Any], list[dict[str, int]], str]:
    """A request for baccarat, by spot what every wager gives back, and who won."""
    decks = source.choice((8, 6))
    shoe = [rank + suit for rank in ORDER for suit in "cdhs"] * decks
    source.shuffle(shoe)
    player, banker = [shoe.pop(), shoe.pop()], [shoe.pop(), shoe.pop()]

    def worth(hand: list[str]) -> int:
        return sum(COUNTS[card[0]] for card in hand) % 10

    if max(worth(player), worth(banker)) < 8:
        third = None
        if worth(player) < 6:
            player.append(shoe.pop())
            third = COUNTS[player[2][0]]
        # The table of the Banker's draws, by points of two cards: the third cards of Player that let it draw.
        draws = {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}
        two = worth(banker)
        if two <= 5 if third is None else two < 3 or third in draws.get(two, ()):
            banker.append(shoe.pop())
    ours, theirs = worth(player), worth(banker)
    winner = "player" if ours > theirs else "banker" if theirs > ours else "tie"
    version, table = source.choice(("commission", "ez")), source.choice(("8", "9"))

    def bonus(own: list[str], other: list[str]) -> int | None:
        natural = len(own) == 2 and worth(own) >= 8
        if worth(own) == worth(other):
            return 0 if natural and len(other) == 2 else None
        if worth(own) < worth(other):
            return None
        return 1 if natural else BONUS.get(worth(own) - worth(other))

    spots, expected = [], []
    for number in sorted(source.sample(range(1, 15), source.randint(1, 14))):
        chosen = {source.choice(("player", "banker", "tie"))}
        chosen |= {name for name in ("tie", "dragon_bonus_player", "dragon_bonus_banker") if source.random() < 0.4}
        if version == "ez":
            chosen |= {name for name in ("dragon_7", "panda_8") if source.random() < 0.4}
        wagers = {name: source.randint(1, 9999) for name in sorted(chosen)}
        back = {}
        for name, cents in wagers.items():
            odds: tuple[int, int] | None = None
            if name == "tie":
                odds = (int(table), 1) if winner == "tie" else None
            elif name == "player":
                odds = {"player": (1, 1), "tie": (0, 1)}.get(winner)
            elif name == "banker" and winner == "banker":
                pushes = len(banker) == 3 and theirs == 7
                odds = (19, 20) if version == "commission" else (0, 1) if pushes else (1, 1)
            elif name == "banker":
                odds = (0, 1) if winner == "tie" else None
            elif name == "dragon_7":
                odds = (40, 1) if winner == "banker" and theirs == 7 and len(banker) == 3 else None
            elif name == "panda_8":
                odds = (25, 1) if winner == "player" and ours == 8 and len(player) == 3 else None
            else:
                pays = bonus(player, banker) if name.endswith("player") else bonus(banker, player)
                odds = None if pays is None else (pays, 1)
            back[name] = 0 if odds is None else cents + cents * odds[0] // odds[1]
        spots.append({"spot": number, "wagers": wagers})
        expected.append(back)
    request = {
        "game": "baccarat",
        "player": " ".join(player),
        "banker": " ".join(banker),
        "spots": spots,
        "tables": {"tie": table},
        "options": {"version": version, "decks": decks},
    }
    return request, expected, winner
