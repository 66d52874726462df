"""A round with cards: seats, wagers, packets, decisions, the reveal, and reconciling spot by spot."""
