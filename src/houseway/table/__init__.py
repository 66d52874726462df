"""The table: a progressive round and a card round, each a pure machine of commands and events, and its notation."""
