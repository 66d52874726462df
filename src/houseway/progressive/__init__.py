"""The progressive system's mathematics: awards and envy as pure functions on exact money."""

from houseway.progressive.awards import Award, Awards, Entry, Envy, Meter, Policy, award_round, seed_amount

__all__ = ["Award", "Awards", "Entry", "Envy", "Meter", "Policy", "award_round", "seed_amount"]
