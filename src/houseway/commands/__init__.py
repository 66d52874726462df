"""The commands of ``houseway``: thin, each a door to a room. No rule, sum or decision lives here."""
